"""Python text as models write it: made to parse where only its dress is wrong, and what is wrong where it is not."""

from __future__ import annotations

import ast
import codeop
import textwrap
import threading
import warnings
from dataclasses import dataclass

_LOCK = threading.Lock()
_QUOTES = str.maketrans({
    "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'", "\u00a0": " ", "\u202f": " ", "\u3000": " ",
    "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "", "−": "-", "–": "-", "，": ",", "：": ":",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text that is Python, perhaps after a change of its dress, which `notes` tell."""

    source: str
    tree: ast.Module
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """Why a text is not Python. `at_end` says that it stops in the middle of something."""

    message: str
    line: int
    code: str
    at_end: bool

    def __str__(self) -> str:
        code = f": `{self.code}`" if self.code else ""
        return f"line {self.line} is no Python ({self.message}){code}"


def parsed(text: str) -> Parsed | SyntaxFault:
    """The text as Python: as it stands, else dedented, with tabs expanded, or with plain quotes and blanks."""
    first = _parse(text)
    if isinstance(first, ast.Module):
        return Parsed(text, first)
    dedented = textwrap.dedent(text.expandtabs(8) if text.lstrip("\n").startswith("\t") else text)
    plain = dedented.translate(_QUOTES)
    for dressed, note in (
        (dedented, ()),
        (dedented.expandtabs(8), ("tabs were replaced by blanks",)),
        (dedented.expandtabs(4), ("tabs were replaced by blanks",)),
        (plain, ("typographic quotes and blanks were replaced by plain ones",)),
        (plain.expandtabs(8), ("typographic quotes, blanks and tabs were replaced by plain ones",)),
    ):
        if dressed != text:
            tree = _parse(dressed)
            if isinstance(tree, ast.Module):
                return Parsed(dressed, tree, note)
    return first


def _parse(text: str) -> ast.Module | SyntaxFault:
    """The syntax tree of a text that Python can compile."""
    try:
        with _LOCK, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            compile(tree, "<program>", "exec", dont_inherit=True)
        return tree
    except SyntaxError as error:
        return _fault(text, error)
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return SyntaxFault(str(error) or "too complex", 1, "", False)


def _fault(text: str, error: SyntaxError) -> SyntaxFault:
    lines = text.splitlines()
    line = error.lineno or 1
    last = max((number for number, content in enumerate(lines, 1) if content.strip()), default=1)
    at_end = line >= last or _is_incomplete(text)
    code = lines[line - 1].strip()[:160] if 0 < line <= len(lines) else ""
    return SyntaxFault(error.msg or "invalid syntax", line, code, at_end)


def _is_incomplete(text: str) -> bool:
    """Whether more text could make it Python."""
    try:
        with _LOCK, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return codeop.compile_command(text, "<program>", "exec") is None
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return False
