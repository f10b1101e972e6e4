"""Where the Python is in a model's reply: fenced blocks, or the stretches of a text without fences that are code."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundplan.generalize.python_text import Parsed, SyntaxFault, parsed
from groundplan.generalize.replies import without_thinking

_FENCE = re.compile(r"^([ \t>]*)(`{3,}|~{3,})[ \t]*\{?\.?([\w+#-]*)")
_CODE_LINE = re.compile(
    r"(?:async\s+)?def\s+\w+\s*\(|class\s+\w+\s*[:(]|import\s+\w+(?:\s+as\s|\s*,|\s*$|\.)|from\s+[\w.]+\s+import\b|@\w"
    r"|(?:if|for|while|with|try|else|elif|except|finally)\b.*:\s*(?:#.*)?$|\w+(?:\s*:\s*[\w\[\], .]+)?\s*=(?!=)"
)
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b.*:|[)\]}]")
_PYTHON = ("", "python", "py", "python3", "py3", "python2", "ipython", "pycon", "code", "repl")
_MOST_CLOSERS = 12
_MOST_JOINED = 60


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of code. `code` is its Python or what is wrong with it; `closed` False: its fence has no end."""

    text: str
    code: Parsed | SyntaxFault
    closed: bool = True
    fenced: bool = True

    @property
    def is_cut_off(self) -> bool:
        """The text stops in the middle, where the reply does."""
        return not self.closed and isinstance(self.code, SyntaxFault) and self.code.at_end


def blocks_in(reply: str, function: str) -> list[Block]:
    """The blocks that may be code, in order. Text outside of fences counts where no fence holds the function."""
    text = _plain_lines(reply)
    fenced = list(_fenced(text.split("\n"), function))
    if any(_defines(block.text, function) for block in fenced):
        return fenced
    loose = list(_loose(text, function))
    return loose if any(_defines(block.text, function) for block in loose) else fenced or loose


def without_prose(block: Block, function: str) -> Block:
    """The block without the lines that are no code, where nothing but those keeps it from being Python."""
    found = list(_loose(block.text, function))
    if len(found) == 1 and isinstance(found[0].code, Parsed) and _defines(found[0].text, function):
        code = found[0].code
        notes = (*code.notes, "lines that are no code were left out")
        return Block(found[0].text, Parsed(code.source, code.tree, notes), block.closed, block.fenced)
    return block


def _plain_lines(reply: str) -> str:
    """The reply without a model's thinking aloud, with plain line ends."""
    text = reply.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "").replace("\f", "\n")
    text = without_thinking(text)
    return text.rpartition("</think>")[2]


def _defines(text: str, function: str) -> bool:
    """Whether a text looks as if it defined the function; it need not be Python."""
    name = re.escape(function)
    return re.search(rf"\bdef\s+{name}\b|^[ \t>]*{name}\s*=(?!=)", text, re.MULTILINE) is not None


# --- fences -----------------------------------------------------------------------------------------------------------


def _fenced(lines: Sequence[str], function: str) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if opening is None or _is_inline(lines[at], opening):
            at += 1
            continue
        block, at = _block(lines, at, opening)
        if opening[3].lower() in _PYTHON or _defines(block.text, function):
            yield block


def _is_inline(line: str, opening: re.Match[str]) -> bool:
    """Whether the fence ends on its own line, as ```` ```x``` ```` does."""
    return opening[2] in line[opening.end() :]


def _block(lines: Sequence[str], at: int, opening: re.Match[str]) -> tuple[Block, int]:
    """The block opened in line `at`, and the line behind it. Of several possible ends the first that gives Python."""
    ends = []
    for number in range(at + 1, len(lines)):
        stripped = lines[number].rstrip()
        if stripped.endswith(opening[2]):
            ends.append(number)
            if len(ends) == _MOST_CLOSERS:
                break
        elif _FENCE.match(lines[number]) and ends:
            break
    indent = opening[1]
    for end in ends:
        text = _content(lines, at, end, indent, opening[2])
        code = parsed(text)
        if isinstance(code, Parsed):
            return Block(text, code), end + 1
    if ends:
        text = _content(lines, at, ends[0], indent, opening[2])
        return Block(text, parsed(text)), ends[0] + 1
    text = _content(lines, at, len(lines), indent, opening[2])
    return Block(text, parsed(text), closed=False), len(lines)


def _content(lines: Sequence[str], at: int, end: int, indent: str, mark: str) -> str:
    """The lines between two fences, without the indentation of the fence; the last may end with the fence itself."""
    content = list(lines[at + 1 : end])
    if end < len(lines):
        last = lines[end].rstrip().rstrip(mark[0])
        if last.strip(" \t>"):
            content.append(last)
    return "\n".join(line.removeprefix(indent) for line in content)


# --- text without fences ----------------------------------------------------------------------------------------------


def _loose(text: str, function: str) -> Iterator[Block]:
    """The code in a text that has prose around it: stretches that parse, or that look like code and do not."""
    lines = [line for line in text.split("\n") if not _FENCE.match(line)]
    if not re.search(rf"^(?:async\s+)?def\s+{re.escape(function)}\b", "\n".join(lines), re.MULTILINE):
        lines = _indented(lines, function) or lines
    kept: list[str] = []
    fault: Block | None = None
    starts = [number for number, line in enumerate(lines) if line[:1].strip() and not _CONTINUES.match(line)]
    at = 0
    while at < len(starts):
        ended, chunk, code = _chunk(lines, starts, at)
        if isinstance(code, Parsed) and _is_code(chunk):
            kept.append(chunk)
        elif isinstance(code, SyntaxFault) and _is_code(chunk) and (fault is None or _defines(chunk, function)):
            is_last = ended == len(starts)
            fault = Block(chunk, code, closed=not is_last, fenced=False)
        at = ended
    if kept:
        joined = "\n".join(kept)
        yield Block(joined, parsed(joined), fenced=False)
    if fault is not None:
        yield fault


def _is_code(chunk: str) -> bool:
    return _CODE_LINE.match(chunk.lstrip()) is not None


def _chunk(lines: Sequence[str], starts: Sequence[int], at: int) -> tuple[int, str, Parsed | SyntaxFault]:
    """The lines from one that is not indented to the next such line; more of them where only more gives Python."""

    def upto(end: int) -> str:
        stop = starts[end] if end < len(starts) else len(lines)
        return "\n".join(lines[starts[at] : stop])

    text = upto(at + 1)
    first = parsed(text)
    if isinstance(first, Parsed) or not _is_code(text):
        end = at + 1
        return end, text, first
    for end in range(at + 2, min(len(starts), at + _MOST_JOINED) + 1):
        longer = upto(end)
        code = parsed(longer)
        if isinstance(code, Parsed):
            return end, longer, code
    return at + 1, text, first


def _indented(lines: Sequence[str], function: str) -> list[str]:
    """The stretch of indented lines around the function, as Markdown has code without fences; dedented."""
    place = next((n for n, line in enumerate(lines) if re.match(rf"[ \t]+def\s+{re.escape(function)}\b", line)), None)
    if place is None:
        return []
    first = last = place
    while first > 0 and (not lines[first - 1].strip() or lines[first - 1][0] in " \t"):
        first -= 1
    while last + 1 < len(lines) and (not lines[last + 1].strip() or lines[last + 1][0] in " \t"):
        last += 1
    return textwrap.dedent("\n".join(lines[first : last + 1])).split("\n")
