"""Transport: cities of roads, joined to one map, with trucks of limited capacity and packages."""

from __future__ import annotations

import random
from itertools import pairwise

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.maps import link, pairs, road_map
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.errors import InputError
from groundplan.pddl.ast import Problem

_FULL = 4
"""The greatest capacity."""


def make(rng: random.Random, *, cities: int, nodes: int, degree: int, trucks: int, packages: int) -> Problem:
    """`nodes` locations a city, `degree` roads at a location on average. A package's goal is not where it starts.

    Solvable: roads run both ways over the whole map, and every truck has room.
    """
    require("transport", 1, cities=cities, nodes=nodes, degree=degree, trucks=trucks, packages=packages)
    if cities * nodes < 2:
        raise InputError("transport: with one location there is nowhere to go; take more cities or nodes")
    places = numbered(rng, "location", cities * nodes)
    beside: dict[str, list[str]] = {}
    for city in range(cities):
        own = places[city * nodes : (city + 1) * nodes]
        earlier = list(beside)
        beside |= road_map(rng, own, degree)
        for place, other in _gates(rng, own, earlier):
            link(beside, place, other)
    levels = numbered(rng, "capacity", _FULL + 1)
    vehicles = numbered(rng, "truck", trucks)
    loads = numbered(rng, "package", packages)
    facts = [fact("road", place, other) for place, other in pairs(beside)]
    facts += [fact("capacity-predecessor", low, high) for low, high in pairwise(levels)]
    for vehicle in vehicles:
        facts += [fact("at", vehicle, rng.choice(places)), fact("capacity", vehicle, rng.choice(levels[2:]))]
    goal = []
    for load in loads:
        here, there = rng.sample(places, 2)
        facts.append(fact("at", load, here))
        goal.append(fact("at", load, there))
    objects = {"location": places, "vehicle": vehicles, "package": loads, "capacity-number": levels}
    return shuffled_problem(rng, "transport", objects, facts, goal)


def _gates(rng: random.Random, own: list[str], earlier: list[str]) -> list[tuple[str, str]]:
    """One or two roads from a city to those before it."""
    if not earlier:
        return []
    roads = {(rng.choice(own), rng.choice(earlier)): None for _ in range(rng.randint(1, 2))}
    return list(roads)


GENERATOR = Generator(
    make,
    {
        "small": {"cities": (1, 3), "nodes": (2, 3), "degree": (2, 3), "trucks": (2, 2), "packages": (2, 4)},
        "large": {"cities": (1, 3), "nodes": (8, 16), "degree": (2, 4), "trucks": (2, 4), "packages": (5, 14)},
        "huge": {"cities": (4, 6), "nodes": (24, 32), "degree": (2, 4), "trucks": (6, 10), "packages": (50, 70)},
    },
)
