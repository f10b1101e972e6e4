"""Whether a condition can be true at all: the one thing that no operator, however clever, can get around."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import TypeAlias

from groundplan.pddl.ast import And, Atom, Exists, Forall, Formula, Not, Or, Task, TypedName
from groundplan.pddl.ground_normal import negation_normal, renamed
from groundplan.pddl.types import objects_by_type

MOST_STEPS = 20_000
"""Parts that are looked at before the question is left open."""

Given: TypeAlias = Callable[[Atom], bool | None]
"""What is known of an atom beforehand: true, false, or None where it is free."""
Members: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]


class OutOfSteps(Exception):
    """The condition is too large to be decided."""


def members_of(task: Task) -> Members:
    table = objects_by_type(task)
    return lambda types: tuple(dict.fromkeys(name for kind in types for name in table.get(kind, ())))


def satisfiable(formula: Formula, given: Given, members: Members | None = None) -> bool | None:
    """Whether some truth values of the free atoms make a condition true; None where that takes too long to find out.

    Atoms are told apart by their text, so that variables stand for objects that may differ (two atoms over different
    variables are both free): what is unsatisfiable so is so for every choice of objects. `=` is decided for objects,
    free for variables. Quantifiers are opened over `members`; without them they count as free.
    """
    try:
        return _Solver(given, members).solve([negation_normal(formula, True)], {})
    except OutOfSteps:
        return None


class _Solver:
    def __init__(self, given: Given, members: Members | None) -> None:
        self.given = given
        self.members = members
        self.steps = 0

    def solve(self, waiting: list[Formula], known: Mapping[Atom, bool]) -> bool:
        """Literals first, then one disjunction at a time."""
        waiting, values = list(waiting), dict(known)
        choices: list[Or] = []
        while waiting:
            self._step()
            part = waiting.pop()
            match part:
                case Atom() | Not(part=Atom()):
                    if not self._assume(part, values):
                        return False
                case And(parts=parts):
                    waiting += parts
                case Or() as either:
                    choices.append(either)
                case Forall(variables=variables, part=inner) if self.members:
                    waiting += self._instances(variables, inner)
                case Exists(variables=variables, part=inner) if self.members:
                    choices.append(Or(tuple(self._instances(variables, inner))))
                case _:
                    continue  # a quantifier that cannot be opened: free
        if not choices:
            return True
        first, *rest = sorted(choices, key=lambda either: len(either.parts))
        return any(self.solve([part, *rest], values) for part in first.parts)

    def _assume(self, literal: Formula, values: dict[Atom, bool]) -> bool:
        positive = isinstance(literal, Atom)
        atom = literal if isinstance(literal, Atom) else literal.part  # type: ignore[union-attr]
        assert isinstance(atom, Atom)
        wanted = _equal(atom) if atom.predicate == "=" else self.given(atom)
        if wanted is None:
            wanted = values.setdefault(atom, positive)
        return wanted is positive

    def _instances(self, variables: tuple[TypedName, ...], part: Formula) -> list[Formula]:
        assert self.members is not None
        names = [variable.name for variable in variables]
        found = []
        for values in product(*(self.members(variable.types) for variable in variables)):
            self._step()
            found.append(renamed(part, dict(zip(names, values, strict=True))))
        return found

    def _step(self) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise OutOfSteps


def _equal(atom: Atom) -> bool | None:
    one, other = atom.terms
    if one == other:
        return True
    return None if one.startswith("?") or other.startswith("?") else False
