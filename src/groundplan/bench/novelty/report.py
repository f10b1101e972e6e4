"""Tables, figure and summary of one run or of several that share the work."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from groundplan.bench.novelty.adapted import AdaptedRun
from groundplan.bench.novelty.curves import curves_plot
from groundplan.bench.novelty.outcome import Outcome
from groundplan.bench.novelty.tables import tables
from groundplan.bench.tables.figures import can_draw
from groundplan.bench.tables.layout import Table
from groundplan.errors import InputError
from groundplan.models.storage import write_whole


def joined(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes of several runs. Raises InputError where two runs hold the same training: they would count twice."""
    seen: dict[tuple[str, str, str, int], Outcome] = {}
    for item in outcomes:
        key = (item.scenario, item.operator, item.method, item.seed)
        if key in seen:
            raise InputError(
                f"{item.scenario}/{item.operator}, {item.method}, seed {item.seed} is in two of the runs: name one"
            )
        seen[key] = item
    return list(seen.values())


def write_report(outcomes: Sequence[Outcome], adapted: Sequence[AdaptedRun], folder: Path) -> tuple[Table, ...]:
    """Write tables.md, tables.tex, summary.json and, with matplotlib, curves.png. Raises StorageError."""
    made = tables(outcomes, adapted)
    write_whole(folder / "tables.md", "\n".join(table.as_markdown() for table in made).encode())
    write_whole(folder / "tables.tex", "\n".join(table.as_latex() for table in made).encode())
    rows = [item.as_json() for item in outcomes]
    write_whole(folder / "summary.json", (json.dumps({"outcomes": rows}, indent=1) + "\n").encode())
    if outcomes and can_draw():
        curves_plot(outcomes, folder / "curves.png")
    return made
