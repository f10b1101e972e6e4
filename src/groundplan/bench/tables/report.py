"""Everything that a report holds, from the runs' records to files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from groundplan.bench.records import candidate_as_json
from groundplan.bench.running.reading import Ran
from groundplan.bench.tables.figures import can_draw, draw_figures, file_name
from groundplan.bench.tables.layout import Table
from groundplan.bench.tables.measures import Measured, measure
from groundplan.bench.tables.paper_tables import paired_of, tables
from groundplan.bench.tables.published import published
from groundplan.errors import InputError
from groundplan.models.storage import write_whole

_PUBLISHED_SETS = ("planbench", "prontoqa", "natural-plan")
"""The sets that the paper has figures for; other sets may have groups of the same names."""


@dataclass(frozen=True, slots=True)
class Report:
    """`measured` has every method of every run, `tables` what is made of them."""

    set_name: str
    measured: tuple[Measured, ...]
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        compared = [
            {"first": a.name, "second": b.name, **paired_of(a, b).as_json()} for a, b in combinations(self.measured, 2)
        ]
        methods = [item.as_json() for item in self.measured]
        return {"set": self.set_name, "methods": methods, "paired": compared, "notes": list(self.notes)}

    def as_markdown(self) -> str:
        return "\n".join([f"## {self.set_name}\n", *(table.as_markdown() for table in self.tables), *self.notes])

    def as_latex(self) -> str:
        return "\n".join(table.as_latex() for table in self.tables)


def report(runs: Sequence[Ran], *, reference: bool = False) -> Report:
    """Join runs on one set. Runs of one model under one name are told apart by a number.

    Raises InputError without a run, and for runs on different tasks, which have no common table.
    """
    if not runs:
        raise InputError("a report needs at least one run")
    first = runs[0].head
    for ran in runs[1:]:
        for name, words in (("set", "another set"), ("tasks", "other tasks")):
            if ran.head[name] != first[name]:
                raise InputError(f"the run of {ran.head['model']} is on {words} than that of {first['model']}")
    found = []
    seen: dict[tuple[str, str], int] = {}
    for ran in runs:
        for method in dict.fromkeys(record.method for record in ran.records):
            key = (ran.head["model"], method)
            seen[key] = seen.get(key, 0) + 1
            model = key[0] if seen[key] == 1 else f"{key[0]} #{seen[key]}"
            found.append(measure(model, method, [record for record in ran.records if record.method == method]))
    reference = reference and str(first["set"]).startswith(_PUBLISHED_SETS)
    if not found:
        raise InputError("these runs hold no result yet")
    notes = [f"Prompts {version}." for version in sorted({ran.head["prompts"] for ran in runs})]
    if len({json.dumps(ran.head["conditions"], sort_keys=True) for ran in runs}) > 1:
        notes.append("The runs had different conditions (solver calls, temperature, limits): see their bench.json.")
    if reference:
        notes += [f"{published()['paper']}: {published()['label']}. {published()['note']}"]
    return Report(str(first["set"]), tuple(found), tables(found, reference=reference), tuple(notes))


def write_report(made: Report, folder: Path) -> tuple[Path, ...]:
    """Write tables.md, tables.tex, summary.json, the candidates of each method and, with matplotlib, the figures.

    The same records give the same bytes. Raises StorageError.
    """
    texts = {
        "tables.md": made.as_markdown().rstrip() + "\n",
        "tables.tex": made.as_latex(),
        "summary.json": json.dumps(made.as_json(), indent=2, ensure_ascii=False) + "\n",
    }
    for item in made.measured:
        if item.about_pddl:
            lines = [json.dumps(candidate_as_json(candidate)) + "\n" for candidate in item.candidates]
            texts[f"candidates/{file_name(item)}.jsonl"] = "".join(lines)
    written = []
    for name, text in texts.items():
        write_whole(folder / name, text.encode("utf-8", "backslashreplace"))
        written.append(folder / name)
    return (*written, *(draw_figures(made.measured, folder / "figures") if can_draw() else ()))
