"""Ferry: cars to be shipped, one at a time."""

from __future__ import annotations

import random
from itertools import permutations

from groundplan.bench.genplan.destinations import destinations
from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.pddl.ast import Problem


def make(rng: random.Random, *, locations: int, cars: int) -> Problem:
    """Every car has a wanted place; some are there already. Solvable: the ferry goes from anywhere to anywhere."""
    require("ferry", 2, locations=locations)
    require("ferry", 1, cars=cars)
    places = numbered(rng, "location", locations)
    names = numbered(rng, "car", cars)
    start = {car: rng.choice(places) for car in names}
    facts = [fact("location", place) for place in places]
    facts += [fact("not-eq", place, other) for place, other in permutations(places, 2)]
    facts += [fact("car", car) for car in names]
    facts += [fact("at", car, place) for car, place in start.items()]
    facts += [fact("at-ferry", rng.choice(places)), fact("empty-ferry")]
    goal = [fact("at", car, place) for car, place in destinations(rng, start, places).items()]
    return shuffled_problem(rng, "ferry", {"object": places + names}, facts, goal)


GENERATOR = Generator(
    make,
    {
        "small": {"locations": (10, 15), "cars": (3, 5)},
        "large": {"locations": (20, 30), "cars": (10, 20)},
        "huge": {"locations": (250, 300), "cars": (150, 200)},
    },
)
