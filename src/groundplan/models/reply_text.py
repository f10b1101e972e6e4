"""What the text of a reply is made of, whatever was asked for: thinking aloud, fenced blocks, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""A reasoning model's thinking aloud."""
FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
_OPENING = re.compile(r"[{\[]")
MOST_TRIES = 2_000
"""Brackets at which JSON is tried in one text: some texts are nothing but brackets."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a reply and where it starts there; -1 where it was put together from JSON."""

    text: str
    start: int = 0


def without_thinking(reply: str) -> str:
    """The reply with a blank in place of each thinking aloud."""
    return THINKING.sub(" ", reply)


def thinking_blanked(reply: str) -> str:
    """The reply with blanks in place of thinking aloud; no character and no line moves."""
    return THINKING.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), reply)


def fenced_blocks(text: str) -> list[Block]:
    """The fenced blocks with something in them; one that is never closed runs to the end."""
    marks = list(FENCE.finditer(text))
    blocks = []
    for index in range(0, len(marks), 2):
        end = marks[index + 1].start() if index + 1 < len(marks) else len(text)
        start = marks[index].end()
        if text[start:end].strip():
            blocks.append(Block(text[start:end], start))
    return blocks


def json_values(text: str) -> Iterator[object]:
    """The outermost JSON objects and lists in a text, in order; what does not parse as a whole is read in its parts."""
    decoder = json.JSONDecoder(strict=False)
    at = 0
    for _ in range(MOST_TRIES):
        opening = _OPENING.search(text, at)
        if opening is None:
            return
        try:
            value, at = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            at = opening.end()
        else:
            yield value


def json_strings(value: object, depth: int = 0) -> Iterator[str]:
    """All texts in a JSON value down to the fourth level, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth < 4:
        for item in value.values():
            yield from json_strings(item, depth + 1)
    elif isinstance(value, list) and depth < 4:
        for item in value:
            yield from json_strings(item, depth + 1)
