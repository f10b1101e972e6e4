"""Findings on the page: in which text each has its place, and how one looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundplan.formalize.report_text import escape, prose, shorten
from groundplan.formalize.specification import Specification
from groundplan.pddl.diagnostics import Diagnostic
from groundplan.pddl.source import Span

PARTS = ("domain", "problem")
"""The texts of a specification, by the names of its fields."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding with its place in the shown text, and the id of its block on the page."""

    diagnostic: Diagnostic
    span: Span
    anchor: str


def place_findings(
    specification: Specification, diagnostics: Sequence[Diagnostic], anchor: str
) -> tuple[dict[str, list[Placed]], list[Placed]]:
    """The findings of each part, and those whose place is in neither text."""
    placed: dict[str, list[Placed]] = {part: [] for part in PARTS}
    elsewhere: list[Placed] = []
    for number, diagnostic in enumerate(diagnostics, start=1):
        part, span = _place(specification, diagnostic)
        item = Placed(diagnostic, span, f"{anchor}-finding-{number}")
        (placed[part] if part else elsewhere).append(item)
    return placed, elsewhere


def _place(specification: Specification, diagnostic: Diagnostic) -> tuple[str, Span]:
    """The part that a finding speaks of. Its span is moved where the part is the same text but for its margins."""
    source = diagnostic.source
    named = [part for part in PARTS if part in source.name.lower().rsplit("/", 1)[-1]]
    for part in sorted(PARTS, key=lambda name: name not in named):
        text = getattr(specification, part)
        if text and source.text == text:
            return part, diagnostic.span
        margin = len(text) - len(text.lstrip("\ufeff \t\r\n"))
        if text and source.text and text.strip("\ufeff \t\r\n") == source.text.strip("\ufeff \t\r\n"):
            shift = margin - (len(source.text) - len(source.text.lstrip("\ufeff \t\r\n")))
            return part, Span(max(0, diagnostic.span.start + shift), max(0, diagnostic.span.end + shift))
    return "", diagnostic.span


def place_name(diagnostic: Diagnostic) -> str:
    """The name of a source that is not on the page, with the line; empty where it has no name."""
    name = diagnostic.source.name if diagnostic.source.name not in ("", "<text>") else ""
    if not name:
        return ""
    where = f", line {diagnostic.line}" if diagnostic.source.text else ""
    return f'<span class="place">{escape(shorten(name, 80))}{where}:</span> '


def render_finding(diagnostic: Diagnostic, anchor: str, notes: Iterable[str] = (), place: str = "") -> str:
    """One finding as a block: the severity as a word, the message, its code, the hint and the notes."""
    kind = diagnostic.severity.value
    lines = [f'<p><b class="sev">{kind}:</b> {place}{prose(diagnostic.message)} ']
    lines.append(f'<span class="code">[{escape(diagnostic.code)}]</span></p>')
    lines += [f'<p class="note"><b>note:</b> {note}</p>' for note in notes]
    if diagnostic.hint:
        lines.append(f'<p class="hint"><b>hint:</b> {prose(diagnostic.hint)}</p>')
    return f'<div class="diag {kind}" id="{anchor}">{"".join(lines)}</div>'
