"""Which element did not fit, when unpacking fails: the commonest fault of model-written programs over facts."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from types import FrameType, TracebackType
from typing import Any

from groundplan.confine.variables import shown

_SEARCHED = 1_000_000


def misfit(source: str, step: TracebackType) -> str:
    """`; the element ('free',) of init does not fit (pred, thing, spot)`, or an empty text where it cannot be told.

    Looks values up by name in the frames on the way; no code of the program is run.
    """
    try:
        found = _unpacking(ast.parse(source), _position(step))
        if found is None:
            return ""
        target, values, is_loop = found
        wanted = len(target.elts)
        least = wanted - 1 if any(isinstance(item, ast.Starred) for item in target.elts) else wanted
        form = ast.unparse(target)
        value, name = _value(values, step.tb_frame), ast.unparse(values)
        for item in _elements(value) if is_loop else [value]:
            if type(item) in (tuple, list, str) and (len(item) < least or (least == wanted and len(item) != wanted)):
                where = f" of {name}" if is_loop else ""
                return f"; the element {shown(item)}{where} does not fit {form}"
    except (SyntaxError, ValueError, LookupError, RecursionError, AttributeError, TypeError):
        pass
    return ""


def _position(step: TracebackType) -> tuple[int, int]:
    """Line and column of the instruction that failed."""
    positions = list(step.tb_frame.f_code.co_positions())
    line, _, column, _ = positions[step.tb_lasti // 2]
    return line or step.tb_lineno, -1 if column is None else column


def _unpacking(tree: ast.AST, place: tuple[int, int]) -> tuple[ast.Tuple | ast.List, ast.expr, bool] | None:
    """The target at this place, what it is unpacked from, and whether that is the elements of a loop."""
    for node in ast.walk(tree):
        pairs: list[tuple[ast.expr, ast.expr, bool]] = []
        if isinstance(node, ast.For | ast.comprehension):
            pairs = [(node.target, node.iter, True)]
        elif isinstance(node, ast.Assign):
            pairs = [(target, node.value, False) for target in node.targets]
        for target, values, is_loop in pairs:
            if isinstance(target, ast.Tuple | ast.List) and _is_at(target, place):
                return target, values, is_loop
    return None


def _is_at(target: ast.expr, place: tuple[int, int]) -> bool:
    line, column = place
    if target.lineno != line:
        return False
    return column < 0 or target.col_offset <= column <= (target.end_col_offset or target.col_offset)


def _value(expression: ast.expr, frame: FrameType) -> Any:
    """The value of a name, or of `sorted(name)` and the like, in the frame or those that called it."""
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name) and len(expression.args) == 1:
        if expression.func.id == "sorted":
            return sorted(_value(expression.args[0], frame))
        if expression.func.id in ("list", "tuple", "set"):
            return _value(expression.args[0], frame)
    if not isinstance(expression, ast.Name):
        raise LookupError
    now: FrameType | None = frame
    while now is not None and now.f_code.co_filename == frame.f_code.co_filename:
        if expression.id in now.f_locals:
            return now.f_locals[expression.id]
        now = now.f_back
    return frame.f_globals[expression.id]


def _elements(value: Any) -> Iterable[Any]:
    if type(value) not in (set, frozenset, list, tuple):
        return
    for number, item in enumerate(value):
        if number >= _SEARCHED:
            return
        yield item
