"""Beluga: parts in an order of arrival, racks to store them, and an order of production."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.racks import CAPACITY, NO_PART, NO_RACK, ZERO, Names, Yard, play
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.pddl.ast import Atom, Plan, Problem

_SIZES = range(3, 8)
"""Sizes of parts."""


def make(rng: random.Random, *, parts: int, racks: int) -> Problem:
    """Solvable: the order of production is that of a plan that was played at random."""
    return make_with_plan(rng, parts=parts, racks=racks)[0]


def make_with_plan(rng: random.Random, *, parts: int, racks: int) -> tuple[Problem, Plan]:
    """A problem and the plan that it was made from."""
    require("beluga", 1, parts=parts, racks=racks)
    arrival = numbered(rng, "part", parts)
    kinds = rng.sample(_SIZES, rng.randint(1, len(_SIZES)))
    sizes = {part: rng.choice(kinds) for part in arrival}
    used = sorted(set(sizes.values()))
    trucks = numbered(rng, "truck", 2)
    names = Names(
        beluga_truck=trucks[0],
        fab_truck=trucks[1],
        line="line1",
        racks=tuple(numbered(rng, "rack", racks)),
        numbers=_named(rng, _levels(used)),
    )
    yard = Yard(names, sizes)
    play(rng, yard, arrival)
    objects = {
        "beluga-truck": [names.beluga_truck],
        "fab-truck": [names.fab_truck],
        "rack": names.racks,
        "part": arrival,
        "production-line": [names.line],
        "num": [name for name in names.numbers.values() if name != ZERO],
    }
    facts = [
        *_stock(names, sizes),
        *_sums(names.numbers, used),
        *_orders(names, arrival, yard.processed),
    ]
    goal = [fact("processed", part) for part in arrival]
    return shuffled_problem(rng, "beluga", objects, facts, goal), yard.plan()


def _levels(sizes: Collection[int]) -> list[int]:
    """Every level that a rack can have with parts of these sizes, from 0 up."""
    found = [0]
    for level in range(1, CAPACITY + 1):
        if any(level - size in found for size in sizes):
            found.append(level)
    return found


def _named(rng: random.Random, levels: Sequence[int]) -> dict[int, str]:
    return dict(zip(levels, [ZERO, *numbered(rng, "num", len(levels) - 1)], strict=True))


def _sums(numbers: Mapping[int, str], sizes: Collection[int]) -> list[Atom]:
    """The table of levels before and after a part of each size."""
    return [
        fact("fit-n-sum", name, numbers[size], numbers[level + size])
        for level, name in numbers.items()
        for size in sizes
        if level + size <= CAPACITY
    ]


def _stock(names: Names, sizes: Mapping[str, int]) -> list[Atom]:
    """Free trucks, unused racks, and parts that are on none."""
    facts = [fact("empty", names.beluga_truck), fact("empty", names.fab_truck)]
    for rack in names.racks:
        facts += [fact("level", rack, ZERO), fact("unused", rack)]
    for part, size in sizes.items():
        facts += [fact("on-rack", NO_RACK, part), fact("size", part, names.numbers[size])]
        facts += [fact("no-rack-succ", part), fact("no-rack-pre", part)]
    return facts


def _orders(names: Names, arrival: Sequence[str], production: Sequence[str]) -> list[Atom]:
    facts = [fact("ready-to-unload", arrival[0]), fact("needed-next", NO_PART)]
    facts += [fact("next-to-unload", *pair) for pair in zip(arrival, [*arrival[1:], NO_PART], strict=True)]
    facts += [fact("p-line-next", names.line, production[0]), fact("p-line-succ", NO_PART, NO_PART)]
    return facts + [fact("p-line-succ", *pair) for pair in zip(production, [*production[1:], NO_PART], strict=True)]


GENERATOR = Generator(
    make,
    {
        "small": {"parts": (2, 4), "racks": (2, 3)},
        "large": {"parts": (4, 11), "racks": (2, 6)},
        "huge": {"parts": (80, 110), "racks": (30, 45)},
    },
)
