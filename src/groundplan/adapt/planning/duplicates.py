"""Whether an operator is one that is known already, under other names of its variables and another order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import perm

from groundplan.pddl.ast import Action, Atom, Domain, conjuncts
from groundplan.pddl.ground_normal import negation_normal, renamed
from groundplan.pddl.types import TypeHierarchy, hierarchy_of

MOST_MATCHES = 50_000
_Key = frozenset[object]


def duplicate_of(action: Action, domain: Domain) -> tuple[str, bool] | None:
    """A known operator that does all that `action` does, and whether the two are the same; None where there is none.

    Not the same means that the known one needs less, or takes more kinds of objects: then `action` adds nothing. The
    conditions are compared by their parts, in any order; numbers are not compared.
    """
    hierarchy = hierarchy_of(domain)
    found: tuple[str, bool] | None = None
    for known in domain.actions:
        if _signs(known) != _signs(action):
            continue
        for names in _matches(known, action, hierarchy):
            more, less = _parts(action, {}), _parts(known, names)
            if _effects(known, names) == _effects(action, {}) and less <= more:
                same = less == more and _kinds(known) == _kinds(action)
                if same:
                    return known.name, True
                found = found or (known.name, False)
    return found


def _signs(action: Action) -> set[tuple[str, bool]]:
    return {(effect.atom.predicate, effect.positive) for effect in action.effects}


def _matches(known: Action, action: Action, hierarchy: TypeHierarchy) -> Iterator[dict[str, str]]:
    """The ways to put variables of `action` in the place of those of `known` so that all its objects are allowed."""
    theirs, ours = known.parameters, action.parameters
    if len(theirs) > len(ours) or perm(len(ours), len(theirs)) > MOST_MATCHES:
        return
    for chosen in permutations(ours, len(theirs)):
        if all(hierarchy.fits(mine.types, their.types) for mine, their in zip(chosen, theirs, strict=True)):
            yield {their.name: mine.name for mine, their in zip(chosen, theirs, strict=True)}


def _kinds(action: Action) -> list[tuple[str, ...]]:
    return sorted(parameter.types for parameter in action.parameters)


def _parts(action: Action, names: dict[str, str]) -> _Key:
    formula = renamed(action.precondition, names)  # all at once, so that swapped variables do not meet
    return frozenset(conjuncts(negation_normal(formula, True)))


def _effects(action: Action, names: dict[str, str]) -> _Key:
    found: set[object] = set()
    for effect in action.effects:
        bound = {variable.name for variable in effect.variables}
        free = {old: new for old, new in names.items() if old not in bound}
        atom = Atom(effect.atom.predicate, tuple(free.get(term, term) for term in effect.atom.terms))
        found.add((atom, effect.positive, renamed(effect.condition, free), effect.variables))
    return frozenset(found)
