"""The evaluations of a training run as candidates, so that every statistic of docs/statistics.md applies to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from groundplan.bench.candidate import Candidate
from groundplan.bench.overview import summary
from groundplan.errors import InputError
from groundplan.runs.log import read_events


def evaluations(run: Path | str) -> dict[str, tuple[Candidate, ...]]:
    """By the evaluation's name (`cycle-0`, ...) its candidates: the Actor's reply with the Judge's score, and what the
    Editor made of it where it was asked. Raises InputError where the run has none."""
    log = Path(run) / "events.jsonl"
    found = {
        event.payload["name"]: tuple(candidate for item in event.payload["tasks"] for candidate in _candidates(item))
        for event in read_events(log)
        if event.kind == "evaluation"
    }
    if not found:
        raise InputError(f"{run}: no evaluation of a training run is here")
    return found


def along_training(run: Path | str, delta: float = 0.05) -> dict[str, dict[str, Any]]:
    """All statistics of each evaluation: disagreement rate and bounds (Eqs. 18, 19; delta is shared out among the
    checkpoints), Judge calibration, margin ranking (Eq. 17), AUC, drift, repair curve."""
    found = evaluations(run)
    return {name: summary(candidates, delta / len(found)) for name, candidates in found.items()}


def _candidates(item: Mapping[str, Any]) -> Iterator[Candidate]:
    first = Candidate(item["task"], item["first_solved"], item["first_faithful"], item["score"], domain=item["domain"])
    yield first
    if item["calls"] > 1:
        yield Candidate(
            item["task"], item["solved"], item["faithful"], None, item["calls"] - 1, domain=item["domain"],
            solver_calls=item["calls"] - 1,
        )  # fmt: skip
