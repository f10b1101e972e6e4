"""Seeded random renaming of a task: the same task in other words and another order, with the maps that undo it.

What changes: the names of predicates, actions, types, variables and (on demand) objects, the order of declarations,
initial facts, conjuncts, effects and of every action's parameters. What the task means does not.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from groundplan.pddl import task_from_text, write_domain, write_problem
from groundplan.pddl.ast import (
    OBJECT,
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
    Forall,
    Formula,
    FunctionTerm,
    Imply,
    Not,
    Number,
    NumericEffect,
    Or,
    Problem,
    Signature,
    Task,
    TypedName,
)
from groundplan.pddl.compare.result import ActionMatch, Maps

Style = Literal["fresh", "deceptive"]
T = TypeVar("T")


def renamed(
    task: Task, seed: int, *, objects: Literal["named", "free"] = "named", style: Style = "fresh"
) -> tuple[Task, Maps]:
    """The task in other words, and the true maps (from the new task to `task`).

    `objects="named"` keeps the objects' names, "free" renames them too. `style="deceptive"` deals the old names out
    anew among their own kind instead of inventing names: what was `stack` may now be called `unstack`.
    """
    return _Renaming(task, random.Random(f"renaming {seed}"), objects == "free", style).result()


def rewritten(task: Task) -> Task:
    """The task as it comes back from its own text. Raises PddlError where the text has an error."""
    return task_from_text(write_domain(task.domain), write_problem(task.problem))


class _Renaming:
    def __init__(self, task: Task, rng: random.Random, free: bool, style: Style) -> None:
        self._task, self._rng, self._style = task, rng, style
        domain = task.domain
        self._variables = 0
        names = [item.name for item in task.objects]
        self._taken = {*names, *_types_of(task)}
        self._taken |= {item.name for item in domain.predicates} | {item.name for item in domain.actions}
        self._objects = self._table(names) if free else {}
        self._types = self._table(_types_of(task))
        self._predicates = self._table(item.name for item in domain.predicates)
        self._actions = self._table(dict.fromkeys(item.name for item in domain.actions))
        self._orders = {id(item): self._shuffled(range(len(item.parameters))) for item in domain.actions}

    def result(self) -> tuple[Task, Maps]:
        task = rewritten(Task(self._domain(), self._problem()))
        objects = {self._objects.get(item.name, item.name): item.name for item in self._task.objects}
        actions = {}
        for action in self._task.domain.actions:
            order = self._orders[id(action)]
            positions = tuple(order.index(place) for place in range(len(order)))
            actions[self._actions[action.name]] = ActionMatch(action.name, positions)
        return task, Maps(objects, actions)

    # --- names ---

    def _table(self, old: Iterable[str]) -> dict[str, str]:
        old = list(old)
        new = self._shuffled(old) if self._style == "deceptive" else [self._word() for _ in old]
        return dict(zip(old, new, strict=True))

    def _word(self) -> str:
        while True:
            syllables = (
                self._rng.choice("bdfgklmnprstvz") + self._rng.choice("aeiou") for _ in range(self._rng.choice((2, 3)))
            )
            word = "".join(syllables)
            if word not in self._taken:
                self._taken.add(word)
                return word

    def _shuffled(self, items: Iterable[T]) -> list[T]:
        found = list(items)
        self._rng.shuffle(found)
        return found

    def _scope(self, items: Sequence[TypedName], outer: Mapping[str, str]) -> dict[str, str]:
        """The outer scope with a new variable for each of `items`, unlike any other."""
        scope = dict(outer)
        for item in items:
            self._variables += 1
            scope[item.name] = f"?{self._rng.choice('abcxyz')}{self._variables}"
        return scope

    # --- declarations ---

    def _kinds(self, types: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self._types.get(name, name) for name in types)

    def _typed(self, items: Iterable[TypedName], names: Mapping[str, str]) -> tuple[TypedName, ...]:
        return tuple(TypedName(names.get(item.name, item.name), self._kinds(item.types)) for item in items)

    def _signature(self, item: Signature, scope: Mapping[str, str]) -> Signature:
        return Signature(self._predicates.get(item.name, item.name), self._typed(item.parameters, scope))

    def _domain(self) -> Domain:
        domain = self._task.domain
        return Domain(
            self._word(),
            (),
            tuple(self._shuffled(self._typed(domain.types, self._types))),
            tuple(self._shuffled(self._typed(domain.constants, self._objects))),
            tuple(
                self._signature(item, self._scope(item.parameters, {})) for item in self._shuffled(domain.predicates)
            ),
            domain.functions,
            tuple(self._action(item) for item in self._shuffled(domain.actions)),
            tuple(self._derived(item) for item in self._shuffled(domain.derived)),
        )

    def _derived(self, rule: Derived) -> Derived:
        scope = self._scope(rule.head.parameters, {})
        return Derived(self._signature(rule.head, scope), self._formula(rule.condition, scope))

    def _action(self, action: Action) -> Action:
        scope = self._scope(action.parameters, {})
        return Action(
            self._actions[action.name],
            self._typed((action.parameters[place] for place in self._orders[id(action)]), scope),
            self._formula(action.precondition, scope),
            tuple(self._effect(item, scope) for item in self._shuffled(action.effects)),
            tuple(self._numeric(item, scope) for item in action.numeric_effects),
        )

    def _problem(self) -> Problem:
        problem = self._task.problem
        values = tuple(replace(item, function=self._function(item.function, {})) for item in problem.values)
        return Problem(
            self._word(),
            objects=tuple(self._shuffled(self._typed(problem.objects, self._objects))),
            init=tuple(self._atom(item, {}) for item in self._shuffled(problem.init)),
            init_false=tuple(self._atom(item, {}) for item in self._shuffled(problem.init_false)),
            values=values,
            goal=self._formula(problem.goal, {}),
            metric=problem.metric,
        )

    # --- conditions and effects ---

    def _terms(self, terms: tuple[str, ...], scope: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(scope[term] if term in scope else self._objects.get(term, term) for term in terms)

    def _atom(self, atom: Atom, scope: Mapping[str, str]) -> Atom:
        return Atom(self._predicates.get(atom.predicate, atom.predicate), self._terms(atom.terms, scope))

    def _function(self, term: FunctionTerm, scope: Mapping[str, str]) -> FunctionTerm:
        return FunctionTerm(term.name, self._terms(term.terms, scope))

    def _formula(self, formula: Formula, scope: Mapping[str, str]) -> Formula:
        match formula:
            case Atom():
                return self._atom(formula, scope)
            case Not(part=part):
                return Not(self._formula(part, scope))
            case And(parts=parts) | Or(parts=parts):
                return type(formula)(tuple(self._formula(part, scope) for part in self._shuffled(parts)))
            case Imply(left=left, right=right):
                return Imply(self._formula(left, scope), self._formula(right, scope))
            case Forall(variables=variables, part=part) | Exists(variables=variables, part=part):
                inner = self._scope(variables, scope)
                names = self._typed(self._shuffled(variables), inner)
                return type(formula)(names, self._formula(part, inner))
            case Comparison():
                raise ValueError("numeric conditions are beyond classical planning")

    def _effect(self, effect: Effect, scope: Mapping[str, str]) -> Effect:
        inner = self._scope(effect.variables, scope)
        variables = self._typed(effect.variables, inner)
        condition = self._formula(effect.condition, inner)
        return Effect(self._atom(effect.atom, inner), effect.positive, condition, variables)

    def _numeric(self, effect: NumericEffect, scope: Mapping[str, str]) -> NumericEffect:
        inner = self._scope(effect.variables, scope)
        return NumericEffect(
            effect.op,
            self._function(effect.function, inner),
            self._expression(effect.expression, inner),
            self._formula(effect.condition, inner),
            self._typed(effect.variables, inner),
        )

    def _expression(self, item: Expression, scope: Mapping[str, str]) -> Expression:
        match item:
            case Number():
                return item
            case FunctionTerm():
                return self._function(item, scope)
            case Arithmetic(op=op, parts=parts):
                return Arithmetic(op, tuple(self._expression(part, scope) for part in parts))


def _types_of(task: Task) -> list[str]:
    """Every type but `object`, those that are only named as parents too."""
    domain = task.domain
    lists: list[Iterable[TypedName]] = [domain.types, task.objects]
    lists += [item.parameters for item in (*domain.predicates, *domain.functions)]
    lists += [item.parameters for item in domain.actions]
    found = [item.name for item in domain.types]
    found += [kind for items in lists for item in items for kind in item.types]
    return [name for name in dict.fromkeys(found) if name != OBJECT]
