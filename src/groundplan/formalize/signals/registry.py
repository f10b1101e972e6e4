"""All checks by name, and running them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from groundplan.errors import GroundplanError, InputError
from groundplan.formalize.signals.checks import Check
from groundplan.formalize.signals.dead import find_dead_actions, find_unreachable_facts, find_unreachable_goals
from groundplan.formalize.signals.entities import find_missing_entities, find_unknown_objects
from groundplan.formalize.signals.goal import find_empty_goal, find_goal_already_true
from groundplan.formalize.signals.goal_coverage import find_unasked_goal, find_uncovered_goal
from groundplan.formalize.signals.initial_coverage import find_uncovered_start
from groundplan.formalize.signals.numbers import find_wrong_numbers
from groundplan.formalize.signals.places import find_never_deleted, find_two_places
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.specification import Signal
from groundplan.pddl.ast import Plan, Task

_ALL = (
    Check("empty-goal", "error", "The goal is true in every state.", find_empty_goal),
    Check("goal-already-true", "error", "The goal holds in the initial state.", find_goal_already_true),
    Check("entity-coverage", "warning", "The text names things that no object stands for.", find_missing_entities),
    Check("unknown-object", "info", "Objects that a text which names the others does not know.", find_unknown_objects),
    Check("number-coverage", "warning", "The text counts more things than the task has objects.", find_wrong_numbers),
    Check(
        "goal-coverage",
        "warning",
        "The goal lacks what the text asks for, or asks for what it leaves open.",
        find_uncovered_goal,
    ),
    Check(
        "unasked-goal", "info", "The goal has objects that the goal of the text does not speak of.", find_unasked_goal
    ),
    Check(
        "initial-coverage", "warning", "The initial state lacks what the text states as a fact.", find_uncovered_start
    ),
    Check("never-deleted", "warning", "Actions make a fact true that no action makes false.", find_never_deleted),
    Check("two-places", "warning", "One thing can be, or is at the start, in two places at once.", find_two_places),
    Check("dead-action", "warning", "No plan can use an action.", find_dead_actions),
    Check("unreachable-goal-fact", "info", "A part of the goal can never become true.", find_unreachable_goals),
    Check("unreachable-fact", "info", "No fact of some predicate can ever be true.", find_unreachable_facts),
)
CHECKS: Mapping[str, Check] = MappingProxyType({check.name: check for check in _ALL})
"""Every check, in the order in which it is run."""

_RANK = {"error": 0, "warning": 1, "info": 2}


def signals(
    text: str,
    task: Task,
    plan: Plan | None = None,
    *,
    only: Collection[str] | None = None,
    without: Collection[str] = (),
) -> tuple[Signal, ...]:
    """Signs that a task does not say what the text says, errors first.

    No reference is needed. `plan` is a plan of the task, where there is one; `only` and `without` choose checks by
    their names in `CHECKS`. Raises InputError for a name that is no check; nothing else is raised for any text and
    any valid task. A check that runs out of time, or that does not know a feature of the task, says nothing.
    """
    unknown = sorted({*(only or ()), *without} - CHECKS.keys())
    if unknown:
        raise InputError(f"no such check: {', '.join(unknown)}. The checks are: {', '.join(CHECKS)}")
    reading = Reading(text, task, plan)
    found: list[Signal] = []
    for name, check in CHECKS.items():
        if (only is None or name in only) and name not in without:
            found += _run(check, reading)
    return tuple(sorted(found, key=lambda signal: _RANK[signal.severity]))


def _run(check: Check, reading: Reading) -> list[Signal]:
    try:
        return list(check.find(reading))
    except (GroundplanError, RecursionError):
        # Beyond classical planning, too large, or nested too deep: nothing is known, so nothing is said.
        return []
