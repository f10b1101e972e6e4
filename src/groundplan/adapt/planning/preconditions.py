"""Preconditions that nobody has to write: all that is true and all that is false of the parameters (paper, Fig. 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.operator import Literal
from groundplan.adapt.planning.states import with_derived
from groundplan.pddl.ast import Domain, Task
from groundplan.pddl.types import TypeHierarchy, hierarchy_of


def automatic_preconditions(task: Task, facts: Facts, objects: Sequence[str]) -> tuple[Literal, ...]:
    """Every atom whose arguments are all among `objects`, as it is in `facts`: true ones as they are, others negated.

    Atoms must fit the predicates' types. An atom that names an object twice is taken only where it is true: that
    something is not on top of itself is no condition worth a line.
    """
    known = with_derived(task, facts)
    chosen = set(objects)
    true = {fact for fact in known if chosen.issuperset(fact[1:]) and fact[0] in task.domain.predicate_by_name}
    kinds = {item.name: item.types for item in task.objects}
    false = [fact for fact in possible_facts(task.domain, {name: kinds[name] for name in objects}) if fact not in known]
    literals = [Literal(fact) for fact in true]
    literals += [Literal(fact, False) for fact in false if len(set(fact[1:])) == len(fact[1:])]
    return in_order(literals)


def possible_facts(domain: Domain, kinds: dict[str, tuple[str, ...]]) -> Iterator[Fact]:
    """Every fact over some objects that fits the types of its predicate."""
    hierarchy: TypeHierarchy = hierarchy_of(domain)
    for predicate in domain.predicates:
        choices = [
            [name for name, types in kinds.items() if hierarchy.fits(types, parameter.types)]
            for parameter in predicate.parameters
        ]
        for terms in product(*choices):
            yield (predicate.name, *terms)


def in_order(literals: Iterable[Literal]) -> tuple[Literal, ...]:
    """Each literal once: the positive ones first, each kind by the alphabet."""
    return tuple(sorted(set(literals), key=lambda literal: (not literal.positive, literal.fact)))
