"""What belongs to other languages, and what PDDL writes instead: words such as `eq`, marks such as `[` and `//`."""

from __future__ import annotations

import re

from groundplan.pddl.diagnostics import Category
from groundplan.pddl.findings import Findings
from groundplan.pddl.source import Span
from groundplan.pddl.tokens import find_definitions

FOREIGN_WORDS = {
    "eq": "write `(= ?a ?b)`, and `(not (= ?a ?b))` for the contrary",
    "equal": "write `(= ?a ?b)`",
    "equals": "write `(= ?a ?b)`",
    "==": "write `(= ?a ?b)`",
    "!=": "write `(not (= ?a ?b))`",
    "/=": "write `(not (= ?a ?b))`",
    "<>": "write `(not (= ?a ?b))`",
    "neq": "write `(not (= ?a ?b))`",
    "not=": "write `(not (= ?a ?b))`",
    "if": "write `(imply condition consequence)` in a condition, `(when condition effect)` in an effect",
    "implies": "write `imply`",
    "=>": "write `imply`",
    "->": "write `imply`",
    "iff": "write two `imply`, one in each direction",
    "xor": "write it with `or`, `and` and `not`",
    "progn": "write `and`",
    "&&": "write `and`",
    "&": "write `and`",
    "||": "write `or`",
    "!": "write `not`",
    "~": "write `not`",
    "all": "write `(forall (?x - type) ...)`",
    "for-all": "write `(forall (?x - type) ...)`",
    "foreach": "write `(forall (?x - type) ...)`",
    "exist": "write `(exists (?x - type) ...)`",
    "some": "write `(exists (?x - type) ...)`",
    "unless": "write `(when (not condition) effect)`",
    "lambda": "PDDL has no functions of its own; write the condition out",
    "quote": "drop the quote",
    "setq": "write the fact that becomes true, and `(not ...)` for the one that ends",
    "set": "write the fact that becomes true, and `(not ...)` for the one that ends",
    "add": "write the fact itself: what is listed becomes true",
    "del": "write `(not ...)`",
    "delete": "write `(not ...)`",
    "true": "drop it: no condition at all is always true",
    "false": "drop it, and write `(not ...)` where a fact must be false",
    "t": "drop it: no condition at all is always true",
    "nil": "drop it: leave the condition out, or write `(and)`",
    "null": "drop it: leave the condition out, or write `(and)`",
}

SAME_MEANING = {
    **dict.fromkeys(("implies", "=>", "->"), "imply"),
    **dict.fromkeys(("progn", "&&", "&"), "and"),
    **dict.fromkeys(("!", "~"), "not"),
    **dict.fromkeys(("all", "for-all", "foreach"), "forall"),
    **dict.fromkeys(("exist", "some"), "exists"),
    "||": "or",
}
"""Foreign operators that mean exactly what a PDDL operator means: once reported, they are read as that."""

_QUOTE = r"\"'`\u2018-\u201f"
_MARK = re.compile(
    r"(?P<skip>\[\s*(?:\.{2,}|…)\s*\])"
    r"|(?P<comment>(?<![^\s()])(?://[^\r\n]*|(?s:/\*.*?(?:\*/|\Z))|\#(?!'|t[\s()])[^\r\n]*))"
    r"|(?P<escape>\\[nrt]|\\(?=[\"\\]))"
    r"|(?P<bracket>[\[\]{}])"
    r"|(?P<comma>,)"
    r"|(?P<dash>[\u2010-\u2015\u2212])"
    rf"|(?P<quote>(?<![^\s()\[\]{{}},\\])(?:\#'|[{_QUOTE}])++|(?<![{_QUOTE}])[{_QUOTE}]++(?![^\s()\[\]{{}},]))"
)
_WORTH_A_LOOK = re.compile(r"[\\\[\]{},\"'`#\u2010-\u201f\u2212]|//|/\*")
_FINDINGS = {
    "comment": ("foreign-comment", "a comment of another language", "comments start with `;`"),
    "bracket": ("wrong-bracket", "PDDL has round brackets only", "write `(` and `)`"),
    "escape": ("escaped-text", "an escape sequence: the text was taken from JSON or a string as it stood", "decode it"),
    "comma": ("comma", "PDDL separates names by blanks", "drop the comma"),
    "dash": ("typographic-dash", "a typographic dash, PDDL wants the plain one", "write `-`"),
    "quote": ("quote-mark", "PDDL has no quote marks", "drop it"),
}


def without_foreign_marks(text: str, findings: Findings) -> str:
    """A text without comments, with the marks of other languages in its first definition reported and replaced.

    Every kind is reported once, where it stands first. No character moves: comments, commas and quote marks become
    blanks, square and curly brackets become round ones.
    """
    definitions = find_definitions(text) if _WORTH_A_LOOK.search(text) else []
    if not definitions:
        return text
    start, end = definitions[0]
    spans: dict[str, list[Span]] = {}
    pieces = [text[:start]]
    for match in _MARK.finditer(text, start, end):
        pieces.append(text[start : match.start()])
        pieces.append(_replacement(match))
        start = match.end()
        if match.lastgroup and match.lastgroup != "skip":
            spans.setdefault(match.lastgroup, []).append(Span(*match.span()))
    pieces.append(text[start:])
    for kind, found in spans.items():
        code, message, hint = _FINDINGS[kind]
        count = len(found)
        more = f"; {count} places, this is the first" if count > 1 else ""
        shown = text[found[0].start : found[0].end][:20]
        findings.error(code, Category.SYNTAX, found[0], f"`{shown}`: {message}{more}", hint)
    return "".join(pieces)


def _replacement(match: re.Match[str]) -> str:
    if match.lastgroup == "bracket":
        return "(" if match.group() in "[{" else ")"
    if match.lastgroup == "dash":
        return "-"
    if match.lastgroup == "skip":
        return match.group()
    return re.sub(r"[^\r\n]", " ", match.group())
