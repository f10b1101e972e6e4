"""Maps for the generators: grids, connected road maps, and what can be reached on them.

Every function keeps a fixed order, so that a seed gives the same task in every process.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar

Cell: TypeAlias = tuple[int, int]
"""Row and column."""

Place = TypeVar("Place")


def grid(rows: int, columns: int) -> list[Cell]:
    return [(row, column) for row in range(rows) for column in range(columns)]


def neighbours(cells: Iterable[Cell]) -> dict[Cell, list[Cell]]:
    """The cells beside each cell: up, down, left and right, as far as they are among `cells`."""
    there = dict.fromkeys(cells)
    around = ((-1, 0), (1, 0), (0, -1), (0, 1))
    return {
        (row, column): [(row + down, column + right) for down, right in around if (row + down, column + right) in there]
        for row, column in there
    }


def pairs(beside: Mapping[Place, Iterable[Place]]) -> list[tuple[Place, Place]]:
    """Every place with each of its neighbours."""
    return [(place, other) for place, others in beside.items() for other in others]


def reachable(
    start: Place, beside: Mapping[Place, Iterable[Place]], closed: Collection[Place] = frozenset()
) -> list[Place]:
    """All places that can be reached from `start`, itself included, without entering a closed one."""
    found = [start]
    seen = {start}
    for place in found:
        for other in beside[place]:
            if other not in seen and other not in closed:
                seen.add(other)
                found.append(other)
    return found


def road_map(rng: random.Random, places: Sequence[Place], degree: int) -> dict[Place, list[Place]]:
    """A connected map with roads both ways: a random tree, and roads more until places have `degree` on average."""
    beside: dict[Place, list[Place]] = {place: [] for place in places}
    for index in range(1, len(places)):
        link(beside, places[index], places[rng.randrange(index)])
    missing = min(len(places) * degree, len(places) * (len(places) - 1)) // 2 - (len(places) - 1)
    apart = [
        (place, other) for index, place in enumerate(places) for other in places[:index] if other not in beside[place]
    ]
    for place, other in rng.sample(apart, max(0, missing)):
        link(beside, place, other)
    return beside


def link(beside: dict[Place, list[Place]], place: Place, other: Place) -> None:
    """A road both ways."""
    beside[place].append(other)
    beside[other].append(place)
