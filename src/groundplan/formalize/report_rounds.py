"""The rounds of a run: who wrote what, what the checker and the engine said, and what each repair changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.formalize.report_code import Listing, jumps, render_listing
from groundplan.formalize.report_diff import count_changes, render_diff
from groundplan.formalize.report_findings import PARTS, Placed, place_findings, place_name, render_finding
from groundplan.formalize.report_text import escape, many, prose, shorten
from groundplan.formalize.specification import Result, Round, Specification, Verification
from groundplan.pddl.diagnostics import Diagnostic, Severity
from groundplan.pddl.source import Source
from groundplan.solve.outcome import Outcome, Status

FIRST_ROUNDS = 5
LAST_ROUNDS = 20
MOST_LISTED = 400_000
"""Characters of all listings together, markup apart."""
MOST_CHANGED = 200_000
"""Characters of all diffs together."""
LONG_TEXT = 50
"""Lines from which on a listing has links to its findings."""


def rounds_section(result: Result) -> str:
    """All rounds as folds, the last one open; of very many the first and the last are shown."""
    rounds = result.rounds
    if not rounds:
        return "<p>No specification was written.</p>"
    shown = [index for index in range(len(rounds)) if index < FIRST_ROUNDS or index >= len(rounds) - LAST_ROUNDS]
    parts = ['<div class="switch" id="switch" role="group" aria-label="Rounds" hidden></div>']
    for position, index in enumerate(shown):
        if position and shown[position - 1] != index - 1:
            parts.append(f'<p class="cut">… {many(index - shown[position - 1] - 1, "round")} left out …</p>')
        parts.append(_round(_View(result, index, len(shown))))
    return "".join(parts)


def role_of(rounds: Sequence[Round], index: int) -> str:
    """Who wrote a round, for people: "Actor", "Editor, repair 2"."""
    role = rounds[index].role
    if role != "editor":
        return escape(shorten(role.capitalize(), 40)) or "Unknown"
    return f"Editor, repair {sum(item.role == 'editor' for item in rounds[: index + 1])}"


@dataclass(frozen=True, slots=True)
class _View:
    """One round with what is needed to show it: `shares` rounds divide the room between them."""

    result: Result
    index: int
    shares: int

    @property
    def round(self) -> Round:
        return self.result.rounds[self.index]

    @property
    def before(self) -> Specification:
        return self.result.rounds[self.index - 1].specification if self.index else Specification()

    @property
    def is_last(self) -> bool:
        return self.index == len(self.result.rounds) - 1

    @property
    def anchor(self) -> str:
        return f"round-{self.index + 1}"


def _round(view: _View) -> str:
    verification = view.round.verification
    placed, elsewhere = place_findings(view.round.specification, verification.diagnostics, view.anchor)
    kind, word = _ending(verification)
    notes = "".join(f"<li>{prose(note)}</li>" for note in view.round.notes[:20])
    return "".join(
        [
            f'<details class="round" id="{view.anchor}"{" open" if view.is_last else ""}><summary>',
            f"<h3>Round {view.index + 1}: {role_of(view.result.rounds, view.index)}</h3>",
            f'<span class="badge {kind}">{word}</span> <span class="meta">{_counts(verification.diagnostics)}</span>',
            f"</summary>{_engine(verification)}",
            f'<ul class="notes">{notes}</ul>' if notes else "",
            _elsewhere(elsewhere),
            *(_part(view, part, placed[part]) for part in PARTS),
            "</details>",
        ]
    )


def _elsewhere(placed: Sequence[Placed]) -> str:
    """Findings whose place is in neither text, above both."""
    blocks = [render_finding(item.diagnostic, item.anchor, place=place_name(item.diagnostic)) for item in placed[:50]]
    left = f'<p class="cut">{many(len(placed) - 50, "more finding")} left out</p>' if len(placed) > 50 else ""
    return "".join(blocks) + left


def _ending(verification: Verification) -> tuple[str, str]:
    """A class and words for what the solver said of a round."""
    outcome = verification.outcome
    if verification.solved:
        return "ok", "✓ executable"
    if outcome is None:
        return "bad", "✗ refused by the checker"
    return {
        Status.SOLVED: ("bad", "✗ nothing to do"),
        Status.UNSOLVABLE: ("proof", "∅ unsolvable"),
        Status.NOT_FOUND: ("warn", "? no plan found"),
        Status.FAILED: ("bad", "✗ engine failed"),
    }[outcome.status]


def _counts(diagnostics: Sequence[Diagnostic]) -> str:
    words = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "remark"}
    counts = [(sum(found.severity is kind for found in diagnostics), word) for kind, word in words.items()]
    return ", ".join(many(count, word) for count, word in counts if count) or "no findings"


def _engine(verification: Verification) -> str:
    outcome = verification.outcome
    if outcome is None:
        reason = f": {prose(verification.reason)}" if verification.reason else "."
        return f'<p class="engine">No engine was asked{reason}</p>'
    more = [many(len(outcome.plan), "step")] if outcome.plan else []
    more += [f"limit: {outcome.limit.value}"] if outcome.limit else []
    more += [f"at fault: {outcome.fault.value}"] if outcome.fault else []
    more += [f"{outcome.seconds:.2f} s"]
    extra = "" if verification.reason in ("", outcome.reason) else f"; {prose(verification.reason)}"
    return (
        f'<p class="engine">Engine <b>{escape(shorten(outcome.engine, 80))}</b> ({", ".join(more)}): '
        f"{prose(outcome.reason) or 'no reason given'}{extra}</p>{_log(outcome)}"
    )


def _log(outcome: Outcome) -> str:
    """The end of the engine's own words, where it did not solve the task."""
    if outcome.status is Status.SOLVED or not outcome.log.strip():
        return ""
    title = "<summary>The end of the engine's log</summary>"
    return f'<details class="rest">{title}<pre>{escape(outcome.log[-3000:])}</pre></details>'


def _part(view: _View, part: str, placed: list[Placed]) -> str:
    text, before = getattr(view.round.specification, part), getattr(view.before, part)
    title = f"<h4>{part.capitalize()}</h4>"
    if not text:
        return f'{title}<p class="cut">No {part} yet.</p>'
    unchanged = view.index > 0 and text == before
    if unchanged and not placed and not view.is_last:
        number = _since(view, part)
        return f'{title}<p class="cut">Unchanged since <a href="#round-{number}">round {number}</a>.</p>'
    given = view.result.given_domain and part == "domain"
    return (
        title
        + (_change(view, before, text) if before and not unchanged else "")
        + _listing(view, part, text, placed, "given, " if given else "unchanged, " if unchanged else "")
    )


def _since(view: _View, part: str) -> int:
    """The number of the round in which this text of a part was first written."""
    text = getattr(view.round.specification, part)
    index = view.index
    while index and getattr(view.result.rounds[index - 1].specification, part) == text:
        index -= 1
    return index + 1


def _change(view: _View, before: str, text: str) -> str:
    removed, added = count_changes(before, text)
    if not removed and not added:
        return '<p class="cut">This repair changed nothing but line ends.</p>'
    counts = f"{many(removed, 'line')} removed, {added:,} added"
    diff = render_diff(before, text, MOST_CHANGED // (2 * view.shares))
    return f'<details class="change" open><summary>What this repair changed: {counts}</summary>{diff}</details>'


def _listing(view: _View, part: str, text: str, placed: list[Placed], word: str) -> str:
    other = "problem" if part == "domain" else "domain"
    known = ((getattr(view.round.specification, other), other),)
    room = MOST_LISTED // (2 * view.shares)
    listing = Listing(Source(text, part), f"{view.anchor}-{part}", tuple(placed), known, room)
    lines = listing.source.position(len(text.rstrip())).line
    return (
        f'<details class="text"{"" if word and not placed else " open"}>'
        f"<summary>The whole {part} ({word}{many(lines, 'line')})</summary>"
        f"{jumps(listing) if lines > LONG_TEXT else ''}{render_listing(listing)}</details>"
    )
