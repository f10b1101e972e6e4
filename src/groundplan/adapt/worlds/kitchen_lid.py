"""Kitchen: bread is to be cooked in a pot on a stove, and a lid lies on the pot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from typing import ClassVar

import numpy as np

from groundplan.adapt.facts import Fact
from groundplan.adapt.worlds.base import GRIPPER, TABLE, HandWorld
from groundplan.adapt.worlds.mjcf import Point, box, mark, walls
from groundplan.adapt.worlds.sensing import Sight, joint, point, thing

STOVE = (0.06, 0.12)
STOVE_HALF, STOVE_TOP = 0.11, 0.04
POT_INNER, POT_RIM = 0.056, 0.07
"""Half the inside width of the pot and the height of its rim above its foot (m)."""
LID_RADIUS, LID_HALF = 0.068, 0.004
BREAD_HALF: Point = (0.028, 0.014, 0.014)
LID_SIZE: Point = (LID_RADIUS, LID_RADIUS, LID_HALF)
SWITCH = (0.2, -0.1)
SWITCH_TRAVEL, SWITCH_ON = 0.04, 0.028
"""How far the switch slides, and from where on the stove is on (m)."""
TOUCH = 0.01
"""Gap (m) up to which one thing lies on another."""
COVER = 0.05
"""Gap (m) between lid and rim up to which the lid still keeps things out of the pot."""

_STEEL = 'mass=".05" rgba=".55 .57 .6 1"'
_WALLED = f'contype="2" conaffinity="0" {_STEEL}'
_FEET = "".join(
    f'<geom type="sphere" size=".006" pos="{x} {y} .006" mass=".2"/>' for x in (-0.045, 0.045) for y in (-0.045, 0.045)
)
_RIM = "".join(
    f'<geom type="sphere" size=".003" pos="{x} {y} {POT_RIM - 0.003:.3f}" mass=".01" rgba=".55 .57 .6 1"/>'
    for x, y in ((0.058, 0), (-0.058, 0), (0, 0.058), (0, -0.058))
)
# The lid lies on four small balls in the rim and does not touch the walls (bit 2), which halves the cost of a step.
_SCENE = f"""
    {box((STOVE_HALF, STOVE_HALF, STOVE_TOP / 2), (*STOVE, STOVE_TOP / 2), 'conaffinity="3" rgba=".3 .3 .32 1"')}
    {mark("stove", (*STOVE, STOVE_TOP))}
    <body name="pot1" pos="{STOVE[0]} {STOVE[1]} {STOVE_TOP}">
      <freejoint name="pot1"/>
      {_FEET}
      {box((0.06, 0.06, 0.003), (0, 0, 0.015), _STEEL)}
      {walls((POT_INNER, POT_INNER), 0.004, 0.012, POT_RIM - 0.001, (0, 0), _WALLED)}
      {_RIM}
      {mark("pot1", (0, 0, POT_RIM))}
    </body>
    <body name="lid1" pos="{STOVE[0]} {STOVE[1]} {STOVE_TOP + POT_RIM + LID_HALF}">
      <freejoint name="lid1"/>
      <geom type="cylinder" size="{LID_RADIUS} {LID_HALF}" mass=".12" rgba=".45 .5 .6 1"/>
      <geom type="cylinder" size=".008 .012" pos="0 0 .016" mass=".01" rgba=".1 .1 .1 1"/>
      {mark("lid1_knob", (0, 0, 0.018))}
    </body>
    <body name="bread1" pos="-.16 -.12 .014">
      <freejoint name="bread1"/>
      {box(BREAD_HALF, (0, 0, 0), 'conaffinity="3" mass=".06" rgba=".8 .55 .25 1"')}
      {mark("bread1", (0, 0, 0))}
    </body>
    {box((0.02, 0.04, 0.008), (SWITCH[0], SWITCH[1] + 0.02, 0.008), 'class="seen" rgba=".25 .25 .25 1"')}
    <body name="switch1" pos="{SWITCH[0]} {SWITCH[1]} 0">
      <joint name="switch1" type="slide" axis="0 1 0" range="0 {SWITCH_TRAVEL}" frictionloss=".5" damping="3"/>
      {box((0.006, 0.005, 0.015), (0, 0, 0.033), 'mass=".05" rgba=".8 .1 .1 1"')}
      {mark("switch1", (0, 0, 0.038))}
    </body>
"""


class KitchenLid(HandWorld):
    """The pot stands on the stove with the lid on it; bread and the stove's switch are beside them."""

    name = "kitchen_lid"
    objects: ClassVar = {
        "lid1": "lid",
        "pot1": "pot",
        "bread1": "bread",
        "stove1": "stove",
        "switch1": "switch",
        TABLE: "table",
        GRIPPER: "gripper",
    }
    static_facts: ClassVar[frozenset[Fact]] = frozenset(
        {
            ("on-table", "stove1", TABLE),
            ("on-table", "switch1", TABLE),
            ("liftable", "bread1"),
            ("liftable", "pot1"),
            ("liftable", "lid1"),
        }
    )
    bodies: ClassVar = {"lid1": ("lid1",), "pot1": ("pot1",), "bread1": ("bread1",), "switch1": ("switch1",)}
    hand_start: ClassVar[Point] = (-0.05, -0.08, 0.37)

    def scene(self) -> str:
        return _SCENE

    def sights(self) -> Sequence[Sight]:
        return (
            *thing("lid1_knob", "lid1_knob", "the small knob on top of the lid lid1, by which it is lifted", ("lid1",)),
            *thing("pot1", "pot1", "the middle of the opening of the pot pot1, at its rim", ("pot1",)),
            *thing("bread1", "bread1", "the middle of the bread bread1", ("bread1",)),
            *thing("switch1", "switch1", "the top of the sliding switch switch1 of the stove stove1", ("switch1",)),
            point("stove1_pos", "stove", "Position of the middle of the top of the stove stove1.", ("stove1",)),
            joint(
                "switch1_travel",
                "switch1",
                "m",
                f"How far switch1 has been slid along y: 0 is off, the stove stove1 is on from {SWITCH_ON} on.",
                ("switch1", "stove1"),
                20.0,
            ),
        )

    def place(self, rng: np.random.Generator) -> None:
        dx, dy = rng.uniform(-0.012, 0.012, 2)
        self.shift("pot1", dx, dy)
        self.shift("lid1", dx, dy)
        self.shift("bread1", *rng.uniform(-0.02, 0.02, 2))

    def detect(self) -> Iterator[Fact]:
        lows = {
            "lid1": self.lowest("lid1", LID_SIZE),
            "bread1": self.lowest("bread1", BREAD_HALF),
            "pot1": self.at("pot1")[2],
        }
        for name, low in lows.items():
            if low < TOUCH:
                yield ("on-table", name, TABLE)
        yield from self._lying(lows)
        pot, lid, bread = self.at("pot1"), self.at("lid1"), self.at("bread1")
        rim = pot[2] + POT_RIM
        if hypot(lid[0] - pot[0], lid[1] - pot[1]) < LID_RADIUS and -0.02 < lows["lid1"] - rim < COVER:
            yield ("covered", "pot1")
        if max(abs(bread[0] - pot[0]), abs(bread[1] - pot[1])) < POT_INNER and pot[2] < bread[2] < rim:
            yield ("in", "bread1", "pot1")
        if self.joint_at("switch1") > SWITCH_ON:
            yield ("on", "switch1")
            yield ("on", "stove1")

    def _lying(self, lows: dict[str, float]) -> Iterator[Fact]:
        """What lies on what: the lowest point of the upper one is at the top of the lower one, and above it."""
        pot, lid = self.at("pot1"), self.at("lid1")
        tops = {
            "stove1": ((*STOVE, STOVE_TOP), STOVE_HALF),
            "pot1": ((pot[0], pot[1], pot[2] + POT_RIM), POT_INNER),
            "lid1": ((lid[0], lid[1], lid[2] + LID_HALF), LID_RADIUS),
        }
        for upper, low in lows.items():
            x, y, _ = self.at(upper)
            for lower, (top, reach) in tops.items():
                if upper != lower and abs(low - top[2]) < TOUCH and hypot(x - top[0], y - top[1]) < reach:
                    yield ("ontop", upper, lower)
