"""Delivery: papers from a home base to the places that want one, among places that are traps."""

from __future__ import annotations

import random

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.errors import InputError
from groundplan.pddl.ast import Problem


def make(rng: random.Random, *, locations: int, wanting: int, spare: int) -> Problem:
    """`wanting` places want a paper, and there are `spare` papers more than that.

    The home base and the wanting places are safe, and so are a few of the others. The start is the home base in half
    of the tasks, any safe place in the rest. Solvable: all places to go to are safe, and there are enough papers.
    """
    require("delivery", 1, wanting=wanting)
    require("delivery", 0, spare=spare)
    if locations <= wanting:
        raise InputError(
            f"delivery: `locations` must be over `wanting` ({wanting}), as the home base wants no paper; "
            f"it is {locations}"
        )
    places = numbered(rng, "place", locations)
    papers = numbered(rng, "paper", wanting + spare)
    home, wants, others = places[0], places[1 : wanting + 1], places[wanting + 1 :]
    safe = [home, *wants, *others[: rng.randint(0, len(others) // 3)]]
    start = home if rng.random() < 0.5 else rng.choice(safe)
    facts = [fact("at", start), fact("ishomebase", home)]
    facts += [fact("safe", place) for place in safe]
    facts += [fact("wantspaper", place) for place in wants]
    facts += [fact("unpacked", paper) for paper in papers]
    goal = [fact("satisfied", place) for place in wants]
    return shuffled_problem(rng, "trapnewspapers", {"loc": places, "paper": papers}, facts, goal)


GENERATOR = Generator(
    make,
    {
        "small": {"locations": (5, 9), "wanting": (2, 4), "spare": (0, 2)},
        "large": {"locations": (30, 39), "wanting": (20, 29), "spare": (0, 9)},
        "huge": {"locations": (400, 500), "wanting": (250, 350), "spare": (0, 90)},
    },
)
