"""Miconic: buildings with a lift each, and passengers who wait for it."""

from __future__ import annotations

import random
from itertools import combinations

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.pddl.ast import Problem


def make(rng: random.Random, *, buildings: int, floors: int, passengers: int) -> Problem:
    """`floors` and `passengers` are those of one building. No name and no fact but `above` tells the buildings apart.

    Solvable: everybody wants to go to another floor of the same building, whose lift reaches all its floors.
    """
    require("miconic", 1, buildings=buildings, passengers=passengers)
    require("miconic", 2, floors=floors)
    levels = numbered(rng, "floor", buildings * floors)
    people = numbered(rng, "passenger", buildings * passengers)
    facts = []
    for building in range(buildings):
        own = levels[building * floors : (building + 1) * floors]  # from the lowest to the highest
        facts += [fact("above", low, high) for low, high in combinations(own, 2)]
        facts.append(fact("lift-at", rng.choice(own)))
        for person in people[building * passengers : (building + 1) * passengers]:
            here, there = rng.sample(own, 2)
            facts += [fact("origin", person, here), fact("destin", person, there)]
    goal = [fact("served", person) for person in people]
    return shuffled_problem(rng, "miconic", {"floor": levels, "passenger": people}, facts, goal)


GENERATOR = Generator(
    make,
    {
        "small": {"buildings": (1, 2), "floors": (5, 10), "passengers": (1, 5)},
        "large": {"buildings": (1, 5), "floors": (10, 20), "passengers": (1, 10)},
        "huge": {"buildings": (4, 6), "floors": (100, 120), "passengers": (50, 80)},
    },
)
