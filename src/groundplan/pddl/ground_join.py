"""Joining the literals of a rule over tables of facts.

A rule's variables get their values literal by literal, the most selective first, each looked up by the positions that
are bound already. The plan of a join is made once a rule (and once for each literal that new facts may arrive for) and
turned into nested functions, each of which binds some variables and calls the next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from groundplan.pddl.ground_limits import Meter
from groundplan.pddl.ground_tables import Row, Table, key_getter, row_getter

Binding: TypeAlias = list[str]
Then: TypeAlias = Callable[[Binding], None]
Arrival: TypeAlias = Callable[[Row], None]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A literal of a rule; `places` says where in the binding each of its terms stands."""

    predicate: str
    places: tuple[int, ...]


@dataclass(frozen=True)
class Query:
    """What a join looks for: values for the first `len(domains)` places of a binding that starts as `start`.

    `start` holds the rule's constants behind its variables. `positive` are looked up in tables; `equal` and `unequal`
    are pairs of places; no row of `absent` may be in the given sets. A domain says which objects a place may hold.
    """

    start: tuple[str, ...]
    domains: tuple[Collection[str], ...]
    positive: tuple[Pattern, ...]
    equal: tuple[tuple[int, int], ...] = ()
    unequal: tuple[tuple[int, int], ...] = ()
    absent: tuple[tuple[Pattern, Collection[Row]], ...] = ()


class Join:
    """A query over tables. `fixed` names the predicates whose tables are complete from the start."""

    def __init__(
        self, query: Query, tables: Mapping[str, Table], fixed: Collection[str], all_objects: int, meter: Meter
    ) -> None:
        self._query = query
        self._tables = tables
        self._fixed = fixed
        self._sets = tuple(None if len(domain) == all_objects else frozenset(domain) for domain in query.domains)
        self._meter = meter

    def whole(self, emit: Then) -> Callable[[], None]:
        """A function that passes every answer to `emit`, as a binding that is used again: copy it."""
        run = self._compile(set(range(len(self._query.domains), len(self._query.start))), None, emit)
        return lambda: run(list(self._query.start))

    def on_arrival(self, literal: int, emit: Then) -> Arrival:
        """A function that passes on every answer in which a new row takes the place of a positive literal."""
        bound = set(range(len(self._query.domains), len(self._query.start)))
        places = self._query.positive[literal].places
        checks = [(at, place) for at, place in enumerate(places) if place in bound]
        new: list[tuple[int, int]] = []
        for at, place in enumerate(places):
            if place not in bound:
                bound.add(place)
                new.append((at, place))
            elif (at, place) not in checks:
                checks.append((at, place))
        run = self._compile(bound, literal, emit)
        start, sets = self._query.start, self._sets

        def arrive(row: Row) -> None:
            binding = list(start)
            for at, place in new:
                value = row[at]
                allowed = sets[place]
                if allowed is not None and value not in allowed:
                    return
                binding[place] = value
            for at, place in checks:
                if row[at] != binding[place]:
                    return
            run(binding)

        return arrive

    def _compile(self, bound: set[int], arrived: int | None, emit: Then) -> Then:
        """The nested functions for what is left when the places in `bound` have values."""
        todo = [index for index in range(len(self._query.positive)) if index != arrived]
        makers: list[Callable[[Then], Then]] = []
        tested: set[int] = set()
        while True:
            makers += self._tests(bound, tested)
            if (
                len(free := [place for place in range(len(self._query.domains)) if place not in bound]) == 0
                and not todo
            ):
                break
            if todo:
                index = min(todo, key=lambda item: (self._expected(self._query.positive[item], bound), item))
                todo.remove(index)
                makers.append(self._look_up(self._query.positive[index], bound))
            else:
                makers.append(self._enumerate(free[0]))
                bound.add(free[0])
        for maker in reversed(makers):
            emit = maker(emit)
        return emit

    def _expected(self, pattern: Pattern, bound: set[int]) -> float:
        """How many rows a look-up is expected to give."""
        open_places = {place for place in pattern.places if place not in bound}
        if not open_places:
            return 0.0
        if pattern.predicate not in self._fixed:
            size = 1.0
            for place in open_places:
                size *= len(self._query.domains[place])
            return size + 0.5
        table = self._tables[pattern.predicate]
        size = float(len(table))
        for at, place in enumerate(pattern.places):
            if place in bound:
                size /= max(1, table.distinct(at))
        return size

    def _tests(self, bound: set[int], done: set[int]) -> list[Callable[[Then], Then]]:
        """Tests whose places are all bound now, each once; an equality with one side bound binds the other."""
        makers: list[Callable[[Then], Then]] = []
        query = self._query
        while ready := [
            number
            for number, (one, two) in enumerate(query.equal)
            if number not in done and (one in bound or two in bound)
        ]:
            one, two = query.equal[ready[0]]
            done.add(ready[0])
            if one in bound and two in bound:
                makers.append(_test_pair(one, two, True))
            else:
                known, other = (one, two) if one in bound else (two, one)
                makers.append(_copy(known, other, self._sets[other]))
                bound.add(other)
        for number, (one, two) in enumerate(query.unequal, start=len(query.equal)):
            if number not in done and one in bound and two in bound:
                done.add(number)
                makers.append(_test_pair(one, two, False))
        for number, (pattern, rows) in enumerate(query.absent, start=len(query.equal) + len(query.unequal)):
            if number not in done and bound.issuperset(pattern.places):
                done.add(number)
                makers.append(_test_absent(pattern, rows))
        return makers

    def _enumerate(self, place: int) -> Callable[[Then], Then]:
        objects, meter = tuple(self._query.domains[place]), self._meter

        def maker(then: Then) -> Then:
            def step(binding: Binding) -> None:
                meter.rows(len(objects))
                for name in objects:
                    binding[place] = name
                    then(binding)

            return step

        return maker

    def _look_up(self, pattern: Pattern, bound: set[int]) -> Callable[[Then], Then]:
        """Binds the open places of a literal to every row that fits; marks them bound."""
        places, table = pattern.places, self._tables[pattern.predicate]
        known = tuple(at for at, place in enumerate(places) if place in bound)
        if len(known) == len(places):
            return _test_present(row_getter(places), table.rows)
        first: dict[int, int] = {}
        repeats: list[tuple[int, int]] = []
        for at, place in enumerate(places):
            if place in bound:
                continue
            if place in first:
                repeats.append((at, first[place]))
            else:
                first[place] = at
        bound.update(first)
        new = tuple((at, place, self._sets[place]) for place, at in first.items())
        key_of = key_getter(tuple(places[at] for at in known))
        return _fetch(table.index(known), key_of, new, tuple(repeats), self._meter)


def _fetch(
    index: Mapping[object, list[Row]],
    key_of: Callable[[Binding], object],
    new: tuple[tuple[int, int, frozenset[str] | None], ...],
    repeats: tuple[tuple[int, int], ...],
    meter: Meter,
) -> Callable[[Then], Then]:
    def maker(then: Then) -> Then:
        def step(binding: Binding) -> None:
            rows = index.get(key_of(binding))
            if rows is None:
                return
            meter.rows(len(rows))
            for row in rows:
                for at, place, allowed in new:
                    value = row[at]
                    if allowed is not None and value not in allowed:
                        break
                    binding[place] = value
                else:
                    if all(row[one] == row[two] for one, two in repeats) if repeats else True:
                        then(binding)

        return step

    return maker


def _test_present(row_of: Callable[[Binding], Row], rows: Mapping[Row, None]) -> Callable[[Then], Then]:
    def maker(then: Then) -> Then:
        def step(binding: Binding) -> None:
            if row_of(binding) in rows:
                then(binding)

        return step

    return maker


def _test_absent(pattern: Pattern, rows: Collection[Row]) -> Callable[[Then], Then]:
    row_of = row_getter(pattern.places)

    def maker(then: Then) -> Then:
        def step(binding: Binding) -> None:
            if row_of(binding) not in rows:
                then(binding)

        return step

    return maker


def _test_pair(one: int, two: int, same: bool) -> Callable[[Then], Then]:
    def maker(then: Then) -> Then:
        def step(binding: Binding) -> None:
            if (binding[one] == binding[two]) is same:
                then(binding)

        return step

    return maker


def _copy(known: int, other: int, allowed: frozenset[str] | None) -> Callable[[Then], Then]:
    def maker(then: Then) -> Then:
        def step(binding: Binding) -> None:
            value = binding[known]
            if allowed is None or value in allowed:
                binding[other] = value
                then(binding)

        return step

    return maker
