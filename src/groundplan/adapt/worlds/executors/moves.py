"""Scripts of straight moves: what the robot could already do before the novelty came.

A script sees no more than a learned policy does: the observation and the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.worlds.world import MAX_DISPLACEMENT, Array, Observation

CLOSE, STAY, OPEN = -1.0, 0.0, 1.0
TRAVEL = 0.25
"""Height (m) at which the gripper goes from one place to another, with something in it or not."""

Where = Callable[[Observation], Array]
When = Callable[[Observation, Facts], bool]


@dataclass(frozen=True, slots=True)
class Move:
    """Go to `where` with the gripper closing, staying or opening.

    `where` is asked once, when the move begins, or before every step if `follow`. The move is over when the gripper is
    within `tolerance` (m) of it and `until` holds; a move that follows is over as soon as `until` holds. After
    `patience` steps the script gives up.
    """

    where: Where
    grip: float = STAY
    until: When | None = None
    follow: bool = False
    tolerance: float = 0.005
    patience: int = 80


class Script:
    """An `Executor` that makes one move after the other; act() returns None after the last one or when it gave up."""

    def __init__(self, moves: Iterable[Move]) -> None:
        self._left = list(moves)
        self._target: Array | None = None
        self._steps = 0

    def act(self, observation: Observation, facts: Facts) -> Array | None:
        """See `Executor.act`."""
        here = observation["gripper_pos"]
        while self._left:
            move = self._left[0]
            if self._target is None or move.follow:
                self._target = move.where(observation)
            way = self._target - here
            arrived = move.follow or float(np.abs(way).max()) < move.tolerance
            if not ((move.until is None or move.until(observation, facts)) and arrived):
                return self._go(move, way)
            self._left.pop(0)
            self._target, self._steps = None, 0
        return None

    def _go(self, move: Move, way: Array) -> Array | None:
        self._steps += 1
        if self._steps > move.patience:
            self._left.clear()
            return None
        return np.array([*np.clip(way / MAX_DISPLACEMENT, -1.0, 1.0), move.grip])


def holds(fact: Fact) -> When:
    return lambda _, facts: fact in facts


def lacks(fact: Fact) -> When:
    return lambda _, facts: fact not in facts


def here(observation: Observation) -> Array:
    """Where the gripper is."""
    return observation["gripper_pos"].copy()


def shifted(dx: float, dy: float, dz: float) -> Where:
    """From where the gripper is when the move begins."""
    return lambda observation: observation["gripper_pos"] + (dx, dy, dz)


def at_height(z: float) -> Where:
    """Straight up or down to a height."""
    return lambda observation: np.array([*observation["gripper_pos"][:2], z])


def over(key: str, z: float) -> Where:
    """Above (or below) a point of the observation, at a height of its own."""
    return lambda observation: np.array([*observation[key][:2], z])


def onto(key: str, dz: float = 0.0) -> Where:
    """At a point of the observation, or `dz` above it."""
    return lambda observation: observation[key] + (0.0, 0.0, dz)


def held_to(key: str, x: float, y: float, z: float) -> Where:
    """Where the gripper must be for the point `key`, which it holds, to be at x, y, z."""
    return lambda observation: observation["gripper_pos"] - observation[key] + (x, y, z)


def pick(key: str, grasped: Fact, dz: float = 0.0) -> list[Move]:
    """Come from above, close around the point `key` until `grasped` holds; nothing is lifted yet."""
    return [
        Move(at_height(TRAVEL), OPEN),
        Move(over(key, TRAVEL), OPEN),
        Move(onto(key, dz), OPEN, tolerance=0.003),
        Move(here, CLOSE, holds(grasped), tolerance=0.02),
    ]


def release(free: Fact) -> list[Move]:
    """Open until the hand is free and go up."""
    return [Move(here, OPEN, holds(free), tolerance=0.02), Move(at_height(TRAVEL), STAY, tolerance=0.01)]
