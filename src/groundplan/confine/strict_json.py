"""JSON from whoever wrote it, and JSON that no monkey-patching can break.

The standard library alone, since the confined side loads this file too.
"""

from __future__ import annotations

import json
import json.encoder
import re
from itertools import accumulate
from typing import Any

MOST_DIGITS = 4000
DEEPEST = 200
CONTAINER_COST, ITEM_COST = 32, 8
"""What a list or object, and an item of one, count at least: memory is what they cost, not their two or three bytes."""

_STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_STEPS = bytes(1 if byte in b"[{" else 255 if byte in b"]}" else 0 for byte in range(256))
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_make_encoder = getattr(json.encoder, "c_make_encoder", None)
_writer = _make_encoder and _make_encoder(
    None, None, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, False
)


class TooLarge(ValueError):
    """The text holds more than its reader allows."""


def dump(data: Any) -> bytes:
    """JSON as bytes; lone surrogates survive, since all is written in ASCII. Built on C objects made before any run."""
    if _writer is None:
        return json.dumps(data, separators=(",", ":"), allow_nan=False).encode("ascii")
    return "".join(_writer(data, 0)).encode("ascii")


def load(text: bytes, budget: float | None = None) -> Any:
    """The value of a JSON text. With a `budget` the text is foreign and is looked over first.

    Raises ValueError for anything wrong with it: nested too deep, long numbers, NaN, names that come twice; TooLarge
    for one that costs more than the budget (in bytes, see CONTAINER_COST).
    """
    if budget is not None:
        _look_over(text, budget)
    try:
        return json.loads(text, parse_constant=_refuse, parse_int=_integer, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _look_over(text: bytes, budget: float) -> None:
    """Depth and size, before anything is built: this process may allow more recursion than its C stack can bear."""
    bare = _STRINGS.sub(b"", text)
    brackets = bare.translate(None, _NOT_BRACKETS)
    containers = len(brackets) // 2
    if containers * CONTAINER_COST + bare.count(b",") * ITEM_COST > budget:
        raise TooLarge("too many items")
    steps = (step - 256 if step > 127 else step for step in brackets.translate(_STEPS))
    if max(accumulate(steps), default=0) > DEEPEST:
        raise ValueError("nested too deep")


def _integer(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError("a number with too many digits")
    return int(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name that comes twice")
    return found


def _refuse(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")
