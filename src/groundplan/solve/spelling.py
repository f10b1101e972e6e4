"""Names that Fast Downward reads as one word, for names that it would take for something else."""

from __future__ import annotations

import re

_SAFE = re.compile(r"[a-z0-9_][a-z0-9_-]*")
_ESCAPE = re.compile(r"_0x([0-9a-f]+)_")
_WORDS = frozenset("and or not imply forall exists when increase".split())
"""Words that Fast Downward takes for operators even where a predicate has that name."""


def spelt(name: str) -> str:
    """A name that Fast Downward reads as one: other characters become `_0x<code>_`. Different names stay different."""
    mark, body = ("?", name[1:]) if name[:1] == "?" else ("", name)
    if _SAFE.fullmatch(body) and "_0x" not in body:
        return name
    start = _coded(body[:1]) if body[:1] == "-" else "".join(map(_spelt_character, body[:1]))
    return mark + start + "".join(map(_spelt_character, body[1:]))


def spelt_predicate(name: str) -> str:
    if name == "=":
        return name
    return _coded(name[0]) + name[1:] if name in _WORDS else spelt(name)


def original(name: str) -> str:
    """The name that `spelt` or `spelt_predicate` was given."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), name) if "_0x" in name else name


def _coded(character: str) -> str:
    return f"_0x{ord(character):x}_"


def _spelt_character(character: str) -> str:
    return character if character.isascii() and (character.isalnum() or character == "-") else _coded(character)


def spelt_type(name: str) -> str:
    return _coded("n") + "umber" if name == "number" else spelt(name)
