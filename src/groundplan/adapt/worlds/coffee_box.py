"""Coffee with a box: the pod lies in an open box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from groundplan.adapt.facts import Fact
from groundplan.adapt.worlds.base import TABLE
from groundplan.adapt.worlds.coffee_machine import POD_HALF, TOUCH, CoffeeWorld, pod
from groundplan.adapt.worlds.mjcf import Point, box, mark, walls
from groundplan.adapt.worlds.sensing import Sight, point

BOX = (-0.14, 0.02)
BOX_INNER = (0.045, 0.078)
"""Half the inside width along x and y (m): the open fingers fit in."""
BOX_RIM = 0.045

_CARD = 'rgba=".55 .42 .3 1"'
_BOX = f"""
    {box((*BOX_INNER, 0.0005), (*BOX, 0.0005), f'class="seen" {_CARD}')}
    {walls(BOX_INNER, 0.006, 0, BOX_RIM, BOX, _CARD)}
    {mark("box1", (*BOX, BOX_RIM))}
"""


class CoffeeBox(CoffeeWorld):
    """The machine is shut, the mug in its place, the pod in the open box."""

    name = "coffee_box"
    objects: ClassVar = {**CoffeeWorld.machine_objects, "box1": "box"}
    static_facts: ClassVar[frozenset[Fact]] = CoffeeWorld.machine_facts | {
        ("on-table", "box1", TABLE),
        ("open", "box1"),
    }
    hand_start: ClassVar[Point] = (0.0, -0.14, 0.34)

    def store(self) -> str:
        return _BOX + pod(*BOX, 0.0)

    def store_sights(self) -> Sequence[Sight]:
        return (point("box1_pos", "box1", "Position of the middle of the opening of box1, at its rim.", ("box1",)),)

    def place(self, rng: np.random.Generator) -> None:
        self.shift("coffee-pod1", *rng.uniform(-0.02, 0.02, 2))

    def store_facts(self, at: Point) -> Iterator[Fact]:
        inside = abs(at[0] - BOX[0]) < BOX_INNER[0] and abs(at[1] - BOX[1]) < BOX_INNER[1]
        if inside and at[2] < BOX_RIM:
            yield ("in", "coffee-pod1", "box1")
        elif at[2] < POD_HALF + TOUCH:
            yield ("on-table", "coffee-pod1", TABLE)
