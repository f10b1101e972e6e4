"""Where the answer stands in a model's reply: a fenced block, a JSON object, or the text itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from groundplan.pddl.source import Span
from groundplan.pddl.tokens import Tokens

_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[^\n`]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a reply and where it starts there; -1 where it was put together from JSON."""

    text: str
    start: int = 0


def without_thinking(reply: str) -> str:
    """The reply with blanks in place of a reasoning model's thinking aloud; no character moves."""
    return _THINKING.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), reply)


def fenced_blocks(text: str) -> list[Block]:
    """The fenced blocks with something in them; one that is never closed runs to the end."""
    marks = list(_FENCE.finditer(text))
    blocks = []
    for index in range(0, len(marks), 2):
        end = marks[index + 1].start() if index + 1 < len(marks) else len(text)
        start = marks[index].end()
        if text[start:end].strip():
            blocks.append(Block(text[start:end], start))
    return blocks


def json_values(text: str) -> Iterator[object]:
    """The outermost JSON objects and lists in a text, in order."""
    decoder = json.JSONDecoder(strict=False)
    place = 0
    for match in re.finditer(r"[{\[]", text):
        if match.start() < place:
            continue
        try:
            value, place = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        yield value


def json_strings(value: object, depth: int = 0) -> Iterator[str]:
    """All texts in a JSON value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth < 4:
        for item in value.values():
            yield from json_strings(item, depth + 1)
    elif isinstance(value, list) and depth < 4:
        for item in value:
            yield from json_strings(item, depth + 1)


def forms_with_head(text: str, head: str) -> list[Span]:
    """Where the forms `(head ...)` of a text stand; one that is never closed runs to the next one, or to the end."""
    tokens = Tokens(text)
    spans: list[Span] = []
    start, depth = -1, 0
    for index in range(tokens.count):
        opens = tokens.texts[index] == "("
        if opens and tokens.text(index + 1) == head:
            if start >= 0:
                spans.append(Span(start, tokens.starts[index]))
            start, depth = tokens.starts[index], 0
        if start >= 0 and tokens.texts[index] in ("(", ")"):
            depth += 1 if opens else -1
            if depth == 0:
                spans.append(Span(start, tokens.starts[index] + 1))
                start = -1
    if start >= 0:
        spans.append(Span(start, len(text.rstrip())))
    return spans
