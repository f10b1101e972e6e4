"""Planning tasks of our own: a text, the rules in words and the reference, all made from a seed."""

from __future__ import annotations

from groundplan.bench.sets.planning.mystery import mystery_task
from groundplan.bench.sets.planning.rules import ACTIONS, RULES
from groundplan.bench.sets.task import Task
from groundplan.errors import InputError
from groundplan.train.texts import DOMAINS, WrittenTask, written_task

Size = tuple[int, int]
"""The least and the most number of blocks (blocksworld, mystery), of balls (gripper) or of cities (logistics)."""


def own_task(group: str, seed: int, size: Size | None = None) -> Task:
    """The task of a seed; it is solvable, and its goal is not true at the start.

    Raises InputError for a group that there is none of, or a size out of bounds.
    """
    try:
        if group == "mystery":
            written, rules, actions = mystery_task(seed, size)
        elif group in DOMAINS:
            written, rules, actions = written_task(group, seed, size), RULES[group], dict(ACTIONS[group])
        else:
            raise InputError(f"no tasks of {group!r} here: choose one of {', '.join((*DOMAINS, 'mystery'))}")
    except ValueError as error:
        raise InputError(str(error)) from error
    return Task(written.name, group, written.text, rules, written.domain_pddl, _gold(written, actions))


def _gold(written: WrittenTask, actions: dict[str, str]) -> dict[str, object]:
    return {
        "domain": written.domain_pddl,
        "problem": written.problem,
        "actions": actions,
        "phrases": {},
        "names": {},
        "wording": written.wording,
    }
