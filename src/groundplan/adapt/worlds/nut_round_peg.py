"""Nut assembly: the square nut has been left on the round peg and belongs on the square one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from typing import ClassVar

import numpy as np

from groundplan.adapt.facts import Fact
from groundplan.adapt.worlds.base import GRIPPER, TABLE, HandWorld
from groundplan.adapt.worlds.mjcf import Point, box, mark, walls
from groundplan.adapt.worlds.sensing import Sight, point, thing

PEGS = {"round-peg1": (-0.12, 0.12), "square-peg1": (0.12, 0.12)}
PEG_TOP = 0.08
"""Height of both pegs (m)."""
NUTS = {"square-nut1": (0.035, 0.035, 0.008), "round-nut1": (0.042, 0.042, 0.008)}
"""Half sizes (m) of the rings, handles left out."""
AROUND = 0.022
"""Distance (m) of a nut's middle from a peg's axis up to which the peg goes through the nut."""
TOUCH = 0.006
SQUARE_REST = 0.0245
"""Height (m) of the square nut's middle when it lies on the round nut."""

_BRASS, _BLUE = 'rgba=".85 .7 .3 1"', 'rgba=".2 .4 .7 1"'
_PEG = 'contype="3" conaffinity="0"'
_INNER = 'mass=".003" contype="0" conaffinity="2" rgba="0 0 0 0"'
_RING = f'mass=".015" contype="1" conaffinity="2" {_BLUE}'
_STUDS = "".join(
    f'<geom type="sphere" size=".004" pos="{x} {y} -.0045" mass=".001" {_BLUE}/>'
    for x, y in ((0.029, 0), (-0.029, 0), (0, 0.029), (0, -0.029))
)
_ROUND, _SQUARE = PEGS["round-peg1"], PEGS["square-peg1"]
# Who touches whom: the round nut is a disc to everything but the pegs, which its inner walls hold (bit 2); the square
# nut lies on it with four studs. That keeps the contacts few.
_SCENE = f"""
    <geom type="cylinder" size=".016 {PEG_TOP / 2}" pos="{_ROUND[0]} {_ROUND[1]} {PEG_TOP / 2}" {_PEG} {_BRASS}/>
    {box((0.015, 0.015, PEG_TOP / 2), (*_SQUARE, PEG_TOP / 2), f"{_PEG} {_BLUE}")}
    {box((0.034, 0.034, 0.006), (*_SQUARE, 0.006), _BLUE)}
    {mark("round_peg", (*_ROUND, PEG_TOP))}
    {mark("square_peg", (*_SQUARE, PEG_TOP))}
    <body name="round-nut1" pos="{_ROUND[0]} {_ROUND[1]} .008">
      <freejoint name="round-nut1"/>
      <geom type="cylinder" size=".042 .008" mass=".06" contype="1" conaffinity="0" {_BRASS}/>
      {walls((0.022, 0.022), 0.006, -0.006, 0.006, (0, 0), _INNER)}
      {box((0.018, 0.006, 0.006), (-0.058, 0, 0), f'mass=".01" {_BRASS}')}
      {mark("round-nut1", (0, 0, 0))}
      {mark("round-nut1_handle", (-0.062, 0, 0))}
    </body>
    <body name="square-nut1" pos="{_ROUND[0]} {_ROUND[1]} {SQUARE_REST}">
      <freejoint name="square-nut1"/>
      {walls((0.023, 0.023), 0.012, -0.007, 0.007, (0, 0), _RING)}
      {_STUDS}
      {box((0.018, 0.006, 0.006), (0.053, 0, 0), f'mass=".008" {_BLUE}')}
      {mark("square-nut1", (0, 0, 0))}
      {mark("square-nut1_handle", (0.057, 0, 0))}
    </body>
"""


class NutRoundPeg(HandWorld):
    """Both nuts are on the round peg, the round one at the bottom; the square peg is empty."""

    name = "nut_round_peg"
    objects: ClassVar = {
        "square-nut1": "square-nut",
        "round-nut1": "round-nut",
        "square-peg1": "square-peg",
        "round-peg1": "round-peg",
        TABLE: "table",
        GRIPPER: "gripper",
    }
    static_facts: ClassVar[frozenset[Fact]] = frozenset(
        {
            ("on-table", "square-peg1", TABLE),
            ("on-table", "round-peg1", TABLE),
            ("fits", "square-nut1", "square-peg1"),
            ("fits", "round-nut1", "round-peg1"),
            ("graspable", "square-nut1", GRIPPER),
            ("graspable", "round-nut1", GRIPPER),
        }
    )
    bodies: ClassVar = {"square-nut1": ("square-nut1",), "round-nut1": ("round-nut1",)}
    hand_start: ClassVar[Point] = (0.0, -0.14, 0.33)

    def scene(self) -> str:
        return _SCENE

    def sights(self) -> Sequence[Sight]:
        square, circle = ("square-nut1",), ("round-nut1",)
        return (
            *thing("square_nut1_handle", "square-nut1_handle", "the handle of the square nut square-nut1", square),
            point("square_nut1_pos", "square-nut1", "Position of the middle of the hole of square-nut1.", square),
            *thing("round_nut1_handle", "round-nut1_handle", "the handle of the round nut round-nut1", circle),
            point("round_nut1_pos", "round-nut1", "Position of the middle of the hole of round-nut1.", circle),
            point("round_peg1_pos", "round_peg", "Position of the top of the round peg round-peg1.", ("round-peg1",)),
            point("square_peg1_pos", "square_peg", "Position of the top of square-peg1.", ("square-peg1",)),
        )

    def place(self, rng: np.random.Generator) -> None:
        for name in NUTS:
            self.shift(name, *rng.uniform(-0.002, 0.002, 2))
            self.turn(name, float(rng.uniform(-0.08, 0.08)))

    def detect(self) -> Iterator[Fact]:
        for nut, half in NUTS.items():
            x, y, z = self.at(nut)
            if self.lowest(nut, half) < TOUCH:
                yield ("on-table", nut, TABLE)
            for peg, (peg_x, peg_y) in PEGS.items():
                if hypot(x - peg_x, y - peg_y) < AROUND and z < PEG_TOP:
                    yield ("on-peg", nut, peg)
