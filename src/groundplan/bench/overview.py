"""All statistics of a set of candidates at once, as plain data and as a text table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundplan.bench.agreement import disagreement, disagreement_by_task
from groundplan.bench.bounds import clopper_pearson_upper, hoeffding_upper
from groundplan.bench.candidate import Candidate, Failure
from groundplan.bench.episode import by_task, episodes, finals
from groundplan.bench.groups import score_groups
from groundplan.bench.ranking import margin_ranking
from groundplan.bench.reliability import brier, calibration, judge_error, scored
from groundplan.bench.repair import cumulative_success, marginal_gains, mean_solver_calls
from groundplan.bench.separation import auc_bootstrap_error, judge_auc
from groundplan.bench.success import drift, faithful_success, gap, solvability
from groundplan.errors import InputError


def summary(candidates: Sequence[Candidate], delta: float = 0.05) -> dict[str, Any]:
    """Every figure of docs/statistics.md as JSON data; None where there is nothing to measure.

    Success, disagreement and repair are over what episodes return, the Judge's figures over all candidates. Bounds
    hold with probability 1 - delta. Raises InputError for a delta outside (0, 1) and for two candidates at one step
    of an episode.
    """
    curve = cumulative_success(candidates)
    return {
        "counts": _counts(candidates),
        "solvability": solvability(candidates).as_json(),
        "faithful_success": faithful_success(candidates).as_json(),
        "drift": drift(candidates).as_json(),
        "gap": gap(candidates).as_json(),
        "cumulative_success": [rate.as_json() for rate in curve],
        "marginal_gains": list(marginal_gains(curve)),
        "solver_calls": mean_solver_calls(candidates).as_json(),
        "disagreement": _disagreement(candidates, delta),
        "judge": _judge(candidates),
    }


def _counts(candidates: Sequence[Candidate]) -> dict[str, int]:
    return {
        "tasks": len(by_task(candidates)),
        "episodes": len(episodes(candidates)),
        "candidates": len(candidates),
        "tool_failures": sum(candidate.failure is Failure.TOOL for candidate in candidates),
        "extraction_failures": sum(candidate.failure is Failure.EXTRACTION for candidate in candidates),
    }


def _disagreement(candidates: Sequence[Candidate], delta: float) -> dict[str, Any]:
    """The bounds stand on tasks, which are independent; the exact one needs exactly one episode a task."""
    returned = finals(candidates)
    rate, tasks = disagreement(returned), disagreement_by_task(returned)
    single = all(len(group) == 1 for group in by_task(returned).values())
    return rate.as_json() | {
        "delta": delta,
        "by_task": tasks.as_json(),
        "hoeffding": hoeffding_upper(tasks.value or 0.0, tasks.n, delta),
        "clopper_pearson": clopper_pearson_upper(rate.hits, rate.n, delta) if single else None,
    }


def _judge(candidates: Sequence[Candidate]) -> dict[str, Any]:
    data = scored(candidates)
    return {
        "n": len(data.scores),
        "left_out": data.left_out.as_json(),
        "error": judge_error(data),
        "brier": brier(data),
        "ece_width": calibration(data, binning="width").as_json(),
        "ece_mass": calibration(data, binning="mass").as_json(),
        "auc": judge_auc(candidates).as_json() | {"bootstrap_error": auc_bootstrap_error(candidates)},
        "margin_ranking": margin_ranking(candidates).as_json(),
        "groups": score_groups(candidates).as_json(),
    }


_RATES = ("solvability", "faithful_success", "drift", "gap")


def as_table(summaries: Mapping[str, Mapping[str, Any]]) -> str:
    """One column a method, from what `summary` gave for each: percentages with Wilson's 95 % interval.

    Denominators and what is left out of them, by reason, have their own rows; so has the range in which a share would
    lie were everything that is left out known. Extraction failures are in the denominators, as not solved. Raises
    InputError without a column.
    """
    if not summaries:
        raise InputError("a table needs the summary of at least one method")
    rows: list[tuple[str, list[str]]] = [("", list(summaries))]
    columns = list(summaries.values())
    for name in ("tasks", "episodes", "candidates", "tool_failures", "extraction_failures"):
        rows.append((name.replace("_", " "), [str(column["counts"][name]) for column in columns]))
    for name in _RATES:
        rows.append((f"{name.replace('_', ' ')} %", [_percent(column[name]) for column in columns]))
        rows.append(("  of n (left out)", [_denominator(column[name]) for column in columns]))
        if any(sum(column[name]["left_out"].values()) for column in columns):
            rows.append(("  were all known %", [_reach(column[name]) for column in columns]))
    rows.append(("solver calls", [_plus_minus(column["solver_calls"]) for column in columns]))
    rows.append(("disagreement %", [_percent(column["disagreement"]) for column in columns]))
    for name, words in (("hoeffding", "  at most (Hoeffding) %"), ("clopper_pearson", "  at most (exact) %")):
        rows.append((words, [_number(column["disagreement"][name], 100, 1) for column in columns]))
    judges = [column["judge"] for column in columns]
    rows.append(("Judge AUC among solved", [_plus_minus(judge["auc"]) for judge in judges]))
    rows.append(("Judge ECE (width)", [_number(judge["ece_width"]["ece"], 1, 3) for judge in judges]))
    rows.append(("Judge ECE (mass)", [_number(judge["ece_mass"]["ece"], 1, 3) for judge in judges]))
    rows.append(("Judge Brier score", [_number(judge["brier"], 1, 3) for judge in judges]))
    rows.append(("Judge largest error", [_number(judge["error"], 1, 3) for judge in judges]))
    for group, words in (("U", "unsolved"), ("D", "unfaithful"), ("F", "faithful")):
        rows.append((f"Judge score, {words}", [_group(judge["groups"][group]) for judge in judges]))
    return _aligned(rows)


def _percent(rate: Mapping[str, Any]) -> str:
    if rate["value"] is None:
        return "-"
    low, high = rate["wilson"]
    return f"{100 * rate['value']:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


def _denominator(rate: Mapping[str, Any]) -> str:
    left = ", ".join(f"{count} {reason}" for reason, count in rate["left_out"].items() if count)
    return f"{rate['n']} ({left or 'none'})"


def _reach(rate: Mapping[str, Any]) -> str:
    low, high = rate["reach"]
    return f"{100 * low:.1f} to {100 * high:.1f}"


def _plus_minus(mean: Mapping[str, Any]) -> str:
    error = mean["standard_error"]
    return _number(mean["value"], 1, 2) + ("" if error is None else f" ± {error:.2f}")


def _group(group: Mapping[str, Any]) -> str:
    deviation = group["deviation"]
    return _number(group["mean"], 1, 2) + ("" if deviation is None else f" ± {deviation:.2f}") + f" (n {group['n']})"


def _number(value: float | None, factor: int, digits: int) -> str:
    return "-" if value is None else f"{factor * value:.{digits}f}"


def _aligned(rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    head = max(len(name) for name, _ in rows)
    widths = [max(len(cell) for cell in column) for column in zip(*(cells for _, cells in rows), strict=True)]
    lines = []
    for name, cells in rows:
        padded = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        lines.append("  ".join((name.ljust(head), *padded)).rstrip())
    return "\n".join(lines) + "\n"
