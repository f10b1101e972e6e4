"""All checks by name, and running them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from groundplan.errors import GroundplanError, InputError, ModelError, StorageError
from groundplan.formalize.signals.back_translation import find_lost_in_translation
from groundplan.formalize.signals.checks import Check
from groundplan.formalize.signals.dead import find_dead_actions, find_unreachable_facts, find_unreachable_goals
from groundplan.formalize.signals.entities import find_missing_entities, find_unknown_objects
from groundplan.formalize.signals.goal import find_empty_goal, find_goal_already_true
from groundplan.formalize.signals.goal_coverage import find_unasked_goal, find_uncovered_goal
from groundplan.formalize.signals.initial_coverage import find_uncovered_start
from groundplan.formalize.signals.mutation import find_idle_parts
from groundplan.formalize.signals.numbers import find_wrong_numbers
from groundplan.formalize.signals.places import find_never_deleted, find_two_places
from groundplan.formalize.signals.reading import Ask, Reading
from groundplan.formalize.signals.restrictions import find_broken_restrictions
from groundplan.formalize.specification import Signal
from groundplan.pddl.ast import Plan, Task
from groundplan.runs.budget import BudgetExhausted

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
    Check("mutation", "warning", "A part of the goal or of a precondition makes no difference.", find_idle_parts),
    Check(
        "restriction-probes",
        "warning",
        "The PDDL allows what a sentence of the text forbids (asks the model).",
        find_broken_restrictions,
        calls=1,
    ),
    Check(
        "back-translation",
        "warning",
        "The PDDL, told in plain words, says something else than the text (asks the model).",
        find_lost_in_translation,
        calls=2,
    ),
)
CHECKS: Mapping[str, Check] = MappingProxyType({check.name: check for check in _ALL})
"""Every check, in the order in which it is run."""

SYMBOLIC = frozenset(name for name, check in CHECKS.items() if check.cost == "symbolic")
"""The checks that cost no model call: those that run unless others are asked for."""

_RANK = {"error": 0, "warning": 1, "info": 2}


def signals(
    text: str,
    task: Task,
    plan: Plan | None = None,
    *,
    only: Collection[str] | None = None,
    without: Collection[str] = (),
    ask: Ask | None = None,
) -> tuple[Signal, ...]:
    """Signs that a task does not say what the text says, errors first.

    No reference is needed. `plan` is a plan of the task, where there is one; `only` and `without` choose checks by
    their names in `CHECKS`, and by default all run that ask no model. `ask` asks the model of those that do.

    Raises InputError for a name that is no check, and for a check that asks a model where `ask` is missing, and
    StorageError when `ask` does; nothing else is raised for any text and any valid task. A check that runs out of
    time, or that does not know a feature of the task, says nothing; one whose model fails, or whose budget is used up,
    says so as an info.
    """
    refuse_unknown({*(only or ()), *without})
    wanted = (SYMBOLIC if only is None else frozenset(only)) - frozenset(without)
    if ask is None and wanted - SYMBOLIC:
        names = ", ".join(sorted(wanted - SYMBOLIC))
        raise InputError(f"these checks ask a language model, and none was given: {names}")
    reading = Reading(text, task, plan, ask=ask)
    found = [signal for name, check in CHECKS.items() if name in wanted for signal in _run(check, reading)]
    return tuple(sorted(found, key=lambda signal: _RANK[signal.severity]))


def refuse_unknown(names: Collection[str]) -> None:
    """Raises InputError where a name is no check."""
    unknown = sorted(set(names) - CHECKS.keys())
    if unknown:
        raise InputError(f"no such check: {', '.join(unknown)}. The checks are: {', '.join(CHECKS)}")


def _run(check: Check, reading: Reading) -> list[Signal]:
    found = []
    try:
        for signal in check.find(reading):
            found.append(signal)
    except StorageError:
        raise
    except (ModelError, BudgetExhausted) as error:
        found.append(Signal(check.name, "info", f"not decided: {error}"))
    except (GroundplanError, RecursionError) as error:
        # Beyond classical planning, too large, or nested too deep: nothing is known, so nothing is said. Where a model
        # was asked, silence would look like an answer.
        found = [] if check.cost == "symbolic" else [Signal(check.name, "info", f"not decided: {error}")]
    return found
