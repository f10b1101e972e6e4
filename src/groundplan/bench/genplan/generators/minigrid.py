"""Minigrid: rooms with locked doors, and keys that lie behind other keys' doors."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.maps import Cell, grid, neighbours, pairs, reachable
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.errors import InputError
from groundplan.pddl.ast import Problem

_DRAWS = 200


@dataclass(frozen=True)
class Floor:
    """Cells with their neighbours, and the shape of each locked door's lock."""

    beside: dict[Cell, list[Cell]]
    locks: dict[Cell, str]

    def within_reach(self, start: Cell, keys: Sequence[tuple[str, Cell]]) -> list[Cell]:
        """What a robot can reach from `start` with keys (shape, cell) that it finds on its way: a fixpoint."""
        shapes: set[str] = set()
        while True:
            closed = {door for door, shape in self.locks.items() if shape not in shapes}
            found = reachable(start, self.beside, closed)
            inside = set(found)
            more = {shape for shape, cell in keys if cell in inside}
            if more <= shapes:
                return found
            shapes |= more


@dataclass(frozen=True)
class Layout:
    """Where things are. `keys` are pairs of a shape and a cell."""

    floor: Floor
    keys: list[tuple[str, Cell]]
    start: Cell
    goal: Cell


def make(
    rng: random.Random, *, room_rows: int, room_columns: int, room_side: int, shapes: int, spare_keys: int
) -> Problem:
    """Rooms of side 1 make a maze. A shape has one key; spare keys copy any shape.

    Solvable: the goal is a cell that can be reached with keys found on the way. Some doors may stay closed for good.
    """
    require("minigrid", 1, room_rows=room_rows, room_columns=room_columns, room_side=room_side, shapes=shapes)
    require("minigrid", 0, spare_keys=spare_keys)
    names = numbered(rng, "shape", shapes)
    for _ in range(_DRAWS):
        layout = _layout(rng, _floor(rng, room_rows, room_columns, room_side, names), names, spare_keys)
        if layout is not None:
            return _problem(rng, layout, names)
    raise InputError("minigrid: a map of one cell has no goal; take larger or more rooms")


def _floor(rng: random.Random, room_rows: int, room_columns: int, side: int, shapes: Sequence[str]) -> Floor:
    """Rooms in rows and columns with one cell of wall between; doors join them all, now and then in a circle."""
    step = side + 1
    cells = [
        (row * step + down, column * step + right)
        for row, column in grid(room_rows, room_columns)
        for down, right in grid(side, side)
    ]
    walls = pairs(neighbours(grid(room_rows, room_columns)))
    walls = [(one, other) for one, other in walls if one < other]
    rng.shuffle(walls)
    joined = {room: room for room in grid(room_rows, room_columns)}
    doors = []
    for one, other in walls:
        parted = _leader(joined, one) != _leader(joined, other)
        if parted or rng.random() < 0.25:
            joined[_leader(joined, one)] = _leader(joined, other)
            along = rng.randrange(side)
            across = one[0] == other[0]
            doors.append(
                (one[0] * step + along, other[1] * step - 1) if across else (other[0] * step - 1, one[1] * step + along)
            )
    locked = doors if side > 1 else [door for door in doors if rng.random() < 0.2]
    return Floor(neighbours([*cells, *doors]), {door: rng.choice(shapes) for door in locked})


def _leader(joined: dict[Cell, Cell], room: Cell) -> Cell:
    while joined[room] != room:
        room = joined[room]
    return room


def _layout(rng: random.Random, floor: Floor, shapes: Sequence[str], spare_keys: int) -> Layout | None:
    """Keys one after another into what the ones before open; the last may be out of reach. None without a goal."""
    cells = list(floor.beside)
    rooms = [cell for cell in cells if cell not in floor.locks]
    start = rng.choice(rooms)
    keys: list[tuple[str, Cell]] = []
    found = fresh = floor.within_reach(start, keys)
    for number, shape in enumerate(rng.sample(shapes, len(shapes)), start=1):
        lost = number == len(shapes) > 1 and rng.random() < 0.25
        choice = cells if lost else fresh if fresh and rng.random() < 0.7 else found
        keys.append((shape, rng.choice(choice)))
        wider = floor.within_reach(start, keys)
        inside = set(found)
        fresh = [cell for cell in wider if cell not in inside]
        found = wider
    keys += [(rng.choice(shapes), rng.choice(cells)) for _ in range(spare_keys)]
    goals = [cell for cell in found if cell != start and cell not in floor.locks]
    far = [cell for cell in fresh if cell in set(goals)]
    if not goals:
        return None
    return Layout(floor, keys, start, rng.choice(far if far and rng.random() < 0.5 else goals))


def _problem(rng: random.Random, layout: Layout, shapes: Sequence[str]) -> Problem:
    floor = layout.floor
    name = dict(zip(floor.beside, numbered(rng, "place", len(floor.beside)), strict=True))
    keys = numbered(rng, "key", len(layout.keys))
    facts = [fact("conn", name[cell], name[other]) for cell, other in pairs(floor.beside)]
    for cell, place in name.items():
        shape = floor.locks.get(cell)
        facts += [fact("place", place), fact("open" if shape is None else "locked", place)]
        facts += [] if shape is None else [fact("lock-shape", place, shape)]
    for key, (shape, cell) in zip(keys, layout.keys, strict=True):
        facts += [fact("key", key), fact("key-shape", key, shape), fact("at", key, name[cell])]
    facts += [fact("shape", shape) for shape in shapes]
    facts += [fact("at-robot", name[layout.start]), fact("arm-empty")]
    objects = {"object": [*name.values(), *shapes, *keys]}
    return shuffled_problem(rng, "grid", objects, facts, [fact("at-robot", name[layout.goal])])


GENERATOR = Generator(
    make,
    {
        "small": {
            "room_rows": (1, 2),
            "room_columns": (1, 2),
            "room_side": (2, 3),
            "shapes": (3, 3),
            "spare_keys": (0, 0),
        },
        "large": {
            "room_rows": (2, 4),
            "room_columns": (2, 4),
            "room_side": (1, 4),
            "shapes": (3, 3),
            "spare_keys": (0, 1),
        },
        "huge": {
            "room_rows": (7, 9),
            "room_columns": (7, 9),
            "room_side": (2, 3),
            "shapes": (3, 6),
            "spare_keys": (0, 3),
        },
    },
)
