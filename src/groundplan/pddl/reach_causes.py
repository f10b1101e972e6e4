"""Why a way to bring a fact about can never be taken: every condition that stands in its way.

First each condition is looked at by itself. When each could hold, but never all for the same objects, conditions are
left out in turn: what is missing for the objects that the others allow is then the cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, islice, product

from groundplan.pddl.ast import Atom, TypedName
from groundplan.pddl.ground_expand import GroundLiteral
from groundplan.pddl.ground_fixpoint import Fixpoint
from groundplan.pddl.ground_join import Binding, Join, Pattern, Query
from groundplan.pddl.ground_tables import Row, Table
from groundplan.pddl.reach_ways import Target, Way

MOST_ANSWERS = 60
MOST_CAUSES = 12
MOST_NEGATIVE = 2_000


class CauseKind(StrEnum):
    NO_OBJECT = "no object of a type"
    WRONG_TYPE = "an object of the wrong type"
    MISSING = "a fact that is not there and that nothing adds"
    BLOCKING = "a fact that is there and that nothing deletes"
    UNREACHED = "a fact that some action could change, but never does"
    CONFLICT = "conditions that never hold together"


@dataclass(frozen=True)
class Cause:
    """One condition of a way that can never hold.

    `atom` is the fact with the objects filled in as far as they are known, `needed` whether it must hold or must not,
    `condition` the atom as the domain has it. `values` are those of the way's variables. `alone`: no choice of
    objects meets this condition; otherwise it is missing for objects that all other conditions allow. For
    the two kinds about types, `parameter` is the variable (and `atom` None). `turned` is the initial fact that is a
    missing one the other way round, if there is one.
    """

    kind: CauseKind
    way: Way
    values: Mapping[str, str]
    atom: Atom | None = None
    needed: bool = True
    condition: Atom | None = None
    alone: bool = True
    parameter: TypedName | None = None
    turned: Atom | None = None

    @property
    def target(self) -> Target:
        assert self.atom is not None
        return Target.of(self.atom, self.needed)


Literal = tuple[bool, Atom]


class Causes:
    """Finds causes over a finished reachability analysis."""

    def __init__(self, fixpoint: Fixpoint) -> None:
        self.fixpoint = fixpoint
        self.world = fixpoint.world

    def of(self, way: Way) -> list[Cause]:
        """All causes why a way can never be taken; none when it can."""
        literals = [*((True, atom) for atom in way.branch.positive), *((False, atom) for atom in way.branch.negative)]
        found = list(self._type_causes(way))
        unmet = {at for at, literal in enumerate(literals) if not self._can_hold(way, literal)}
        if found or unmet:
            answers = self._answers_with_turned(way, literals, unmet) or [dict(way.given)]
            return found + self._named(way, literals, unmet, answers, alone=True)
        for size in (1, 2):
            found = [
                cause
                for omitted in combinations(range(len(literals)), size)
                for cause in self._left_out(way, literals, set(omitted))
            ]
            if found:
                return found
        return self._of_rest(way, literals) or (
            [] if self._answers(way, literals, set()) else [Cause(CauseKind.CONFLICT, way, way.given)]
        )

    def _type_causes(self, way: Way) -> Iterator[Cause]:
        for variable in way.variables:
            members = self.world.members(variable.types)
            if not members:
                yield Cause(CauseKind.NO_OBJECT, way, way.given, parameter=variable)
            elif variable.name in way.given and way.given[variable.name] not in members:
                yield Cause(CauseKind.WRONG_TYPE, way, way.given, parameter=variable)

    def _can_hold(self, way: Way, literal: Literal) -> bool:
        """Whether some choice of objects makes one condition reachable, whatever the others say."""
        positive, atom = literal
        terms = tuple(way.given.get(term, term) for term in atom.terms)
        if atom.predicate == "=":
            return any(term.startswith("?") for term in terms) or (terms[0] == terms[1]) is positive
        domains = self._domains(way)
        if positive:
            return any(_fits(row, terms, domains) for row in self._rows(atom.predicate, terms))
        names = [term for term in dict.fromkeys(terms) if term.startswith("?")]
        choices = product(*(domains.get(name) or (name,) for name in names))
        for values in islice(choices, MOST_NEGATIVE):
            chosen = dict(zip(names, values, strict=True))
            row = tuple(chosen.get(term, term) for term in terms)
            if self.fixpoint.is_reached((False, atom.predicate, row)):
                return True
        return next(choices, None) is not None

    def _domains(self, way: Way) -> dict[str, tuple[str, ...]]:
        """The objects of each variable without a value; a type without objects does not restrict."""
        return {item.name: self.world.members(item.types) for item in way.variables if item.name not in way.given}

    def _rows(self, predicate: str, terms: Row) -> Iterable[Row]:
        """The reachable rows with the objects among `terms` in their places."""
        table = self.fixpoint.tables.get(predicate)
        if table is None:
            return self.world.rows(predicate)
        known = tuple(at for at, term in enumerate(terms) if not term.startswith("?"))
        key = tuple(terms[at] for at in known)
        return table.index(known).get(key[0] if len(key) == 1 else key, ())

    def _left_out(self, way: Way, literals: list[Literal], omitted: set[int]) -> list[Cause]:
        """The causes that show when some conditions are left out, the objects being those that the others allow."""
        if any(literals[at][1].predicate == "=" for at in omitted):
            return []
        answers = self._answers_with_turned(way, literals, omitted)
        return self._named(way, literals, omitted, answers, alone=False)

    def _answers_with_turned(self, way: Way, literals: list[Literal], omitted: set[int]) -> list[dict[str, str]]:
        """Answers, those first for which an omitted fact is there the other way round."""
        found: list[dict[str, str]] = []
        for at in sorted(omitted):
            needed, atom = literals[at]
            if needed and len(atom.terms) > 1 and self._kind(needed, atom.predicate) is CauseKind.MISSING:
                for given in islice(self._turned(way, atom), MOST_ANSWERS):
                    found += self._answers(replace(way, given=given), literals, omitted)
        return found[:MOST_ANSWERS] + self._answers(way, literals, omitted)

    def _turned(self, way: Way, atom: Atom) -> Iterator[dict[str, str]]:
        """The values that make a condition an initial fact the other way round."""
        domains = self._domains(way)
        terms = tuple(way.given.get(term, term) for term in atom.terms)
        if all(term.startswith("?") for term in terms):
            return
        for row in self._rows(atom.predicate, terms[::-1]):
            if _fits(row, terms[::-1], domains):
                fixed = {term: value for term, value in zip(terms[::-1], row, strict=True) if term.startswith("?")}
                yield {**way.given, **fixed}

    def _named(
        self, way: Way, literals: list[Literal], unmet: set[int], answers: list[dict[str, str]], *, alone: bool
    ) -> list[Cause]:
        """The unmet conditions with the objects of each answer filled in, each once."""
        found: dict[tuple[bool, Atom], Cause] = {}
        for values in answers:
            for at in sorted(unmet):
                needed, condition = literals[at]
                terms = tuple(values.get(term, term) for term in condition.terms)
                atom = Atom(condition.predicate, terms)
                kind = self._kind(needed, condition.predicate)
                if kind is not CauseKind.CONFLICT and self._is_reachable(needed, atom):
                    if not any(term.startswith("?") for term in terms):
                        continue
                    kind = CauseKind.CONFLICT
                turned = self._reverse(atom) if kind is CauseKind.MISSING else None
                cause = Cause(kind, way, values, atom, needed, condition, alone, turned=turned)
                if (needed, atom) not in found and len(found) < MOST_CAUSES:
                    found[needed, atom] = cause
        return list(found.values())

    def _reverse(self, atom: Atom) -> Atom | None:
        row = atom.terms[::-1]
        return Atom(atom.predicate, row) if len(row) > 1 and row in self.world.rows(atom.predicate) else None

    def _is_reachable(self, needed: bool, atom: Atom) -> bool:
        """Whether a literal is reachable, for some objects in the place of its variables."""
        if needed:
            return any(_fits(row, atom.terms, {}) for row in self._rows(atom.predicate, atom.terms))
        return self.fixpoint.is_reached((False, atom.predicate, atom.terms))

    def _kind(self, needed: bool, predicate: str) -> CauseKind:
        if predicate == "=":
            return CauseKind.CONFLICT
        if needed:
            return CauseKind.UNREACHED if self.world.grows(predicate) else CauseKind.MISSING
        return CauseKind.UNREACHED if predicate in self.world.deleted else CauseKind.BLOCKING

    def _of_rest(self, way: Way, literals: list[Literal]) -> list[Cause]:
        """Unreachable literals in conditions under a `forall`, for objects that allow all plain conditions."""
        found: dict[GroundLiteral, Cause] = {}
        for values in self._answers(way, literals, set()):
            for formula in way.branch.rest:
                expanded = self.fixpoint.expander.conjunction(formula, values)
                if expanded is None:
                    found.setdefault((True, str(formula), ()), Cause(CauseKind.CONFLICT, way, values))
                for needed, predicate, row in expanded or ():
                    if self.fixpoint.is_reached((needed, predicate, row)):
                        continue
                    cause = Cause(CauseKind.CONFLICT, way, values, alone=False)
                    if " " not in predicate:
                        atom = Atom(predicate, row)
                        cause = Cause(self._kind(needed, predicate), way, values, atom, needed, atom, False)
                    found.setdefault((needed, predicate, row), cause)
        return list(found.values())[:MOST_CAUSES]

    def _answers(self, way: Way, literals: list[Literal], omitted: set[int]) -> list[dict[str, str]]:
        """Values under which all conditions but the omitted ones are reachable; at most some.

        A variable that only omitted conditions name keeps itself as its value, unless one object alone is of its type.
        """
        kept = [literal for at, literal in enumerate(literals) if at not in omitted]
        named = {term for _, atom in kept for term in atom.terms}
        domains = self._domains(way)
        names = [variable.name for variable in way.variables]
        free = {name: domain if name in named or len(domain) == 1 else () for name, domain in domains.items()}
        chosen = [(way.given[name],) if name in way.given else free[name] or (name,) for name in names]
        constants = sorted({term for term in named if not term.startswith("?")})
        places = {term: place for place, term in enumerate([*names, *constants])}
        patterns = [(positive, _pattern(atom, places)) for positive, atom in kept]
        pairs = [(positive, item.places) for positive, item in patterns if item.predicate == "="]
        query = Query(
            start=("",) * len(names) + tuple(constants),
            domains=tuple(chosen),
            positive=tuple(item for positive, item in patterns if positive and item.predicate != "="),
            equal=tuple((one, two) for positive, (one, two) in pairs if positive),
            unequal=tuple((one, two) for positive, (one, two) in pairs if not positive),
        )
        negative = [item for positive, item in patterns if not positive and item.predicate != "="]
        return self._join(query, names, negative)

    def _join(self, query: Query, names: list[str], negative: list[Pattern]) -> list[dict[str, str]]:
        found: list[dict[str, str]] = []

        def emit(binding: Binding) -> None:
            for item in negative:
                row = tuple(binding[place] for place in item.places)
                if not self.fixpoint.is_reached((False, item.predicate, row)):
                    return
            found.append(dict(zip(names, binding, strict=False)))
            if len(found) >= MOST_ANSWERS:
                raise _EnoughError

        tables = self.fixpoint.tables
        for item in query.positive:
            tables.setdefault(item.predicate, Table(self.world.rows(item.predicate)))
        join = Join(query, tables, tables.keys(), -1, self.fixpoint.meter)
        with suppress(_EnoughError):
            join.whole(emit)()
        return found


class _EnoughError(Exception):
    """Enough answers were found."""


def _pattern(atom: Atom, places: Mapping[str, int]) -> Pattern:
    return Pattern(atom.predicate, tuple(places[term] for term in atom.terms))


def _fits(row: Row, terms: Row, domains: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether the variables among `terms` may have the values of a row, one value each."""
    values: dict[str, str] = {}
    for term, value in zip(terms, row, strict=True):
        if not term.startswith("?"):
            continue
        if values.setdefault(term, value) != value or (domains.get(term) and value not in domains[term]):
            return False
    return True
