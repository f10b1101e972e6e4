"""What both coffee scenes share: the machine with its pod holder and hinged lid, the mug and the pod."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from math import hypot
from typing import ClassVar

from groundplan.adapt.facts import Fact
from groundplan.adapt.worlds.base import GRIPPER, TABLE, HandWorld
from groundplan.adapt.worlds.mjcf import Point, box, mark, walls
from groundplan.adapt.worlds.sensing import Sight, joint, point, thing

HOLDER = (0.16, 0.12)
"""Where the pod holder's middle is (m)."""
HOLDER_INNER = (0.026, 0.034)
"""Half the inside width of the holder along x and y (m)."""
HOLDER_FLOOR, HOLDER_RIM = 0.118, 0.142
HINGE_X, HINGE_Z = HOLDER[0] + 0.034, 0.148
HANDLE_REACH = 0.084
"""From the hinge to the lid's handle (m)."""
LID_UP, LID_STOP = 1.75, 2.0
"""The lid's angles (rad) from which it counts as up, and at which it stops; past pi / 2 it stays by its weight."""
POD_RADIUS, POD_HALF = 0.014, 0.012
MUG_SIZE: Point = (0.025, 0.025, 0.04)
TOUCH = 0.006

_X, _Y = HOLDER
# The lid's handle has no torsional friction (condim 3): it turns between the fingers while they hold it.
_GREY, _DARK = 'rgba=".4 .4 .43 1"', 'rgba=".25 .25 .28 1"'
_HANDLE = 'mass=".006" priority="2" condim="3" friction="1.6 .02 .0005" rgba=".1 .1 .1 1"'
_MACHINE = f"""
    {box((0.025, 0.05, 0.08), (_X + 0.09, _Y, 0.08), _DARK)}
    {box((0.034, 0.042, 0.003), (_X, _Y, HOLDER_FLOOR - 0.003), _GREY)}
    {walls(HOLDER_INNER, 0.008, HOLDER_FLOOR, HOLDER_RIM, HOLDER, _GREY)}
    {box((0.02, 0.03, 0.01), (_X + 0.05, _Y, HOLDER_FLOOR), f'class="seen" {_DARK}')}
    {mark("pod-holder1", (*HOLDER, HOLDER_RIM))}
    <body name="lid1" pos="{HINGE_X} {_Y} {HINGE_Z}">
      <joint name="lid1" type="hinge" axis="0 1 0" range="0 {LID_STOP}" damping=".004" frictionloss=".004"/>
      {box((0.032, 0.036, 0.003), (-0.034, 0, 0), 'mass=".04" rgba=".6 .2 .15 1"')}
      {box((0.014, 0.005, 0.005), (0.004 - HANDLE_REACH, 0, 0), _HANDLE)}
      {mark("lid1_handle", (-HANDLE_REACH, 0, 0))}
    </body>
    <body name="mug1" pos="{_X} {_Y} {MUG_SIZE[2]}">
      <freejoint name="mug1"/>
      <geom type="cylinder" size="{MUG_SIZE[0]} {MUG_SIZE[2]}" mass=".2" rgba=".9 .9 .95 1"/>
      {mark("mug1", (0, 0, 0))}
    </body>
"""


def pod(x: float, y: float, bottom: float) -> str:
    """The pod, a small cylinder on three studs, standing at a height of `bottom` (m)."""
    studs = "".join(
        f'<geom type="sphere" size=".003" pos="{dx} {dy} -{POD_HALF - 0.003}" mass=".001"/>'
        for dx, dy in ((0.009, 0), (-0.0045, 0.0078), (-0.0045, -0.0078))
    )
    return f"""
    <body name="coffee-pod1" pos="{x} {y} {bottom + POD_HALF}">
      <freejoint name="coffee-pod1"/>
      <geom type="cylinder" size="{POD_RADIUS} {POD_HALF - 0.0005}" pos="0 0 .0005" mass=".025" rgba=".45 .25 .1 1"/>
      {studs}
      {mark("coffee-pod1", (0, 0, 0))}
    </body>"""


class CoffeeWorld(HandWorld):
    """The machine; subclasses say where the pod is kept."""

    machine_objects: ClassVar = {
        "lid1": "machine-lid",
        "pod-holder1": "pod-holder",
        "coffee-pod1": "coffee-pod",
        "mug1": "mug",
        TABLE: "table",
        GRIPPER: "gripper",
    }
    machine_facts: ClassVar[frozenset[Fact]] = frozenset(
        {
            ("attached", "lid1", "pod-holder1"),
            ("open", "mug1"),
            ("graspable", "coffee-pod1", GRIPPER),
            ("graspable", "mug1", GRIPPER),
        }
    )
    bodies: ClassVar = {"lid1": ("lid1",), "coffee-pod1": ("coffee-pod1",), "mug1": ("mug1",)}

    @abstractmethod
    def store(self) -> str:
        """MJCF of what the pod is kept in, and the pod."""

    @abstractmethod
    def store_sights(self) -> Sequence[Sight]: ...

    @abstractmethod
    def store_facts(self, at: Point) -> Iterator[Fact]:
        """Facts of the store, given where the pod is."""

    def scene(self) -> str:
        return _MACHINE + self.store()

    def sights(self) -> Sequence[Sight]:
        lid, holder = ("lid1",), ("pod-holder1",)
        return (
            *thing("coffee_pod1", "coffee-pod1", "the middle of the coffee pod coffee-pod1", ("coffee-pod1",)),
            *thing("lid1_handle", "lid1_handle", "the handle of the machine's lid lid1", lid),
            joint(
                "lid1_angle",
                "lid1",
                "rad",
                f"Angle of lid1 on its hinge: 0 is shut on pod-holder1, from {LID_UP} on it is up, pod-holder1 open.",
                ("lid1", "pod-holder1"),
                1.0,
            ),
            point("pod_holder1_pos", "pod-holder1", "Position of the middle of the opening of pod-holder1.", holder),
            point("mug1_pos", "mug1", "Position of the middle of the mug mug1.", ("mug1",)),
            *self.store_sights(),
        )

    def detect(self) -> Iterator[Fact]:
        up = self.joint_at("lid1") > LID_UP
        yield ("lid-up" if up else "lid-down", "lid1")
        if up:
            yield ("open", "pod-holder1")
        x, y, z = self.at("mug1")
        if self.uprightness("mug1") > 0.9:
            yield ("upright", "mug1")
        if hypot(x - _X, y - _Y) < MUG_SIZE[0] and z < HOLDER_FLOOR:
            yield ("under", "mug1", "pod-holder1")
        if self.lowest("mug1", MUG_SIZE) < TOUCH:
            yield ("on-table", "mug1", TABLE)
        at = self.at("coffee-pod1")
        if (
            abs(at[0] - _X) < HOLDER_INNER[0]
            and abs(at[1] - _Y) < HOLDER_INNER[1]
            and HOLDER_FLOOR < at[2] < HOLDER_RIM
        ):
            yield ("in", "coffee-pod1", "pod-holder1")
        yield from self.store_facts(at)
