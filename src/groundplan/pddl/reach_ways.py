"""Which actions and rules could bring a fact about, whether or not they ever can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from groundplan.pddl.ast import TRUE, Action, And, Atom, Derived, Formula, TypedName
from groundplan.pddl.ground_normal import Branch, branches
from groundplan.pddl.ground_rules import World, split_effects, valued


@dataclass(frozen=True, slots=True)
class Target:
    """A fact that is to become true (or false, unless `positive`); None stands for any object."""

    positive: bool
    predicate: str
    terms: tuple[str | None, ...]

    @staticmethod
    def of(atom: Atom, positive: bool) -> Target:
        """The target for an atom; its variables stand for any object."""
        return Target(positive, atom.predicate, tuple(None if term.startswith("?") else term for term in atom.terms))


@dataclass(frozen=True)
class Way:
    """One alternative of a schema that has the wanted effect.

    `branch` has its conditions, those of a conditional effect among them, over `variables` (the `parameters` first).
    `given` are the values that the target fixes.
    """

    name: str
    is_action: bool
    parameters: tuple[TypedName, ...]
    variables: tuple[TypedName, ...]
    branch: Branch
    given: Mapping[str, str]


def ways_to(world: World, target: Target) -> list[Way]:
    """Every way to reach a target by its form alone: conditions and types are not looked at."""
    found: list[Way] = []
    for action in world.task.domain.actions:
        found += _of_action(world, action, target)
    if target.positive:
        for rule in world.task.domain.derived:
            if rule.head.name == target.predicate:
                found += _of_rule(rule, target)
    return found


def ways_of(world: World, action: Action) -> list[Way]:
    """The alternatives of an action's precondition."""
    condition = And((action.precondition, *valued(world.task, action)))
    return list(_ways(action.name, True, action.parameters, (), condition, {}))


def _of_action(world: World, action: Action, target: Target) -> Iterator[Way]:
    plain, grouped = split_effects(action, world.derived)
    effects = [((), TRUE, [(effect.atom, effect.positive) for effect in plain]), *grouped]
    for variables, condition, atoms in effects:
        bindings: list[dict[str, str]] = []
        for atom, positive in atoms:
            given = _unified(atom, target) if positive is target.positive else None
            if given is not None and given not in bindings:
                bindings.append(given)
        both = And((action.precondition, condition, *valued(world.task, action)))
        for given in bindings:
            yield from _ways(action.name, True, action.parameters, variables, both, given)


def _of_rule(rule: Derived, target: Target) -> Iterator[Way]:
    head = Atom(rule.head.name, tuple(parameter.name for parameter in rule.head.parameters))
    given = _unified(head, target)
    if given is not None:
        yield from _ways(rule.head.name, False, rule.head.parameters, (), rule.condition, given)


def _ways(
    name: str,
    is_action: bool,
    parameters: tuple[TypedName, ...],
    more: tuple[TypedName, ...],
    condition: Formula,
    given: Mapping[str, str],
) -> Iterator[Way]:
    for branch in branches(condition):
        yield Way(name, is_action, parameters, (*parameters, *more, *branch.variables), branch, given)


def _unified(effect: Atom, target: Target) -> dict[str, str] | None:
    """The values of an effect's variables that make it the target; None when nothing does."""
    if effect.predicate != target.predicate or len(effect.terms) != len(target.terms):
        return None
    given: dict[str, str] = {}
    for term, wanted in zip(effect.terms, target.terms, strict=True):
        if wanted is not None and given.setdefault(term, wanted) != wanted:
            return None
        if wanted is not None and not term.startswith("?") and term != wanted:
            return None
    return {term: value for term, value in given.items() if term.startswith("?")}
