"""Candidates as JSON lines: one object a line."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from groundplan.bench.candidate import Candidate, Failure
from groundplan.errors import InputError
from groundplan.models.storage import write_whole
from groundplan.pddl.diagnostics import Category

_Choice = TypeVar("_Choice", Failure, Category)
_REQUIRED = ("task", "solved", "faithful", "score")
_NAMES = tuple(field.name for field in fields(Candidate))
_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "task": ((str,), "a text"),
    "solved": ((bool, type(None)), "true, false or null"),
    "faithful": ((bool, type(None)), "true, false or null"),
    "score": ((int, float, type(None)), "a number from 0 to 1 or null"),
    "step": ((int,), "a whole number"),
    "domain": ((str,), "a text"),
    "failure": ((str,), "a text"),
    "diagnostic": ((str, type(None)), "a text or null"),
    "sample": ((int,), "a whole number"),
    "solver_calls": ((int, type(None)), "a whole number or null"),
}


def read_candidates(path: Path | str) -> tuple[Candidate, ...]:
    """The candidates in a JSON lines file; blank lines are skipped.

    Raises InputError for a file that cannot be read, and for a line that is no candidate, naming file and line.
    """
    try:
        lines = Path(path).read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"{path}: the candidates cannot be read ({error.strerror or error})") from error
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found.append(candidate_from_json(_object(line.decode("utf-8-sig" if number == 1 else "utf-8"))))
        except UnicodeDecodeError as error:
            raise InputError(f"{path}:{number}: not UTF-8 text ({error.reason})") from error
        except InputError as error:
            raise InputError(f"{path}:{number}: {error}") from error
    return tuple(found)


def write_candidates(path: Path | str, candidates: Iterable[Candidate]) -> None:
    """Write a file that `read_candidates` reads back equal. Raises StorageError when it cannot be written."""
    lines = [json.dumps(candidate_as_json(candidate), allow_nan=False) + "\n" for candidate in candidates]
    write_whole(Path(path), "".join(lines).encode())


def candidate_as_json(candidate: Candidate) -> dict[str, Any]:
    """The JSON form of one candidate, all keys present."""
    return {name: getattr(candidate, name) for name in _NAMES}


def candidate_from_json(data: Any) -> Candidate:
    """The candidate that `candidate_as_json` wrote; `task`, `solved`, `faithful` and `score` must be there.

    Raises InputError for anything else, naming the key.
    """
    if not isinstance(data, dict):
        raise InputError(f"a candidate is a JSON object, not {type(data).__name__}")
    for name in data:
        if name not in _KINDS:
            near = difflib.get_close_matches(name, _NAMES, n=1)
            raise InputError(f"unknown key {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    if missing := [name for name in _REQUIRED if name not in data]:
        raise InputError(f"the key {missing[0]!r} is missing; write null for what is not known")
    for name, value in data.items():
        kinds, words = _KINDS[name]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise InputError(f"{name!r} must be {words}, not {json.dumps(value)[:60]}")
    values = dict(data)
    if "failure" in data:
        values["failure"] = _choice(Failure, "failure", data["failure"])
    if data.get("diagnostic") is not None:
        values["diagnostic"] = _choice(Category, "diagnostic", data["diagnostic"])
    return Candidate(**values)


def _object(line: str) -> Any:
    try:
        return json.loads(line, object_pairs_hook=_without_doubles)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON ({error.msg} at column {error.colno})") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; brackets without end
        raise InputError(f"not JSON that can be read ({error})") from error


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if doubles := [name for name in names if names.count(name) > 1]:
        raise InputError(f"the key {doubles[0]!r} is given twice")
    return dict(pairs)


def _choice(kind: type[_Choice], name: str, value: str) -> _Choice:
    try:
        return kind(value)
    except ValueError:
        raise InputError(
            f"{name!r} must be one of {', '.join(member.value for member in kind)}, not {value!r}"
        ) from None
