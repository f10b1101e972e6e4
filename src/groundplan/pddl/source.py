"""Source text with positions: what a file said, and where."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from groundplan.errors import InputError


class Span(NamedTuple):
    """Half-open range of character offsets in a source text."""

    start: int
    end: int


class Position(NamedTuple):
    """A place for people: line and column, both counted from 1; a tab is one column."""

    line: int
    column: int


NO_SPAN = Span(0, 0)

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Source:
    """A named text. Line ends may be LF, CRLF or CR; each counts once."""

    text: str
    name: str = "<text>"

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def position(self, offset: int) -> Position:
        """Line and column of a character offset; offsets past the end give the place just behind the text."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The text of a line (counted from 1) without its line end; empty when there is no such line."""
        starts = self._line_starts
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def excerpt(self, span: Span) -> str:
        return self.text[span.start : span.end]


NO_SOURCE = Source("")


def decode(data: bytes, name: str) -> Source:
    """Decode a file's bytes: UTF-8 (a byte-order mark is dropped), UTF-16 with a mark, else Latin-1.

    Raises InputError when the bytes are not text.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return Source(data.decode("utf-16"), name)
        except UnicodeDecodeError as error:
            raise InputError(f"{name}: not a text file ({error})") from error
    if b"\x00" in data:
        raise InputError(f"{name}: this is a binary file, not text")
    try:
        return Source(data.decode("utf-8-sig"), name)
    except UnicodeDecodeError:
        pass
    odd = sum(byte < 9 or 13 < byte < 32 or 127 <= byte < 160 for byte in data)
    if odd > len(data) // 20:
        raise InputError(f"{name}: this is a binary file, not text")
    return Source(data.decode("latin-1"), name)


def read_source(path: str | Path) -> Source:
    """Read a text file. Raises InputError, naming the file and the cause, when it cannot be read."""
    name = str(path)
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{name}: this is a directory, a file is wanted") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror or error})") from error
    return decode(data, name)
