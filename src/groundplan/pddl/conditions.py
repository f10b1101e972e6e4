"""Conditions, compiled once into functions over a state.

A state is a table of rows for every predicate: the argument tuples for which it is true. A condition sees names
through an environment (see `rows`).

Quantifiers run over the objects of a type as nested loops in which every conjunct is tested as soon as its variables
are bound, so that `exists (?z) (and (edge ?x ?z) (reach ?z ?y))` never looks at all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from groundplan.errors import InputError
from groundplan.pddl.ast import And, Atom, Comparison, Exists, Forall, Formula, Imply, Not, Or, TypedName, atoms_in
from groundplan.pddl.rows import Row, Scope, row_of

Tables: TypeAlias = Mapping[str, AbstractSet[Row]]
Check: TypeAlias = Callable[[Row, Tables], bool]
Members: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]
"""The objects that are of one of some types, each once."""

_NO_ROWS: frozenset[Row] = frozenset()


def compile_condition(formula: Formula, scope: Scope, members: Members) -> Check:
    """The condition as a function of an environment and a state. Raises InputError for numeric conditions."""
    match formula:
        case Atom(predicate="=", terms=terms):
            pair = row_of(terms, scope)
            return lambda env, tables: (sides := pair(env))[0] == sides[-1]
        case Atom(predicate=predicate, terms=terms):
            row = row_of(terms, scope)
            return lambda env, tables: row(env) in tables.get(predicate, _NO_ROWS)
        case Not(part=part):
            check = compile_condition(part, scope, members)
            return lambda env, tables: not check(env, tables)
        case And(parts=parts):
            return _all_of([compile_condition(part, scope, members) for part in parts])
        case Or(parts=parts):
            fails = _all_of([compile_condition(Not(part), scope, members) for part in parts])
            return lambda env, tables: not fails(env, tables)
        case Imply(left=left, right=right):
            return compile_condition(Or((Not(left), right)), scope, members)
        case Exists(variables=variables, part=part):
            join = Join(variables, part, scope, members)
            return lambda env, tables: next(join.rows(env, tables), None) is not None
        case Forall(variables=variables, part=part):
            violations = Join(variables, negation(part), scope, members)
            return lambda env, tables: next(violations.rows(env, tables), None) is None
        case Comparison():
            raise InputError("a numeric condition is beyond classical planning")


def negation(formula: Formula) -> Formula:
    """The opposite, with the `not` moved inwards as far as that yields conjuncts."""
    match formula:
        case Not(part=part):
            return part
        case Or(parts=parts):
            return And(tuple(negation(part) for part in parts))
        case Imply(left=left, right=right):
            return And((left, negation(right)))
        case Forall(variables=variables, part=part):
            return Exists(variables, negation(part))
        case _:
            return Not(formula)


class Join:
    """All environments that extend a given one by values of `variables` under which a condition holds.

    `scope` is that of the extended environments. Variables of an inner `exists` are bound along, so the same values
    of `variables` may come more than once.
    """

    def __init__(self, variables: Iterable[TypedName], formula: Formula, scope: Scope, members: Members) -> None:
        bound = {variable.name: variable.types for variable in variables}
        hidden = {*bound, *scope.slots}
        pending = list(_conjuncts(formula, bound, hidden))
        inner = Scope({name: slot for name, slot in scope.slots.items() if name not in bound}, scope.depth)
        free = [{term for atom in atoms_in(part) for term in atom.terms} & bound.keys() for part in pending]
        placed = [False] * len(pending)
        self._first: list[Check] = []
        self._levels: list[tuple[tuple[str, ...], list[Check]]] = []
        checks = self._first
        waiting = _in_order(bound, free)
        while True:
            for index, part in enumerate(pending):
                if not placed[index] and free[index] <= inner.slots.keys():
                    checks.append(compile_condition(part, inner, members))
                    placed[index] = True
            name = next(waiting, None)
            if name is None:
                break
            inner = inner.with_variable(name)
            checks = []
            self._levels.append((members(bound[name]), checks))
        self.scope = inner

    def rows(self, env: Row, tables: Tables) -> Iterator[Row]:
        if not all(check(env, tables) for check in self._first):
            return iter(())
        rows: Iterator[Row] = iter((env,))
        for objects, checks in self._levels:
            rows = _extended(rows, objects, checks, tables)
        return rows


def _extended(rows: Iterator[Row], objects: Row, checks: list[Check], tables: Tables) -> Iterator[Row]:
    for row in rows:
        for item in objects:
            longer = (*row, item)
            for check in checks:
                if not check(longer, tables):
                    break
            else:
                yield longer


def _in_order(names: Iterable[str], free: list[set[str]]) -> Iterator[str]:
    """The order of the loops: next come the variables that the conjunct with the fewest open ones still lacks."""
    done: set[str] = set()
    while missing := sorted((sorted(used - done) for used in free if used - done), key=len):
        done.update(missing[0])
        yield from missing[0]
    yield from (name for name in names if name not in done)


def _conjuncts(formula: Formula, bound: dict[str, tuple[str, ...]], hidden: set[str]) -> Iterator[Formula]:
    """The parts of a conjunction; the variables of an inner `exists` join `bound` unless their names clash."""
    match formula:
        case And(parts=parts):
            for part in parts:
                yield from _conjuncts(part, bound, hidden)
        case Exists(variables=variables, part=part) if hidden.isdisjoint(item.name for item in variables):
            bound.update({item.name: item.types for item in variables})
            hidden.update(item.name for item in variables)
            yield from _conjuncts(part, bound, hidden)
        case _:
            yield formula


def _all_of(checks: list[Check]) -> Check:
    if len(checks) == 1:
        return checks[0]

    return lambda env, tables: all(check(env, tables) for check in checks)
