"""From a model's reply to PDDL texts: fences, prose, JSON, drafts before the final version, replies cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from groundplan.models.reply_text import FENCE, fenced_blocks, json_strings, without_thinking
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.findings import Findings
from groundplan.pddl.sexpr import find_definitions, read_definition
from groundplan.pddl.source import Source, Span

_TITLE = re.compile(r"\(\s*define\s*\(\s*(domain|problem)\b", re.IGNORECASE)
_SECTION = re.compile(r"\(\s*:[a-z]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reply holds. A part that it does not hold is None; `notes` say what was chosen or passed over."""

    domain: str | None = None
    problem: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return self.domain is None and self.problem is None


def extract(reply: str) -> Extraction:
    """Find the domain and the problem in a reply. Of several versions the last one counts.

    Text is looked for in JSON (`domain`, `problem` keys), then in fenced blocks, then anywhere. An unfinished
    definition is kept as it is, so that the checker can say where the text ends; it is never closed here.
    """
    text = without_thinking(reply)
    for part in (*_json_texts(text), *_fenced(text), text):
        found = _definitions(part)
        if found:
            break
    else:
        return Extraction()
    if part is not text:
        found = _completed(found, text)
    notes = []
    chosen: dict[str, str] = {}
    for kind in ("domain", "problem"):
        versions = [definition for found_kind, definition in found if found_kind == kind]
        if versions:
            chosen[kind] = versions[-1]
        if len(versions) > 1:
            notes.append(f"the reply holds {len(versions)} versions of the {kind}; the last one was taken")
    return Extraction(chosen.get("domain"), chosen.get("problem"), tuple(notes))


def no_answer(reply: str, missing: str) -> Diagnostic:
    """The finding that a reply lacks a part: `missing` is "domain", "problem" or "PDDL"."""
    shown = " ".join(reply.split())[:60]
    what = "is empty" if not shown else f"holds no {missing}: it starts `{shown}`"
    return Diagnostic(
        "no-pddl-in-reply",
        Category.SYNTAX,
        Severity.ERROR,
        f"the reply {what}",
        Span(0, 0),
        Source("", "reply"),
        "answer with the whole domain and problem, each in a ```pddl block",
    )


def _json_texts(text: str) -> Iterator[str]:
    """The PDDL texts of JSON objects in a reply, joined."""
    decoder = json.JSONDecoder(strict=False)
    for match in re.finditer(r"\{", text):
        if not re.match(r'\{\s*"', text[match.start() : match.start() + 80]):
            continue
        try:
            value, _ = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        parts = [item for item in json_strings(value) if _TITLE.search(item)]
        if parts:
            yield "\n".join(parts)


def _fenced(text: str) -> Iterator[str]:
    """The contents of all fenced blocks, joined by a fence, so that no definition runs on into the next one."""
    blocks = fenced_blocks(text)
    if blocks:
        yield "\n```\n".join(block.text for block in blocks)


def _definitions(text: str) -> list[tuple[str, str]]:
    """Kind and text of every definition that is more than a bare title."""
    found = []
    for span in find_definitions(text):
        definition = text[span.start : span.end]
        title = _TITLE.match(definition)
        if title is None:
            continue
        if not _closed(definition):
            # A draft that lacks a bracket swallows what follows it: it ends where its block ends.
            fence = FENCE.search(definition)
            definition = definition[: fence.start()].rstrip() if fence else definition.rstrip()
        if len(_SECTION.findall(definition)) > 0 or len(definition) > 80:
            found.append((title.group(1).lower(), definition))
    return found


def _completed(found: list[tuple[str, str]], text: str) -> list[tuple[str, str]]:
    """Add a kind that stands outside the blocks where it is missing inside them."""
    kinds = {kind for kind, _ in found}
    return found + [(kind, definition) for kind, definition in _definitions(text) if kind not in kinds]


def _closed(definition: str) -> bool:
    findings = Findings(Source(definition))
    root = read_definition(findings.source, findings)
    return root is not None and root.closed
