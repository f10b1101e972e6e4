"""Rows, the argument tuples of atoms, made out of environments in as few interpreter steps as can be.

An environment is a tuple of words; a `Scope` says which place of it a variable has. For an action the environment is
the step itself, `("stack", "a", "b")`, and quantifiers put their variables behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeAlias

Row: TypeAlias = tuple[str, ...]
RowOf: TypeAlias = Callable[[Row], Row]
RowsOf: TypeAlias = Callable[[Row], tuple[Row, ...]]


@dataclass(frozen=True)
class Scope:
    """The place of every visible variable in an environment of `depth` words."""

    slots: Mapping[str, int]
    depth: int

    def with_variable(self, name: str) -> Scope:
        return Scope({**self.slots, name: self.depth}, self.depth + 1)

    def value(self, term: str, env: Row) -> str:
        """What a term stands for; an object, or a variable that is not bound, stands for itself."""
        return env[self.slots[term]] if term in self.slots else term


EMPTY = Scope({}, 0)


def row_of(terms: Row, scope: Scope) -> RowOf:
    """A function from environments to the row that `terms` make there."""
    if scope.slots.keys().isdisjoint(terms):
        return lambda env: terms
    places, fixed = _places([terms], scope)
    cut = _slice(places[0])
    pick: Any = itemgetter(*places[0]) if cut is None else itemgetter(cut)
    return (lambda env: pick(env + fixed)) if fixed else pick


def rows_of(rows: Sequence[Row], scope: Scope) -> RowsOf:
    """A function from environments to all of some rows at once, by one call of an `itemgetter` or two."""
    if not rows:
        return lambda env: ()
    places, fixed = _places(rows, scope)
    cuts = [_slice(row) for row in places]
    if None not in cuts:
        pick: Any = itemgetter(*cuts, *cuts[: len(cuts) == 1])  # a single item would come without its tuple
        return (lambda env: pick(env + fixed)) if fixed else pick
    flat = [place for row in places for place in row]
    arrange: Any = itemgetter(*flat)
    ends = [sum(len(row) for row in places[: index + 1]) for index in range(len(places))]
    cuts = [slice(end - len(row), end) for row, end in zip(places, ends, strict=True)]
    take: Any = itemgetter(*cuts, *cuts[: len(cuts) == 1])
    return lambda env: take(arrange(env + fixed))


def _places(rows: Sequence[Row], scope: Scope) -> tuple[list[list[int]], Row]:
    """Where the terms of the rows stand in an environment that has the fixed terms, returned too, behind it."""
    fixed = tuple(dict.fromkeys(term for row in rows for term in row if term not in scope.slots))
    slots = {**{term: scope.depth + index for index, term in enumerate(fixed)}, **scope.slots}
    return [[slots[term] for term in row] for row in rows], fixed


def _slice(places: list[int]) -> slice | None:
    """The slice that has these places, if they are evenly spaced."""
    if not places:
        return slice(0, 0)
    step = places[1] - places[0] if len(places) > 1 else 1
    stop = places[-1] + step
    if step and places == list(range(places[0], stop, step)):
        return slice(places[0], stop if stop >= 0 else None, step)
    return None
