"""Visitall: a grid with blocked cells; some of the places that can be reached have to be visited."""

from __future__ import annotations

import random

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.maps import grid, neighbours, pairs, reachable
from groundplan.bench.genplan.shuffled import fact, numbered, require, share, shuffled_problem
from groundplan.errors import InputError
from groundplan.pddl.ast import Problem


def make(rng: random.Random, *, rows: int, columns: int, goal_percent: int, blocked_percent: int) -> Problem:
    """Goals are a share of what the start can reach, and the start itself; free cells may be out of reach."""
    require("visitall", 1, rows=rows, columns=columns)
    require("visitall", 1, 100, goal_percent=goal_percent)
    require("visitall", 0, 100, blocked_percent=blocked_percent)
    cells = grid(rows, columns)
    free = sorted(rng.sample(cells, len(cells) - round(blocked_percent * len(cells) / 100)))
    beside = neighbours(free)
    start = max(rng.sample(free, len(free)), key=lambda cell: len(reachable(cell, beside)), default=None)
    others = [] if start is None else reachable(start, beside)[1:]
    if start is None or not others:
        raise InputError("visitall: no cell can be reached from the start; take a larger map or block less of it")
    name = dict(zip(free, numbered(rng, "place", len(free)), strict=True))
    wanted = [start, *rng.sample(others, share(goal_percent, len(others)))]
    facts = [fact("connected", name[cell], name[other]) for cell, other in pairs(beside)]
    facts += [fact("at-robot", name[start]), fact("visited", name[start])]
    goal = [fact("visited", name[cell]) for cell in wanted]
    return shuffled_problem(rng, "grid-visit-all", {"place": name.values()}, facts, goal)


GENERATOR = Generator(
    make,
    {
        "small": {"rows": (2, 3), "columns": (2, 3), "goal_percent": (50, 100), "blocked_percent": (0, 20)},
        "large": {"rows": (5, 16), "columns": (5, 16), "goal_percent": (50, 100), "blocked_percent": (0, 20)},
        "huge": {"rows": (20, 28), "columns": (20, 28), "goal_percent": (50, 100), "blocked_percent": (0, 20)},
    },
)
