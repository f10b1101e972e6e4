"""Collecting diagnostics while a text is read."""

from __future__ import annotations

from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.source import Source, Span

MOST = 200
"""A text with more findings than this is not read for its findings; further ones are counted, not kept."""


class Findings:
    """The diagnostics of one source text, in the order they were found; the same place is reported once a code."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.dropped = 0
        self._seen: set[tuple[str, int]] = set()

    def error(self, code: str, category: Category, span: Span, message: str, hint: str = "", *related: Related) -> None:
        self._add(Severity.ERROR, code, category, span, message, hint, related)

    def warn(self, code: str, category: Category, span: Span, message: str, hint: str = "", *related: Related) -> None:
        self._add(Severity.WARNING, code, category, span, message, hint, related)

    def _add(
        self,
        severity: Severity,
        code: str,
        category: Category,
        span: Span,
        message: str,
        hint: str,
        related: tuple[Related, ...],
    ) -> None:
        if (code, span.start) in self._seen:
            return
        if len(self.diagnostics) >= MOST:
            self.dropped += 1
            return
        self._seen.add((code, span.start))
        self.diagnostics.append(Diagnostic(code, category, severity, message, span, self.source, hint, related))


Related = tuple[str, Span, Source]
