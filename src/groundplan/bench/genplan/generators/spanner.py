"""Spanner: a one-way path on which spanners lie, with loose nuts at its end."""

from __future__ import annotations

import random
from itertools import pairwise

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.errors import InputError
from groundplan.pddl.ast import Problem


def make(rng: random.Random, *, locations: int, spanners: int, nuts: int) -> Problem:
    """`locations` lie between the start and the gate with the nuts. Spanners lie anywhere on the path, both ends too.

    Solvable: there are no more nuts than spanners, and all spanners are on the way.
    """
    require("spanner", 0, locations=locations)
    require("spanner", 1, nuts=nuts)
    if spanners < nuts:
        raise InputError(f"spanner: `spanners` must be at least `nuts` ({nuts}), one for each; it is {spanners}")
    path = numbered(rng, "location", locations + 2)
    tools = numbered(rng, "spanner", spanners)
    loose = numbered(rng, "nut", nuts)
    (man,) = numbered(rng, "man", 1)
    facts = [fact("link", here, there) for here, there in pairwise(path)]
    facts.append(fact("at", man, path[0]))
    for tool in tools:
        facts += [fact("at", tool, rng.choice(path)), fact("useable", tool)]
    for nut in loose:
        facts += [fact("at", nut, path[-1]), fact("loose", nut)]
    goal = [fact("tightened", nut) for nut in loose]
    objects = {"man": [man], "spanner": tools, "nut": loose, "location": path}
    return shuffled_problem(rng, "spanner", objects, facts, goal)


def _a_spanner_for_each_nut(drawn: dict[str, int]) -> dict[str, int]:
    return {**drawn, "nuts": min(drawn["nuts"], drawn["spanners"])}


GENERATOR = Generator(
    make,
    {
        "small": {"locations": (3, 5), "spanners": (3, 5), "nuts": (3, 5)},
        "large": {"locations": (20, 30), "spanners": (10, 20), "nuts": (10, 20)},
        "huge": {"locations": (250, 350), "spanners": (150, 250), "nuts": (150, 250)},
    },
    _a_spanner_for_each_nut,
)
