"""Foreign text made safe for an HTML page: what a model or a user wrote is shown, never obeyed."""

from __future__ import annotations

import json
import re

_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
# Markup, control characters, lone surrogates (no UTF-8 for them) and what reorders or hides text on the screen.
_ODD = re.compile(
    "[&<>\"'\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff\ud800-\udfff]"
)
_CODE = re.compile(r"`([^`\n]{1,300})`")


def escape(text: str) -> str:
    """Text for the content of an element or a quoted attribute; characters that cannot be seen become visible."""
    return _ODD.sub(_shown, text)


def shorten(text: str, most: int) -> str:
    """The beginning of a text, with the number of characters that were left out; still to be escaped."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most:,} more characters)"


def prose(text: str, most: int = 1200) -> str:
    """A message for people, safe: names in back quotes become code."""
    pieces = []
    position = 0
    text = shorten(text, most)
    for match in _CODE.finditer(text):
        pieces += [escape(text[position : match.start()]), f"<code>{escape(match.group(1))}</code>"]
        position = match.end()
    return "".join(pieces) + escape(text[position:])


def script_json(value: object) -> str:
    """JSON for a script element: nothing in it can end the element or begin a comment."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def many(count: int, one: str, several: str = "") -> str:
    """A number with its noun: "1 step", "2,000 steps"."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def _shown(match: re.Match[str]) -> str:
    char = match.group()
    if char in _MARKUP:
        return _MARKUP[char]
    number = ord(char)
    if number < 0x20:
        return chr(0x2400 + number)
    if number < 0xA0 or 0xD800 <= number <= 0xDFFF:
        return "\ufffd"
    return f"⟦U+{number:04X}⟧"
