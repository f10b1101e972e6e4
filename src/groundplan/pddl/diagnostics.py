"""Diagnostics: one located, coded finding each, for people, scripts and the Editor."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from groundplan.pddl.source import NO_SOURCE, NO_SPAN, Source, Span


class Category(StrEnum):
    """The six kinds of failure of the multi-role paper (section H.7)."""

    SYNTAX = "syntax/parse"
    OBJECT = "object/type"
    PREDICATE = "predicate/schema"
    CONDITION = "precondition/effect"
    GOAL = "goal/constraint"
    SEARCH = "unreachable search"


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `code` is stable (docs/diagnostics.md lists all); `source` is the text that `span` points into.

    `related` names other places that matter (the first declaration of a name, say).
    """

    code: str
    category: Category
    severity: Severity
    message: str
    span: Span = NO_SPAN
    source: Source = NO_SOURCE
    hint: str = ""
    related: tuple[tuple[str, Span, Source], ...] = ()

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR

    @property
    def line(self) -> int:
        return self.source.position(self.span.start).line

    @property
    def column(self) -> int:
        return self.source.position(self.span.start).column

    def as_json(self) -> dict[str, Any]:
        """The JSON form that `groundplan check --json` prints; lines and columns count from 1, the end is exclusive."""
        start, end = self.source.position(self.span.start), self.source.position(self.span.end)
        return {
            "code": self.code,
            "category": self.category.value,
            "severity": self.severity.value,
            "file": self.source.name,
            "line": start.line,
            "column": start.column,
            "end_line": end.line,
            "end_column": end.column,
            "message": self.message,
            "hint": self.hint,
        }

    def as_text(self) -> str:
        """Message with the source line and a marker under the span, as compilers print it."""
        start, end = self.source.position(self.span.start), self.source.position(self.span.end)
        lines = [f"{self.source.name}:{start.line}:{start.column}: {self.severity.value}: {self.message} [{self.code}]"]
        shown = self.source.line(start.line)
        if shown.strip():
            window = max(0, start.column - 90)
            width = end.column - start.column if end.line == start.line else len(shown) - start.column + 1
            marker = "^" * max(1, min(width, len(shown) - start.column + 1, 60))
            gutter = f"{start.line:>5} | "
            lines.append(gutter + shown[window : window + 160].replace("\t", " "))
            lines.append(" " * (len(gutter) - 2) + "| " + " " * (start.column - 1 - window) + marker)
        for note, span, source in self.related:
            place = source.position(span.start)
            lines.append(f"      note: {note} ({source.name}:{place.line}:{place.column})")
        if self.hint:
            lines.append(f"      hint: {self.hint}")
        return "\n".join(lines)

    def as_compact(self) -> str:
        """One line for the Editor's prompt: no file paths, the place, the message, the way out."""
        place = self.source.position(self.span.start)
        where = f"line {place.line}, column {place.column}: " if self.source.text else ""
        hint = f" Hint: {self.hint}" if self.hint else ""
        return f"{self.severity.value} [{self.code}] {where}{self.message}{hint}"


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(diagnostic.is_error for diagnostic in diagnostics)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint with the closest known name, or an empty string when none is close."""
    close = difflib.get_close_matches(name, list(known)[:2000], n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else ""


def listing(names: Sequence[str], most: int = 6) -> str:
    """`a`, `b`, `c` and 4 more: names for a message, never an endless line."""
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
