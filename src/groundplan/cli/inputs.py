"""Reading what a command line names: files, `-` for standard input, texts given directly."""

from __future__ import annotations

import sys
from pathlib import Path

from groundplan.errors import InputError
from groundplan.pddl.source import Source, decode, read_source


class Inputs:
    """The inputs of one command; standard input can be read once."""

    def __init__(self) -> None:
        self._stdin_used_for = ""

    def source(self, path: str, what: str, *, may_be_empty: bool = False) -> Source:
        """Read a file, or standard input for `-`. Raises InputError, also for an empty text unless that is allowed."""
        if path == "-":
            if self._stdin_used_for:
                raise InputError(f"standard input is already read for the {self._stdin_used_for}; name a file")
            self._stdin_used_for = what
            source = decode(sys.stdin.buffer.read(), f"<{what} from standard input>")
        else:
            source = read_source(path)
        if not may_be_empty and not source.text.strip():
            raise InputError(f"{source.name}: the {what} is empty")
        return source

    def text(self, argument: str) -> str:
        """A task in plain language: a file, `-`, or the text itself (anything with a blank that is no file)."""
        if argument != "-" and len(argument.split()) > 1 and not _is_file(argument):
            return argument
        return self.source(argument, "text").text


def _is_file(argument: str) -> bool:
    try:
        return Path(argument).exists()
    except OSError:  # too long for a name, say
        return False
