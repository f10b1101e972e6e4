"""Coffee with a drawer: the pod lies in a drawer that is shut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from groundplan.adapt.facts import Fact
from groundplan.adapt.worlds.base import TABLE
from groundplan.adapt.worlds.coffee_machine import POD_HALF, TOUCH, CoffeeWorld, pod
from groundplan.adapt.worlds.mjcf import Point, box, mark, walls
from groundplan.adapt.worlds.sensing import Sight, joint, point, thing

CABINET = (-0.2, 0.06)
DRAWER_INNER = (0.05, 0.078)
"""Half the inside width along x and y (m): the open fingers fit in."""
DRAWER_FLOOR, DRAWER_RIM = 0.012, 0.045
DRAWER_TRAVEL, DRAWER_OPEN = 0.11, 0.085
"""How far the drawer slides along x, and from where on it is open (m)."""
POD_FORWARD = 0.018
"""How far in front of the drawer's middle the pod lies (m)."""

_X, _Y = CABINET
_WOOD, _PINE = 'rgba=".5 .4 .3 1"', 'mass=".05" rgba=".7 .58 .42 1"'
_CABINET = f"""
    {box((0.06, 0.09, 0.004), (_X, _Y, 0.056), _WOOD)}
    {box((0.06, 0.003, 0.026), (_X, _Y + 0.088, 0.026), _WOOD)}
    {box((0.06, 0.003, 0.026), (_X, _Y - 0.088, 0.026), _WOOD)}
    <body name="drawer1" pos="{_X} {_Y} 0">
      <joint name="drawer1" type="slide" axis="1 0 0" range="0 {DRAWER_TRAVEL}" frictionloss=".8" damping="4"/>
      {box((0.058, 0.084, 0.004), (0, 0, DRAWER_FLOOR - 0.004), _PINE)}
      {walls(DRAWER_INNER, 0.006, DRAWER_FLOOR - 0.006, DRAWER_RIM, (0, 0), _PINE)}
      {box((0.014, 0.005, 0.009), (0.07, 0, 0.034), 'mass=".02" rgba=".1 .1 .1 1"')}
      {mark("drawer1", (0, 0, DRAWER_RIM))}
      {mark("drawer1_handle", (0.073, 0, 0.036))}
    </body>
"""


class CoffeeDrawer(CoffeeWorld):
    """The machine is shut, the mug in its place, the pod in the shut drawer, under the cabinet's top."""

    name = "coffee_drawer"
    objects: ClassVar = {**CoffeeWorld.machine_objects, "drawer1": "drawer"}
    static_facts: ClassVar[frozenset[Fact]] = CoffeeWorld.machine_facts | {("on-table", "drawer1", TABLE)}
    bodies: ClassVar = {**CoffeeWorld.bodies, "drawer1": ("drawer1",)}
    hand_start: ClassVar[Point] = (0.0, -0.14, 0.34)

    def store(self) -> str:
        return _CABINET + pod(CABINET[0] + POD_FORWARD, CABINET[1], DRAWER_FLOOR)

    def store_sights(self) -> Sequence[Sight]:
        drawer = ("drawer1",)
        return (
            *thing("drawer1_handle", "drawer1_handle", "the small handle of the drawer drawer1", drawer),
            point("drawer1_pos", "drawer1", "Position of the middle of the drawer drawer1, at its rim.", drawer),
            joint(
                "drawer1_opening",
                "drawer1",
                "m",
                f"How far drawer1 has been pulled out along x: 0 is shut, from {DRAWER_OPEN} on it is open.",
                drawer,
                10.0,
            ),
        )

    def place(self, rng: np.random.Generator) -> None:
        self.shift("coffee-pod1", float(rng.uniform(-0.01, 0.01)), float(rng.uniform(-0.02, 0.02)))

    def store_facts(self, at: Point) -> Iterator[Fact]:
        opening = self.joint_at("drawer1")
        if opening > DRAWER_OPEN:
            yield ("open", "drawer1")
        inside = abs(at[0] - CABINET[0] - opening) < DRAWER_INNER[0] and abs(at[1] - CABINET[1]) < DRAWER_INNER[1]
        if inside and at[2] < DRAWER_RIM:
            yield ("in", "coffee-pod1", "drawer1")
        elif at[2] < POD_HALF + TOUCH:
            yield ("on-table", "coffee-pod1", TABLE)
