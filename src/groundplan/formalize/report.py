"""The report of a formalization run: one HTML file that needs nothing else, not even scripts."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from groundplan.formalize.report_head import (
    ENDINGS,
    ending,
    judge_section,
    numbers,
    signals_section,
    task_section,
)
from groundplan.formalize.report_plan import plan_section
from groundplan.formalize.report_rounds import rounds_section
from groundplan.formalize.report_text import escape, shorten
from groundplan.formalize.specification import Result


def render_report(result: Result, *, title: str | None = None, run_id: str = "") -> str:
    """The report as a whole HTML document, the same bytes for the same result.

    It loads nothing from anywhere, and a content security policy forbids that it ever could; every text of the
    model or the user is escaped. Very long parts are cut with a note of what was left out, so that the file stays
    below about two megabytes.
    """
    heading = escape(shorten(title, 200)) if title else "Formalization report"
    task, marked = task_section(result)
    final = result.final
    plan = plan_section(final.verification) if final else "<p>There is no plan to show.</p>"
    sections = [
        ("task", "Task", task),
        ("signals", f"Signals ({len(result.signals):,})", signals_section(result, marked)),
        ("judge", "Judge", judge_section(result.judgement)),
        ("plan", "Plan", plan),
        ("rounds", f"Rounds ({len(result.rounds):,})", rounds_section(result)),
    ]
    links = " ".join(f'<a href="#{name}">{words}</a>' for name, words, _ in sections)
    run = f" · run {escape(shorten(run_id, 100))}" if run_id else ""
    word = ENDINGS[result.status][1]
    return "".join(
        [
            f'<!DOCTYPE html>\n<html lang="en">\n<head>{_head(f"{word}: {heading}")}</head>\n<body>\n',
            '<a class="skip" href="#task">To the report</a>',
            f'<header class="page"><p class="kicker">groundplan · formalize{run}</p><h1>{heading}</h1>',
            f"{ending(result)}{numbers(result)}",
            f'<nav aria-label="Parts of this report">{links}</nav></header>\n<main>\n',
            *(
                f'<section id="{name}" aria-labelledby="{name}-title">'
                f'<h2 id="{name}-title">{words}</h2>{body}</section>\n'
                for name, words, body in sections
            ),
            "</main>\n<footer>Written by groundplan. A valid plan proves that this PDDL can be solved, ",
            f"not that it says what the text says.</footer>\n<script>{_part('report.js')}</script>\n</body>\n</html>\n",
        ]
    )


def _head(title: str) -> str:
    style, script = _part("report.css"), _part("report.js")
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:"
    return (
        '\n<meta charset="utf-8">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}; base-uri 'none'; form-action 'none'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f'<link rel="icon" href="data:,">\n<title>{title}</title>\n<style>{style}</style>\n'
    )


@cache
def _part(name: str) -> str:
    return files("groundplan.formalize").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The name under which the content security policy allows exactly this script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
