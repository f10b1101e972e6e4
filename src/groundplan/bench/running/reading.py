"""Reading what runs left behind, for reports over several of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundplan.bench.running.records import RESULTS, Record, read_records
from groundplan.bench.running.runner import HEAD
from groundplan.errors import InputError


@dataclass(frozen=True, slots=True)
class Ran:
    """A finished run: what `bench.json` says, and its records."""

    head: dict[str, Any]
    records: tuple[Record, ...]


def read_run(folder: Path) -> Ran:
    """Raises InputError where `folder` holds no benchmark's results."""
    try:
        head = json.loads((folder / HEAD).read_bytes())
        names = (head["set"], head["model"], head["tasks"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: no results of a benchmark here ({error}); run `groundplan bench` first") from error
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"{folder / HEAD}: `set`, `model` and `tasks` must be texts")
    return Ran(head, read_records(folder / RESULTS))
