"""docs/diagnostics.md lists every code that the library can give, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from mutate_reader import damaged, seeds

from groundplan.pddl import Source, check_sources

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "diagnostics.md"
REPORTERS = frozenset("error warn report undeclared Diagnostic Fault _plain _domain".split())
"""Functions that take a code, as their first or second argument."""
CODE = re.compile(r"[a-z]+(-[a-z]+)*")
CATEGORIES = {"syntax/parse", "object/type", "predicate/schema", "precondition/effect", "goal/constraint", "unreachable search"}


def codes_in(path: Path) -> Iterator[str]:
    """The codes in a module, as regular expressions: a placeholder of an f-string stands for any word."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[*args]) if name in REPORTERS:
                found = next((list(texts) for arg in args[:2] if (texts := list(_texts(arg)))), [])
                yield from found
            case ast.Assign(targets=[target], value=value):
                names, values = _pair(target, value)
                yield from (text for name, item in zip(names, values, strict=False) if name == "code" for text in _texts(item))


def _pair(target: ast.expr, value: ast.expr) -> tuple[list[str], list[ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return [ast.unparse(item) for item in target.elts], value.elts
    return [ast.unparse(target)], [value]


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)) if CODE.fullmatch(text):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from (*_texts(body), *_texts(other))
        case ast.JoinedStr(values=values) if all(isinstance(value, ast.FormattedValue) or CODE.fullmatch(value.value.strip("-")) for value in values):
            yield "".join("[a-z-]+" if isinstance(value, ast.FormattedValue) else value.value for value in values)


def documented() -> dict[str, tuple[str, str]]:
    """Severity and category of every code on the page."""
    rows = re.findall(r"^\| `([a-z-]+)` \| ([a-z, ]+) \| ([a-z/ ]+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    return {code: (severity, category) for code, severity, category in rows}
