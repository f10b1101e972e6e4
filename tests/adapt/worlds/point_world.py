"""A world without physics, a point and a ball, and copies of it that each break one rule of the interface."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundplan.adapt.facts import Facts
from groundplan.adapt.worlds.errors import RenderError
from groundplan.adapt.worlds.world import MAX_DISPLACEMENT, Array, Observable, Observation

DOMAIN = """
(define (domain point) (:requirements :strips :typing)
  (:types gripper ball - object)
  (:predicates (free ?g - gripper) (near ?b - ball ?g - gripper) (low ?g - gripper))
  (:action wait :parameters (?g - gripper) :precondition (free ?g) :effect (low ?g)))
"""
PROBLEM = """
(define (problem point-1) (:domain point) (:objects hand1 - gripper ball1 - ball)
  (:init (free hand1)) (:goal (near ball1 hand1)))
"""


class PointWorld:
    """The gripper and how fast it last went are the state."""

    name = "point"

    def __init__(self) -> None:
        self.objects = {"hand1": "gripper", "ball1": "ball"}
        self.observables = (
            Observable("gripper_pos", 3, "m", "Where the gripper is.", ("hand1",)),
            Observable("ball_pos", 3, "m", "Where the ball is.", ("ball1",)),
        )
        self.hand, self.ball, self.pace = np.zeros(3), np.zeros(3), np.zeros(3)
        self.reset(0)

    def reset(self, seed: int) -> Observation:
        rng = np.random.default_rng(seed)
        self.hand, self.ball = rng.uniform(0.1, 0.2, 3), rng.uniform(-0.2, -0.1, 3)
        self.pace = np.zeros(3)
        return self.observe()

    def step(self, action: Array) -> Observation:
        if np.isnan(action).any():
            raise ValueError("NaN is no action")
        self.pace = 0.5 * self.pace + 0.5 * MAX_DISPLACEMENT * np.clip(action[:3], -1, 1)
        self.hand = self.hand + self.pace
        return self.observe()

    def observe(self) -> Observation:
        return {"gripper_pos": self.hand.copy(), "ball_pos": self.ball.copy()}

    def facts(self) -> Facts:
        found = {("free", "hand1")}
        if np.linalg.norm(self.hand - self.ball) < 0.1:
            found.add(("near", "ball1", "hand1"))
        return frozenset(found)

    def save(self) -> Any:
        return self.hand.copy(), self.ball.copy(), self.pace.copy()

    def restore(self, state: Any) -> Observation:
        self.hand, self.ball, self.pace = (part.copy() for part in state)
        return self.observe()

    def render(self, width: int, height: int) -> NDArray[np.uint8]:
        raise RenderError("points have no picture")

    def close(self) -> None:
        pass


class ForgetsPace(PointWorld):
    def save(self) -> Any:
        return self.hand.copy(), self.ball.copy(), np.zeros(3)


class SavesItself(PointWorld):
    """What is saved goes on changing."""

    def step(self, action: Array) -> Observation:
        seen = super().step(action)
        if hasattr(self, "given"):
            self.given[0][:] = self.hand
        return seen

    def save(self) -> Any:
        self.given = super().save()
        return self.given


class CannotPickle(PointWorld):
    def save(self) -> Any:
        return [lambda: None, super().save()]

    def restore(self, state: Any) -> Observation:
        return super().restore(state[1])


class HandsOutItself(PointWorld):
    def observe(self) -> Observation:
        return {"gripper_pos": self.hand, "ball_pos": self.ball}


class TooFast(PointWorld):
    def step(self, action: Array) -> Observation:
        super().step(action)
        self.hand = self.hand + self.pace
        return self.observe()


class DoesNotClip(PointWorld):
    def step(self, action: Array) -> Observation:
        if np.isnan(action).any():
            raise ValueError
        self.hand = self.hand + 0.01 * action[:3]
        return self.observe()


class TakesNaN(PointWorld):
    def step(self, action: Array) -> Observation:
        return super().step(np.nan_to_num(action))


class SidewaysOnly(PointWorld):
    def step(self, action: Array) -> Observation:
        return super().step(action * np.array([1.0, 1.0, 0.0, 1.0]))


class IgnoresSeed(PointWorld):
    def reset(self, seed: int) -> Observation:
        return super().reset(7)


class IgnoresReset(PointWorld):
    def reset(self, seed: int) -> Observation:
        place = self.hand
        super().reset(seed)
        if place.any():
            self.hand = place
        return self.observe()


class SinglePrecision(PointWorld):
    def observe(self) -> Observation:
        return {name: array.astype(np.float32) for name, array in super().observe().items()}  # type: ignore[misc]


class WrongShape(PointWorld):
    def observe(self) -> Observation:
        seen = dict(super().observe())
        return {**seen, "ball_pos": seen["ball_pos"][:2]}


class ExtraKey(PointWorld):
    def observe(self) -> Observation:
        return {**super().observe(), "secret": np.zeros(1)}


class FactsThatCount(PointWorld):
    asked = 0

    def facts(self) -> Facts:
        self.asked += 1
        return super().facts() | ({("low", "hand1")} if self.asked % 2 else set())


class UnknownObject(PointWorld):
    def facts(self) -> Facts:
        return super().facts() | {("near", "ball2", "hand1")}


class UnknownPredicate(PointWorld):
    def facts(self) -> Facts:
        return super().facts() | {("far", "ball1")}


class WrongTypes(PointWorld):
    def facts(self) -> Facts:
        return super().facts() | {("near", "hand1", "ball1")}


class UpperCase(PointWorld):
    def facts(self) -> Facts:
        return super().facts() | {("Free", "hand1")}


class MissingFact(PointWorld):
    def facts(self) -> Facts:
        return super().facts() - {("free", "hand1")}


class GraspsAtOnce(PointWorld):
    def facts(self) -> Facts:
        return super().facts() | {("grasped", "ball1", "hand1")}


class WrongUnit(PointWorld):
    def __init__(self) -> None:
        super().__init__()
        first, second = self.observables
        self.observables = (first, Observable("ball_pos", 3, "cm", second.meaning, second.objects))


class NoMeaning(PointWorld):
    def __init__(self) -> None:
        super().__init__()
        self.observables = (self.observables[0], Observable("ball_pos", 3, "m", "ball", ("ball1",)))


class AboutNothing(PointWorld):
    def __init__(self) -> None:
        super().__init__()
        self.observables = (self.observables[0], Observable("ball_pos", 3, "m", "Where the cup is.", ("cup1",)))


class NoGripper(PointWorld):
    def __init__(self) -> None:
        super().__init__()
        self.observables = (Observable("gripper_pos", 3, "m", "Where it all is.", ("ball1",)), self.observables[1])


class Breaks(PointWorld):
    def save(self) -> Any:
        raise RuntimeError("not written yet")


class WrongPicture(PointWorld):
    def render(self, width: int, height: int) -> NDArray[np.uint8]:
        return np.zeros((width, height, 3), dtype=np.uint8)


FAULTS: list[tuple[type[PointWorld], str]] = [
    (ForgetsPace, "restore: the same actions lead elsewhere"),
    (SavesItself, "restore: returns another observation"),
    (CannotPickle, "save: the state cannot be pickled"),
    (HandsOutItself, "return fresh arrays"),
    (TooFast, "more than MAX_DISPLACEMENT"),
    (DoesNotClip, "clip to [-1, 1]"),
    (TakesNaN, "NaN is taken for an action"),
    (SidewaysOnly, "does not move along z"),
    (IgnoresSeed, "three seeds give one and the same scene"),
    (IgnoresReset, "the same seed gives another scene"),
    (SinglePrecision, "not a float64 array"),
    (WrongShape, "has the shape (2,), not (3,)"),
    (ExtraKey, "keys differ from the observables: secret"),
    (FactsThatCount, "asking twice gives two answers"),
    (UnknownObject, "about ball2, which is not in `objects`"),
    (UnknownPredicate, "(far ball1) is no predicate of the domain"),
    (WrongTypes, "hand1 is no ball"),
    (UpperCase, "not a tuple of lower-case words"),
    (MissingFact, "(free hand1) holds in the problem's :init, and not after reset"),
    (GraspsAtOnce, "something is grasped already"),
    (WrongUnit, "the unit of ball_pos is 'cm'"),
    (NoMeaning, "ball_pos needs a sentence of meaning"),
    (AboutNothing, "ball_pos is about cup1"),
    (NoGripper, "none is about the gripper alone"),
    (Breaks, "RuntimeError was raised where nothing should be: not written yet"),
    (WrongPicture, "not uint8 of shape (48, 64, 3)"),
]
