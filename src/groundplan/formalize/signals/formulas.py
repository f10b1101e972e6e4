"""What a formula speaks of: which objects, and which of them together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from groundplan.pddl.ast import (
    And,
    Atom,
    Comparison,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    Task,
    TypedName,
    atoms_in,
)
from groundplan.pddl.types import objects_by_type


@dataclass(frozen=True)
class Spoken:
    """The objects and atoms of a formula. `quantified` are all objects that its quantifiers run over."""

    atoms: tuple[Atom, ...]
    named: frozenset[str]
    quantified: frozenset[str]

    @cached_property
    def objects(self) -> frozenset[str]:
        return self.named | self.quantified

    @cached_property
    def predicates(self) -> frozenset[str]:
        return frozenset(atom.predicate for atom in self.atoms)

    @cached_property
    def _atoms_of(self) -> dict[str, list[frozenset[str]]]:
        table: dict[str, list[frozenset[str]]] = {}
        for atom in self.atoms:
            terms = frozenset(atom.terms)
            for term in terms:
                table.setdefault(term, []).append(terms)
        return table

    def together(self, one: str, other: str) -> bool:
        """Whether one atom speaks of both; a quantifier may speak of everything that it runs over."""
        if one in self.quantified or other in self.quantified:
            return True
        return any(other in terms for terms in self._atoms_of.get(one, ()))

    def partners(self, name: str) -> Iterator[str]:
        for terms in self._atoms_of.get(name, ()):
            yield from terms - {name}


def spoken_in(formula: Formula, task: Task) -> Spoken:
    atoms = tuple(atoms_in(formula))
    named = frozenset(term for atom in atoms for term in atom.terms if not term.startswith("?"))
    members = objects_by_type(task) if any(True for _ in _variables(formula)) else {}
    kinds = {kind for variable in _variables(formula) for kind in variable.types}
    return Spoken(atoms, named, frozenset(name for kind in kinds for name in members.get(kind, ())))


def spoken_of_facts(atoms: tuple[Atom, ...]) -> Spoken:
    return Spoken(atoms, frozenset(term for atom in atoms for term in atom.terms), frozenset())


def plain_literals(formula: Formula) -> list[tuple[Atom, bool]] | None:
    """The literals of a conjunction; None for every other formula."""
    literals: list[tuple[Atom, bool]] = []
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        match part:
            case And(parts=parts):
                waiting += parts[::-1]
            case Atom(predicate=predicate) if predicate != "=":
                literals.append((part, True))
            case Not(part=Atom(predicate=predicate) as atom) if predicate != "=":
                literals.append((atom, False))
            case _:
                return None
    return literals


def is_trivial(formula: Formula) -> bool:
    """Whether a formula is true in every state, by its form alone: `(and)`, `(= a a)`, `(or p (not p))`."""
    match formula:
        case And(parts=parts):
            return all(is_trivial(part) for part in parts)
        case Or(parts=parts):
            return any(is_trivial(part) for part in parts) or _has_opposites(parts)
        case Not(part=part):
            return _is_absurd(part)
        case Imply(left=left, right=right):
            return is_trivial(right) or _is_absurd(left) or left == right
        case Forall(part=part):
            return is_trivial(part)
        case Atom(predicate="=", terms=(one, other)):
            return one == other
        case _:
            return False


def _is_absurd(formula: Formula) -> bool:
    match formula:
        case Or(parts=parts):
            return all(_is_absurd(part) for part in parts)
        case And(parts=parts):
            return any(_is_absurd(part) for part in parts)
        case Not(part=part):
            return is_trivial(part)
        case Atom(predicate="=", terms=(one, other)):
            return one != other and not one.startswith("?") and not other.startswith("?")
        case _:
            return False


def _has_opposites(parts: tuple[Formula, ...]) -> bool:
    positive = {part for part in parts if isinstance(part, Atom)}
    return any(isinstance(part, Not) and part.part in positive for part in parts)


def _variables(formula: Formula) -> Iterator[TypedName]:
    match formula:
        case Forall(variables=variables, part=part) | Exists(variables=variables, part=part):
            yield from variables
            yield from _variables(part)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                if not isinstance(part, Atom):
                    yield from _variables(part)
        case Not(part=part):
            yield from _variables(part)
        case Imply(left=left, right=right):
            yield from _variables(left)
            yield from _variables(right)
        case Atom() | Comparison():
            return


def quantifier_work(formula: Formula, task: Task) -> int:
    """How many bindings of quantified variables a naive test of the formula looks at, at most."""
    sizes = {name: len(members) for name, members in objects_by_type(task).items()}

    def work(part: Formula) -> int:
        match part:
            case Forall(variables=variables, part=inner) | Exists(variables=variables, part=inner):
                bindings = 1
                for variable in variables:
                    bindings *= sum(sizes.get(kind, 0) for kind in variable.types) or 1
                return bindings * work(inner)
            case And(parts=parts) | Or(parts=parts):
                return sum(work(inner) for inner in parts) or 1
            case Not(part=inner):
                return work(inner)
            case Imply(left=left, right=right):
                return work(left) + work(right)
            case _:
                return 1

    return work(formula)
