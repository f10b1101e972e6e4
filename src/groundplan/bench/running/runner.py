"""A benchmark run: tasks of a set, answered by methods, in a run's directory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from groundplan.bench.methods import prompts
from groundplan.bench.running.local import spread_locally
from groundplan.bench.running.records import RESULTS, Record, as_lines
from groundplan.bench.running.unit import Unit, Work, units_of
from groundplan.bench.sets.task import Task
from groundplan.models.exchange import exchange_from_json
from groundplan.runs.budget import REPLY, Budget
from groundplan.runs.paid import InOrder
from groundplan.runs.run import Run

HEAD = "bench.json"
Progress = Callable[[int, int], None]
"""Called with the number of tasks done and of all tasks, in the caller's thread."""
Spread = Callable[[Work, Sequence[Unit], Run, Callable[[int, list[Record]], None]], str]
"""How units are shared out among workers: hands the records of each unit to the callback, by the unit's place, and
returns why it stopped early, or an empty text. See `local.py` and `ray_cluster.py`."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The records in the order of tasks and methods; `stopped` says why some are missing, and is else empty."""

    records: tuple[Record, ...]
    stopped: str = ""


def run_bench(
    work: Work,
    tasks: Sequence[Task],
    out: Path,
    *,
    label: str,
    settings: Mapping[str, Any] | None = None,
    budget: Budget | None = None,
    workers: int = 1,
    spread: Spread | None = None,
    progress: Progress | None = None,
) -> Finished:
    """Answer `tasks` with the methods of `work`, or go on with the run that is in `out`.

    Writes `bench.json` (what was run, the model under the name `label`) and `results.jsonl` (see records.py), which
    have the same bytes for the same settings and replies, however many `workers` there are and however often the run
    was killed; times are in the event log alone. `settings` holds more that decides the result.
    Raises InputError and StorageError as `Run.open` and the methods do. Where the budget is used up, the records are
    those that there are.
    """
    work.refuse()
    head = head_of(work, tasks, label)
    whole = {"verb": "bench", **head, **(settings or {})}
    units = units_of(tasks)
    total, done = len(tasks), 0
    found: dict[int, list[Record]] = {}

    def take(place: int, records: list[Record]) -> None:
        nonlocal done
        found[place] = records
        done += len(units[place].tasks)
        if progress is not None:
            progress(done, total)

    with Run.open(out, settings=whole, budget=budget) as run:
        if run.resumed and isinstance(work.model, InOrder):
            _skip_asked(work.model, run)
        stopped = (spread or spread_locally(workers))(work, units, run, take)
        records = _in_order(tasks, work, found)
        run.artifact(HEAD, json.dumps(head, indent=2, ensure_ascii=False) + "\n")
        run.artifact(RESULTS, as_lines(records))
        run.once("finished", "bench", records=len(records), stopped=stopped)
    return Finished(records, stopped)


def head_of(work: Work, tasks: Sequence[Task], label: str) -> dict[str, Any]:
    """What was run. `tasks` is a digest of their texts and references, so that other data are not taken for these."""
    told = [[task.id, task.group, task.text, task.rules, task.domain, dict(task.gold)] for task in tasks]
    digest = hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()
    return {
        "set": work.task_set.name,
        "model": label,
        "methods": [method.name for method in work.methods],
        "prompts": prompts.VERSION,
        "engine": work.engine.name,
        "conditions": asdict(work.conditions),
        "groups": list(dict.fromkeys(task.group for task in tasks)),
        "n": len(tasks),
        "tasks": digest,
    }


def _in_order(tasks: Sequence[Task], work: Work, found: Mapping[int, list[Record]]) -> tuple[Record, ...]:
    by_cell = {(r.group, r.task, r.method): r for records in found.values() for r in records}
    cells = ((task.group, task.id, method.name) for task in tasks for method in work.methods)
    return tuple(by_cell[cell] for cell in cells if cell in by_cell)


def _skip_asked(model: InOrder, run: Run) -> None:
    """Tell a model that answers in order which questions it has answered already."""
    for event in run.events():
        if event.kind == REPLY:
            asked = exchange_from_json(event.payload)
            model.skip(asked.messages, asked.sampling, asked.sample)
