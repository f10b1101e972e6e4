"""A small numpy world: a point gripper in a box, a ball to grasp and lift, a drawer to pull open."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.operator import GroundOperator, Literal
from groundplan.adapt.worlds.world import MAX_DISPLACEMENT, Array, Observable, Observation

LOW, HIGH = np.array([-0.2, -0.2, 0.0]), np.array([0.2, 0.2, 0.3])
REACH, HOLD_STEPS = 0.01, 3
LIFTED, OPEN = 0.05, 0.08
DRAWER = np.array([0.1, 0.15, 0.05])
NOISE = 1e-4


def _literal(text: str) -> Literal:
    positive = not text.startswith("not ")
    return Literal(tuple(text.removeprefix("not ").split()), positive)


def operator(name: str, objects: dict[str, str], before: str, effects: str) -> GroundOperator:
    """From texts such as "free hand1; not grasped ball1 hand1"."""
    preconditions = tuple(_literal(item.strip()) for item in before.split(";"))
    return GroundOperator(
        name,
        tuple(objects),
        tuple(objects.values()),
        preconditions,
        tuple(_literal(item.strip()) for item in effects.split(";")),
    )


PICK_UP = operator(
    "pick-up",
    {"ball1": "ball", "table1": "table", "hand1": "gripper"},
    "free hand1; not grasped ball1 hand1; on ball1 table1",
    "grasped ball1 hand1; not free hand1; not on ball1 table1",
)
OPEN_DRAWER = operator(
    "open-drawer",
    {"drawer1": "drawer", "hand1": "gripper"},
    "free hand1; not grasped drawer1 hand1; not open drawer1",
    "grasped drawer1 hand1; not free hand1; open drawer1",
)

GRASP_BALL = """\
import math

def shaping(previous, current):
    before = math.dist(previous["hand_pos"], previous["ball_pos"])
    after = math.dist(current["hand_pos"], current["ball_pos"])
    progress = (before - after) / 0.016
    if after < 0.02:
        progress += previous["hand_aperture"][0] - current["hand_aperture"][0]
    return max(-1.0, min(1.0, progress))
"""
LIFT_BALL = """\
def shaping(previous, current):
    return max(-1.0, min(1.0, (current["ball_pos"][2] - previous["ball_pos"][2]) / 0.016))
"""


@dataclass
class _State:
    hand: Array
    aperture: float
    ball: Array
    drawer: float
    held: str
    holding: int
    random: Any = field(repr=False)


class ToyWorld:
    """`near` is the farthest that the gripper starts from the ball, in metres."""

    name = "toy"

    def __init__(self, near: float = 0.1) -> None:
        self._near = near
        self.objects = {"ball1": "ball", "drawer1": "drawer", "table1": "table", "hand1": "gripper"}
        self.observables = (
            Observable("hand_pos", 3, "m", "Where the gripper is.", ("hand1",), 10.0),
            Observable("hand_aperture", 1, "1", "How far the gripper is open.", ("hand1",), 1.0),
            Observable("ball_pos", 3, "m", "Where the ball is.", ("ball1",), 10.0),
            Observable("hand_to_ball", 3, "m", "From the gripper to the ball.", ("ball1", "hand1"), 20.0),
            Observable("drawer_handle", 3, "m", "Where the drawer's handle is.", ("drawer1",), 10.0),
            Observable("drawer_travel", 1, "m", "How far the drawer is pulled out.", ("drawer1",), 10.0),
        )
        self.reset(0)

    def reset(self, seed: int) -> Observation:
        random = np.random.default_rng(seed)
        ball = np.append(random.uniform(-0.08, 0.08, 2), 0.02)
        hand = ball + random.uniform(-1, 1, 3) * self._near
        hand[2] = abs(hand[2]) + 0.02
        self._state = _State(np.clip(hand, LOW, HIGH), 1.0, ball, 0.0, "", 0, random)
        return self.observe()

    def _handle(self) -> Array:
        return DRAWER - np.array([0.0, self._state.drawer, 0.0])

    def step(self, action: Array) -> Observation:
        if np.isnan(action).any():
            raise ValueError("an action that is no number")
        s, action = self._state, np.clip(action, -1.0, 1.0)
        move = action[:3] * MAX_DISPLACEMENT + s.random.normal(0, NOISE, 3)
        if s.held == "drawer1":
            move[[0, 2]] = 0.0
        before = s.hand
        s.hand = np.clip(s.hand + move, LOW, HIGH)
        if action[3] < -1 / 3:
            s.aperture = max(0.0, s.aperture - 0.5)
        elif action[3] > 1 / 3:
            s.aperture = min(1.0, s.aperture + 0.5)
        self._hold()
        if s.held == "ball1":
            s.ball = s.hand.copy()
        elif s.held == "drawer1":
            s.drawer = float(np.clip(s.drawer + before[1] - s.hand[1], 0.0, 0.15))
            s.hand[1] = self._handle()[1]
        else:
            s.ball[2] = max(0.02, s.ball[2] - 0.05)
        return self.observe()

    def _hold(self) -> None:
        s = self._state
        if s.aperture > 0.0:
            s.held, s.holding = "", 0
            return
        if not s.held:
            for name, place in (("ball1", s.ball), ("drawer1", self._handle())):
                if np.linalg.norm(s.hand - place) < REACH:
                    s.held, s.holding = name, 0
        s.holding += bool(s.held)

    def observe(self) -> Observation:
        s = self._state
        return {
            "hand_pos": s.hand.copy(),
            "hand_aperture": np.array([s.aperture]),
            "ball_pos": s.ball.copy(),
            "hand_to_ball": s.ball - s.hand,
            "drawer_handle": self._handle(),
            "drawer_travel": np.array([s.drawer]),
        }

    def facts(self) -> Facts:
        s = self._state
        found: set[Fact] = set()
        grasped = s.held if s.holding >= HOLD_STEPS else ""
        found.add(("grasped", grasped, "hand1") if grasped else ("free", "hand1"))
        if s.ball[2] < LIFTED:
            found.add(("on", "ball1", "table1"))
        if s.drawer > OPEN:
            found.add(("open", "drawer1"))
        return frozenset(found)

    def save(self) -> Any:
        return copy.deepcopy(self._state)

    def restore(self, state: Any) -> Observation:
        self._state = copy.deepcopy(state)
        return self.observe()

    def render(self, width: int, height: int) -> NDArray[np.uint8]:
        return np.zeros((height, width, 3), np.uint8)

    def close(self) -> None:
        pass
