"""Conditions over objects: quantifiers expanded, static atoms evaluated, disjunctions given a name.

A conjunction of literals is kept as it is. A disjunction becomes an artificial derived atom with one axiom for every
alternative, so that nothing is ever multiplied out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TypeAlias

from groundplan.pddl.ast import And, Atom, Exists, Forall, Formula, Not, Or, TypedName
from groundplan.pddl.ground_limits import Meter
from groundplan.pddl.ground_rules import World
from groundplan.pddl.ground_tables import Row

GroundLiteral: TypeAlias = tuple[bool, str, Row]
"""Whether the atom must be true, its predicate, its objects."""
Conjunction: TypeAlias = tuple[GroundLiteral, ...]
Environment: TypeAlias = Mapping[str, str]

ONE_OF = "one of"
"""The predicate of artificial atoms; the blank keeps it apart from every name in PDDL."""


class Expander:
    """Expands conditions in negation normal form. `named` has the alternatives of every artificial atom so far."""

    def __init__(self, world: World, meter: Meter) -> None:
        self._world = world
        self._meter = meter
        self.named: list[tuple[Conjunction, ...]] = []
        self._numbers: dict[frozenset[Conjunction], int] = {}

    def conjunction(self, formula: Formula, env: Environment) -> Conjunction | None:
        """The literals that must hold; None when the condition can be seen to be false."""
        literals: dict[GroundLiteral, None] = {}
        for part in self._conjuncts(formula, env):
            if part is None:
                return None
            literals[part] = None
        return tuple(literals)

    def _conjuncts(self, formula: Formula, env: Environment) -> Iterator[GroundLiteral | None]:
        """Literals, and None for a part that is false; parts that are true are left out."""
        match formula:
            case Atom() | Not():
                known = self._literal(formula, env)
                if known is not True:
                    yield known or None
            case And(parts=parts):
                for part in parts:
                    yield from self._conjuncts(part, env)
            case Forall(variables=variables, part=part):
                for inner in self._environments(variables, env):
                    yield from self._conjuncts(part, inner)
            case _:
                yield from self._disjunction(formula, env)

    def _disjunction(self, formula: Formula, env: Environment) -> Iterator[GroundLiteral | None]:
        found: dict[Conjunction, None] = {}
        for alternative in self._alternatives(formula, env):
            if alternative == ():
                return
            if alternative is not None:
                found[tuple(sorted(alternative))] = None
        if not found:
            yield None
        elif len(found) == 1:
            yield from next(iter(found))
        else:
            key = frozenset(found)
            number = self._numbers.setdefault(key, len(self.named))
            if number == len(self.named):
                self.named.append(tuple(found))
            yield (True, ONE_OF, (str(number),))

    def _alternatives(self, formula: Formula, env: Environment) -> Iterator[Conjunction | None]:
        match formula:
            case Or(parts=parts):
                for part in parts:
                    yield from self._alternatives(part, env)
            case Exists(variables=variables, part=part):
                for inner in self._environments(variables, env):
                    yield from self._alternatives(part, inner)
            case _:
                yield self.conjunction(formula, env)

    def _environments(self, variables: tuple[TypedName, ...], env: Environment) -> Iterator[Environment]:
        names = [variable.name for variable in variables]
        for values in product(*(self._world.members(variable.types) for variable in variables)):
            self._meter.rows(1)
            yield {**env, **dict(zip(names, values, strict=True))}

    def _literal(self, formula: Formula, env: Environment) -> GroundLiteral | bool:
        """A literal over objects, or its truth value where that is the same in every state."""
        atom = formula.part if isinstance(formula, Not) else formula
        assert isinstance(atom, Atom)
        positive = atom is formula
        row = tuple(env.get(term, term) for term in atom.terms)
        if atom.predicate == "=":
            return (row[0] == row[1]) is positive
        if row in self._world.rows(atom.predicate):
            return positive if atom.predicate not in self._world.deleted else (positive, atom.predicate, row)
        return (positive, atom.predicate, row) if self._world.grows(atom.predicate) else not positive
