"""Where classical planning ends: tasks that ask for more are refused, never judged as if they asked for less."""

from __future__ import annotations

from collections.abc import Iterator

from groundplan.errors import InputError
from groundplan.pddl.ast import (
    TRUE,
    And,
    Arithmetic,
    Atom,
    Comparison,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    NumericEffect,
    Or,
    Task,
)
from groundplan.pddl.source import NO_SOURCE, Source, Span


def refuse_beyond_classical(task: Task) -> None:
    """Raise InputError, naming the features, files and lines, when a task needs more than classical semantics.

    Classical are STRIPS and ADL, derived predicates, and `(increase (total-cost) ...)` as an effect without condition.
    Actions that no plan uses count as well: with them left out it would be another task.
    """
    found = dict.fromkeys(_features(task))
    if found:
        places = [_place(kind, span, source) for kind, span, source in found]
        more = f"; and {len(places) - 3} more" if len(places) > 3 else ""
        raise InputError(
            f"{'; '.join(places[:3])}{more}. Plans are judged for classical tasks only "
            "(STRIPS, ADL, derived predicates, action costs): leave the feature out, or use a planner that has it"
        )


def _place(kind: str, span: Span, source: Source) -> str:
    if source == NO_SOURCE:
        return f"unsupported feature: {kind}"
    position = source.position(span.start)
    return f"{source.name}:{position.line}:{position.column}: unsupported feature: {kind}"


def _features(task: Task) -> Iterator[tuple[str, Span, Source]]:
    domain, problem = task.domain, task.problem
    for feature in domain.features:
        yield feature.kind, feature.span, domain.source
    for action in domain.actions:
        for condition in (action.precondition, *(effect.condition for effect in action.effects)):
            for comparison in _comparisons(condition):
                yield "numeric condition", comparison.span, domain.source
        for numeric in action.numeric_effects:
            if kind := _numeric_kind(numeric):
                yield kind, numeric.span, domain.source
    for rule in domain.derived:
        for comparison in _comparisons(rule.condition):
            yield "numeric condition", comparison.span, domain.source
    for feature in problem.features:
        yield feature.kind, feature.span, problem.source
    for comparison in _comparisons(problem.goal):
        yield "numeric condition", comparison.span, problem.source


def _numeric_kind(effect: NumericEffect) -> str:
    if effect.op != "increase" or effect.function.name != "total-cost":
        return "numeric effect"
    if effect.condition != TRUE or effect.variables:
        return "conditional action cost"
    return "arithmetic in an action cost" if isinstance(effect.expression, Arithmetic) else ""


def _comparisons(formula: Formula) -> Iterator[Comparison]:
    match formula:
        case Atom():
            return
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                if not isinstance(part, Atom):
                    yield from _comparisons(part)
        case Not(part=part) | Forall(part=part) | Exists(part=part):
            yield from _comparisons(part)
        case Imply(left=left, right=right):
            yield from _comparisons(left)
            yield from _comparisons(right)
        case Comparison():
            yield formula
