"""Tables of facts with the indexes that joins ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

Row: TypeAlias = tuple[str, ...]
KeyOf: TypeAlias = Callable[[Sequence[str]], Any]
Index: TypeAlias = dict[Any, list[Row]]


class Table:
    """The rows of one predicate. An index over some positions is made when first asked for, and kept up to date."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: dict[Row, None] = dict.fromkeys(rows)
        self._indexes: dict[tuple[int, ...], tuple[KeyOf, Index]] = {}
        self._distinct: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, row: Row) -> None:
        """Add a row that is not there yet."""
        self.rows[row] = None
        for key_of, index in self._indexes.values():
            key = key_of(row)
            found = index.get(key)
            if found is None:
                index[key] = [row]
            else:
                found.append(row)

    def index(self, positions: tuple[int, ...]) -> Index:
        """Rows by their values at `positions` (`key_getter` makes the keys)."""
        if positions not in self._indexes:
            key_of = key_getter(positions)
            index: Index = {}
            self._indexes[positions] = (key_of, index)
            for row in self.rows:
                index.setdefault(key_of(row), []).append(row)
        return self._indexes[positions][1]

    def distinct(self, position: int) -> int:
        """How many different values stand at a position; for tables that do not change any more."""
        if position not in self._distinct:
            self._distinct[position] = len({row[position] for row in self.rows})
        return self._distinct[position]


def key_getter(places: tuple[int, ...]) -> KeyOf:
    """The values at some places: one value alone, several as a tuple, none as the empty tuple."""
    return itemgetter(*places) if places else lambda row: ()


def row_getter(places: tuple[int, ...]) -> Callable[[Sequence[str]], Row]:
    """The values at some places, always as a tuple."""
    if len(places) == 1:
        place = places[0]
        return lambda row: (row[place],)
    return itemgetter(*places) if places else lambda row: ()
