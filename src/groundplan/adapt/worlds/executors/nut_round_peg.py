"""Scripted operators of nut assembly."""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.adapt.worlds.executors.moves import TRAVEL, Move, Script, Where, at_height, pick, release
from groundplan.adapt.worlds.nut_round_peg import PEG_TOP
from groundplan.adapt.worlds.world import Array, Observation, World

ABOVE, THREADED = PEG_TOP + 0.04, PEG_TOP - 0.025
"""Heights (m) of the nut before it goes over the peg and when it can be let fall."""


def pick_up_nut_from_tabletop(world: World, objects: Sequence[str]) -> Script:
    nut, _, gripper = objects
    return Script([*pick(f"{_key(nut)}_handle_pos", ("grasped", nut, gripper)), Move(at_height(TRAVEL))])


def put_nut_on_peg(world: World, objects: Sequence[str]) -> Script:
    nut, peg, gripper = objects

    def hole_at(height: float) -> Where:
        def where(seen: Observation) -> Array:
            x, y, _ = seen[f"{_key(peg)}_pos"]
            return seen["gripper_pos"] - seen[f"{_key(nut)}_pos"] + (x, y, height)

        return where

    return Script(
        [
            Move(at_height(TRAVEL)),
            Move(hole_at(TRAVEL)),
            Move(hole_at(ABOVE), tolerance=0.003),
            Move(hole_at(THREADED)),
            *release(("free", gripper)),
        ]
    )


def _key(name: str) -> str:
    return name.replace("-", "_")


SCRIPTS = {"pick-up-nut-from-tabletop": pick_up_nut_from_tabletop, "put-nut-on-peg": put_nut_on_peg}
