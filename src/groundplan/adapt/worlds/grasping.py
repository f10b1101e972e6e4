"""When is an object grasped: both fingers press on it from opposite sides, for several control steps in a row.

A touch with the backs or the tips of the fingers is no grasp: the contact's normal must lie along the fingers' closing
direction and point outwards from the object on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundplan.adapt.worlds.hand import LEFT, RIGHT

HOLD_STEPS = 4
"""Control steps in a row (0.2 s) after which holding counts as a grasp."""
LOSE_STEPS = 2
"""Control steps in a row without a hold after which a grasp is over: one missed contact does not end it."""
SIDEWAYS = 0.7
"""Least share of the contact's normal along the closing direction."""
LEAST_FORCE = 0.2
"""Least normal force (N) of each finger."""

Memory = tuple[tuple[int, int, bool], ...]
"""For each object: steps held in a row, steps missed in a row, grasped."""


class Grasping:
    """Watches the contacts of one model; `bodies` names the bodies that each object of the problem is made of."""

    def __init__(self, model: Any, bodies: Mapping[str, Sequence[str]]) -> None:
        self.objects = tuple(bodies)
        owner = {model.body(body).id: index for index, name in enumerate(self.objects) for body in bodies[name]}
        self._owner = [owner.get(int(body), -1) for body in model.geom_bodyid]
        self._left, self._right = model.geom(LEFT).id, model.geom(RIGHT).id
        self._memory = [(0, 0, False)] * len(self.objects)

    def forget(self) -> None:
        """As after a reset: nothing is held."""
        self._memory = [(0, 0, False)] * len(self.objects)

    def remembered(self) -> Memory:
        return tuple(self._memory)

    def recall(self, memory: Memory) -> None:
        self._memory = list(memory)

    def grasped(self) -> list[str]:
        return [name for name, (_, _, held) in zip(self.objects, self._memory, strict=True) if held]

    def update(self, data: Any) -> None:
        """Take notice of the contacts after one control step."""
        held = self._held_now(data)
        for index, (streak, missed, grasped) in enumerate(self._memory):
            if index in held:
                self._memory[index] = (streak + 1, 0, grasped or streak + 1 >= HOLD_STEPS)
            else:
                self._memory[index] = (0, missed + 1, grasped and missed + 1 < LOSE_STEPS)

    def _held_now(self, data: Any) -> set[int]:
        contact = data.contact
        forces: list[float] | None = None
        pressed: dict[int, set[int]] = {self._left: set(), self._right: set()}
        for row, (first, second) in enumerate(contact.geom.tolist()):
            if first in pressed:
                finger, other, towards = first, second, 1.0
            elif second in pressed:
                finger, other, towards = second, first, -1.0
            else:
                continue
            index = self._owner[other]
            if index < 0:
                continue
            # The normal points from the first geom to the second; the left finger (at +y) presses along -y.
            normal = towards * float(contact.frame[row, 1]) * (-1.0 if finger == self._left else 1.0)
            if normal < SIDEWAYS:
                continue
            if forces is None:
                forces = data.efc_force.tolist()
            address = int(contact.efc_address[row])
            if address >= 0 and forces[address] >= LEAST_FORCE:
                pressed[finger].add(index)
        return pressed[self._left] & pressed[self._right]
