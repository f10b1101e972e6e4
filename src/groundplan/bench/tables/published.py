"""The multi-role paper's own figures, as labelled reference rows. Nothing here was computed by us."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

LABEL = "published, not recomputed"
PLANNING_GROUPS = ("blocksworld", "mystery", "logistics", "gripper")


@cache
def published() -> Mapping[str, Any]:
    """The data file, with the table that each row is from."""
    found: Mapping[str, Any] = json.loads(files(__package__).joinpath("published.json").read_text(encoding="utf-8"))
    return found


def published_rows(groups: Sequence[str], measure: str) -> tuple[Mapping[str, Any], ...]:
    """The rows of a measure ("solved" or "faithful") that have a figure for one of these groups.

    A row's average is over the four planning domains, and so left out where a run has other groups.
    """
    rows = [row for row in published()["rows"] if row.get("measure", "solved") == measure]
    found = []
    for row in rows:
        if any(group in row for group in groups):
            same = set(groups) == set(PLANNING_GROUPS)
            found.append(row if same else {name: value for name, value in row.items() if name != "average"})
    return tuple(found)


def name_of(row: Mapping[str, Any]) -> str:
    return f"{row['method']} [{LABEL}: {row['source']}]"
