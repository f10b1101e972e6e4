"""Derived predicates need an order: none may depend on its own absence (PDDL 2.2, Edelkamp and Hoffmann 2004)."""

from __future__ import annotations

from collections.abc import Iterator

from groundplan.pddl.ast import And, Atom, Comparison, Domain, Exists, Forall, Formula, Imply, Not, Or
from groundplan.pddl.diagnostics import Category
from groundplan.pddl.findings import Findings


def check_derived(domain: Domain, findings: Findings) -> None:
    """Report the first rule that makes a predicate depend on its own absence."""
    names = domain.derived_names
    uses = [(rule, {use for use in _uses(rule.condition, True) if use[0] in names}) for rule in domain.derived]
    level = dict.fromkeys(names, 0)
    for _ in range(len(names) + 1):
        raised = None
        for rule, used in uses:
            needed = max((level[name] + (not positive) for name, positive in used), default=0)
            if needed > level[rule.head.name]:
                level[rule.head.name] = needed
                raised = rule
        if raised is None:
            return
    assert raised is not None
    findings.error(
        "derived-from-own-absence",
        Category.CONDITION,
        raised.head.span,
        f"`{raised.head.name}` depends on its own absence, through a `not`: it has no meaning",
        "define it without `not` of itself, or of what is derived from it",
    )


def _uses(formula: Formula, positive: bool) -> Iterator[tuple[str, bool]]:
    """The predicates of a condition, each with whether it is wanted or its absence."""
    match formula:
        case Atom(predicate=predicate):
            yield predicate, positive
        case Not(part=part):
            yield from _uses(part, not positive)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _uses(part, positive)
        case Imply(left=left, right=right):
            yield from _uses(left, not positive)
            yield from _uses(right, positive)
        case Forall(part=part) | Exists(part=part):
            yield from _uses(part, positive)
        case Comparison():
            return
