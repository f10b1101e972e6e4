"""The head of the report: the ending, the numbers, the task's text, the signals and the Judge."""

from __future__ import annotations

import math
from collections.abc import Sequence

from groundplan.formalize.report_evidence import marked_text
from groundplan.formalize.report_text import escape, many, prose, shorten
from groundplan.formalize.specification import Judgement, Result, Signal
from groundplan.solve.outcome import Status

MOST_SIGNALS = 100
MOST_EVIDENCE = 30
ENDINGS = {
    Status.SOLVED: ("ok", "Solved", "A plan was found, and our own simulator says that it is valid."),
    Status.UNSOLVABLE: (
        "proof",
        "Unsolvable",
        "It is proved that this PDDL has no plan; whether the task has none is another question.",
    ),
    Status.NOT_FOUND: ("warn", "Not found", "No plan was found within a limit. This proves nothing."),
    Status.FAILED: ("bad", "Failed", "No verdict: the PDDL, the model or the engine is at fault."),
}
"""For each ending a class, a word and a sentence."""
_SIGNS = {
    Status.SOLVED: '<path d="M6 12.5l4 4 8-9"/>',
    Status.UNSOLVABLE: '<circle cx="12" cy="12" r="6"/><path d="M7 17L17 7"/>',
    Status.NOT_FOUND: '<path d="M9 9.5a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 2M12 17.6v.1"/>',
    Status.FAILED: '<path d="M7 7l10 10M17 7L7 17"/>',
}
_SEVERITIES = {"error": ("✗", "error"), "warning": ("▲", "warning")}


def ending(result: Result) -> str:
    """The head line: how the run ended, as a word, a sign and a colour."""
    kind, word, sentence = ENDINGS[result.status]
    sign = f'<svg class="sign" viewBox="0 0 24 24" aria-hidden="true">{_SIGNS[result.status]}</svg>'
    reason = f'<p class="reason">{prose(result.reason)}</p>' if result.reason else ""
    return f'<div class="ending {kind}">{sign}<div><p class="word">{word}</p><p>{sentence}</p>{reason}</div></div>'


def numbers(result: Result) -> str:
    """Model, calls, tokens, money and time, as a description list."""
    asked = sum(item.verification.outcome is not None for item in result.rounds)
    pairs = [
        ("Model", escape(shorten(result.model, 80)) or "not named"),
        ("Solver calls", f"{len(result.rounds):,} <small>{asked:,} reached an engine</small>"),
        ("Repairs", f"{result.repairs:,}"),
        ("Model calls", f"{result.model_calls:,}"),
        ("Tokens", f"{result.tokens:,}"),
        ("Money", _money(result.cost_usd)),
        ("Time", _time(result.seconds)),
    ]
    if result.given_domain:
        pairs.insert(1, ("Domain", "given"))
    rows = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in pairs)
    return f'<dl class="numbers">{rows}</dl>'


def task_section(result: Result) -> tuple[str, frozenset[int]]:
    """The text with the evidence of the signals marked, and which signals have a mark in it."""
    text, marked = marked_text(result.text, worst_first(result.signals)[:MOST_SIGNALS])
    legend = '<p class="legend">Marked words are what the signals below rest on.</p>' if marked else ""
    return f'<blockquote class="task" dir="auto">{text or "(empty)"}</blockquote>{legend}', marked


def signals_section(result: Result, marked: frozenset[int]) -> str:
    """Signs that the PDDL may not say what the text says."""
    if not result.signals and (result.final is None or result.final.verification.task is None):
        return "<p>No signal was looked for: there is no readable PDDL to compare with the text.</p>"
    if not result.signals:
        return "<p>No signal was raised. This is no proof that the PDDL says what the text says.</p>"
    shown = worst_first(result.signals)[:MOST_SIGNALS]
    rows = "".join(_signal(number, signal, number in marked) for number, signal in enumerate(shown, start=1))
    more = len(result.signals) - len(shown)
    left = f'<p class="cut">{many(more, "more signal")} left out.</p>' if more else ""
    return (
        "<p>Signs that the PDDL may not say what the text says; found without a reference.</p>"
        f'<ol class="signals">{rows}</ol>{left}'
    )


def worst_first(signals: Sequence[Signal]) -> list[Signal]:
    """Errors, then warnings, then the rest; their numbers on the page follow this order."""
    ranks = {kind: rank for rank, kind in enumerate(_SEVERITIES)}
    return sorted(signals, key=lambda signal: ranks.get(signal.severity, len(ranks)))


def _signal(number: int, signal: Signal, marked: bool) -> str:
    sign, kind = _SEVERITIES.get(signal.severity, ("i", "info"))
    word = escape(shorten(signal.severity, 20)) if kind == "info" else kind
    chips = " ".join(f"<code>{escape(shorten(item, 120))}</code>" for item in signal.evidence[:MOST_EVIDENCE])
    more = len(signal.evidence) - MOST_EVIDENCE
    left = f" and {more:,} more" if more > 0 else ""
    link = f' <a href="#evidence-{number}">in the text</a>' if marked else ""
    evidence = f'<p class="evidence">Evidence: {chips}{left}{link}</p>' if chips else ""
    return (
        f'<li id="signal-{number}" class="{kind}"><p><b class="sev"><span aria-hidden="true">{sign} </span>{word}:</b> '
        f'{prose(signal.message)} <span class="code">[{escape(shorten(signal.name, 80))}]</span></p>{evidence}</li>'
    )


def judge_section(judgement: Judgement | None) -> str:
    """The Judge's score and reasons, and what they are worth."""
    if judgement is None:
        return "<p>The Judge was not asked.</p>"
    caution = '<p class="legend">The Judge is a model\'s opinion, no proof.</p>'
    score = judgement.score
    if score is None or not math.isfinite(score):
        head = "<p>There is no score.</p>"
    else:
        meter = f'<meter min="0" max="1" value="{min(1.0, max(0.0, score)):.4g}" aria-label="Judge score"></meter>'
        head = (
            f'<p class="score"><b>{score:.2f}</b> of 1 {meter} how likely the Judge holds it that the PDDL is right</p>'
        )
    reasons = "".join(f"<li>{prose(reason)}</li>" for reason in judgement.reasons[:50])
    more = len(judgement.reasons) - 50
    left = f'<p class="cut">{many(more, "more reason")} left out.</p>' if more > 0 else ""
    return f"{head}{caution}{f'<ul>{reasons}</ul>' if reasons else ''}{left}"


def _money(cost: float | None) -> str:
    if cost is None:
        return "not known"
    return f"${cost:,.2f}" if cost >= 1 or cost == 0 else f"${cost:.4f}"


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest} s"
