"""What is measured of one method in one run: by group, on average over groups, and over all tasks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from groundplan.bench.candidate import Candidate, LeftOut
from groundplan.bench.rate import Mean, Rate, mean_of
from groundplan.bench.running.records import Record
from groundplan.bench.separation import Auc, judge_auc
from groundplan.bench.sets.planning.judge import SCHEMA_F1
from groundplan.bench.success import drift, faithful_success, gap, solvability
from groundplan.bench.tables.candidates import candidates_of, is_about_pddl

COLUMNS = ("correct", "wrong", "extraction", "budget", "tool")
GOAL = "goal_preserved"


@dataclass(frozen=True, slots=True)
class Average:
    """The mean over groups of a rate, as the paper's Avg.; its standard error is that of independent groups."""

    value: float | None
    standard_error: float | None

    def as_json(self) -> dict[str, float | None]:
        return {"value": self.value, "standard_error": self.standard_error}


def average(rates: Sequence[Rate]) -> Average:
    """None where a group has no known result: a mean over fewer groups would be another measure."""
    values = [rate.value for rate in rates]
    if not values or any(value is None for value in values):
        return Average(None, None)
    errors = [rate.standard_error or 0.0 for rate in rates]
    n = len(values)
    return Average(math.fsum(v or 0.0 for v in values) / n, math.sqrt(math.fsum(e * e for e in errors)) / n)


@dataclass(frozen=True, slots=True)
class Measured:
    """One method of one run. Rates leave tool failures out and count them; `usd` is None where a cost is unknown.

    `solved` and `faithful` are by group: Eq. 75. For sets that are not about PDDL both are the share of right answers.
    `goal` is the share of the solved whose goal is that of the reference, `marks` the share of each mark of the scorer
    among those for which it is known, `schema_f1` the mean over the solved whose schemas could be matched, `judge` the
    AUC of the Judge's scores among the solved.
    """

    model: str
    method: str
    records: tuple[Record, ...]
    candidates: tuple[Candidate, ...]
    about_pddl: bool
    groups: tuple[str, ...]
    solved: dict[str, Rate]
    faithful: dict[str, Rate]
    drift: Rate
    gap: Rate
    goal: Rate
    columns: dict[str, int]
    marks: dict[str, Rate]
    schema_f1: Mean
    judge: Auc
    model_calls: Mean
    solver_calls: Mean
    tokens: Mean
    usd: float | None

    @property
    def name(self) -> str:
        return f"{self.method} ({self.model})"

    def as_json(self) -> dict[str, Any]:
        by_group = {"solved": self.solved, "faithful": self.faithful}
        return {
            "model": self.model,
            "method": self.method,
            **{name: {group: rate.as_json() for group, rate in rates.items()} for name, rates in by_group.items()},
            "solved_average": average(list(self.solved.values())).as_json(),
            "faithful_average": average(list(self.faithful.values())).as_json(),
            "drift": self.drift.as_json(),
            "gap": self.gap.as_json(),
            "goal": self.goal.as_json(),
            "columns": self.columns,
            "marks": {name: rate.as_json() for name, rate in self.marks.items()},
            "schema_f1": self.schema_f1.as_json(),
            "judge": self.judge.as_json(),
            "model_calls": self.model_calls.as_json(),
            "solver_calls": self.solver_calls.as_json(),
            "tokens": self.tokens.as_json(),
            "usd": self.usd,
        }


def measure(model: str, method: str, records: Sequence[Record]) -> Measured:
    """The figures of one method's records, in the order of their groups' first appearance."""
    candidates = candidates_of(records)
    groups = tuple(dict.fromkeys(record.group for record in records))
    parts = {group: [c for c in candidates if c.domain == group] for group in groups}
    known = [record for record in records if not record.failed]
    missing = LeftOut(tool=len(records) - len(known))
    solved = [record for record in known if record.score.marks.get("solved")]
    counted = Counter(record.score.column for record in records)
    priced = not any(record.unpriced for record in records)
    return Measured(
        model=model,
        method=method,
        records=tuple(records),
        candidates=candidates,
        about_pddl=any(is_about_pddl(record) for record in records),
        groups=groups,
        solved={group: solvability(part) for group, part in parts.items()},
        faithful={group: faithful_success(part) for group, part in parts.items()},
        drift=drift(candidates),
        gap=gap(candidates),
        goal=_share(solved, GOAL),
        columns={column: counted[column] for column in COLUMNS},
        marks={name: _share(records, name) for name in dict.fromkeys(m for r in records for m in r.score.marks)},
        schema_f1=_mean(solved, SCHEMA_F1),
        judge=judge_auc(candidates),
        model_calls=mean_of([float(record.answer.model_calls) for record in known], missing),
        solver_calls=mean_of([float(record.answer.solver_calls) for record in known], missing),
        tokens=mean_of([float(r.answer.tokens_in + r.answer.tokens_out) for r in known], missing),
        usd=round(math.fsum(record.answer.usd for record in records), 6) if priced else None,
    )


def _mean(records: Sequence[Record], measure: str) -> Mean:
    values = [record.score.measures[measure] for record in records if measure in record.score.measures]
    return mean_of(values, LeftOut(unlabelled=len(records) - len(values)))


def _share(records: Sequence[Record], mark: str) -> Rate:
    values = [record.score.marks.get(mark) for record in records]
    known = [value for value in values if value is not None]
    return Rate(sum(known), len(known), left_out=LeftOut(unlabelled=len(values) - len(known)))
