"""docs/diagnostics.md lists every code that the library can give, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import test_check
import test_read_domain
import test_read_problem
import test_read_recovery

from groundplan.pddl import Source, check_sources
from mutate_reader import damaged, seeds

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "diagnostics.md"
REPORTERS = frozenset("error warn report undeclared Diagnostic Fault _plain _domain".split())
"""Functions that take a code, as their first or second argument."""
CODE = re.compile(r"[a-z]+(-[a-z]+)*")
CATEGORIES = frozenset(
    ("syntax/parse", "object/type", "predicate/schema", "precondition/effect", "goal/constraint", "unreachable search")
)
PDDL = ROOT / "src" / "groundplan" / "pddl"


def codes_in(path: Path) -> Iterator[str]:
    """The codes in a module, as regular expressions: a placeholder of an f-string stands for any word."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[*args]) if name in REPORTERS:
                yield from next((texts for arg in args[:2] if (texts := list(_texts(arg)))), [])
            case ast.Dict(values=[ast.Tuple(elts=[_, _, _]), *_] as rows):  # a table of codes, messages and hints
                yield from (text for row in rows if isinstance(row, ast.Tuple) for text in _texts(row.elts[0]))
            case ast.Assign(targets=[target], value=value):
                yield from (text for name, item in _pairs(target, value) if name == "code" for text in _texts(item))


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(map(ast.unparse, target.elts), value.elts, strict=True))
    return [(ast.unparse(target), value)]


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)) if CODE.fullmatch(text):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from (*_texts(body), *_texts(other))
        case ast.JoinedStr(values=[ast.Constant(value=str(start)), ast.FormattedValue()]) if CODE.fullmatch(start[:-1]):
            yield f"{start}[a-z-]+"


def documented() -> dict[str, tuple[str, str]]:
    """Severity and category of every code on the page."""
    rows = re.findall(r"^\| `([a-z-]+)` \| ([a-z, ]+) \| ([a-z/, ]+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    return {code: (severity, category) for code, severity, category in rows}


def test_the_page_lists_every_code_of_the_library_and_no_other() -> None:
    listed = documented()
    assert len(listed) > 100
    of_pddl = {code for path in PDDL.glob("*.py") for code in codes_in(path)}
    unlisted = [code for code in of_pddl if not any(re.fullmatch(code, name) for name in listed)]
    assert not unlisted, f"docs/diagnostics.md lacks {sorted(unlisted)}"
    everywhere = {code for path in PDDL.parent.glob("**/*.py") for code in codes_in(path)}
    unknown = [name for name in listed if not any(re.fullmatch(code, name) for code in everywhere)]
    assert not unknown, f"docs/diagnostics.md lists codes that nothing gives: {unknown}"


def test_the_page_tells_severity_and_category_right() -> None:
    listed = documented()
    seen: dict[str, set[tuple[str, str]]] = {}
    for domain, problem in damaged(seeds(None), 900, seed=8):
        for found in check_sources(Source(domain), Source(problem)).diagnostics:
            seen.setdefault(found.code, set()).add((found.severity.value, found.category.value))
    assert len(seen) > 60
    for code, kinds in seen.items():
        severities, categories = (set(text.split(", ")) for text in listed[code])
        assert {severity for severity, _ in kinds} <= severities, code
        assert {category for _, category in kinds} <= categories <= CATEGORIES, code


def test_every_code_of_the_reader_is_shown_by_a_test() -> None:
    cases = [
        case[0]
        for module in (test_read_recovery, test_read_domain, test_read_problem, test_check)
        for table in ("ALL", "REJECTED", "ACCEPTED", "BEYOND", "WARNED")
        for case in getattr(module, table, ())
    ]
    shown = {found.code for case in cases for found in case.result().diagnostics}
    shown |= {"swallowed-type", "nested-too-deep"}  # these have tests of their own
    files = (path for path in PDDL.glob("*.py") if re.match("read|check|sexpr|brackets|foreign", path.name))
    codes = {code for path in files for code in codes_in(path)}
    assert not {code for code in codes if not any(re.fullmatch(code, name) for name in shown)}
