"""Runs of `groundplan adapt`, for Table I: whether a plan was found, and whether its operators were right."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundplan.adapt.planning.replay import Right
from groundplan.errors import InputError
from groundplan.runs.budget import REPLY
from groundplan.runs.log import read_events


@dataclass(frozen=True, slots=True)
class AdaptedRun:
    """`right` is whether every new operator explains what the world did (None: not executed), `reached` whether the
    goal was reached in the world (None: no world). `model_s` is the time that the model took to propose."""

    scenario: str
    found: bool
    right: bool | None
    reached: bool | None
    calls: int
    model_s: float


def read_adapted(folder: Path) -> AdaptedRun:
    """A run's folder. Raises InputError where it is none, or has no result yet."""
    try:
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        head = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        acted = folder / "execution.json"
        played = json.loads(acted.read_text(encoding="utf-8")) if acted.exists() else None
        settings: dict[str, Any] = head["settings"]
        name = str(settings.get("world") or settings.get("scenario") or folder.name)
        right = None if played is None else [item["right"] for item in played["operators_right"].values()]
        return AdaptedRun(
            Path(name.rpartition(":")[0] or name).stem,
            result["status"] == "found",
            None if not right else all(value == Right.EXPLAINS.value for value in right),
            None if played is None else played["execution"]["ending"] == "reached",
            int(result["model_calls"]),
            _seconds(folder, int(result["model_calls"])),
        )
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{folder}: no finished run of `groundplan adapt` ({error})") from error


def _seconds(folder: Path, calls: int) -> float:
    """Of the proposals: they come before the rewards."""
    replies = [event.payload for event in read_events(folder / "events.jsonl") if event.kind == REPLY]
    return sum(float(payload["reply"]["seconds"]) for payload in replies[:calls])
