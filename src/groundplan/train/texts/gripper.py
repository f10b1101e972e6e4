"""Made-up tasks of gripper: balls in rooms, a robot with two grippers, and where some of the balls shall go."""

from __future__ import annotations

from random import Random

from groundplan.train.texts import naming
from groundplan.train.texts.scene import Fact, Scene

SIZE = (1, 6)
"""How many balls a task has, least and most, if nothing else is asked."""
BOUNDS = (1, 18)
"""Sizes that can be asked for; there are no more names for balls."""
ROOMS = (2, 4)
CARRIED_AT_START = 0.1
"""How often a gripper carries a ball at the start."""


def scene(rng: Random, size: tuple[int, int]) -> Scene:
    """A task with a number of balls in `size`, whose goal is not true at the start."""
    rooms = naming.rooms(rng, rng.randint(*ROOMS))
    balls = naming.balls(rng, rng.randint(*size))
    grippers = naming.grippers(rng)
    carried = (rng.choice(list(balls)), rng.choice(list(grippers))) if rng.random() < CARRIED_AT_START else None
    init: list[Fact] = [("room", room) for room in rooms]
    init += [("ball", ball) for ball in balls]
    init += [("gripper", gripper) for gripper in grippers]
    init.append(("at-robby", rng.choice(list(rooms))))
    where = {ball: rng.choice(list(rooms)) for ball in balls}
    init += [("at", ball, where[ball]) for ball in balls if carried is None or ball != carried[0]]
    init += [("free", gripper) for gripper in grippers if carried is None or gripper != carried[1]]
    if carried is not None:
        init.append(("carry", *carried))
    return Scene("gripper", {**rooms, **balls, **grippers}, tuple(init), _goal(rng, list(balls), list(rooms), init))


def _goal(rng: Random, balls: list[str], rooms: list[str], init: list[Fact]) -> tuple[Fact, ...]:
    """Rooms for some of the balls; now and then one room for all of them."""
    while True:
        moved = rng.sample(balls, rng.randint(1, len(balls)))
        target = rng.choice(rooms) if rng.random() < 0.3 else None
        goal: list[Fact] = [("at", ball, target or rng.choice(rooms)) for ball in moved]
        if not set(goal) <= set(init):
            return tuple(goal)
