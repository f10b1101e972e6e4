"""Strata: the order in which derived predicates are evaluated, so that one is complete before its absence counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from groundplan.errors import InputError
from groundplan.pddl.ast import And, Atom, Domain, Exists, Forall, Formula, Not, Or
from groundplan.pddl.ground_expand import ONE_OF, Conjunction
from groundplan.pddl.ground_normal import negation_normal


def levels_of(domain: Domain) -> dict[str, int]:
    """A level for each derived predicate: at least that of those it needs, above that of those whose absence it needs.

    Raises InputError where a predicate depends on its own absence.
    """
    uses = [(rule.head.name, list(_uses(negation_normal(rule.condition, True)))) for rule in domain.derived]
    levels = {rule.head.name: 0 for rule in domain.derived}
    for _ in range(len(levels) + 1):
        raised = None
        for head, used in uses:
            wanted = max((levels[name] + absent for name, absent in used if name in levels), default=0)
            if wanted > levels[head]:
                levels[head], raised = wanted, head
        if raised is None:
            return levels
    raise InputError(
        f"the derived predicate `{raised}` depends on its own absence (through a `not`): it has no meaning"
    )


def named_levels(named: Sequence[tuple[Conjunction, ...]], levels: Mapping[str, int]) -> list[int]:
    """The levels of artificial atoms, each from the literals in its alternatives (those have lower numbers)."""
    found: list[int] = []
    for alternatives in named:
        level = 0
        for conjunction in alternatives:
            for positive, predicate, row in conjunction:
                below = found[int(row[0])] if predicate == ONE_OF else levels.get(predicate, 0)
                level = max(level, below + (not positive and predicate in levels))
        found.append(level)
    return found


def _uses(formula: Formula) -> Iterator[tuple[str, bool]]:
    """The predicates of a condition in negation normal form, each with whether its absence is asked for."""
    match formula:
        case Atom(predicate=predicate):
            yield predicate, False
        case Not(part=Atom(predicate=predicate)):
            yield predicate, True
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _uses(part)
        case Forall(part=part) | Exists(part=part):
            yield from _uses(part)
        case _:
            raise AssertionError(f"not in negation normal form: {formula}")
