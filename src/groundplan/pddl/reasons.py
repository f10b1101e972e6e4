"""Why a condition does not hold, said in facts with the objects filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from groundplan.pddl.ast import And, Atom, Comparison, Exists, Forall, Formula, Imply, Not, Or, TypedName
from groundplan.pddl.conditions import Join, Members, Tables, compile_condition, negation
from groundplan.pddl.rows import Row, Scope
from groundplan.pddl.write import write_formula

_MOST_INSTANCES = 6


@dataclass(frozen=True)
class Situation:
    """A state, derived facts included, with values for some variables."""

    tables: Tables
    members: Members
    scope: Scope
    env: Row

    def holds(self, formula: Formula) -> bool:
        return compile_condition(formula, self.scope, self.members)(self.env, self.tables)

    def instances(self, variables: tuple[TypedName, ...], formula: Formula) -> Iterator[Situation]:
        """The situations with values of `variables` for which a condition holds, each once."""
        join = Join(variables, formula, self.scope, self.members)
        inner = self.scope
        for variable in variables:
            inner = inner.with_variable(variable.name)
        places = [join.scope.slots[variable.name] for variable in variables]
        for values in dict.fromkeys(tuple(row[place] for place in places) for row in join.rows(self.env, self.tables)):
            yield Situation(self.tables, self.members, inner, (*self.env, *values))

    def text(self, formula: Formula) -> str:
        return write_formula(_filled(formula, {name: self.env[slot] for name, slot in self.scope.slots.items()}))


def why_not(formula: Formula, situation: Situation) -> list[str]:
    """What keeps a condition from holding, each cause once; empty when it holds."""
    return list(dict.fromkeys(_missing(formula, situation)))


def _missing(formula: Formula, now: Situation) -> Iterator[str]:
    """Why a condition is not true."""
    if now.holds(formula):
        return
    match formula:
        case Atom(predicate="=", terms=(left, right)):
            yield f"`{now.scope.value(left, now.env)}` and `{now.scope.value(right, now.env)}` must be the same object"
        case Not(part=part):
            yield from _disturbing(part, now)
        case And(parts=parts):
            for part in parts:
                yield from _missing(part, now)
        case Imply(left=left, right=right):
            for reason in _missing(right, now):
                yield f"{reason}, because {now.text(left)} holds"
        case Forall(variables=variables, part=part):
            cases = now.instances(variables, negation(part))
            yield from _limited(reason for case in cases for reason in _missing(part, case))
        case Or(parts=()):
            yield "a condition here can never hold"
        case Or(parts=(part,)):
            yield from _missing(part, now)
        case Atom() | Or() | Exists() | Comparison():
            yield f"needs {now.text(formula)}"


def _disturbing(formula: Formula, now: Situation) -> Iterator[str]:
    """Why a condition is true that must be false."""
    if not now.holds(formula):
        return
    match formula:
        case Atom(predicate="=", terms=(left, right)) if left != right:
            yield f"{left} and {right} must be different objects, but both are `{now.scope.value(left, now.env)}`"
        case Not(part=part):
            yield from _missing(part, now)
        case Or(parts=parts):
            for part in parts:
                yield from _disturbing(part, now)
        case Imply(left=left, right=right):
            yield from _missing(left, now)
            yield from _disturbing(right, now)
        case Exists(variables=variables, part=part):
            cases = now.instances(variables, part)
            yield from _limited(reason for case in cases for reason in _disturbing(part, case))
        case And(parts=(part,)):
            yield from _disturbing(part, now)
        case Atom() | And() | Forall() | Comparison():
            yield f"{now.text(formula)} must be false"


def _limited(reasons: Iterator[str]) -> Iterator[str]:
    found = list(dict.fromkeys(reasons))
    yield from found[:_MOST_INSTANCES]
    if len(found) > _MOST_INSTANCES:
        yield f"and {len(found) - _MOST_INSTANCES} more of this kind"


def _filled(formula: Formula, names: dict[str, str]) -> Formula:
    match formula:
        case Atom(predicate=predicate, terms=terms):
            return Atom(predicate, tuple(names.get(term, term) for term in terms))
        case Not(part=part):
            return Not(_filled(part, names))
        case And(parts=parts):
            return And(tuple(_filled(part, names) for part in parts))
        case Or(parts=parts):
            return Or(tuple(_filled(part, names) for part in parts))
        case Imply(left=left, right=right):
            return Imply(_filled(left, names), _filled(right, names))
        case Forall(variables=variables, part=part):
            return Forall(variables, _filled(part, _without(names, variables)))
        case Exists(variables=variables, part=part):
            return Exists(variables, _filled(part, _without(names, variables)))
        case Comparison():
            return formula


def _without(names: dict[str, str], variables: tuple[TypedName, ...]) -> dict[str, str]:
    hidden = {variable.name for variable in variables}
    return {name: value for name, value in names.items() if name not in hidden}
