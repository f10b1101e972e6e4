"""Scripted operators of the kitchen."""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.adapt.worlds.executors.moves import (
    CLOSE,
    TRAVEL,
    Move,
    Script,
    at_height,
    held_to,
    holds,
    pick,
    release,
    shifted,
)
from groundplan.adapt.worlds.kitchen_lid import BREAD_HALF, LID_HALF, POT_RIM, STOVE_TOP, SWITCH_TRAVEL
from groundplan.adapt.worlds.world import Array, Observation, World
from groundplan.errors import InputError

POINTS = {"lid1": "lid1_knob_pos", "bread1": "bread1_pos"}
"""The point by which each thing is held."""
RESTING = {"lid1": LID_HALF + 0.018, "bread1": BREAD_HALF[2]}
"""Height of that point (m) when the thing lies on the table."""
SPOTS = {"lid1": (-0.17, 0.1), "bread1": (-0.16, -0.12)}
"""Where on the table each thing is put."""


def pick_up_from_tabletop(world: World, objects: Sequence[str]) -> Script:
    item, _, gripper = objects
    point = _point(item)
    return Script([*pick(point, ("grasped", item, gripper)), Move(at_height(TRAVEL))])


def place_on_table(world: World, objects: Sequence[str]) -> Script:
    item, _, gripper = objects
    point, (x, y) = _point(item), SPOTS[item]
    return Script(
        [
            Move(at_height(TRAVEL)),
            Move(held_to(point, x, y, TRAVEL - 0.05)),
            Move(held_to(point, x, y, RESTING[item] + 0.002)),
            *release(("free", gripper)),
        ]
    )


def place_in_pot(world: World, objects: Sequence[str]) -> Script:
    item, _, gripper = objects
    point = _point(item)

    def at(height: float) -> Move:
        def where(seen: Observation) -> Array:
            x, y, _ = seen["pot1_pos"]
            return held_to(point, x, y, height)(seen)

        return Move(where)

    return Script(
        [
            Move(at_height(TRAVEL)),
            at(TRAVEL - 0.02),
            at(STOVE_TOP + POT_RIM - 0.02),
            *release(("free", gripper)),
        ]
    )


def turn_on_stove(world: World, objects: Sequence[str]) -> Script:
    switch, stove, gripper = objects
    return Script(
        [
            *pick("switch1_pos", ("grasped", switch, gripper)),
            Move(shifted(0, SWITCH_TRAVEL, 0), CLOSE, holds(("on", stove)), tolerance=0.02),
        ]
    )


def let_go_of_fixture(world: World, objects: Sequence[str]) -> Script:
    _, gripper = objects
    return Script(release(("free", gripper)))


def _point(item: str) -> str:
    if item not in POINTS:
        raise InputError(f"no script handles {item} in the kitchen; there are scripts for {', '.join(POINTS)}")
    return POINTS[item]


SCRIPTS = {
    "pick-up-from-tabletop": pick_up_from_tabletop,
    "place-on-table": place_on_table,
    "place-in-pot": place_in_pot,
    "turn-on-stove": turn_on_stove,
    "let-go-of-fixture": let_go_of_fixture,
}
