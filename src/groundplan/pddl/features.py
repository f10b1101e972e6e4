"""What a domain makes use of, in the words of `:requirements`."""

from __future__ import annotations

from collections.abc import Iterator

from groundplan.pddl.ast import (
    OBJECT,
    TRUE,
    And,
    Atom,
    Comparison,
    Domain,
    Effect,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    NumericEffect,
    Or,
)


def requirements_used(domain: Domain) -> list[str]:
    """The requirements that the domain's own text needs, in the order of the PDDL definition."""
    found = {":typing"} if _is_typed(domain) else set()
    for formula in _conditions(domain):
        found.update(_of_formula(formula))
    effects: list[Effect | NumericEffect] = []
    for action in domain.actions:
        effects += (*action.effects, *action.numeric_effects)
    if any(effect.variables or effect.condition != TRUE for effect in effects):
        found.add(":conditional-effects")
    if domain.derived:
        found.add(":derived-predicates")
    if any(action.numeric_effects for action in domain.actions):
        found.add(":action-costs")
    return [name for name in _ORDER if name in found]


_ORDER = (
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":conditional-effects",
    ":derived-predicates",
    ":action-costs",
)


def _is_typed(domain: Domain) -> bool:
    lists = [domain.constants, *(predicate.parameters for predicate in domain.predicates)]
    lists += [action.parameters for action in domain.actions]
    return bool(domain.types) or any(item.types != (OBJECT,) for items in lists for item in items)


def _conditions(domain: Domain) -> Iterator[Formula]:
    for action in domain.actions:
        yield action.precondition
        for effect in action.effects:
            yield effect.condition
    for rule in domain.derived:
        yield rule.condition


def _of_formula(formula: Formula) -> Iterator[str]:
    match formula:
        case Atom(predicate="="):
            yield ":equality"
        case Not(part=Atom(predicate="=")):
            yield ":equality"
        case Not(part=part):
            yield ":negative-preconditions"
            yield from _of_formula(part)
        case And(parts=parts):
            for part in parts:
                yield from _of_formula(part)
        case Or(parts=parts):
            yield ":disjunctive-preconditions"
            for part in parts:
                yield from _of_formula(part)
        case Imply(left=left, right=right):
            yield ":disjunctive-preconditions"
            yield from _of_formula(left)
            yield from _of_formula(right)
        case Forall(part=part):
            yield ":universal-preconditions"
            yield from _of_formula(part)
        case Exists(part=part):
            yield ":existential-preconditions"
            yield from _of_formula(part)
        case Atom() | Comparison():
            return
