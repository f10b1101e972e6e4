"""Grippers: several robots, each with two grippers of its own, take balls from room to room."""

from __future__ import annotations

import random

from groundplan.bench.genplan.destinations import destinations
from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.pddl.ast import Problem

_GRIPPERS = 2
"""Grippers a robot."""


def make(rng: random.Random, *, robots: int, rooms: int, balls: int) -> Problem:
    """Every ball has a wanted room. Solvable: any one robot could do all, as every room opens to every other."""
    require("grippers", 1, robots=robots, balls=balls)
    require("grippers", 2, rooms=rooms)
    places = numbered(rng, "room", rooms)
    names = numbered(rng, "ball", balls)
    machines = numbered(rng, "robot", robots)
    hands = numbered(rng, "gripper", _GRIPPERS * robots)
    start = {ball: rng.choice(places) for ball in names}
    facts = [fact("at-robby", robot, rng.choice(places)) for robot in machines]
    facts += [fact("free", robot, hand) for robot, hand in zip(machines * _GRIPPERS, hands, strict=True)]
    facts += [fact("at", ball, place) for ball, place in start.items()]
    goal = [fact("at", ball, place) for ball, place in destinations(rng, start, places).items()]
    objects = {"room": places, "robot": machines, "gripper": hands, "object": names}
    return shuffled_problem(rng, "gripper-strips", objects, facts, goal)


GENERATOR = Generator(
    make,
    {
        "small": {"robots": (1, 2), "rooms": (2, 4), "balls": (3, 6)},
        "large": {"robots": (1, 5), "rooms": (5, 20), "balls": (20, 80)},
        "huge": {"robots": (15, 25), "rooms": (80, 120), "balls": (500, 700)},
    },
)
