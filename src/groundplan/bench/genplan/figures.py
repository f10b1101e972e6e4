"""The figures of one suite over several programs (runs), and of several suites together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from groundplan.bench.genplan.against_ff import Ratios, Timing, ratios
from groundplan.bench.genplan.coverage import Coverage
from groundplan.bench.rate import mean_of


@dataclass(frozen=True, slots=True)
class Figures:
    """One line of the table. Shares between 0 and 1; None where nothing is known.

    `standard_error` is that of the mean over runs, s / sqrt(n); with a single run it is the binomial one over its
    tasks, and `between_runs` is false. `tool_failures` counts task runs that are left out.
    """

    label: str
    domain: str
    tasks: int
    runs: int
    mean: float | None
    best: float | None
    standard_error: float | None
    between_runs: bool
    tool_failures: int = 0
    ratios: Ratios | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "suite": self.label,
            "domain": self.domain,
            "tasks": self.tasks,
            "runs": self.runs,
            "coverage": {
                "mean": self.mean,
                "best": self.best,
                "standard_error": self.standard_error,
                "standard_error_over": "runs" if self.between_runs else "tasks",
                "tool_failures": self.tool_failures,
            },
            "against_ff": self.ratios.as_json() if self.ratios else None,
        }


def suite_figures(coverages: Sequence[Coverage], timings: Sequence[Timing] = ()) -> Figures:
    """The figures of one suite from each run's coverage and from the timings of all runs."""
    first = coverages[0]
    rates = [coverage.rate for coverage in coverages]
    values = [rate.value for rate in rates if rate.value is not None]
    over_runs = mean_of(values)
    single = len(values) < 2
    return Figures(
        label=f"{first.domain} {first.suite}",
        domain=first.domain,
        tasks=len(first.results),
        runs=len(coverages),
        mean=over_runs.value,
        best=max(values, default=None),
        standard_error=rates[0].standard_error if single else over_runs.standard_error,
        between_runs=not single,
        tool_failures=sum(rate.left_out.tool for rate in rates),
        ratios=ratios(timings) if timings else None,
    )


def average(rows: Sequence[Figures], timings: Iterable[Timing] = ()) -> Figures:
    """The plain mean over suites, each counting the same, as in the paper; ratios are over all tasks together.

    The standard error is that of a mean of independent figures, sqrt(sum of squares) / n.
    """
    timings = list(timings)
    means = [row.mean for row in rows if row.mean is not None]
    bests = [row.best for row in rows if row.best is not None]
    errors = [row.standard_error for row in rows if row.standard_error is not None]
    complete = bool(rows) and len(errors) == len(rows)
    return Figures(
        label="average",
        domain="",
        tasks=sum(row.tasks for row in rows),
        runs=max((row.runs for row in rows), default=0),
        mean=mean_of(means).value,
        best=mean_of(bests).value,
        standard_error=math.sqrt(math.fsum(error**2 for error in errors)) / len(rows) if complete else None,
        between_runs=all(row.between_runs for row in rows),
        tool_failures=sum(row.tool_failures for row in rows),
        ratios=ratios(timings) if timings else None,
    )
