"""A world without physics: a hand on a line, with buttons that change facts when it stands on one and closes."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

import numpy as np

from groundplan.adapt.worlds.world import MAX_DISPLACEMENT, Observable
from groundplan.pddl.read import task_from_text

DOMAIN = """(define (domain lamps) (:requirements :strips :typing :negative-preconditions)
  (:types lamp gripper)
  (:predicates (lit ?l - lamp) (free ?h - gripper) (warm ?l - lamp))
  (:action switch-on :parameters (?l - lamp ?h - gripper)
    :precondition (and (free ?h) (not (lit ?l))) :effect (lit ?l))
  (:action touch :parameters (?l - lamp ?h - gripper)
    :precondition (and (free ?h) (lit ?l)) :effect (warm ?l)))"""
PROBLEM = """(define (problem lamps-1) (:domain lamps) (:objects a b - lamp h - gripper)
  (:init (free h)) (:goal (and (warm a) (lit b))))"""


def lamps():
    return task_from_text(DOMAIN, PROBLEM)


@dataclass
class ButtonWorld:
    """A lamp hangs at each of `places`: the first press lights it, the next warms it. `sticky` counts presses that
    come to nothing; with `dark`, warming a lamp puts the other ones out."""

    places: dict[str, float] = field(default_factory=lambda: {"a": 0.1, "b": -0.1})
    sticky: int = 0
    dark: bool = False
    name = "buttons"
    objects = {"a": "lamp", "b": "lamp", "h": "gripper"}
    observables = (
        Observable("h_at", 1, "m", "where the hand is", ("h",)),
        Observable("h_open", 1, "1", "whether the hand is open", ("h",), 1.0),
        Observable("a_from_h", 1, "m", "from the hand to lamp a", ("a", "h")),
        Observable("b_from_h", 1, "m", "from the hand to lamp b", ("b", "h")),
    )

    def reset(self, seed):
        self.at = float(np.random.default_rng(seed).uniform(-0.02, 0.02))
        self.true = {("free", "h")}
        self.closed = False
        return self.observe()

    def step(self, action):
        self.at += float(np.clip(action[0], -1, 1)) * MAX_DISPLACEMENT
        closes = action[3] < -1 / 3
        if closes and not self.closed:
            self._press()
        if closes or action[3] > 1 / 3:
            self.closed = closes
        return self.observe()

    def _press(self):
        for lamp, place in self.places.items():
            if abs(self.at - place) < 0.01:
                if self.sticky > 0:
                    self.sticky -= 1
                elif ("lit", lamp) in self.true:
                    self.true.add(("warm", lamp))
                    if self.dark:
                        self.true -= {("lit", other) for other in self.places if other != lamp}
                else:
                    self.true.add(("lit", lamp))

    def observe(self):
        return {
            "h_at": np.array([self.at]),
            "h_open": np.array([float(not self.closed)]),
            **{f"{lamp}_from_h": np.array([place - self.at]) for lamp, place in self.places.items()},
        }

    def facts(self):
        return frozenset(self.true)

    def save(self):
        return copy.deepcopy((self.at, self.true, self.closed, self.sticky))

    def restore(self, state):
        self.at, self.true, self.closed, self.sticky = copy.deepcopy(state)
        return self.observe()

    def render(self, width, height):
        return np.zeros((height, width, 3), dtype=np.uint8)

    def close(self):
        pass


KNOWN = DOMAIN.split("  (:action touch")[0] + ")"
"""The domain without `touch`."""


class Press:
    """Opens, goes to the lamp and presses once."""

    def __init__(self, world, objects):
        self.lamp = objects[0]
        self.opened = self.pressed = False

    def act(self, observation, facts):
        if self.pressed:
            return None
        away = float(observation[f"{self.lamp}_from_h"][0])
        if abs(away) < 0.005 and self.opened:
            self.pressed = True
            return np.array([0.0, 0.0, 0.0, -1.0])
        self.opened = True
        return np.array([np.clip(away / MAX_DISPLACEMENT, -1, 1), 0.0, 0.0, 1.0])


ButtonWorld.SCRIPTS = {"switch-on": Press}
