"""Conditions in a form that can be joined: alternatives of literals, and what does not fit that form.

Negations are pushed down to the atoms; disjunctions become alternatives; `exists` adds variables to its alternative.
What stays is `forall` (it has no meaning before the other variables have values) and disjunctions that would give
too many alternatives.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from groundplan.errors import InputError
from groundplan.pddl.ast import And, Atom, Comparison, Exists, Forall, Formula, Imply, Not, Or, TypedName

MAX_BRANCHES = 24


@dataclass(frozen=True, slots=True)
class Branch:
    """One alternative: for some values of `variables` all literals and all formulas in `rest` hold."""

    variables: tuple[TypedName, ...] = ()
    positive: tuple[Atom, ...] = ()
    negative: tuple[Atom, ...] = ()
    rest: tuple[Formula, ...] = ()

    def __and__(self, other: Branch) -> Branch:
        return Branch(
            self.variables + other.variables,
            tuple(dict.fromkeys(self.positive + other.positive)),
            tuple(dict.fromkeys(self.negative + other.negative)),
            self.rest + other.rest,
        )


def branches(formula: Formula) -> list[Branch]:
    """The alternatives of a condition; none when it is plainly false.

    Variables of `exists` get names of their own. Raises InputError for numeric conditions.
    """
    return _Splitter().split(negation_normal(formula, True))


def negation_normal(formula: Formula, positive: bool) -> Formula:
    """The condition (its negation, unless `positive`) with `not` at atoms only and without `imply`."""
    match formula:
        case Atom():
            return formula if positive else Not(formula)
        case Not(part=part):
            return negation_normal(part, not positive)
        case And(parts=parts) | Or(parts=parts):
            inner = tuple(negation_normal(part, positive) for part in parts)
            return And(inner) if isinstance(formula, And) == positive else Or(inner)
        case Imply(left=left, right=right):
            return negation_normal(Or((Not(left), right)), positive)
        case Forall(variables=variables, part=part) | Exists(variables=variables, part=part):
            inside = negation_normal(part, positive)
            kind = Forall if isinstance(formula, Forall) == positive else Exists
            return kind(variables, inside)
        case Comparison():
            raise InputError("a numeric condition is beyond classical planning")


def renamed(formula: Formula, names: dict[str, str]) -> Formula:
    """The condition with free variables renamed; variables that it binds itself keep their names."""
    match formula:
        case Atom():
            return rename_atom(formula, names)
        case Not(part=part):
            return Not(renamed(part, names))
        case And(parts=parts):
            return And(tuple(renamed(part, names) for part in parts))
        case Or(parts=parts):
            return Or(tuple(renamed(part, names) for part in parts))
        case Imply(left=left, right=right):
            return Imply(renamed(left, names), renamed(right, names))
        case Forall(variables=variables, part=part) | Exists(variables=variables, part=part):
            bound = {variable.name for variable in variables}
            free = {name: new for name, new in names.items() if name not in bound}
            return type(formula)(variables, renamed(part, free))
        case Comparison():
            return formula


def rename_atom(atom: Atom, names: dict[str, str]) -> Atom:
    terms = tuple(names.get(term, term) for term in atom.terms)
    return atom if terms == atom.terms else Atom(atom.predicate, terms, atom.span, atom.term_spans)


def fresh_variables(
    variables: Iterable[TypedName], tags: Iterable[object]
) -> tuple[tuple[TypedName, ...], dict[str, str]]:
    """The variables under names that no PDDL text can use, and the renaming."""
    names = {variable.name: f"{variable.name}~{tag}" for variable, tag in zip(variables, tags, strict=False)}
    return tuple(TypedName(names[item.name], item.types, item.span) for item in variables), names


class _Splitter:
    def __init__(self) -> None:
        self._tags = count(1)

    def split(self, formula: Formula) -> list[Branch]:
        match formula:
            case Atom():
                return [Branch(positive=(formula,))]
            case Not(part=Atom() as atom):
                return [Branch(negative=(atom,))]
            case And(parts=parts):
                return self._all_of(parts)
            case Or(parts=parts):
                found = [branch for part in parts for branch in self.split(part)]
                return found if len(found) <= MAX_BRANCHES else [Branch(rest=(formula,))]
            case Exists(variables=variables, part=part):
                new, names = fresh_variables(variables, self._tags)
                return [Branch(variables=new) & branch for branch in self.split(renamed(part, names))]
            case _:
                return [Branch(rest=(formula,))]

    def _all_of(self, parts: tuple[Formula, ...]) -> list[Branch]:
        found = [Branch()]
        for part in parts:
            more = self.split(part)
            if len(found) * len(more) > MAX_BRANCHES:
                more = [Branch(rest=(part,))]
            found = [one & two for one in found for two in more]
        return found
