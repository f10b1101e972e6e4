"""Printing: results on standard output, progress and errors on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from groundplan.cli.exits import Exit
from groundplan.errors import GroundplanError, InputError, ModelError, PddlError, StorageError
from groundplan.pddl.diagnostics import Diagnostic


def say(text: str = "") -> None:
    """A line of the result. Characters that the terminal's encoding lacks are replaced, never a crash."""
    _write(sys.stdout, text)


def note(text: str = "") -> None:
    """A line beside the result: progress, warnings, errors."""
    _write(sys.stderr, text)


def _write(stream: Any, text: str) -> None:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    stream.flush()


def say_json(data: Mapping[str, Any]) -> None:
    say(json.dumps(data, indent=2, ensure_ascii=False))


def say_diagnostics(found: Iterable[Diagnostic]) -> None:
    for diagnostic in found:
        say(diagnostic.as_text())


def exit_for(error: BaseException) -> Exit:
    """The exit code of an error; InputError comes first, because a wrong key is both."""
    if isinstance(error, InputError | StorageError):
        return Exit.INPUT
    return Exit.FAILED


def report_error(error: GroundplanError, as_json: bool) -> Exit:
    """Print an error for people (and, with --json, for scripts) and return its exit code."""
    code = exit_for(error)
    if as_json:
        data: dict[str, Any] = {"status": "failed", "error": type(error).__name__, "reason": str(error)}
        if isinstance(error, PddlError):
            data["diagnostics"] = [found.as_json() for found in error.diagnostics]
        say_json(data)
    what = "model" if isinstance(error, ModelError) and code is Exit.FAILED else "error"
    note(f"groundplan: {what}: {error}")
    return code
