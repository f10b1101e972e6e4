"""Reading lists of names with types: `a b - t c - (either t u)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from groundplan.pddl.ast import OBJECT, TypedName
from groundplan.pddl.diagnostics import Category
from groundplan.pddl.findings import Findings
from groundplan.pddl.sexpr import Form, Node, Word
from groundplan.pddl.source import Span

_ODD = re.compile(r"[\[\]{},\"'`!|\\$^*%&@]|^//|^#|^:|^<|^\?.*\?")


class TypedGroup(NamedTuple):
    """Names that share one `- type`; `lines_apart` says whether they stand in more than one line."""

    names: tuple[TypedName, ...]
    span: Span


def is_good_name(text: str) -> bool:
    return text.isidentifier() or (not _ODD.search(text) and text not in ("?", "-"))


def check_name(word: Word, findings: Findings, what: str) -> bool:
    """Report a word that cannot be a name; says whether it is one."""
    text = word.text
    if text.isidentifier() or (is_good_name(text) and text[0] != "?"):
        return True
    hint = ""
    if "," in word.text:
        hint = "PDDL separates names by blanks: drop the comma"
    elif word.text[0] == ":":
        hint = "a keyword cannot be a name"
    elif word.text[0] == "?":
        hint = "only variables start with a question mark"
    elif word.text.startswith(("//", "#")):
        hint = "comments start with `;`"
    elif any(mark in word.text for mark in "[]{}"):
        hint = "PDDL has round brackets only"
    findings.error("bad-name", Category.SYNTAX, word.span, f"`{word.text}` cannot be the name of {what}", hint)
    return False


def read_typed(
    items: Sequence[Node], findings: Findings, *, variables: bool, what: str
) -> tuple[tuple[TypedName, ...], list[TypedGroup]]:
    """Read a typed list. With `variables`, names must start with `?`; without, they must not.

    Returns the names and the groups they came in (the checker looks at the groups of `:types`).
    """
    names: list[TypedName] = []
    groups: list[TypedGroup] = []
    pending: list[Word] = []
    index = 0
    while index < len(items):
        item = items[index]
        index += 1
        if isinstance(item, Form):
            findings.error(
                "bracket-in-list",
                Category.SYNTAX,
                item.span,
                f"a bracket inside a list of {what}s",
                "list the names one after another: `a b - type`",
            )
            continue
        if item.text.startswith("-") and not variables_like(item.text):
            types, spans, index = _read_type(item, items, index, findings)
            group = tuple(TypedName(word.text, types, word.span, spans) for word in pending)
            if not group:
                findings.error("type-without-name", Category.SYNTAX, item.span, f"a type without a {what} before it")
            else:
                groups.append(TypedGroup(group, Span(group[0].span.start, spans[-1].end)))
            names += group
            pending = []
            continue
        if _acceptable(item, findings, variables, what):
            pending.append(item)
    names += [TypedName(word.text, (OBJECT,), word.span) for word in pending]
    return tuple(names), groups


def variables_like(text: str) -> bool:
    """Whether a word that starts with a dash is a (negative) number rather than a type mark."""
    return len(text) > 1 and (text[1].isdigit() or text[1] == ".")


def _acceptable(word: Word, findings: Findings, variables: bool, what: str) -> bool:
    if not variables:
        return check_name(word, findings, f"a {what}")
    if word.text.startswith("?") and is_good_name(word.text):
        return True
    hint = f"write `?{word.text}`" if is_good_name(word.text) else ""
    findings.error(
        "not-a-variable", Category.PREDICATE, word.span, f"`{word.text}` is no variable; a {what} starts with `?`", hint
    )
    return False


def _read_type(
    dash: Word, items: Sequence[Node], index: int, findings: Findings
) -> tuple[tuple[str, ...], tuple[Span, ...], int]:
    """The type behind a dash: a name, or `(either a b)`. Also accepts the dash glued to the name, with a warning."""
    if dash.text != "-":
        name = dash.text[1:]
        findings.warn(
            "dash-glued",
            Category.SYNTAX,
            dash.span,
            f"`{dash.text}`: a blank is missing between the dash and the type",
            f"write `- {name}`",
        )
        return (name,), (Span(dash.start + 1, dash.end),), index
    if index >= len(items) or (isinstance(items[index], Word) and items[index].text == "-"):  # type: ignore[union-attr]
        findings.error("missing-type", Category.OBJECT, dash.span, "no type behind the dash")
        return (OBJECT,), (dash.span,), index
    item = items[index]
    if isinstance(item, Word):
        if item.text.startswith("?") or not is_good_name(item.text):
            findings.error(
                "missing-type", Category.OBJECT, item.span, f"`{item.text}` cannot be a type; no type behind the dash"
            )
            return (OBJECT,), (item.span,), index + (0 if item.text.startswith("?") else 1)
        return (item.text,), (item.span,), index + 1
    words = [part for part in item.items if isinstance(part, Word)]
    if item.head == "either" and len(words) == len(item.items) and len(words) > 1:
        return tuple(word.text for word in words[1:]), tuple(word.span for word in words[1:]), index + 1
    findings.error(
        "bad-type",
        Category.OBJECT,
        item.span,
        "not a type",
        "write a name, or `(either type1 type2)` for one of several",
    )
    return (OBJECT,), (item.span,), index + 1
