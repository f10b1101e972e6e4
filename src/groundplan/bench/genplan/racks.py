"""Beluga played forwards: parts arrive, wait on racks and are processed at random, so that a plan is known.

The orders of arrival and of production that come out are feasible, whatever the racks hold at once.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from groundplan.pddl.ast import Plan, Step

CAPACITY = 15
"""The greatest level of any rack."""

NO_PART, NO_RACK, ZERO = "nonep", "noner", "n00"


@dataclass(frozen=True)
class Names:
    """Names of all that is not a part. `numbers` has the name of every level and size, zero's included."""

    beluga_truck: str
    fab_truck: str
    line: str
    racks: tuple[str, ...]
    numbers: Mapping[int, str]


@dataclass
class Yard:
    """Racks with their parts, from the aeroplane's side to the factory's, and the steps so far.

    `processed` are the parts in the order of production; the line's calls for them are put into the plan at the end.
    """

    names: Names
    sizes: Mapping[str, int]
    racks: dict[str, list[str]] = field(init=False)
    processed: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.racks = {rack: [] for rack in self.names.racks}

    def level(self, rack: str) -> int:
        return sum(self.sizes[part] for part in self.racks[rack])

    def room_for(self, part: str, but: str = "") -> list[str]:
        """Racks, apart from one, that can take a part."""
        fits = CAPACITY - self.sizes[part]
        return [rack for rack in self.racks if rack != but and self.level(rack) <= fits]

    def unload(self, part: str, following: str, rack: str) -> None:
        """A part from the aeroplane to the first place of a rack."""
        truck, here, size = self.names.beluga_truck, self.racks[rack], self._size(part)
        self._do("unload-from-beluga", part, following, truck)
        if here:
            before, after = self._levels(rack, self.sizes[part])
            self._do("put-on-rack-beluga", truck, part, rack, here[0], size, before, after)
        else:
            self._do("put-on-rack-first-beluga", truck, part, rack, size)
        here.insert(0, part)

    def take_last(self, rack: str) -> str:
        """The last part of a rack onto the factory's truck."""
        truck, here = self.names.fab_truck, self.racks[rack]
        part = here[-1]
        size = self._size(part)
        before, after = self._levels(rack, -self.sizes[part])
        if len(here) > 1:
            self._do("put-on-truck-fab", truck, rack, part, here[-2], size, before, after)
        else:
            self._do("put-on-truck-fab-last", truck, rack, part, size, before, after)
        return here.pop()

    def put_last(self, part: str, rack: str) -> None:
        """A part from the factory's truck to the last place of a rack."""
        truck, here, size = self.names.fab_truck, self.racks[rack], self._size(part)
        before, after = self._levels(rack, self.sizes[part])
        if here:
            self._do("put-on-rack-fab", truck, rack, part, here[-1], size, after, before)
        else:
            self._do("put-on-rack-fab-last", truck, rack, part, size, before, after)
        here.append(part)

    def process_last(self, rack: str) -> None:
        part = self.take_last(rack)
        self._do("to-fab", self.names.fab_truck, part)
        self.processed.append(part)

    def plan(self) -> Plan:
        """The steps, with the line's call before each part that is processed."""
        after = dict(zip(self.processed, [*self.processed[1:], NO_PART], strict=True))
        whole = []
        for step in self.steps:
            if step.action == "to-fab":
                whole.append(Step("set-next", (self.names.line, step.args[1], after[step.args[1]])))
            whole.append(step)
        return tuple(whole)

    def _size(self, part: str) -> str:
        return self.names.numbers[self.sizes[part]]

    def _levels(self, rack: str, change: int) -> tuple[str, str]:
        level = self.level(rack)
        return self.names.numbers[level], self.names.numbers[level + change]

    def _do(self, action: str, *args: str) -> None:
        self.steps.append(Step(action, args))


def play(rng: random.Random, yard: Yard, arrival: Sequence[str]) -> None:
    """Unload and process all parts at random.

    How eagerly parts are unloaded is drawn once: from as few waiting on racks as may be to as many as fit. It never
    comes to a standstill: the last part of a rack can always be processed, and an empty rack takes any part.
    """
    eager = rng.choice((0.5, 0.8, 1.0))
    waiting = list(zip(arrival, [*arrival[1:], NO_PART], strict=True))
    while waiting or any(yard.racks.values()):
        room = yard.room_for(waiting[0][0]) if waiting else []
        stored = [(rack, part) for rack, parts in yard.racks.items() for part in parts]
        if room and (not stored or rng.random() < eager):
            yard.unload(*waiting.pop(0), rng.choice(room))
        else:
            _dig(rng, yard, *rng.choice(stored))


def _dig(rng: random.Random, yard: Yard, rack: str, part: str) -> None:
    """Process a part, after those behind it have moved to other racks; where one cannot move, process that instead."""
    while yard.racks[rack][-1] != part:
        room = yard.room_for(yard.racks[rack][-1], but=rack)
        if not room:
            break
        yard.put_last(yard.take_last(rack), rng.choice(room))
    yard.process_last(rack)
