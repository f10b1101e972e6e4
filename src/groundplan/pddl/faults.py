"""What is wrong with a step: every cause at once, each with its code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundplan.pddl.ast import OBJECT, Task, TypedName
from groundplan.pddl.compiled import CompiledAction, cost_terms
from groundplan.pddl.conditions import Members, Tables
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity, did_you_mean, listing
from groundplan.pddl.reasons import Situation, why_not
from groundplan.pddl.rows import EMPTY, Row
from groundplan.pddl.source import NO_SOURCE, NO_SPAN, Source, Span


@dataclass(frozen=True)
class Fault:
    """One cause why a plan is not valid."""

    code: str
    category: Category
    message: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message

    def diagnostic(self, span: Span = NO_SPAN, source: Source = NO_SOURCE) -> Diagnostic:
        return Diagnostic(self.code, self.category, Severity.ERROR, self.message, span, source, self.hint)


def unknown_action(name: str, known: Sequence[str]) -> Fault:
    hint = did_you_mean(name, known) or (f"its actions are {listing(known)}" if known else "it has none")
    return Fault("plan-unknown-action", Category.PREDICATE, f"`{name}` is no action of this domain", hint)


def step_faults(step: Row, action: CompiledAction, task: Task, members: Members, tables: Tables) -> list[Fault]:
    """Why a step of a known action is not applicable, with derived facts in `tables`; empty when it is."""
    kinds = {item.name: item for item in task.objects}
    parameters = action.action.parameters
    if len(step) - 1 != len(parameters):
        unknown = [name for name in dict.fromkeys(step[1:]) if name not in kinds]
        return [_wrong_arity(step, parameters), *(_unknown_object(name, tuple(kinds)) for name in unknown)]
    faults: dict[str, Fault] = {}
    for parameter, name in zip(parameters, step[1:], strict=True):
        if name not in kinds:
            faults.setdefault(name, _unknown_object(name, members(parameter.types)))
        elif name not in members(parameter.types):
            faults[parameter.name] = _mismatch(kinds[name], parameter)
    if any(name not in kinds for name in step[1:]):
        return list(faults.values())
    unmet = why_not(action.action.precondition, Situation(tables, members, action.scope, step))
    missing = cost_terms(action.action, step) if callable(action.cost) and action.cost(step) is None else ()
    return [
        *faults.values(),
        *(Fault("plan-unmet-precondition", Category.CONDITION, reason) for reason in unmet),
        *_missing_values(missing, task),
    ]


def goal_faults(task: Task, members: Members, tables: Tables) -> list[Fault]:
    """The goal's conditions that do not hold, with derived facts in `tables`."""
    reasons = why_not(task.problem.goal, Situation(tables, members, EMPTY, ()))
    return [Fault("plan-goal-not-reached", Category.GOAL, f"goal not reached: {reason}") for reason in reasons]


def _wrong_arity(step: Row, parameters: tuple[TypedName, ...]) -> Fault:
    wanted = len(parameters)
    count = f"{wanted or 'no'} argument{'' if wanted == 1 else 's'}"
    signature = " ".join((step[0], *(parameter.name for parameter in parameters)))
    message = f"`{step[0]}` takes {count}, got {len(step) - 1}"
    return Fault("plan-wrong-arity", Category.PREDICATE, message, f"write ({signature})")


def _unknown_object(name: str, fitting: Sequence[str]) -> Fault:
    hint = did_you_mean(name, fitting) or (f"objects that fit here: {listing(fitting)}" if fitting else "")
    return Fault("plan-unknown-object", Category.OBJECT, f"`{name}` is no object of this problem", hint)


def _mismatch(item: TypedName, parameter: TypedName) -> Fault:
    is_a = " or ".join(item.types) if item.types else OBJECT
    article = "an" if is_a[0] in "aeiou" else "a"
    wants = " or ".join(parameter.types)
    message = f"`{item.name}` is {article} {is_a}, `{parameter.name}` wants {wants}"
    return Fault("plan-type-mismatch", Category.OBJECT, message)


def _missing_values(terms: Iterable[object], task: Task) -> list[Fault]:
    known = {str(value.function) for value in task.problem.values}
    return [
        Fault(
            "plan-missing-value",
            Category.CONDITION,
            f"the cost of this step needs a value of {term}",
            f"give it in :init, as (= {term} 1)",
        )
        for term in dict.fromkeys(map(str, terms))
        if term not in known
    ]
