"""What can be said of a shaping function before it is run: its syntax, its names, its keys, that it keeps no state.

The small language allowed here is not what keeps a function harmless (the confined process does that, see shaping.py);
it makes sure that a function means the same at every call, and it finds faults in branches that no trial run enters.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

FUNCTION = "shaping"
LONGEST = 20_000
"""Characters of source."""
BUILTINS = frozenset(
    "abs all any bool divmod enumerate float int len list map max min pow range reversed round sorted sum tuple".split()
) | {"zip"}

_ALLOWED: tuple[type[ast.AST], ...] = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr,
    ast.If, ast.For, ast.Pass, ast.Break, ast.Continue, ast.IfExp, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare,
    ast.Call, ast.keyword, ast.Starred, ast.Subscript, ast.Slice, ast.Name, ast.Constant, ast.Tuple, ast.List,
    ast.ListComp, ast.GeneratorExp, ast.comprehension, ast.Lambda, ast.Attribute, ast.Import, ast.ImportFrom, ast.alias,
    ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip
_CONSTANT: tuple[type[ast.AST], ...] = (
    ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.Name, ast.Attribute, ast.expr_context, ast.operator,
    ast.unaryop,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a candidate: a stable code, a sentence for its author, the line (0: the whole)."""

    code: str
    message: str
    line: int = 0

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message


def check_source(source: str, sizes: Mapping[str, int]) -> tuple[Fault, ...]:
    """The faults of a shaping function's source, given the observation's keys with their sizes; none is a pass.

    Codes: `syntax`, `form` (no `shaping(previous, current)`), `language` (a construct, import or name that is not
    allowed), `key` and `index` (an observation that there is not), `state` (something is kept or changed).
    """
    if len(source) > LONGEST:
        return (Fault("form", f"the code has {len(source)} characters; {LONGEST} are allowed"),)
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        return (Fault("syntax", f"this is no Python: {error.msg}", error.lineno or 1),)
    except (ValueError, RecursionError, MemoryError) as error:
        return (Fault("syntax", f"this is no Python: {error or type(error).__name__}"),)
    faults = [*_form(tree), *_top(tree)]
    try:
        faults += _language(tree)
        faults += _observations(tree, sizes)
    except RecursionError:
        faults.append(Fault("language", "the code is nested too deep"))
    return tuple(dict.fromkeys(faults))


def _form(tree: ast.Module) -> Iterator[Fault]:
    found = [item for item in tree.body if isinstance(item, ast.FunctionDef) and item.name == FUNCTION]
    if len(found) != 1:
        yield Fault("form", f"there must be one function `{FUNCTION}(previous, current)`; found {len(found)}")
        return
    takes = found[0].args
    if len(takes.posonlyargs) + len(takes.args) != 2 or takes.vararg or takes.kwarg or takes.kwonlyargs:
        yield Fault("form", f"`{FUNCTION}` takes two arguments, `previous` and `current`", found[0].lineno)
    if not any(isinstance(item, ast.Return) and item.value is not None for item in ast.walk(found[0])):
        yield Fault("form", f"`{FUNCTION}` returns nothing; it must return a float", found[0].lineno)


def _top(tree: ast.Module) -> Iterator[Fault]:
    """At the top level: imports, functions, constants; nothing that a call could change."""
    for item in tree.body:
        if isinstance(item, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Pass)) or _is_text(item):
            continue
        value = item.value if isinstance(item, (ast.Assign, ast.AnnAssign)) else None
        if value is None or not all(isinstance(node, _CONSTANT) for node in ast.walk(value)):
            yield Fault("state", "only imports, functions and constants may stand outside of functions", item.lineno)


def _is_text(item: ast.stmt) -> bool:
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) and isinstance(item.value.value, str)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but annotations, which are never evaluated, and texts that stand alone."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not (isinstance(child, ast.stmt) and _is_text(child)):
                yield from _walk(child)


def _language(tree: ast.Module) -> Iterator[Fault]:
    known = BUILTINS | _defined(tree)
    for node in _walk(tree):
        line = getattr(node, "lineno", 0)
        if not isinstance(node, _ALLOWED):
            yield Fault("language", f"`{type(node).__name__}` is not allowed here", line)
        elif isinstance(node, ast.Attribute):
            if not (isinstance(node.value, ast.Name) and node.value.id == "math" and hasattr(math, node.attr)):
                yield Fault("language", f"`.{node.attr}`: only members of `math` may be used with a dot", line)
        elif isinstance(node, ast.Name):
            if node.id.startswith("__") or (isinstance(node.ctx, ast.Load) and node.id not in known):
                yield Fault("language", f"the name `{node.id}` is not known here", line)
            elif isinstance(node.ctx, ast.Store) and node.id in {"math", *BUILTINS}:
                yield Fault("language", f"`{node.id}` must keep its meaning", line)
        elif isinstance(node, ast.FunctionDef) and node.decorator_list:
            yield Fault("language", "decorators are not allowed", line)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from _import(node)
        elif isinstance(node, ast.arguments):
            values = [*node.defaults, *(item for item in node.kw_defaults if item is not None)]
            if not all(isinstance(part, _CONSTANT) for value in values for part in ast.walk(value)):
                yield Fault("state", "default values must be numbers", values[0].lineno)
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            yield Fault("state", "nothing may be assigned into an observation or a list", line)


def _import(node: ast.Import | ast.ImportFrom) -> Iterator[Fault]:
    if isinstance(node, ast.Import):
        if any(item.name != "math" or item.asname for item in node.names):
            yield Fault("language", "only `import math` is allowed", node.lineno)
    elif node.module != "math" or node.level or any(not hasattr(math, item.name) for item in node.names):
        yield Fault("language", "only `import math` is allowed", node.lineno)


def _defined(tree: ast.Module) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name)
    return found


def _observations(tree: ast.Module, sizes: Mapping[str, int]) -> Iterator[Fault]:
    """Every text in the code is a key of the observation, in branches that are never entered too."""
    for node in _walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)) and node.value not in sizes:
            known = ", ".join(sorted(sizes))
            yield Fault("key", f"there is no observation {node.value!r}; there are {known}", node.lineno)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
            key, place = node.value.slice, _integer(node.slice)
            size = sizes.get(key.value) if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
            if size is not None and place is not None and not -size <= place < size:
                yield Fault("index", f"{ast.unparse(node)}: this observation has {size} numbers", node.lineno)


def _integer(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if type(value) is int else None
