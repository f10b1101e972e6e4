"""Which names a domain and its problems have, by namespace."""

from __future__ import annotations

from collections.abc import Iterable

from groundplan.errors import InputError
from groundplan.generalize.names import EQUALITY, SPACES, TOTAL_COST, Renaming
from groundplan.pddl.ast import (
    OBJECT,
    And,
    Atom,
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
    TypedName,
)


class NamesOf:
    """The names of a domain and of problems, by namespace, in order of appearance; those of the language left out."""

    def __init__(self, domain: Domain | None, problems: Iterable[Problem] = ()) -> None:
        self.tables: dict[str, dict[str, None]] = {space: {} for space in SPACES}
        if domain is not None:
            self._domain(domain)
        for problem in problems:
            self._problem(problem)
        for space, fixed in (("types", OBJECT), ("predicates", EQUALITY), ("functions", TOTAL_COST)):
            self.tables[space].pop(fixed, None)

    def __getitem__(self, space: str) -> tuple[str, ...]:
        return tuple(self.tables[space])

    def _add(self, space: str, names: Iterable[str]) -> None:
        self.tables[space].update(dict.fromkeys(name for name in names if name))

    def _typed(self, space: str, items: Iterable[TypedName]) -> None:
        for item in items:
            self._add(space, (item.name,))
            self._add("types", item.types)

    def _domain(self, domain: Domain) -> None:
        self._add("domain", (domain.name,))
        self._typed("types", domain.types)
        self._typed("objects", domain.constants)
        for space, signatures in (("predicates", domain.predicates), ("functions", domain.functions)):
            self._add(space, (item.name for item in signatures))
            for item in signatures:
                self._typed("variables", item.parameters)
        for rule in domain.derived:
            self._add("predicates", (rule.head.name,))
            self._typed("variables", rule.head.parameters)
            self._formula(rule.condition)
        for action in domain.actions:
            self._add("actions", (action.name,))
            self._typed("variables", action.parameters)
            self._formula(action.precondition)
            for effect in action.effects:
                self._effect(effect)
            for numeric in action.numeric_effects:
                self._effect(numeric)

    def _problem(self, problem: Problem) -> None:
        self._add("problems", (problem.name,))
        self._add("domain", (problem.domain_name,))
        self._typed("objects", problem.objects)
        for atom in (*problem.init, *problem.init_false):
            self._formula(atom)
        for value in problem.values:
            self._expression(value.function)
        self._formula(problem.goal)
        if problem.metric is not None:
            self._expression(problem.metric.expression)

    def _effect(self, effect: Effect | NumericEffect) -> None:
        self._typed("variables", effect.variables)
        self._formula(effect.condition)
        if isinstance(effect, Effect):
            self._formula(effect.atom)
        else:
            self._expression(effect.function)
            self._expression(effect.expression)

    def _terms(self, terms: Iterable[str]) -> None:
        for term in terms:
            self._add("variables" if term.startswith("?") else "objects", (term,))

    def _formula(self, formula: Formula) -> None:
        match formula:
            case Atom(predicate=predicate, terms=terms):
                self._add("predicates", (predicate,))
                self._terms(terms)
            case Not(part=part):
                self._formula(part)
            case And(parts=parts) | Or(parts=parts):
                for part in parts:
                    self._formula(part)
            case Forall(variables=variables, part=part) | Exists(variables=variables, part=part):
                self._typed("variables", variables)
                self._formula(part)
            case Imply(left=first, right=second):
                self._formula(first)
                self._formula(second)
            case _:
                self._expression(formula.left)
                self._expression(formula.right)

    def _expression(self, item: Expression) -> None:
        match item:
            case Number():
                return
            case FunctionTerm(name=name, terms=terms):
                self._add("functions", (name,))
                self._terms(terms)
            case _:
                for part in item.parts:
                    self._expression(part)


def refuse_clashes(renaming: Renaming, names: NamesOf) -> None:
    """Raise InputError where a new name is already that of something else, which keeps it."""
    for space, table in renaming.spaces():
        old = {new: name for name, new in table.items()}
        for name in names[space]:
            if name not in table and name in old:
                raise InputError(
                    f"{space}: `{old[name]}` would be called `{name}`, but that is the name of another one that keeps "
                    f"it; choose another new name, or rename `{name}` as well"
                )
