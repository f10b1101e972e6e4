"""Action schemas, compiled for fast simulation.

Literals that hold for the parameters alone are kept as pairs of a predicate and a place among the step's rows, which
costs a set look-up a step. Everything else (disjunctions, quantifiers, equality, conditional effects) becomes
compiled conditions. Both ways have one meaning; `split=False` sends all of an action through the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from groundplan.pddl.ast import (
    TRUE,
    Action,
    Atom,
    Effect,
    FunctionTerm,
    Not,
    Number,
    NumericEffect,
    atoms_in,
    conjuncts,
)
from groundplan.pddl.conditions import Check, Join, Members, compile_condition
from groundplan.pddl.rows import Row, RowOf, RowsOf, Scope, row_of, rows_of

Literal: TypeAlias = tuple[str, int]
CostOf: TypeAlias = Callable[[Row], float | None]
Values: TypeAlias = Mapping[tuple[str, Row], float]


@dataclass(frozen=True)
class ConditionalEffects:
    """Literals that change, each with whether it is added, for every environment of the join."""

    join: Join
    literals: tuple[tuple[str, RowOf, bool], ...]


@dataclass(frozen=True)
class CompiledAction:
    """An action ready to run on environments `(name, *args)`.

    `rows` makes the rows of a step, and literals say by number which of them is theirs. `fitting` pairs sets of
    objects with the row whose terms must be among them. `cost` is a number, or a function that gives None where the
    initial state has no value. `changed` names the predicates with effects. `uses_derived`: whether its conditions
    look at derived predicates.
    """

    action: Action
    scope: Scope
    rows: RowsOf
    fitting: tuple[tuple[frozenset[str], int], ...]
    positive: tuple[Literal, ...]
    negative: tuple[Literal, ...]
    checks: tuple[Check, ...]
    adds: tuple[Literal, ...]
    deletes: tuple[Literal, ...]
    conditional: tuple[ConditionalEffects, ...]
    cost: float | CostOf
    changed: frozenset[str]
    uses_derived: bool


def compile_action(
    action: Action, members: Members, values: Values | None, derived: frozenset[str], *, split: bool = True
) -> CompiledAction:
    """Compile an action. `values` are the numbers of the initial state, or None where every step costs 1."""
    slots = {parameter.name: place for place, parameter in enumerate(action.parameters, start=1)}
    scope = Scope(slots, len(action.parameters) + 1)
    rows: dict[Row, int] = {}
    positive, negative, checks = [], [], []
    for part in conjuncts(action.precondition) if split else (action.precondition,):
        match part:
            case Atom(predicate=predicate, terms=terms) if split and predicate != "=":
                positive.append((predicate, rows.setdefault(terms, len(rows))))
            case Not(part=Atom(predicate=predicate, terms=terms)) if split and predicate != "=":
                negative.append((predicate, rows.setdefault(terms, len(rows))))
            case _:
                checks.append(compile_condition(part, scope, members))
    plain: list[Effect] = []
    other: list[Effect] = []
    for effect in action.effects:
        (plain if split and effect.condition == TRUE and not effect.variables else other).append(effect)
    changes = [(item.positive, item.atom.predicate, rows.setdefault(item.atom.terms, len(rows))) for item in plain]
    fitting = _fitting(action, members, rows)
    conditions = (action.precondition, *(effect.condition for effect in action.effects)) if derived else ()
    return CompiledAction(
        action,
        scope,
        rows_of(tuple(rows), scope),
        fitting,
        tuple(positive),
        tuple(negative),
        tuple(checks),
        tuple((predicate, row) for added, predicate, row in changes if added),
        tuple((predicate, row) for added, predicate, row in changes if not added),
        _conditional(other, scope, members),
        1.0 if values is None else _cost(action.numeric_effects, scope, values),
        frozenset(effect.atom.predicate for effect in action.effects),
        any(atom.predicate in derived for formula in conditions for atom in atoms_in(formula)),
    )


def cost_terms(action: Action, env: Row) -> Iterator[FunctionTerm]:
    """The function terms in an action's cost, with the objects of a step filled in."""
    slots = {parameter.name: place for place, parameter in enumerate(action.parameters, start=1)}
    for effect in action.numeric_effects:
        if isinstance(effect.expression, FunctionTerm):
            terms = tuple(env[slots[term]] if term in slots else term for term in effect.expression.terms)
            yield FunctionTerm(effect.expression.name, terms)


def _fitting(action: Action, members: Members, rows: dict[Row, int]) -> tuple[tuple[frozenset[str], int], ...]:
    """The parameters by their types: the objects that fit, and the row of these parameters."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for parameter in action.parameters:
        groups.setdefault(parameter.types, []).append(parameter.name)
    return tuple(
        (frozenset(members(types)), rows.setdefault(tuple(names), len(rows))) for types, names in groups.items()
    )


def _conditional(effects: list[Effect], scope: Scope, members: Members) -> tuple[ConditionalEffects, ...]:
    """Conditional effects; those under the same variables and condition share one join."""
    groups: list[list[Effect]] = []
    for effect in effects:
        last = groups[-1][0] if groups else None
        if last and last.variables == effect.variables and last.condition == effect.condition:
            groups[-1].append(effect)
        else:
            groups.append([effect])
    compiled = []
    for group in groups:
        join = Join(group[0].variables, group[0].condition, scope, members)
        literals = [(effect.atom.predicate, row_of(effect.atom.terms, join.scope), effect.positive) for effect in group]
        compiled.append(ConditionalEffects(join, tuple(literals)))
    return tuple(compiled)


def _cost(effects: tuple[NumericEffect, ...], scope: Scope, values: Values) -> float | CostOf:
    fixed = sum(effect.expression.value for effect in effects if isinstance(effect.expression, Number))
    terms = [effect.expression for effect in effects if isinstance(effect.expression, FunctionTerm)]
    if not terms:
        return float(fixed)
    looked_up = [(term.name, row_of(term.terms, scope)) for term in terms]

    def cost(env: Row) -> float | None:
        total = float(fixed)
        for name, row in looked_up:
            value = values.get((name, row(env)))
            if value is None:
                return None
            total += value
        return total

    return cost
