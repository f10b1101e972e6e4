"""Derived predicates: what follows from a state (PDDL 2.2, Edelkamp and Hoffmann 2004, section 3).

The rules are put in strata, so that a predicate is complete before another asks for its absence; within a stratum
the rules are applied until nothing new follows (least fixpoint).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundplan.errors import InputError
from groundplan.pddl.ast import And, Atom, Comparison, Derived, Domain, Exists, Forall, Formula, Imply, Not, Or
from groundplan.pddl.conditions import Join, Members
from groundplan.pddl.rows import EMPTY, Row, RowOf, row_of


@dataclass(frozen=True)
class _Rule:
    predicate: str
    join: Join
    head: RowOf


class Axioms:
    """The compiled rules of a domain. Raises InputError when they have no strata."""

    def __init__(self, domain: Domain, members: Members) -> None:
        strata = _strata(domain)
        self.names = domain.derived_names
        self._strata: list[list[_Rule]] = [[] for _ in range(max(strata.values(), default=-1) + 1)]
        for derived in domain.derived:
            head = tuple(parameter.name for parameter in derived.head.parameters)
            parts = derived.condition.parts if isinstance(derived.condition, Or) else (derived.condition,)
            for part in parts:
                join = Join(derived.head.parameters, part, EMPTY, members)
                self._strata[strata[derived.head.name]].append(_Rule(derived.head.name, join, row_of(head, join.scope)))

    def refresh(self, tables: dict[str, set[Row]]) -> None:
        """Bring the derived predicates' tables, in place, to what follows from the others."""
        for name in self.names:
            tables.setdefault(name, set()).clear()
        for rules in self._strata:
            grown = True
            while grown:
                grown = False
                for rule in rules:
                    table = tables[rule.predicate]
                    before = len(table)
                    table.update([rule.head(env) for env in rule.join.rows((), tables)])
                    grown = grown or len(table) > before


def _strata(domain: Domain) -> dict[str, int]:
    """A level for every derived predicate: not below those it needs, above those whose absence it needs."""
    names = domain.derived_names
    level = dict.fromkeys(sorted(names), 0)
    for _ in range(len(names) + 1):
        raised = False
        for rule in domain.derived:
            for name, positive in _uses(rule.condition, True):
                wanted = level[name] + (not positive) if name in names else 0
                if wanted > level[rule.head.name]:
                    level[rule.head.name] = wanted
                    raised = True
        if not raised:
            return level
    circular = next(rule for rule in domain.derived if _needs_own_absence(rule, domain))
    position = domain.source.position(circular.span.start)
    raise InputError(
        f"{domain.source.name}:{position.line}:{position.column}: the derived predicate `{circular.head.name}` depends "
        "on its own absence (through a `not`), so it has no meaning; break the circle"
    )


def _needs_own_absence(rule: Derived, domain: Domain) -> bool:
    reached = {name for name, positive in _uses(rule.condition, True) if not positive}
    while True:
        more = {
            name for other in domain.derived if other.head.name in reached for name, _ in _uses(other.condition, True)
        }
        if more <= reached:
            return rule.head.name in reached
        reached |= more


def _uses(formula: Formula, positive: bool) -> Iterator[tuple[str, bool]]:
    """The predicates of a condition, each with whether it stands there positively."""
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
