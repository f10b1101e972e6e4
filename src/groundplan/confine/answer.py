"""A child's answer, read as what it is: bytes that a hostile program may have written."""

from __future__ import annotations

from typing import Any

from groundplan.confine import tagged
from groundplan.confine.outcome import Ending, Frame, Opaque, Ran

HEADER = 8
_LONGEST_TEXT = 4000


class Forged(ValueError):
    """The bytes are no answer of ours."""


def read_answer(data: bytes) -> Ran:
    """The outcome that the bytes tell (without times and output). Raises Forged for anything out of form."""
    if len(data) < HEADER or int.from_bytes(data[:HEADER], "big") != len(data) - HEADER:
        raise Forged("an answer of another length")
    try:
        report = tagged.load(data[HEADER:])
        if type(report) is not dict:
            raise Forged("no report")
        value = tagged.decode(report.get("value"), Opaque)
    except (ValueError, RecursionError) as error:
        raise Forged(str(error)) from None
    try:
        return Ran(
            Ending(report["ending"]),
            value,
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
