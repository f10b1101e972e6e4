"""Made-up tasks of blocksworld: some towers on a table, and which block shall stand on which."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from groundplan.train.texts import naming
from groundplan.train.texts.scene import Fact, Scene

SIZE = (3, 5)
"""How many blocks a task has, least and most, if nothing else is asked."""
BOUNDS = (2, 18)
"""Sizes that can be asked for; there are no more names for blocks."""
HELD_AT_START = 0.08
"""How often the arm holds a block at the start."""


def scene(rng: Random, size: tuple[int, int]) -> Scene:
    """A task with a number of blocks in `size`, whose goal is not true at the start."""
    calls = naming.blocks(rng, rng.randint(*size))
    names = list(calls)
    held = rng.choice(names) if len(names) > 2 and rng.random() < HELD_AT_START else None
    init = _facts(towers(rng, [name for name in names if name != held]), names, held)
    while True:
        wanted = _on(towers(rng, names))
        if not wanted:
            continue
        goal = rng.sample(wanted, rng.randint(1, len(wanted)))
        if not set(goal) <= set(init):
            return Scene("blocksworld", calls, init, tuple(goal))


def towers(rng: Random, names: list[str]) -> list[list[str]]:
    """The blocks in a random order, each on the one before it or on the table; every tower bottom first."""
    built: list[list[str]] = []
    on_table = rng.choice((0.25, 0.4, 0.6))
    for name in rng.sample(names, len(names)):
        if built and rng.random() > on_table:
            rng.choice(built).append(name)
        else:
            built.append([name])
    return built


def _on(built: list[list[str]]) -> list[Fact]:
    return [("on", upper, lower) for tower in built for lower, upper in pairwise(tower)]


def _facts(built: list[list[str]], names: list[str], held: str | None) -> tuple[Fact, ...]:
    facts: list[Fact] = [("handempty",) if held is None else ("holding", held)]
    facts += [("ontable", tower[0]) for tower in built]
    facts += _on(built)
    facts += [("clear", tower[-1]) for tower in built]
    rank = {"handempty": 0, "holding": 0, "ontable": 1, "on": 2, "clear": 3}
    return tuple(sorted(facts, key=lambda fact: (rank[fact[0]], [names.index(name) for name in fact[1:]])))
