"""Reading numbers and numeric expressions. They are read, never misread; whether an engine knows them comes later."""

from __future__ import annotations

import math
import re

from groundplan.pddl.ast import Arithmetic, Expression, FunctionTerm, Number
from groundplan.pddl.diagnostics import Category
from groundplan.pddl.findings import Findings
from groundplan.pddl.forms import Form, Node, Word

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?")
ARITHMETIC = frozenset(("+", "-", "*", "/"))
_HINT = "write a number, a function `(name ...)`, or `(+ ...)`, `(- ...)`, `(* ...)`, `(/ ...)` of such"


def is_number(text: str) -> bool:
    """Whether a word is a finite decimal number; `1_000`, `inf` and `1e999` are none."""
    return _NUMBER.fullmatch(text) is not None and math.isfinite(float(text))


def read_expression(node: Node, findings: Findings) -> Expression:
    """A number, a function term or an arithmetic expression; on an error the number 0 stands in."""
    if isinstance(node, Word):
        if is_number(node.text):
            return Number(float(node.text), node.span)
        return FunctionTerm(node.text, (), node.span)
    head = node.head
    if head in ARITHMETIC and len(node.items) > 1:
        return Arithmetic(head, tuple(read_expression(item, findings) for item in node.items[1:]), node.span)
    term = read_function_term(node, findings)
    return term if term is not None else Number(0.0, node.span)


def read_function_term(form: Form, findings: Findings) -> FunctionTerm | None:
    words = [item for item in form.items if isinstance(item, Word)]
    if not words or len(words) != len(form.items):
        findings.error("bad-expression", Category.CONDITION, form.span, "not a numeric expression", _HINT)
        return None
    return FunctionTerm(
        words[0].text, tuple(word.text for word in words[1:]), form.span, tuple(word.span for word in words[1:])
    )
