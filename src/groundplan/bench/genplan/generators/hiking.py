"""Hiking: a grid with water beside a marked trail, and hills on it."""

from __future__ import annotations

import random
from itertools import pairwise

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.maps import Cell, grid, neighbours, pairs
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.errors import InputError
from groundplan.pddl.ast import Problem

_WALKS = 10
"""Random walks that are tried for a trail of the length drawn; the longest is taken."""


def make(rng: random.Random, *, rows: int, columns: int, water_percent: int, hill_percent: int) -> Problem:
    """The trail is dry and leads from start to goal. Water is only off the trail, hills are only on it."""
    require("hiking", 1, rows=rows, columns=columns)
    require("hiking", 0, 100, water_percent=water_percent, hill_percent=hill_percent)
    if rows * columns < 2:
        raise InputError("hiking: a map of one cell has no trail; take more rows or columns")
    cells = grid(rows, columns)
    beside = neighbours(cells)
    trail = _trail(rng, beside)
    off = [cell for cell in cells if cell not in trail]
    inner = trail[1:-1]
    name = dict(zip(cells, numbered(rng, "loc", len(cells)), strict=True))
    facts = [fact("adjacent", name[cell], name[other]) for cell, other in pairs(beside)]
    facts += [fact("ontrail", name[cell], name[after]) for cell, after in pairwise(trail)]
    facts += [fact("iswater", name[cell]) for cell in rng.sample(off, round(water_percent * len(off) / 100))]
    facts += [fact("ishill", name[cell]) for cell in rng.sample(inner, round(hill_percent * len(inner) / 100))]
    facts.append(fact("at", name[trail[0]]))
    return shuffled_problem(rng, "hiking", {"loc": name.values()}, facts, [fact("at", name[trail[-1]])])


def _trail(rng: random.Random, beside: dict[Cell, list[Cell]]) -> list[Cell]:
    """A path that never touches itself: no cell of it is beside another but the ones before and after."""
    cells = list(beside)
    least = min(2, len(cells) - 1)
    steps = rng.randint(least, max(least, len(cells) // 2))
    return max((_walk(rng, beside, rng.choice(cells), steps) for _ in range(_WALKS)), key=len)


def _walk(rng: random.Random, beside: dict[Cell, list[Cell]], start: Cell, steps: int) -> list[Cell]:
    path = [start]
    passed = {start}
    while len(path) <= steps:
        ways = [cell for cell in beside[path[-1]] if passed.intersection(beside[cell]) == {path[-1]}]
        ways = [cell for cell in ways if cell not in passed]
        if not ways:
            break
        path.append(rng.choice(ways))
        passed.add(path[-1])
    return path


GENERATOR = Generator(
    make,
    {
        "small": {"rows": (8, 9), "columns": (8, 9), "water_percent": (15, 60), "hill_percent": (0, 20)},
        "large": {"rows": (10, 11), "columns": (10, 11), "water_percent": (30, 60), "hill_percent": (0, 20)},
        "huge": {"rows": (32, 36), "columns": (32, 36), "water_percent": (30, 60), "hill_percent": (0, 20)},
    },
)
