"""A program's top level: definitions and what they need stay, code that runs the program on import is left out."""

from __future__ import annotations

import ast
import builtins
import symtable
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from groundplan.generalize.python_text import Parsed

_BUILTINS = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__builtins__", "__annotations__"}
_SPEAKS = frozenset(("print", "pprint", "input", "exit", "quit", "breakpoint", "_exit", "testmod", "main", "write"))
_SETTINGS = frozenset(("setrecursionlimit", "seed", "stack_size", "set_int_max_str_digits", "filterwarnings"))
_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORT = (ast.Import, ast.ImportFrom)
_SHOWN = 60


@dataclass(frozen=True)
class Statement:
    """A statement of the top level with the names that it binds there and those that it, or its functions, look up."""

    node: ast.stmt

    @cached_property
    def _names(self) -> tuple[frozenset[str], frozenset[str]]:
        try:
            text = ast.unparse(ast.Module([self.node], []))
        except ValueError:  # some f-strings cannot be written again
            return _names_within(self.node)
        table = symtable.symtable(text, "<program>", "exec")
        binds = {item.get_name() for item in table.get_symbols() if _is_bound(item)}
        uses = {item.get_name() for item in table.get_symbols() if item.is_referenced()}
        stack = list(table.get_children())
        while stack:
            inner = stack.pop()
            stack += inner.get_children()
            for item in inner.get_symbols():
                if item.is_global():
                    uses.add(item.get_name())
                    if item.is_declared_global() and item.is_assigned():
                        binds.add(item.get_name())
        return frozenset(binds), frozenset(uses)

    @property
    def binds(self) -> frozenset[str]:
        return self._names[0]

    @property
    def uses(self) -> frozenset[str]:
        return self._names[1]

    @property
    def is_definition(self) -> bool:
        return isinstance(self.node, _DEFINITION)

    @property
    def is_import(self) -> bool:
        return isinstance(self.node, _IMPORT)

    @property
    def imports_all(self) -> bool:
        return isinstance(self.node, ast.ImportFrom) and any(item.name == "*" for item in self.node.names)

    @property
    def first_line(self) -> str:
        try:
            text = ast.unparse(self.node).splitlines()[0]
        except ValueError:  # as above
            text = "..."
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def statements(body: Iterable[ast.stmt]) -> list[Statement]:
    return [Statement(node) for node in body]


def needed_names(items: Sequence[Statement], wanted: Iterable[str]) -> frozenset[str]:
    """The names that must be bound for `wanted` to work: those that its statements look up, and so on."""
    by_name: dict[str, list[Statement]] = {}
    for item in items:
        for name in item.binds:
            by_name.setdefault(name, []).append(item)
    found: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [used for item in by_name.get(name, ()) for used in item.uses]
    return frozenset(found)


def foreign_modules(tree: ast.AST) -> list[str]:
    """The modules that a program imports, anywhere in it, and that are not in Python's standard library."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [item.name for item in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append("." * node.level + (node.module or ""))
    return list(dict.fromkeys(name for name in found if name.partition(".")[0] not in sys.stdlib_module_names))


class Kept:
    """Which statements stay. `dropped` pairs the others with the reason, in words."""

    def __init__(self, items: Sequence[Statement], function: str) -> None:
        self._items = items
        self._function = function
        self._needed = needed_names(items, [function])
        self._known = _BUILTINS.union(*(item.binds for item in items)) if items else _BUILTINS
        self._open = any(item.imports_all for item in items)
        self._callers = self._functions_that_call()
        self._data = {name for item in items if not item.is_definition and not item.is_import for name in item.binds}
        self.dropped: list[tuple[Statement, str]] = []
        self.kept: list[Statement] = []
        for item in items:
            reason = self._reason(item)
            self.dropped.append((item, reason)) if reason else self.kept.append(item)
        self._drop_dependents()

    def _reason(self, item: Statement) -> str:
        """Why a statement is left out; an empty text where it stays."""
        node = item.node
        needed = bool(item.binds & self._needed)
        if item.is_definition or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            return ""
        if item.is_import:
            if self._function in item.binds:
                return f"imports `{self._function}`, which is defined here"
            return "" if needed or item.imports_all or not foreign_modules(node) else "is not needed"
        if _is_main_guard(node):
            return "runs only as a script"
        if self._runs_program(item):
            return "runs the program"
        if needed:
            return ""
        if not self._open and not item.uses <= self._known:
            return f"uses `{min(item.uses - self._known)}`, which is not defined"
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) or _only_binds(node):
            return "runs code and is not needed" if any(True for _ in _calls(node)) else ""
        return "" if self._prepares(item) else "runs code and is not needed"

    def _runs_program(self, item: Statement) -> bool:
        if self._function in item.binds:
            return False
        alias = isinstance(item.node, ast.Assign) and isinstance(item.node.value, ast.Name)
        return not alias and bool(item.uses & self._callers) and any(True for _ in _calls(item.node))

    def _prepares(self, item: Statement) -> bool:
        """Whether a statement that binds nothing needed sets something up: fills needed data, sets a limit."""
        calls = list(_calls(item.node))
        if any(name in _SPEAKS for name in calls):
            return False
        return any(name in _SETTINGS for name in calls) or bool(item.uses & self._needed & self._data)

    def _functions_that_call(self) -> frozenset[str]:
        """The function and all that call it, at however many removes."""
        found = {self._function}
        grown = True
        while grown:
            more = {name for item in self._items if item.is_definition and item.uses & found for name in item.binds}
            grown = not more <= found
            found |= more
        return frozenset(found)

    def _drop_dependents(self) -> None:
        """Definitions that are not needed go with what they look up, such as a test with its test framework."""
        while True:
            gone = {name for item, _ in self.dropped for name in item.binds} - {
                name for item in self.kept for name in item.binds
            }
            more = [item for item in self.kept if item.uses & gone and not item.binds & self._needed]
            if not more:
                return
            self.kept = [item for item in self.kept if item not in more]
            self.dropped += [(item, "uses what was left out") for item in more]


def rendered(code: Parsed, dropped: Sequence[ast.stmt]) -> str:
    """The text without some statements of the top level; what is left keeps its lines where it can.

    Comments behind the last statement go with the statements that were dropped there.
    """
    lines = code.source.split("\n")
    gone = {number for node in dropped for number in _lines_of(node)}
    kept = [node for node in code.tree.body if node not in dropped]
    for node in kept:
        if gone.intersection(_lines_of(node)):  # it shares a line with one that goes
            first, *rest = _lines_of(node)
            lines[first - 1] = ast.unparse(node)
            for number in rest:
                lines[number - 1] = ""
            gone.difference_update(_lines_of(node))
    end = max((_lines_of(node)[-1] for node in kept), default=0)
    tail = bool(gone) and max(gone) > end
    texts = [
        "" if number in gone or (tail and number > end and text.lstrip().startswith("#")) else text
        for number, text in enumerate(lines, 1)
    ]
    return "\n".join(texts).strip("\n") + "\n"


def segment(code: Parsed, node: ast.stmt) -> str:
    """A statement in its own words, with the comments right above it."""
    lines = code.source.split("\n")
    numbers = _lines_of(node)
    if any(other is not node and set(numbers).intersection(_lines_of(other)) for other in code.tree.body):
        return ast.unparse(node)
    first = numbers[0]
    while first > 1 and lines[first - 2].startswith("#"):
        first -= 1
    return "\n".join(lines[first - 1 : numbers[-1]])


def _lines_of(node: ast.stmt) -> range:
    first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", ()))])
    return range(first, (node.end_lineno or node.lineno) + 1)


def note_of(item: Statement, reason: str) -> str:
    """The note on a statement that is left out."""
    return f"left out line {item.node.lineno}, `{item.first_line}`: it {reason}"


def _names_within(node: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    """Names that are bound and looked up anywhere in a statement: more of them than its scope has."""
    binds = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    if isinstance(node, _DEFINITION):
        binds = {node.name}
    uses = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    return frozenset(binds), frozenset(uses)


def _is_bound(item: symtable.Symbol) -> bool:
    return item.is_assigned() or item.is_imported() or item.is_namespace()


def _is_main_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and any(
        isinstance(part, ast.Name) and part.id == "__name__" for part in ast.walk(node.test)
    )


def _only_binds(node: ast.stmt) -> bool:
    """Whether a compound statement holds nothing but imports, definitions and assignments."""
    if not isinstance(node, ast.If | ast.Try):
        return False
    inner = [*node.body, *node.orelse]
    if isinstance(node, ast.Try):
        inner += [*node.finalbody, *(part for handler in node.handlers for part in handler.body)]
    return all(
        isinstance(part, (*_IMPORT, *_DEFINITION, ast.Assign, ast.AnnAssign, ast.Pass)) or _only_binds(part)
        for part in inner
    )


def _calls(node: ast.stmt) -> Iterator[str]:
    """The names of what is called when the statement runs; the bodies of functions run later."""
    stack: list[ast.AST] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Call):
            function = part.func
            yield function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
        later = isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        stack += [inner for inner in ast.iter_child_nodes(part) if not (later and part is not node)]
