"""Gripper: one robot with two grippers takes balls from room to room."""

from __future__ import annotations

import random

from groundplan.bench.genplan.destinations import destinations
from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.pddl.ast import Problem

_GRIPPERS = 2


def make(rng: random.Random, *, rooms: int, balls: int) -> Problem:
    """A third of the balls or more, at most all, have a wanted room. Solvable: every room opens to every other."""
    require("gripper", 2, rooms=rooms)
    require("gripper", 1, balls=balls)
    places = numbered(rng, "room", rooms)
    names = numbered(rng, "ball", balls)
    hands = numbered(rng, "gripper", _GRIPPERS)
    start = {ball: rng.choice(places) for ball in names}
    wanted = {ball: start[ball] for ball in rng.sample(names, rng.randint((balls + 2) // 3, balls))}
    facts = [fact("room", place) for place in places]
    facts += [fact("ball", ball) for ball in names]
    facts += [fact("gripper", hand) for hand in hands]
    facts += [fact("free", hand) for hand in hands]
    facts += [fact("at", ball, place) for ball, place in start.items()]
    facts.append(fact("at-robby", rng.choice(places)))
    goal = [fact("at", ball, place) for ball, place in destinations(rng, wanted, places).items()]
    return shuffled_problem(rng, "gripper-strips", {"object": places + names + hands}, facts, goal)


GENERATOR = Generator(
    make,
    {
        "small": {"rooms": (15, 20), "balls": (5, 10)},
        "large": {"rooms": (40, 50), "balls": (20, 30)},
        "huge": {"rooms": (450, 550), "balls": (250, 350)},
    },
)
