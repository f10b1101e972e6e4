"""Renaming through the trees of domains and problems: every name, nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from groundplan.generalize.names import Renaming, Table
from groundplan.pddl.ast import (
    Action,
    And,
    Arithmetic,
    Atom,
    Comparison,
    Derived,
    Domain,
    Effect,
    Exists,
    Expression,
    Feature,
    Forall,
    Formula,
    FunctionTerm,
    FunctionValue,
    Imply,
    Metric,
    Not,
    Number,
    NumericEffect,
    Or,
    Problem,
    Signature,
    TypedName,
)


class Renamer:
    """Writes trees anew with other names; structure and order stay. The new trees point into no source text."""

    def __init__(self, renaming: Renaming) -> None:
        self._names = renaming

    def domain(self, domain: Domain) -> Domain:
        names = self._names
        return Domain(
            _new(names.domain, domain.name),
            domain.requirements,
            self._typed(domain.types, names.types),
            self._typed(domain.constants, names.objects),
            tuple(self._signature(item, names.predicates) for item in domain.predicates),
            tuple(self._signature(item, names.functions) for item in domain.functions),
            tuple(self._action(item) for item in domain.actions),
            tuple(
                Derived(self._signature(rule.head, names.predicates), self._formula(rule.condition))
                for rule in domain.derived
            ),
            tuple(Feature(item.kind) for item in domain.features),
        )

    def problem(self, problem: Problem) -> Problem:
        names, metric = self._names, problem.metric
        return Problem(
            _new(names.problems, problem.name),
            _new(names.domain, problem.domain_name),
            problem.requirements,
            self._typed(problem.objects, names.objects),
            tuple(self._atom(item) for item in problem.init),
            tuple(self._atom(item) for item in problem.init_false),
            tuple(FunctionValue(self._function(item.function), item.value) for item in problem.values),
            self._formula(problem.goal),
            None if metric is None else Metric(metric.direction, self._expression(metric.expression)),
            tuple(Feature(item.kind) for item in problem.features),
        )

    def _typed(self, items: Iterable[TypedName], table: Table) -> tuple[TypedName, ...]:
        types = self._names.types
        return tuple(
            TypedName(_new(table, item.name), tuple(_new(types, kind) for kind in item.types)) for item in items
        )

    def _signature(self, item: Signature, table: Table) -> Signature:
        return Signature(_new(table, item.name), self._typed(item.parameters, self._names.variables))

    def _action(self, action: Action) -> Action:
        return Action(
            _new(self._names.actions, action.name),
            self._typed(action.parameters, self._names.variables),
            self._formula(action.precondition),
            tuple(self._effect(item) for item in action.effects),
            tuple(self._numeric(item) for item in action.numeric_effects),
        )

    def _effect(self, effect: Effect) -> Effect:
        variables = self._typed(effect.variables, self._names.variables)
        return Effect(self._atom(effect.atom), effect.positive, self._formula(effect.condition), variables)

    def _numeric(self, effect: NumericEffect) -> NumericEffect:
        return NumericEffect(
            effect.op,
            self._function(effect.function),
            self._expression(effect.expression),
            self._formula(effect.condition),
            self._typed(effect.variables, self._names.variables),
        )

    def _terms(self, terms: tuple[str, ...]) -> tuple[str, ...]:
        variables, objects = self._names.variables, self._names.objects
        return tuple(_new(variables if term.startswith("?") else objects, term) for term in terms)

    def _atom(self, atom: Atom) -> Atom:
        return Atom(_new(self._names.predicates, atom.predicate), self._terms(atom.terms))

    def _function(self, term: FunctionTerm) -> FunctionTerm:
        return FunctionTerm(_new(self._names.functions, term.name), self._terms(term.terms))

    def _formula(self, formula: Formula) -> Formula:
        match formula:
            case Atom():
                return self._atom(formula)
            case Not(part=part):
                return Not(self._formula(part))
            case And(parts=parts) | Or(parts=parts):
                return type(formula)(tuple(self._formula(part) for part in parts))
            case Imply(left=left, right=right):
                return Imply(self._formula(left), self._formula(right))
            case Forall(variables=variables, part=part) | Exists(variables=variables, part=part):
                return type(formula)(self._typed(variables, self._names.variables), self._formula(part))
            case Comparison(op=op, left=first, right=second):
                return Comparison(op, self._expression(first), self._expression(second))

    def _expression(self, item: Expression) -> Expression:
        match item:
            case Number(value=value):
                return Number(value)
            case FunctionTerm():
                return self._function(item)
            case Arithmetic(op=op, parts=parts):
                return Arithmetic(op, tuple(self._expression(part) for part in parts))


def _new(table: Table, name: str) -> str:
    return table.get(name, name)
