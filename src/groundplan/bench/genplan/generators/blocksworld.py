"""Blocksworld: from one set of towers to another."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise
from math import isqrt

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.pddl.ast import Atom, Problem

_Towers = list[list[str]]
"""Blocks from the bottom to the top."""


def make(rng: random.Random, *, blocks: int) -> Problem:
    """The goal tells what stands on what, and nothing of the table. Solvable: every two sets of towers are joined."""
    require("blocksworld", 2, blocks=blocks)
    names = numbered(rng, "block", blocks)
    towers = _towers(rng, names, most=blocks)
    facts = [fact("handempty"), *_stacked(towers)]
    facts += [fact("ontable", tower[0]) for tower in towers]
    facts += [fact("clear", tower[-1]) for tower in towers]
    held = set(facts)
    goal = list(_stacked(_towers(rng, names, most=blocks - 1)))
    while held.issuperset(goal):
        goal = list(_stacked(_towers(rng, names, most=blocks - 1)))
    return shuffled_problem(rng, "blocksworld-4ops", {"object": names}, facts, goal)


def _towers(rng: random.Random, blocks: list[str], most: int) -> _Towers:
    """One to `most` towers, in number up to about twice the square root of the blocks, as in random states."""
    order = rng.sample(blocks, len(blocks))
    count = rng.randint(1, min(most, 2 * isqrt(len(blocks))))
    cuts = [0, *sorted(rng.sample(range(1, len(blocks)), count - 1)), len(blocks)]
    return [order[low:high] for low, high in pairwise(cuts)]


def _stacked(towers: _Towers) -> Iterable[Atom]:
    return (fact("on", above, below) for tower in towers for below, above in pairwise(tower))


GENERATOR = Generator(
    make,
    {
        "small": {"blocks": (4, 6)},
        "large": {"blocks": (10, 50)},
        "huge": {"blocks": (300, 400)},
    },
)
