"""The words of the task that a signal rests on, marked where they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from groundplan.formalize.report_text import escape, many
from groundplan.formalize.specification import Signal

MOST_TEXT = 40_000
MOST_MARKS = 400
_WORDS = re.compile(r"[^\W\d_]+|\d+|[^\w\s\-]")
_RANKS = {"error": 0, "warning": 1}


@dataclass(frozen=True, slots=True)
class Found:
    """One place of the text that a piece of evidence names: character offsets, and the signal's number from 1."""

    start: int
    end: int
    signal: int


def find_evidence(text: str, signals: Sequence[Signal]) -> list[Found]:
    """Every place where the evidence of a signal occurs as words, in order."""
    found: set[tuple[int, int, int]] = set()
    for number, signal in enumerate(signals, start=1):
        for evidence in dict.fromkeys(signal.evidence[:50]):
            pattern = _pattern(evidence)
            for match in pattern.finditer(text) if pattern else ():
                found.add((match.start(), match.end(), number))
                if len(found) >= MOST_MARKS:
                    return [Found(*place) for place in sorted(found)]
    return [Found(*place) for place in sorted(found)]


def marked_text(text: str, signals: Sequence[Signal]) -> tuple[str, frozenset[int]]:
    """The text as HTML with its evidence marked, and the numbers of the signals that have a mark."""
    shown = text[:MOST_TEXT]
    found = find_evidence(shown, signals)
    cuts = sorted({0, len(shown), *(place.start for place in found), *(place.end for place in found)})
    pieces = []
    named: set[int] = set()
    waiting = list(found)
    active: list[Found] = []
    for start, end in pairwise(cuts):
        while waiting and waiting[0].start <= start:
            active.append(waiting.pop(0))
        active = [place for place in active if place.end > start]
        piece = escape(shown[start:end])
        if active:
            piece = _mark(piece, active, end, signals, named)
        pieces.append(piece)
    if len(text) > MOST_TEXT:
        pieces.append(f'<span class="cut"> … {many(len(text) - MOST_TEXT, "more character")} left out here</span>')
    return "".join(pieces), frozenset(named)


def _mark(piece: str, active: list[Found], end: int, signals: Sequence[Signal], named: set[int]) -> str:
    """A marked piece, with links to the signals that end here; the first link of a signal can be jumped to."""
    worst = min((signals[place.signal - 1].severity for place in active), key=lambda name: _RANKS.get(name, 2))
    links = []
    for number in sorted({place.signal for place in active if place.end == end}):
        anchor = "" if number in named else f' id="evidence-{number}"'
        named.add(number)
        links.append(f'<a class="ref"{anchor} href="#signal-{number}" aria-label="signal {number}">{number}</a>')
    kind = worst if worst in _RANKS else "info"
    return f'<mark class="{kind}">{piece}{"".join(links)}</mark>'


def _pattern(evidence: str) -> re.Pattern[str] | None:
    """Evidence as whole words: `red-block` is also found as "red block", `ball3` as "ball 3"; no pattern for atoms."""
    words = _WORDS.findall(evidence[:1000])[:60]
    if not words or evidence.lstrip().startswith("("):
        return None
    if len(words) == 1 and words[0].lower() in ("a", "i"):
        # An object of this name is met in mid-sentence as a capital; anything else is the article or the pronoun.
        return re.compile(r"(?<=[^.!?\s]\s)A(?!\w)") if words[0].lower() == "a" else None
    body = r"[\s_\-]{0,20}".join(map(re.escape, words))
    return re.compile(rf"(?<!\w){body}(?!\w)", re.IGNORECASE)
