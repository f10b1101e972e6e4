"""A child's answer, read as what it is: bytes that a hostile program may have written."""

from __future__ import annotations

from typing import Any

from groundplan.confine import strict_json, tagged
from groundplan.confine.outcome import Ending, Frame, Opaque, Ran

ARMED = b"+"
"""The first byte of an answer, written before the program starts: what comes after it may be the program's doing."""
HEADER = len(ARMED) + 8
ROOM = 1 << 20
"""What an answer may cost beside its value: trace, variables, tags."""
_LONGEST_TEXT = 4000


class Forged(ValueError):
    """The bytes are no answer of ours."""


def announced(data: bytearray | bytes) -> int:
    """How many bytes the whole answer has, by its header. Raises Forged while there is no whole header."""
    if len(data) < HEADER:
        raise Forged("no header")
    return HEADER + int.from_bytes(data[len(ARMED) : HEADER], "big")


def read_answer(data: bytes, value_bytes: float) -> Ran:
    """The outcome that the bytes tell (without times and output).

    Raises Forged for anything out of form, also for an ending that no child reports; TooLarge for a value beyond
    `value_bytes`.
    """
    if announced(data) != len(data):
        raise Forged("an answer of another length")
    try:
        report = strict_json.load(data[HEADER:], value_bytes + ROOM)
        if type(report) is not dict:
            raise Forged("no report")
        value = tagged.decode(report.get("value"), Opaque)
    except strict_json.TooLarge:
        raise
    except (ValueError, RecursionError) as error:
        raise Forged(str(error)) from None
    try:
        ending = Ending(report["ending"])
        if ending is Ending.BROKEN:
            raise Forged("a child does not report itself broken")
        return Ran(
            ending,
            value if ending is Ending.RETURNED else None,
            _text(report.get("error")),
            _text(report.get("message")),
            tuple(_frame(item) for item in _rows(report.get("trace"), 3)),
            tuple((_text(name), _text(shown)) for name, shown in _rows(report.get("variables"), 2)),
        )
    except (KeyError, ValueError, TypeError) as error:
        raise Forged(str(error)) from None


def _text(value: Any) -> str:
    return value[:_LONGEST_TEXT] if type(value) is str else ""


def _rows(value: Any, width: int) -> list[Any]:
    if type(value) is not list:
        return []
    return [row for row in value[:64] if type(row) is list and len(row) == width]


def _frame(row: Any) -> Frame:
    line, function, code = row
    return Frame(line if type(line) is int else 0, _text(function), _text(code))
