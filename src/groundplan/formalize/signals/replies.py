"""JSON in the replies of language models: with prose around it, in fences, broken in places, or cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from groundplan.models.reply_text import json_values, without_thinking

Item: TypeAlias = dict[str, Any]

DEEPEST = 6
_WORD = re.compile(r"[^\W_]+")


def items_in(reply: str, *keys: str) -> list[Item]:
    """Every JSON object of a reply that has all the keys, in order, each once.

    What does not parse as a whole is read in its parts, so that a missing bracket costs one object and not all.
    """
    found: dict[str, Item] = {}
    for value in json_values(without_thinking(reply)):
        for item in _objects(value):
            if all(key in item for key in keys):
                found.setdefault(json.dumps(item, sort_keys=True), item)
    return list(found.values())


def texts_in(value: object) -> list[str]:
    """The texts of a list, or of one text that stands where a list was asked for; other things are left out."""
    values = value if isinstance(value, list) else [value]
    return [" ".join(item.split()) for item in values if isinstance(item, str) and item.strip()]


def is_quoted(words: str, text: str) -> bool:
    """Whether words stand in a text, apart from case, blanks and punctuation; `...` may stand for words left out."""
    parts = [_plain(part) for part in re.split(r"\.{3}|…", words)]
    plain = f" {_plain(text)} "
    return any(parts) and all(f" {part} " in plain for part in parts if part)


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def _objects(value: object, depth: int = 0) -> Iterator[Item]:
    """The objects in a JSON value, outer ones first."""
    if depth > DEEPEST:
        return
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(part, depth + 1)
