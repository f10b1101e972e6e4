"""A whole measurement: programs on suites, coverage first, then time against FF."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundplan.bench.genplan.against_ff import Timing, time_suite, timing_json
from groundplan.bench.genplan.coverage import Coverage, Progress, RunTask, Settings, evaluate
from groundplan.bench.genplan.figures import Figures, average, suite_figures
from groundplan.bench.genplan.ledger import Ledger
from groundplan.bench.genplan.suites import Programs, Suite
from groundplan.confine.protocol import Confinement
from groundplan.solve.outcome import Engine


@dataclass(frozen=True, slots=True)
class Measurement:
    """Everything that was measured; `rows` are the table's lines, the average last where there are several."""

    coverages: tuple[Coverage, ...]
    timings: tuple[Timing, ...]
    rows: tuple[Figures, ...]

    @property
    def tool_failures(self) -> int:
        """Task runs that failed by the confinement's or the planner's fault."""
        engine = len({(item.suite, item.domain, item.task) for item in self.timings if item.ff_ending == "failed"})
        return engine + sum(coverage.rate.left_out.tool for coverage in self.coverages)

    def as_json(self) -> dict[str, Any]:
        return {
            "rows": [row.as_json() for row in self.rows],
            "coverage": [coverage.as_json() for coverage in self.coverages],
            "timings": [timing_json(timing) for timing in self.timings],
        }


def measure(
    programs: Programs,
    suites: Sequence[Suite],
    confinement: Confinement,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    *,
    engine: Engine | None = None,
    ledger: Ledger | None = None,
    progress: Progress = lambda line: None,
    run_task: RunTask | None = None,
) -> Measurement:
    """Measure every program of a suite's domain on the suite; with an engine, time them against it too.

    Coverage runs `settings.jobs` programs at once; timing comes after all of it, one at a time. What the ledger has is
    not run again. Raises InputError for tasks that programs cannot be asked to solve, and for a missing planner.
    """
    ledger = Ledger() if ledger is None else ledger
    options: dict[str, Any] = {"ledger": ledger, "progress": progress, "run_task": run_task}
    covered: dict[str, list[Coverage]] = {}
    for suite in suites:
        covered[suite.label] = [
            evaluate(source, suite, confinement, settings, run=run, **options)
            for run, source in programs[suite.domain].items()
        ]
    timed: dict[str, list[Timing]] = {}
    for suite in suites if engine is not None else ():
        solved = {coverage.run: coverage.solved for coverage in covered[suite.label]}
        assert engine is not None
        timed[suite.label] = time_suite(
            programs[suite.domain], suite, confinement, engine, settings, solved=solved, **options
        )
    rows = [suite_figures(covered[suite.label], timed.get(suite.label, ())) for suite in suites]
    timings = tuple(timing for suite in suites for timing in timed.get(suite.label, ()))
    if len(rows) > 1:
        rows.append(average(rows, timings))
    return Measurement(tuple(item for suite in suites for item in covered[suite.label]), timings, tuple(rows))


def write_measurement(found: Measurement, folder: Path, paper: str = "") -> list[Path]:
    """Write results.json, table.txt, table.md and the plots that have something to show; returns the files.

    Plots are left out where matplotlib is not installed. Raises StorageError when a file cannot be written.
    """
    from groundplan.bench.genplan.table import as_markdown, as_table
    from groundplan.models.storage import write_whole

    texts = {
        "results.json": json.dumps(found.as_json(), indent=1, ensure_ascii=False) + "\n",
        "table.txt": as_table(found.rows, paper),
        "table.md": as_markdown(found.rows, paper),
    }
    for name, text in texts.items():
        write_whole(folder / name, text.encode())
    return [*(folder / name for name in texts), *_plots(found, folder, paper)]


def _plots(found: Measurement, folder: Path, paper: str) -> list[Path]:
    from importlib.util import find_spec

    from groundplan.bench.genplan.plots import coverage_plot, length_plot, time_plot

    if find_spec("matplotlib") is None:
        return []
    files = []
    if any(row.mean is not None for row in found.rows):
        files.append(coverage_plot(found.rows, folder / "coverage.svg", paper=paper))
    if any(timing.time_ratio is not None for timing in found.timings):
        files.append(time_plot(found.timings, folder / "time.svg"))
    if any(timing.length_ratio is not None for timing in found.timings):
        files.append(length_plot(found.timings, folder / "length.svg"))
    return files
