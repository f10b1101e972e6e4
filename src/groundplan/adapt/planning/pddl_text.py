"""PDDL in a model's words, read by the PDDL reader: operators with variables, and effects over objects.

The text is put into a domain of its own, as the action or the effect that it is meant to be, and the whole is read and
checked; what is found is told with its place in the text itself. Nothing is ever split at question marks or brackets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundplan.models.reply_text import Block, fenced_blocks, json_strings, json_values, thinking_blanked
from groundplan.pddl.ast import Action, Domain, TypedName
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity, has_errors
from groundplan.pddl.read import check_sources
from groundplan.pddl.source import Source, Span
from groundplan.pddl.tokens import Tokens
from groundplan.pddl.write import write_domain

IGNORED = frozenset(("duplicate-action", "missing-requirement"))
"""Findings about the domain around a text: a taken name is told in another way, requirements are written anew."""


@dataclass(frozen=True, slots=True)
class ReadAction:
    """An action as it was read, with all findings; None where no action could be made of the text."""

    action: Action | None
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        return self.action is not None and not has_errors(self.diagnostics)


def operators_in(source: Source, domain: Domain, objects: Sequence[TypedName] = ()) -> list[ReadAction]:
    """The `(:action ...)` forms of a text: in its fenced blocks, else in JSON, else anywhere.

    `objects` are those of the problem: an operator that names one of them is told that it wants a parameter.
    """
    text = thinking_blanked(source.text)
    for block in _likely(text):
        spans = forms_with_head(block.text, ":action")
        if spans:
            inside = Source(block.text, source.name) if block.start < 0 else source
            start = max(0, block.start)
            return [_read(Span(s.start + start, s.end + start), inside, domain, objects) for s in spans]
    return []


def _likely(text: str) -> list[Block]:
    """The stretches to look in, the likeliest first."""
    blocks = fenced_blocks(text)
    if any(forms_with_head(block.text, ":action") for block in blocks):
        start = blocks[0].start
        return [Block(text[start : blocks[-1].start + len(blocks[-1].text)], start)]
    strings = [item for value in json_values(text) for item in json_strings(value) if ":action" in item.lower()]
    from_json = [Block("\n".join(strings), -1)] if strings else []
    return [*from_json, Block(text)]


def _read(span: Span, source: Source, domain: Domain, objects: Sequence[TypedName]) -> ReadAction:
    text = source.excerpt(span)
    frame = _frame(domain) + "\n" * (source.position(span.start).line - 1)
    result = check_sources(Source(frame + text + "\n)\n", source.name))
    found = _moved(result.diagnostics, len(frame), Source(source.text, source.name), span, _with_objects(objects))
    count = len(domain.actions)
    actions = result.domain.actions[count:] if result.domain else ()
    action = actions[0] if actions else None
    if len(actions) > 1 and not has_errors(found):
        found = (*found, _fault("operator-unreadable", "an operator inside another one", span, source))
    return ReadAction(action, found)


def _with_objects(objects: Sequence[TypedName]) -> dict[str, str]:
    return {
        item.name: f"`{item.name}` is an object of the problem: an operator names it by a parameter, `?x - "
        f"{item.types[0]}`"
        for item in objects
    }


def effects_in(text: str, name: str, domain: Domain, objects: Sequence[TypedName]) -> ReadAction:
    """Effects over objects, `(and (p a) (not (q b)))` or one literal a line, as an action without parameters."""
    bare = replace(domain, constants=tuple(objects), actions=())
    frame = _frame(bare) + f" (:action {name} :parameters () :effect (and "
    result = check_sources(Source(frame + text + "\n)))\n", "reply"))
    found = _moved(result.diagnostics, len(frame), Source(text, "reply"), Span(0, len(text)), {})
    actions = result.domain.actions if result.domain else ()
    return ReadAction(actions[0] if actions else None, found)


def _frame(domain: Domain) -> str:
    """The domain on one line, left open, so that lines that a message names are those of the text put into it."""
    return " ".join(write_domain(replace(domain, features=())).split()).removesuffix(")") + " "


def _moved(
    found: Sequence[Diagnostic], frame: int, source: Source, span: Span, hints: dict[str, str]
) -> tuple[Diagnostic, ...]:
    """The findings inside a text of `span`, with their places there; those about the frame are of no interest."""
    moved = []
    for item in found:
        if item.span.end <= frame and item.span.start < frame:
            continue
        if item.code in IGNORED:
            continue
        start = min(span.end, max(0, item.span.start - frame) + span.start)
        end = min(span.end, max(0, item.span.end - frame) + span.start)
        word = source.text[start:end].strip().lower()
        hint = hints.get(word, item.hint) if item.code == "unknown-constant" else item.hint
        moved.append(replace(item, span=Span(start, max(start, end)), source=source, related=(), hint=hint))
    return tuple(moved)


def _fault(code: str, message: str, span: Span, source: Source) -> Diagnostic:
    return Diagnostic(code, Category.SYNTAX, Severity.ERROR, message, span, source, "write one `(:action ...)` a form")


def forms_with_head(text: str, head: str) -> list[Span]:
    """Where the forms `(head ...)` of a text stand; one that is never closed runs to the next one, or to the end."""
    tokens = Tokens(text)
    spans: list[Span] = []
    start, depth = -1, 0
    for index in range(tokens.count):
        opens = tokens.texts[index] == "("
        if opens and tokens.text(index + 1) == head:
            if start >= 0:
                spans.append(Span(start, tokens.starts[index]))
            start, depth = tokens.starts[index], 0
        if start >= 0 and tokens.texts[index] in ("(", ")"):
            depth += 1 if opens else -1
            if depth == 0:
                spans.append(Span(start, tokens.starts[index] + 1))
                start = -1
    if start >= 0:
        spans.append(Span(start, len(text.rstrip())))
    return spans
