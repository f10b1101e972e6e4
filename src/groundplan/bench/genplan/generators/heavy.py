"""Heavy: a pile of items in the order of their weights."""

from __future__ import annotations

import random
from itertools import combinations

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.pddl.ast import Problem


def make(rng: random.Random, *, items: int) -> Problem:
    """`heavier` is a total order, all pairs told. Solvable: from the heaviest to the lightest, the one way there is."""
    require("heavy", 1, items=items)
    names = numbered(rng, "item", items)
    facts = [fact("box-empty")]
    facts += [fact("unpacked", item) for item in names]
    facts += [fact("heavier", item, other) for item, other in combinations(names, 2)]
    goal = [fact("packed", item) for item in names]
    return shuffled_problem(rng, "heavy-pack", {"object": names}, facts, goal)


GENERATOR = Generator(
    make,
    {
        "small": {"items": (3, 10)},
        "large": {"items": (100, 250)},
        "huge": {"items": (1000, 1100)},
    },
)
