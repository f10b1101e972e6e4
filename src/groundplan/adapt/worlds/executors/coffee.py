"""Scripted operators of both coffee scenes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from groundplan.adapt.facts import Facts
from groundplan.adapt.worlds.coffee_machine import HANDLE_REACH, HINGE_X, HINGE_Z, HOLDER_RIM, LID_UP
from groundplan.adapt.worlds.executors.moves import (
    CLOSE,
    TRAVEL,
    Move,
    Script,
    Where,
    at_height,
    pick,
    release,
)
from groundplan.adapt.worlds.world import Array, Observation, World
from groundplan.errors import InputError

LEAD = 0.2
"""How far (rad) ahead of the lid the gripper aims while it turns the lid."""
LET_FALL = HOLDER_RIM - 0.004
"""Height (m) of the pod's middle at which it is let go over the holder."""


def open_pod_holder(world: World, objects: Sequence[str]) -> Script:
    _, lid, gripper = objects

    def turn(seen: Observation) -> Array:
        angle = float(seen["lid1_angle"][0]) + LEAD
        x, z = HINGE_X - HANDLE_REACH * np.cos(angle), HINGE_Z + HANDLE_REACH * np.sin(angle)
        return np.array([x, seen["pod_holder1_pos"][1], z])

    def up(seen: Observation, facts: Facts) -> bool:
        return float(seen["lid1_angle"][0]) > LID_UP + 0.05

    return Script(
        [
            *pick("lid1_handle_pos", ("grasped", lid, gripper)),
            Move(turn, CLOSE, up, follow=True),
        ]
    )


def let_go_of_fixture(world: World, objects: Sequence[str]) -> Script:
    _, gripper = objects
    return Script(release(("free", gripper)))


def place_pod_in_holder(world: World, objects: Sequence[str]) -> Script:
    gripper = objects[2]

    def pod_at(height: float) -> Where:
        def where(seen: Observation) -> Array:
            x, y, _ = seen["pod_holder1_pos"]
            return seen["gripper_pos"] - seen["coffee_pod1_pos"] + (x, y, height)

        return where

    return Script(
        [
            Move(at_height(TRAVEL)),
            Move(pod_at(TRAVEL)),
            Move(pod_at(LET_FALL), tolerance=0.003),
            *release(("free", gripper)),
        ]
    )


def pick_up_from_tabletop(world: World, objects: Sequence[str]) -> Script:
    item, _, gripper = objects
    if item != "coffee-pod1":
        raise InputError(f"no script picks up {item}; there is one for coffee-pod1")
    return Script([*pick("coffee_pod1_pos", ("grasped", item, gripper)), Move(at_height(TRAVEL))])


SCRIPTS = {
    "open-pod-holder": open_pod_holder,
    "let-go-of-fixture": let_go_of_fixture,
    "place-pod-in-holder": place_pod_in_holder,
    "pick-up-from-tabletop": pick_up_from_tabletop,
}
