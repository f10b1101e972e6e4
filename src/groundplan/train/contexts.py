"""What each role reads (section 3.2): the Actor x, the Judge (x, y), the Editor (x, y_t, d_t), all for a given domain.

A small model is trained on these words and no others, so they are short, and part of what a checkpoint stands for.
"""

from __future__ import annotations

from groundplan.train.domain_form import DomainForm

VERSION = 1
_MOST_DIAGNOSTICS = 300


def actor_context(domain: DomainForm, text: str) -> str:
    """x: the domain's predicates in a line, the text, and the place where the problem begins."""
    return f"{domain.signature}\n\n{text.strip()}\n\n"


def judge_context(domain: DomainForm, text: str, written: str) -> str:
    """(x, y): the Judge's score is read off after the last token."""
    return f"{actor_context(domain, text)}{written.strip()}\n"


def editor_context(domain: DomainForm, text: str, written: str, diagnostics: str) -> str:
    """(x, y_t, d_t): the text again, what was written, and what the checker and the solver said of it."""
    said = " ".join(diagnostics.split())[:_MOST_DIAGNOSTICS]
    return f"{actor_context(domain, text)}{written.strip()}\n; {said}\n"
