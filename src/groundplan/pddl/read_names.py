"""Reading lists of names with types: `a b - t c - (either t u)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from groundplan.pddl.ast import OBJECT, TypedName
from groundplan.pddl.diagnostics import Category
from groundplan.pddl.findings import Findings
from groundplan.pddl.forms import Form, Node, Word
from groundplan.pddl.source import Span

_ODD = re.compile(r"[\[\]{},\"'`!|\\$^*%&@\x00-\x1f\x7f]|^//|^#|^:|^<|^\?.*\?|[^\x00-\x7f]")


_TYPE_HINT = "write `name - type`, or drop the dash"


class TypedGroup(NamedTuple):
    """Names that share one `- type`; `lines_apart` says whether they stand in more than one line."""

    names: tuple[TypedName, ...]
    span: Span


def is_good_name(text: str) -> bool:
    return (text.isidentifier() and text.isascii()) or (not _ODD.search(text) and text not in ("?", "-"))


def check_name(word: Word, findings: Findings, what: str) -> None:
    """Report a word that cannot be a name, once for each such word; whoever reads on keeps it all the same."""
    text = word.text
    if (text.isidentifier() and text.isascii()) or (is_good_name(text) and text[0] != "?"):
        return
    if not findings.is_first("bad-name", text):
        return
    strange = next((char for char in text if not "!" <= char <= "~"), "")
    hint = "a name has letters, digits, `-` and `_`"
    if strange:
        hint += f"; here stands U+{ord(strange):04X}" + (f" ({strange})" if strange.isprintable() else "")
    elif text[0] == ":":
        hint = "a keyword cannot be a name"
    elif text[0] == "?":
        hint = "only variables start with a question mark"
    findings.error("bad-name", Category.SYNTAX, word.span, f"`{text}` cannot be the name of {_a(what)}", hint)


def _a(what: str) -> str:
    return f"{'an' if what[0] in 'aeio' else 'a'} {what}"


def read_typed(
    items: Sequence[Node], findings: Findings, *, variables: bool, what: str
) -> tuple[tuple[TypedName, ...], list[TypedGroup]]:
    """Read a typed list. With `variables`, names must start with `?`; without, they must not.

    Returns the names and the groups they came in (the checker looks at the groups of `:types`). Where a fault leaves
    it open which type a name should have, it has none, and the checker takes it anywhere.
    """
    names: list[TypedName] = []
    groups: list[TypedGroup] = []
    pending: list[Word] = []
    doubtful = False  # a fault among the pending names: which type they should have cannot be told
    index = 0
    while index < len(items):
        item = items[index]
        index += 1
        if isinstance(item, Form):
            _bracket(item, findings, what)
            doubtful = bool(pending)
            if not variables or item.head[:1] == "?":
                names += read_typed(_words(item), findings, variables=variables, what=what)[0]
            continue
        dash: Word | None = None
        if item.text[0] == "-" and not is_negative_number(item.text):
            dash = item
        elif not variables and item.text[-1] == ":" and len(item.text) > 1 and _is_type(items, index):
            pending.append(Word(item.text[:-1], item.start, item.end - 1))
            dash = Word("-", item.end - 1, item.end)
            message = f"`{item.text}` cannot be the name of {_a(what)}"
            hint = f"a type stands behind a dash: `{item.text[:-1]} - type`"
            findings.error("bad-name", Category.SYNTAX, item.span, message, hint)
        elif not variables:
            check_name(item, findings, what)
            pending.append(Word(item.text.lstrip("?") or "?", item.start, item.end) if item.text[0] == "?" else item)
        elif item.text[0] == "?" and item.text[-1] in "-:" and len(item.text) > 2 and _is_type(items, index):
            pending.append(Word(item.text[:-1], item.start, item.end - 1))
            dash = Word("-", item.end - 1, item.end)
            _glued(item, findings)
        elif _is_variable(item, findings, what):
            pending.append(item)
        elif item.text[0] == ":" and is_good_name(item.text[1:]):
            dash = Word("-" + item.text[1:], item.start, item.end)  # `?x :type`, just reported
        else:
            pending.append(Word(f"?{item.text.lstrip('?')}", item.start, item.end))
            doubtful = True
        if dash is not None:
            types, spans, index = _read_type(dash, items, index, findings)
            group = tuple(TypedName(word.text, () if doubtful else types, word.span, spans) for word in pending)
            doubtful = not group
            if group:
                groups.append(TypedGroup(group, Span(group[0].span.start, spans[-1].end)))
            else:
                message = f"a type without {_a(what)} before it"
                hint = "write `name - type`, or drop the dash and the type"
                findings.error("type-without-name", Category.SYNTAX, dash.span, message, hint)
            names += group
            pending = []
    names += [TypedName(word.text, () if doubtful else (OBJECT,), word.span) for word in pending]
    return tuple(names), groups


def _bracket(form: Form, findings: Findings, what: str) -> None:
    findings.error(
        "bracket-in-list",
        Category.SYNTAX,
        form.span,
        f"a bracket inside a list of {what}s",
        "is a closing bracket missing before it? Names stand one after another: `a b - type`",
    )


def _words(form: Form) -> list[Word]:
    """The words of a form at any depth, in order."""
    words: list[Word] = []
    waiting: list[Node] = [form]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Word):
            words.append(node)
        else:
            waiting.extend(reversed(node.items))
    return words


def _is_type(items: Sequence[Node], index: int) -> bool:
    """Whether a bare name stands here: behind `?x-` that makes it a type."""
    item = items[index] if index < len(items) else None
    return isinstance(item, Word) and item.text[0] not in "-?:"


def is_negative_number(text: str) -> bool:
    """Whether a word that starts with a dash is a number rather than a type mark."""
    return len(text) > 1 and (text[1].isdigit() or text[1] == ".")


def _is_variable(word: Word, findings: Findings, what: str) -> bool:
    text = word.text
    if text[0] == "?" and is_good_name(text):
        return True
    if text[0] == "?":
        if findings.is_first("bad-name", text):
            message = f"`{text}` cannot be the name of {_a(what)}"
            hint = "write `?x`, with letters, digits, `-` and `_`"
            findings.error("bad-name", Category.SYNTAX, word.span, message, hint)
        return True
    if text[0] == ":":
        hint = f"a type stands behind a dash: `- {text[1:]}`"
    else:
        hint = f"write `?{text}`, or `- {text}` if it is the type" if is_good_name(text) else "write `?x`"
    message = f"`{text}` is no variable; {_a(what)} starts with `?`"
    findings.error("not-a-variable", Category.PREDICATE, word.span, message, hint)
    return False


def _glued(word: Word, findings: Findings) -> None:
    """`?x- type`, `-type` (a blank is missing) and `?x: type` (another language's mark)."""
    text = word.text
    if text[-1] == ":":
        hint = f"a type stands behind a dash: `{text[:-1]} - type`"
        findings.error("not-a-variable", Category.PREDICATE, word.span, f"`{text}` is no variable", hint)
        return
    message = f"`{text}`: a blank is missing between the name, the dash and the type"
    hint = f"write `{text[:-1]} - type`" if text[-1] == "-" else f"write `- {text[1:]}`"
    findings.warn("dash-glued", Category.SYNTAX, word.span, message, hint)


def _read_type(
    dash: Word, items: Sequence[Node], index: int, findings: Findings
) -> tuple[tuple[str, ...], tuple[Span, ...], int]:
    """The type behind a dash: a name, or `(either a b)`. Also accepts the dash glued to the name, with a warning."""
    if dash.text != "-":
        name = Word(dash.text[1:], dash.start + 1, dash.end)
        if not findings.reported("not-a-variable", dash.start):
            _glued(dash, findings)
        check_name(name, findings, "type")
        return (name.text,), (name.span,), index
    if index >= len(items) or (isinstance(items[index], Word) and items[index].text == "-"):  # type: ignore[union-attr]
        findings.error("missing-type", Category.OBJECT, dash.span, "no type behind the dash", _TYPE_HINT)
        return (), (dash.span,), index
    item = items[index]
    if isinstance(item, Word):
        if item.text.startswith("?") or not is_good_name(item.text):
            message = f"`{item.text}` cannot be a type; no type behind the dash"
            findings.error("missing-type", Category.OBJECT, item.span, message, _TYPE_HINT)
            return (), (item.span,), index + (0 if item.text.startswith("?") else 1)
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
    return (), (item.span,), index + 1
