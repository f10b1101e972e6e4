"""Plain values as JSON and back, with their types: what travels between a caller and a confined run.

The standard library alone, since the confined side loads this file too. Strings, numbers (within 64 bits), booleans,
None and lists are JSON's own; everything else is an object with one key:

    {"T": rows}  a set of tuples of strings, the usual form of facts     {"i": hex}   a large integer
    {"t": [..]}  tuple      {"s": [..]}  set      {"z": [..]} frozenset   {"f": text}  nan, inf, -inf
    {"d": [[k, v], ..]} dict                                             {"o": [type, text]}  anything else
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from groundplan.confine.strict_json import CONTAINER_COST, ITEM_COST

MAX_DEPTH = 60
MAX_INT_BITS = 100_000
_SMALL = 1 << 63
_SHOWN = 200
_MOST_ALIKE = 500
_BOX = CONTAINER_COST + ITEM_COST


class TooMuch(Exception):
    """The value is larger than the limit."""


class OrderedSet(tuple[Any, ...]):
    """Arrives as a set that was filled in this order; see `ordered_set`."""

    __slots__ = ()


def ordered_set(items: Iterable[Any]) -> OrderedSet:
    """A set argument, built in the confined run by inserting the items in this order."""
    return OrderedSet(items)


class Encoder:
    """Encodes values up to about `budget` bytes: a container counts 40, any other item 8 more than its text.

    With `strict`, what is no plain data is a ValueError, else opaque.
    """

    def __init__(self, budget: float = math.inf, strict: bool = False) -> None:
        self._left = budget
        self._strict = strict

    def encode(self, value: Any, depth: int = 0) -> Any:
        """The JSON form. Raises TooMuch; ValueError (strict) for what is no plain data, or nested too deep."""
        kind = type(value)
        if value is None or kind is bool:
            self._spend(ITEM_COST)
            return value
        if kind is str:
            self._spend(_size(value) + ITEM_COST)
            return value
        if kind is int:
            return self._integer(value)
        if kind is float:
            self._spend(20)
            if math.isfinite(value):
                return value
            self._spend(_BOX)
            return {"f": repr(value)}
        if depth >= MAX_DEPTH:
            return self._opaque(value, "nested too deep")
        if kind is list:
            self._spend(_BOX)
            return [self.encode(item, depth + 1) for item in value]
        if kind is set and _is_facts(value):
            return self._facts(value)
        if kind in _TAGS:
            self._spend(2 * _BOX)
            return {_TAGS[kind]: [self.encode(item, depth + 1) for item in value]}
        if kind is OrderedSet:
            if _is_facts(value):
                return self._facts(value)
            self._spend(2 * _BOX)
            return {"s": [self.encode(item, depth + 1) for item in value]}
        if kind is dict:
            self._spend((2 + len(value)) * _BOX)
            return {"d": [[self.encode(key, depth + 1), self.encode(item, depth + 1)] for key, item in value.items()]}
        if not self._strict:
            plain = _as_plain(kind, value)
            if plain is not None:
                return self.encode(plain, depth)
            if _is_iterator(kind):
                self._spend(_BOX)
                return [self.encode(item, depth + 1) for item in value]
        return self._opaque(value, "no plain data")

    def _facts(self, rows: Iterable[tuple[str, ...]]) -> Any:
        rows = list(rows)
        words = list(map(_size, chain.from_iterable(rows)))
        self._spend((2 + len(rows)) * _BOX + sum(words) + ITEM_COST * len(words))
        return {"T": rows}

    def _integer(self, value: int) -> Any:
        self._spend(20)
        if -_SMALL < value < _SMALL:
            return value
        if value.bit_length() > MAX_INT_BITS:
            return self._opaque(value, f"an integer of more than {MAX_INT_BITS} bits")
        self._spend(_BOX + value.bit_length() / 4)
        return {"i": hex(value)}

    def _opaque(self, value: Any, why: str) -> Any:
        if self._strict:
            raise ValueError(f"a {type(value).__name__} cannot be passed to a confined program: {why}")
        self._spend(2 * _BOX + _SHOWN)
        return {"o": [_type_name(value), why if why != "no plain data" else _shown(value)]}

    def _spend(self, size: float) -> None:
        self._left -= size
        if self._left < 0:
            raise TooMuch


_bases: Any = type.__dict__["__mro__"].__get__
_namespace: Any = type.__dict__["__dict__"].__get__
_TAGS: dict[type, str] = {tuple: "t", set: "s", frozenset: "z"}


_IN_ORDER = frozenset((deque, range, type({}.keys()), type({}.values()), type({}.items())))


def _as_plain(kind: type, value: Any) -> Any:
    """The list, tuple or text that a value is one of (a deque, a named tuple, a str subclass); None for others.

    Only the built-in classes' own methods are called.
    """
    if kind in _IN_ORDER:
        return list(value)
    bases = _bases(kind)
    if str in bases:
        return str.__str__(value)
    if tuple in bases and kind is not OrderedSet:
        return tuple(tuple.__iter__(value))
    return list(list.__iter__(value)) if list in bases else None


def _is_facts(items: Iterable[Any]) -> bool:
    """Whether all are tuples of strings, so that they can be passed without looking at each by itself."""
    return all(type(item) is tuple for item in items) and all(type(word) is str for item in items for word in item)


def _size(text: str) -> int:
    """Its length in JSON, or at least half of that."""
    return len(text) if text.isascii() else 6 * len(text)


def _is_iterator(kind: type) -> bool:
    """By the classes' own tables: `isinstance` and `hasattr` would ask the program."""
    return any("__next__" in _namespace(base) for base in _bases(kind))


def _type_name(value: Any) -> str:
    name = type.__dict__["__name__"].__get__(type(value))
    return name if type(name) is str else "object"


def _shown(value: Any) -> str:
    """A short text of a value of some class: its own `repr`, unless that fails or is none."""
    try:
        text = repr(value)
        return text[:_SHOWN] if type(text) is str else ""
    except MemoryError:
        raise
    except BaseException:  # noqa: BLE001 - a program's own __repr__ may raise whatever it likes
        return ""


def decode(data: Any, opaque: Any = None) -> Any:
    """The value of a JSON form; `opaque(type, text)` makes the stand-in for what was no plain data.

    Raises ValueError for a form that `Encoder` does not write, and for sets and dicts whose elements were chosen
    to have one hash, which would take quadratic time to fill.
    """
    if data is None or type(data) in (bool, str, int, float):
        return data
    if type(data) is list:
        return [decode(item, opaque) for item in data]
    if type(data) is not dict or len(data) != 1:
        raise ValueError("not a tagged value")
    ((tag, content),) = data.items()
    return _decode_tagged(tag, content, opaque)


def _decode_tagged(tag: str, content: Any, opaque: Any) -> Any:
    if tag in ("T", "t", "s", "z", "d", "o") and type(content) is not list:
        raise ValueError("not a tagged value")
    if tag in ("i", "f") and type(content) is not str:
        raise ValueError("not a tagged value")
    try:
        match tag:
            case "T":
                return set(_spread([tuple(row) for row in content]))
            case "t":
                return tuple(decode(item, opaque) for item in content)
            case "s":
                return set(_spread([decode(item, opaque) for item in content]))
            case "z":
                return frozenset(_spread([decode(item, opaque) for item in content]))
            case "d":
                pairs = [(decode(key, opaque), decode(item, opaque)) for key, item in content]
                _spread([key for key, _ in pairs])
                return dict(pairs)
            case "i":
                return int(content[: MAX_INT_BITS // 4 + 4], 16)
            case "f":
                return float(content)
            case "o" if opaque is not None and len(content) == 2:
                return opaque(str(content[0]), str(content[1]))
    except TypeError as error:
        raise ValueError(str(error)) from None
    raise ValueError("not a tagged value")


def _spread(items: Sequence[Any]) -> Sequence[Any]:
    """The items, unless too many of them have the same hash. Raises TypeError for what has none."""
    if len(items) > _MOST_ALIKE and max(Counter(map(hash, items)).values()) > _MOST_ALIKE:
        raise ValueError("elements chosen to have one hash")
    return items
