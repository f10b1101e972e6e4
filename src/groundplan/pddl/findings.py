"""Collecting diagnostics while a text is read."""

from __future__ import annotations

import re
from collections.abc import Collection

from groundplan.pddl.diagnostics import Category, Diagnostic, Severity, did_you_mean
from groundplan.pddl.source import Source, Span

MOST = 200
"""Errors, and as many warnings, that are kept of one text; nobody reads more."""

COMPARISONS = 10_000
"""Names that are compared at most, in one text, to find the one that was meant (about 20 microseconds each)."""


LONGEST_NAME = 60
"""Characters of the longest name that a better one is looked for."""


class Findings:
    """The diagnostics of one source text, in the order they were found; the same place is reported once a code."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self._kept = {Severity.ERROR: 0, Severity.WARNING: 0}
        self._meant: dict[tuple[str, str], str] = {}
        self._compared = 0
        self._seen: set[tuple[str, int]] = set()
        self._named: set[tuple[str, str]] = set()

    @property
    def full(self) -> bool:
        """Whether no more errors are kept, so that work for their hints would be lost."""
        return self._kept[Severity.ERROR] >= MOST

    def is_first(self, code: str, name: str) -> bool:
        """Whether this is the first time that `name` is asked about: one cause is reported once, not at every use."""
        known = (code, name) in self._named
        self._named.add((code, name))
        return not known

    def meant(self, name: str, known: Collection[str], kind: str) -> str:
        """The hint `did_you_mean`, worked out once for each name of a kind, and no longer when its time is used up."""
        hint = self._meant.get((kind, name))
        if hint is None and len(name) < LONGEST_NAME and self._compared < COMPARISONS and not self.full:
            self._compared += len(known)
            hint = self._meant[kind, name] = did_you_mean(name, known)
        return hint or ""

    def reported(self, code: str, start: int) -> bool:
        return (code, start) in self._seen

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
        if self._kept[severity] >= MOST:
            self._more(severity, span)
            return
        self._kept[severity] += 1
        self._seen.add((code, span.start))
        message, hint = _readable(message), _readable(hint)
        self.diagnostics.append(Diagnostic(code, category, severity, message, span, self.source, hint, related))

    def _more(self, severity: Severity, span: Span) -> None:
        if not self.is_first("more-findings", severity):
            return
        message = f"more than {MOST} {severity}s; the others are not listed"
        found = Diagnostic(
            "more-findings", Category.SYNTAX, Severity.INFO, message, span, self.source, "mend those above first"
        )
        self.diagnostics.append(found)


def _readable(message: str) -> str:
    """Characters that cannot be seen are shown by their code, and words that nobody can read are shortened."""
    if not message.isprintable():
        message = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in message)
    if len(message) > 200:
        message = _ENDLESS.sub(lambda found: f"{found[0][:40]}…{found[0][-10:]}", message)
    return message if len(message) <= LONGEST else message[: LONGEST - 1] + "…"


_ENDLESS = re.compile(r"\S{60,}")
LONGEST = 600
"""Characters of the longest message or hint."""

Related = tuple[str, Span, Source]
