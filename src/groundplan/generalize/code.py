"""From a model's reply to a program: a file that can be run alone, or the reason why there is none."""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from groundplan.generalize.kinds import Kind

FUNCTION = "get_plan"

_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([^\n`]*)$", re.MULTILINE)
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "\u00a0": " "})
_NOT_PYTHON = re.compile(r"^(json|bash|sh|shell|console|text|txt|pddl|output|plan)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ProgramText:
    """A program's source; `fault` and `message` where there is none. `notes` say what was left out or is suspicious."""

    source: str
    notes: tuple[str, ...] = ()
    fault: Kind | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class _Block:
    text: str
    closed: bool


def program_from_reply(text: str, function: str = FUNCTION) -> ProgramText:
    """Find the program in a reply: in fenced blocks, or by its `def` where there is no fence. Never raises.

    Blocks that belong together are joined; what would run code when the file is loaded (demo calls, a main guard) is
    left out. A reply that was cut off is said to be that, not a syntax error.
    """
    reply = _THINKING.sub("", text).replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    if not reply.strip():
        return _none("The reply was empty.")
    blocks = list(_blocks(reply))
    if blocks:
        return _from_blocks(blocks, function)
    return _from_prose(reply, function)


def _blocks(reply: str) -> Iterator[_Block]:
    """The fenced blocks that may hold Python; a last one without its end runs to the end of the reply."""
    marks = list(_FENCE.finditer(reply))
    at = 0
    while at < len(marks):
        opening = marks[at]
        closing = next(
            (n for n in range(at + 1, len(marks)) if marks[n][1][0] == opening[1][0] and not marks[n][2].strip()), None
        )
        end = marks[closing].start() if closing is not None else len(reply)
        if not _NOT_PYTHON.match(opening[2].strip()):
            yield _Block(textwrap.dedent(reply[opening.end() : end].strip("\n").expandtabs(4)), closing is not None)
        at = len(marks) if closing is None else closing + 1


def _from_blocks(blocks: list[_Block], function: str) -> ProgramText:
    whole = [block for block in blocks if _parsed(block.text) is not None]
    defining = [block for block in whole if _defines(block.text, function)]
    if defining:
        return _finished(_joined(whole, defining[-1], function), function)
    broken = [block for block in blocks if _parsed(block.text) is None]
    named = [block for block in broken if re.search(rf"\bdef\s+{re.escape(function)}\b", block.text)]
    for block in (named or broken)[-1:]:
        return _unparsable(block, function)
    return _without_function("\n\n".join(block.text for block in whole), function)


def _joined(blocks: list[_Block], main: _Block, function: str) -> str:
    """The last block with the function, and from the others what it needs and does not define itself."""
    tree = _parsed(main.text)
    assert tree is not None
    known = _names(tree)
    parts = []
    for block in blocks:
        if block is main or _defines(block.text, function):
            continue
        other = _parsed(block.text)
        assert other is not None
        kept = [node for node in other.body if _is_definition(node) and not _names_of(node) & known]
        if kept:
            parts.append("\n\n".join(ast.get_source_segment(block.text, node) or ast.unparse(node) for node in kept))
    return "\n\n".join([*parts, main.text])


def _from_prose(reply: str, function: str) -> ProgramText:
    """No fence: the longest stretch of lines from an import or a definition on that is Python and has the function."""
    lines = textwrap.dedent(reply.expandtabs(4)).split("\n")
    starts = [
        n for n, line in enumerate(lines) if re.match(r"(?:import|from|def|async def|class|@|[A-Za-z_]\w* *=)", line)
    ]
    main = next(
        (n for n in starts if re.match(rf"(?:async )?def {re.escape(function)}\b|{re.escape(function)} *=", lines[n])),
        None,
    )
    if main is None:
        if any(lines[n].startswith("def ") for n in starts):
            return _without_function(_longest(lines, next(n for n in starts if lines[n].startswith("def "))), function)
        return _none(f"No code was found in the reply: it must hold a ```python block that defines `{function}`.")
    for start in (n for n in starts if n <= main):
        code = _longest(lines, start)
        if _defines(code, function):
            return _finished(code, function)
    return _unparsable(_Block("\n".join(lines[main:]), True), function)


def _longest(lines: list[str], start: int) -> str:
    """The longest run of lines from `start` that parses; an empty text where none does."""
    for end in range(len(lines), start, -1):
        code = "\n".join(lines[start:end])
        if _parsed(code) is not None:
            return code
    return ""


def _finished(code: str, function: str) -> ProgramText:
    """The program without what would run at loading; names modules that are not in the standard library."""
    tree = _parsed(code)
    assert tree is not None
    kept, notes = [], []
    for node in tree.body:
        if _is_definition(node):
            kept.append(node)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            notes.append(
                f"left out, as it would run when the file is loaded: line {node.lineno}, `{_first_line(code, node)}`"
            )
    missing = sorted({name for name in _imports(tree) if name not in sys.stdlib_module_names})
    notes += [f"imports `{name}`, which is not in the standard library" for name in missing]
    source = code if len(kept) == len(tree.body) else _cut(code, kept)
    if not any(function in _names_of(node) for node in kept):
        return _without_function(source, function)
    return ProgramText(source.strip() + "\n", tuple(notes))


def _cut(code: str, kept: list[ast.stmt]) -> str:
    """The source of these statements, with the comments above each."""
    lines = code.split("\n")
    parts, last = [], 0
    for node in kept:
        first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", []))]) - 1
        start = first
        while start > last and lines[start - 1].lstrip().startswith("#"):
            start -= 1
        last = node.end_lineno or node.lineno
        parts.append("\n".join(lines[start:last]))
    return "\n\n".join(parts)


def _is_definition(node: ast.stmt) -> bool:
    """Imports, functions, classes, and assignments that call nothing but harmless constructors."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return True
    if isinstance(node, ast.If) and _is_type_checking(node):
        return True
    if isinstance(node, ast.Try):
        return all(_is_definition(part) for part in node.body)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        value = node.value
        return value is None or _is_constant(value)
    return False


_CONSTRUCTORS = frozenset(
    "set frozenset dict list tuple defaultdict deque Counter namedtuple TypeVar NewType range int str float sorted len "
    "compile".split()
)


def _is_constant(value: ast.expr) -> bool:
    """Whether evaluating it calls nothing but constructors; the body of a lambda does not run yet."""
    if isinstance(value, ast.Lambda):
        return True
    for node in ast.walk(value):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name not in _CONSTRUCTORS:
                return False
        if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom):
            return False
    return True


def _is_type_checking(node: ast.If) -> bool:
    return "TYPE_CHECKING" in ast.unparse(node.test)


def _parsed(code: str) -> ast.Module | None:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _defines(code: str, function: str) -> bool:
    tree = _parsed(code)
    return tree is not None and function in _names(tree)


def _names(tree: ast.Module) -> set[str]:
    return {name for node in tree.body for name in _names_of(node)}


def _names_of(node: ast.stmt) -> set[str]:
    """The names that a top-level statement binds."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    return set()


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def _first_line(code: str, node: ast.stmt) -> str:
    return code.split("\n")[node.lineno - 1].strip()[:80]


def _unparsable(block: _Block, function: str) -> ProgramText:
    """A block that is no Python: cut off, or with an error at a line; typographic quotes are forgiven."""
    mended = block.text.translate(_QUOTES)
    if mended != block.text and _defines(mended, function):
        found = _finished(mended, function)
        return ProgramText(found.source, (*found.notes, "typographic quotes were replaced"), found.fault, found.message)
    error = _error(block.text)
    lines = block.text.rstrip().count("\n") + 1
    at_end = error is not None and ((error.lineno or 0) >= lines - 1 or "never closed" in str(error.msg))
    if not block.closed and at_end:
        return _none(f"The reply was cut off before the end of the program (after {lines} lines): write a shorter one.")
    if error is None:
        return _none("The program cannot be read: it is nested too deep.")
    code = (error.text or "").strip()[:120]
    return _none(f"The program has a syntax error in line {error.lineno}: {error.msg}: `{code}`.")


def _error(code: str) -> SyntaxError | None:
    try:
        ast.parse(code)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


def _without_function(code: str, function: str) -> ProgramText:
    tree = _parsed(code)
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)] if tree else []
    methods = [
        node.name
        for node in (tree.body if tree else [])
        if isinstance(node, ast.ClassDef)
        and any(isinstance(part, ast.FunctionDef) and part.name == function for part in node.body)
    ]
    if methods:
        hint = f"; `{function}` is a method of `{methods[0]}`, but must be a function of the file itself"
    elif found:
        hint = f"; it defines {', '.join(f'`{node.name}`' for node in found)}"
    else:
        hint = ""
    return _none(f"The program does not define `{function}`{hint}.")


def _none(message: str) -> ProgramText:
    return ProgramText("", (), Kind.NO_PROGRAM, message)
