"""Which tasks of a set are asked: a number for each group, drawn by a seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from groundplan.bench.sets.task import Task
from groundplan.errors import InputError

TASKS = 100
"""Tasks of a group that are made where no number is asked: as many as the papers' tables have."""
_SEEDS = 10**9


def drawn(tasks: Sequence[Task], n: int | None, seed: int, salt: str) -> tuple[Task, ...]:
    """`n` tasks of every group (all where None, or where there are fewer), in the order in which they are given.

    For one seed, a smaller number's tasks are among those of a greater one. Raises InputError for a negative `n`.
    """
    _checked(n)
    if n is None:
        return tuple(tasks)
    chosen: set[int] = set()
    for group in dict.fromkeys(task.group for task in tasks):
        places = [place for place, task in enumerate(tasks) if task.group == group]
        Random(f"{salt} {group} {seed}").shuffle(places)
        chosen.update(places[:n])
    return tuple(tasks[place] for place in sorted(chosen))


def seeds_of(n: int | None, seed: int, salt: str) -> list[int]:
    """A seed for each of `n` tasks that are to be made (`TASKS` where None); again the smaller draw begins the greater.

    Raises InputError for a negative `n`.
    """
    _checked(n)
    found: dict[int, None] = {}
    rng = Random(f"{salt} {seed}")
    while len(found) < (TASKS if n is None else n):
        found.setdefault(rng.randrange(_SEEDS))
    return list(found)


def _checked(n: int | None) -> None:
    if n is not None and n < 0:
        raise InputError(f"the number of tasks is 0 or more, not {n}")
