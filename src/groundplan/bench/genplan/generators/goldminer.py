"""Gold miner: a free first column, rock in all others, and gold behind soft rock in the last one."""

from __future__ import annotations

import random

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.maps import Cell, grid, neighbours, pairs
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.errors import InputError
from groundplan.pddl.ast import Problem


def make(rng: random.Random, *, rows: int, columns: int, hard_percent: int) -> Problem:
    """Bombs and laser share a free cell, the robot starts on another.

    Solvable: the laser cuts a way to a cell beside the gold, which no way has to cross; a bomb then frees the gold.
    """
    require("goldminer", 1, rows=rows, columns=columns)
    require("goldminer", 0, 100, hard_percent=hard_percent)
    if rows < 2 or rows * columns < 3:
        raise InputError("goldminer: take at least 2 rows, and with one column at least 3")
    cells = grid(rows, columns)
    store, robot, gold = _posts(rng, rows, columns)
    rock = [cell for cell in cells if cell[1] > 0 or cell == gold]
    name = dict(zip(cells, numbered(rng, "loc", len(cells)), strict=True))
    facts = [fact("connected", name[cell], name[other]) for cell, other in pairs(neighbours(cells))]
    facts += [fact("clear", name[cell]) for cell in cells if cell not in rock]
    for cell in rock:
        hard = cell != gold and rng.random() * 100 < hard_percent
        facts.append(fact("hard-rock-at" if hard else "soft-rock-at", name[cell]))
    facts += [fact("arm-empty"), fact("robot-at", name[robot]), fact("gold-at", name[gold])]
    facts += [fact("bomb-at", name[store]), fact("laser-at", name[store])]
    return shuffled_problem(rng, "gold-miner-typed", {"loc": name.values()}, facts, [fact("holds-gold")])


def _posts(rng: random.Random, rows: int, columns: int) -> tuple[Cell, Cell, Cell]:
    """Where bombs and laser, the robot and the gold are; in a map of one column the gold does not part the others."""
    if columns > 1:
        store, robot = rng.sample(range(rows), 2)
        return (store, 0), (robot, 0), (rng.randrange(rows), columns - 1)
    gold = rng.choice([row for row in range(rows) if row >= 2 or rows - 1 - row >= 2])
    sides = [side for side in (range(gold), range(gold + 1, rows)) if len(side) >= 2]
    store, robot = rng.sample(rng.choice(sides), 2)
    return (store, 0), (robot, 0), (gold, 0)


def _adjust(drawn: dict[str, int]) -> dict[str, int]:
    """A map of one column needs three rows."""
    return {**drawn, "columns": 2} if (drawn["rows"], drawn["columns"]) == (2, 1) else drawn


GENERATOR = Generator(
    make,
    {
        "small": {"rows": (2, 4), "columns": (1, 4), "hard_percent": (10, 60)},
        "large": {"rows": (4, 8), "columns": (4, 8), "hard_percent": (20, 60)},
        "huge": {"rows": (12, 16), "columns": (12, 16), "hard_percent": (20, 60)},
    },
    _adjust,
)
