"""Finding True or False in a reply."""

from __future__ import annotations

import re

from groundplan.models.reply_text import without_thinking

_LETTER = r"(?-i:[AB])\b(?!\s+[a-z])|[ab](?=\s*[).\]}\"'*]|\s*$)"  # an "a" before another word is an article
_VALUE = rf"[\W_]*(?:option\s+)?[\W_]*(not\s+)?((?:true|false)\b|{_LETTER})"
_STATED = re.compile(
    rf"(?:answer|conclusion|verdict|result|label|statement)(?:\W+(?:is|would\s+be|must\s+be|to\s+the\s+question\s+is))?"
    rf"\s*[\"'*_]*\s*(?::|=|\bis\b|(?<=is)|(?<=be))(?:\W*(?:therefore|thus|clearly|option)\b)?{_VALUE}",
    re.IGNORECASE,
)
_BOXED = re.compile(rf"\\boxed\s*\{{(?:\\text\s*\{{)?{_VALUE}", re.IGNORECASE)
_ALONE = re.compile(r"[\W_]*(?:(a|b)\s*[).:\]]?[\W_]*)?(true|false|a|b)?[\W_]*", re.IGNORECASE)
_WORDS = re.compile(r"\b(not\s+)?(true|false)\b", re.IGNORECASE)
_OPTIONS = {"true": True, "a": True, "false": False, "b": False}


def read_label(reply: str) -> bool | None:
    """True (also: A) or False (B); None where the reply says neither, or both at once.

    A reply of nothing but the label counts, then what it calls its answer (the last time), then the label words of
    the last line that has any, if they agree.
    """
    text = without_thinking(reply[-50_000:]).strip()
    lines = [line for line in text.splitlines() if line.strip()]
    for line in (text, *lines[-1:]):
        alone = _alone(line)
        if alone is not None:
            return alone
    stated = [*_BOXED.finditer(text), *_STATED.finditer(text)]
    if stated:
        last = max(stated, key=lambda found: found.start())
        return _OPTIONS[last[2].lower()] != bool(last[1])
    for line in reversed(lines):
        said = {_OPTIONS[found[2].lower()] != bool(found[1]) for found in _WORDS.finditer(line)}
        if said:
            return said.pop() if len(said) == 1 else None
    return None


def _alone(line: str) -> bool | None:
    """The label of a line with nothing else in it: "B", "B) False", "**False**."; None if letter and word disagree."""
    found = _ALONE.fullmatch(line) if len(line) < 100 else None
    if found is None:
        return None
    said = {_OPTIONS[part.lower()] for part in found.groups() if part}
    return said.pop() if len(said) == 1 else None
