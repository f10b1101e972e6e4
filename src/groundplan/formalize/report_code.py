"""PDDL as a listing: line numbers, light colours, and the diagnostics below the lines that they speak of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from groundplan.formalize.report_findings import Placed, render_finding
from groundplan.formalize.report_text import escape, many, prose, shorten
from groundplan.pddl.diagnostics import Severity
from groundplan.pddl.source import Source

MOST_FINDINGS = 80
ROW = 80
"""Characters that the markup of a line takes."""
MOST_WIDTH = 1000
"""Characters of one line; longer ones are shown at their beginning and around their findings."""
_TOKEN = re.compile(
    r"(?P<c>;.*)|(?P<v>\?[^\s()?;]+)|(?P<k>(?<![^\s(]):[^\s();]+)"
    r"|(?P<o>(?<=\()(?:define|domain|problem|and|or|not|imply|forall|exists|when|increase|=)(?![^\s()]))",
    re.IGNORECASE,
)
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


@dataclass(frozen=True, slots=True)
class Listing:
    """A text to show. `prefix` makes ids unique; `known` has names for the texts that notes may point into.

    `room` is the number of characters to show; lines beyond it are left out, but for those around findings.
    """

    source: Source
    prefix: str
    placed: tuple[Placed, ...] = ()
    known: tuple[tuple[str, str], ...] = ()
    room: int = 200_000

    def line(self, offset: int) -> int:
        """The shown line of an offset: the empty one behind a final line end counts as the one before."""
        number = self.source.position(offset).line
        return number if number == 1 or offset < len(self.source.text) or self.source.line(number) else number - 1


def render_listing(listing: Listing) -> str:
    """The listing as HTML."""
    source = listing.source
    last = listing.line(len(source.text))
    by_line: dict[int, list[Placed]] = {}
    for item in listing.placed[:MOST_FINDINGS]:
        by_line.setdefault(listing.line(item.span.start), []).append(item)
    targets = _targets(listing)
    rows = ['<div class="listing">']
    before = 0
    for number in _visible(listing, last, by_line, targets):
        rows.append(_gap(number - before - 1))
        before = number
        rows.append(_row(listing, number, by_line.get(number, ()), number in targets))
        rows += _findings(by_line.get(number, ()), listing)
    rows.append(_gap(last - before))
    if len(listing.placed) > MOST_FINDINGS:
        rows.append(f'<p class="cut">{many(len(listing.placed) - MOST_FINDINGS, "more finding")} left out</p>')
    return "".join([*rows, "</div>"])


def _findings(placed: Sequence[Placed], listing: Listing) -> list[str]:
    """The blocks below one line; findings that say the same of several places in it share one."""
    alike: dict[tuple[str, str, str], list[Placed]] = {}
    for item in placed:
        found = item.diagnostic
        alike.setdefault((found.code, found.message, found.hint), []).append(item)
    return [_finding(items[0], len(items), listing) for items in alike.values()]


def _finding(item: Placed, places: int, listing: Listing) -> str:
    first, last = listing.line(item.span.start), listing.line(max(item.span.start, item.span.end - 1))
    where = f"lines {first} to {last}" if last > first else f"{places} places in this line" if places > 1 else ""
    place = f'<span class="place">{where}:</span> ' if where else ""
    known = dict(listing.known)
    notes = []
    for note, span, source in item.diagnostic.related[:5]:
        line = Listing(source, "").line(span.start)
        where = f"{escape(shorten(source.name, 80))}, line {line}" if source.text else ""
        if source.text == listing.source.text:
            where = f'<a href="#{listing.prefix}-{line}">line {line}</a>'
        elif source.text in known:
            where = f"{escape(known[source.text])}, line {line}"
        notes.append(prose(note) + (f" ({where})" if where else ""))
    return render_finding(item.diagnostic, item.anchor, notes, place)


def jumps(listing: Listing) -> str:
    """Links to the findings of a long listing."""
    lines: dict[int, str] = {}
    for item in listing.placed[:MOST_FINDINGS]:
        lines.setdefault(listing.line(item.span.start), item.anchor)
    links = ", ".join(f'<a href="#{anchor}">{line}</a>' for line, anchor in sorted(lines.items()))
    return f'<p class="legend">Findings in {"line" if len(lines) == 1 else "lines"} {links}</p>' if lines else ""


def _targets(listing: Listing) -> set[int]:
    """The lines that a note points to: only these need an id."""
    return {
        listing.line(span.start)
        for item in listing.placed[:MOST_FINDINGS]
        for _, span, related in item.diagnostic.related[:5]
        if related.text == listing.source.text
    }


def _visible(listing: Listing, last: int, by_line: dict[int, list[Placed]], targets: set[int]) -> list[int]:
    room = listing.room
    most = 0
    while most < last and room > 0:
        most += 1
        room -= ROW + min(len(listing.source.line(most)), MOST_WIDTH)
    if last <= most + 5:
        return list(range(1, last + 1))
    shown = {*range(1, most + 1), *range(last - 2, last + 1)}
    for number in (*by_line, *targets):
        shown.update(range(max(1, number - 1), min(last, number + 1) + 1))
    return sorted(shown)


def _gap(lines: int) -> str:
    return f'<p class="cut">… {many(lines, "line")} left out …</p>' if lines > 0 else ""


def _row(listing: Listing, number: int, placed: Sequence[Placed], target: bool) -> str:
    source = listing.source
    text = source.line(number)
    marks = []
    for item in placed:
        start, end = source.position(item.span.start), source.position(item.span.end)
        first = start.column - 1 if start.line == number else len(text)
        stop = end.column - 1 if end.line == number else len(text)
        marks.append((first, min(stop, len(text)), item.diagnostic.severity))
    anchor = f' id="{listing.prefix}-{number}"' if target else ""
    return f'<div class="ln"{anchor}><span class="no">{number}</span><code>{_line(text, marks)}</code></div>'


def _line(text: str, marks: list[tuple[int, int, Severity]]) -> str:
    if len(text) <= MOST_WIDTH:
        return _coloured(text, marks, 0, len(text))
    windows = [(0, MOST_WIDTH // 2)]
    for start, _, _ in sorted(marks)[:8]:
        if start - 80 > windows[-1][1]:
            windows.append((start - 80, start + 120))
        else:
            windows[-1] = (windows[-1][0], max(windows[-1][1], start + 120))
    pieces = []
    before = 0
    for start, end in [*windows, (len(text), len(text))]:
        if start > before:
            pieces.append(f'<span class="cut"> … {many(start - before, "character")} left out … </span>')
        pieces.append(_coloured(text, marks, start, min(end, len(text))))
        before = min(end, len(text))
    return "".join(pieces)


def _coloured(text: str, marks: list[tuple[int, int, Severity]], first: int, stop: int) -> str:
    """Tokens of `text[first:stop]` in their colours, and the marked characters underlined."""
    tokens = [(match.start(), match.end(), match.lastgroup or "") for match in _TOKEN.finditer(text, first, stop)]
    near = [mark for mark in marks if first <= mark[0] <= stop]
    cuts = {first, stop}
    for start, end, _ in (*tokens, *near):
        cuts |= {max(first, min(start, stop)), max(first, min(end, stop))}
    places = sorted(cuts)
    pieces = []
    for start, end in pairwise(places):
        while tokens and tokens[0][1] <= start:
            tokens.pop(0)
        kind = tokens[0][2] if tokens and tokens[0][0] <= start else ""
        pieces.append(_empty_marks(near, start))
        pieces.append(_piece(text[start:end], kind, [mark[2] for mark in near if mark[0] <= start < mark[1]]))
    if stop == len(text):
        pieces.append(_empty_marks(near, stop))
    return "".join(pieces)


def _piece(text: str, kind: str, severities: list[Severity]) -> str:
    names = [kind] if kind else []
    if severities:
        names += ["u", min(severities, key=_ORDER.__getitem__).value]
    return f'<span class="{" ".join(names)}">{escape(text)}</span>' if names else escape(text)


def _empty_marks(marks: list[tuple[int, int, Severity]], place: int) -> str:
    """A sign for a finding that covers no character, such as the end of a text cut off."""
    here = [mark[2] for mark in marks if mark[0] == place and mark[1] <= mark[0]]
    return f'<span class="u here {min(here, key=_ORDER.__getitem__).value}">▲</span>' if here else ""
