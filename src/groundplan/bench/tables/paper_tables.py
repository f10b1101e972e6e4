"""The paper's tables from what was measured: success (1), the matched budget (2), faithfulness (3), and more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from groundplan.bench.rate import Rate
from groundplan.bench.repair import cumulative_success, marginal_gains
from groundplan.bench.tables.layout import Table, number, percent
from groundplan.bench.tables.mcnemar import Paired, holm, paired
from groundplan.bench.tables.measures import COLUMNS, Measured, average
from groundplan.bench.tables.published import name_of, published_rows

_SE = "± is the binomial standard error; Avg. is the mean over groups. Tool failures are in no denominator."
_FAITHFULNESS = ("solved", "faithful", "gap", "drift", "goal", "schema_f1")
_DRIFTS_LEFT = ("solved", "faithful", "goal_preserved", "plan_valid", "right_label", "satisfied", "exact_match")


def tables(measured: Sequence[Measured], *, reference: bool = False) -> tuple[Table, ...]:
    """All tables that these methods have figures for; with `reference`, the published figures as rows of their own."""
    found = [success(measured, reference=reference), intervals(measured), endings(measured)]
    planning = [item for item in measured if item.about_pddl]
    if planning:
        found[1:1] = [
            matched(planning, reference=reference),
            faithfulness(planning, reference=reference),
            by_group(planning, reference=reference),
        ]
        found += [*drift_kinds(planning), *repairs(planning), *judges(planning)]
    if any(item.marks for item in measured if not item.about_pddl):
        found.append(other_marks([item for item in measured if not item.about_pddl]))
    if len(measured) > 1:
        found.append(pairs(measured))
    return tuple(found)


def groups_of(measured: Sequence[Measured]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(group for item in measured for group in item.groups))


def success(measured: Sequence[Measured], *, reference: bool = False) -> Table:
    """Table 1: the share solved (right, for sets that are not about PDDL) by group."""
    groups = groups_of(measured)
    rows = [(item.name, *_cells(item.solved, groups)) for item in measured]
    rows += [_published(row, groups) for row in (published_rows(groups, "solved") if reference else ())]
    return Table("Success rate (%)", ("Method", *groups, "Avg."), tuple(rows), (_SE,))


def matched(measured: Sequence[Measured], *, reference: bool = False) -> Table:
    """Table 2: the same budget of solver calls for every method."""
    groups = groups_of(measured)
    columns = ("Method", "Backbone", *groups, "Avg.", "Avg. Calls", "Faithful", "Drift ↓")
    rows = []
    for item in measured:
        values = [percent(_of(item.solved, group).value) for group in groups]
        ends = (percent(average(list(item.solved.values())).value), number(item.solver_calls.value))
        faithful = percent(average(list(item.faithful.values())).value)
        rows.append((item.method, item.model, *values, *ends, faithful, percent(item.drift.value)))
    for row in published_rows(groups, "solved") if reference else ():
        told = [number(row.get(name)) for name in (*groups, "average", "calls", "faithful", "drift")]
        rows.append((name_of(row), row["backbone"], *told))
    notes = ("Faithful is the mean over groups; drift is the unfaithful share of all that is solved.",)
    return Table("Matched solver-call budget", columns, tuple(rows), notes)


def faithfulness(measured: Sequence[Measured], *, reference: bool = False) -> Table:
    """Table 3a: solver success against faithful success, with what of the reference is kept."""
    columns = ("Method", "Solv.", "Faithful", "Gap", "Drift ↓", "Goal", "Schema-F1")
    rows = []
    for item in measured:
        solved, faithful = (average(list(rates.values())) for rates in (item.solved, item.faithful))
        ends = [percent(r.value, r.standard_error) for r in (item.gap, item.drift, item.goal, item.schema_f1)]
        head = [percent(mean.value, mean.standard_error) for mean in (solved, faithful)]
        rows.append((item.name, *head, *ends))
    for row in published_rows(groups_of(measured), "faithful") if reference else ():
        whole = {**row, "faithful": row.get("average")}
        if "average" in row:
            rows.append((name_of(row), *(number(whole.get(c)) for c in _FAITHFULNESS)))
    notes = (
        "Gap is over the tasks whose faithfulness is known. Goal is the share of the solved with the right goal, "
        "Schema-F1 the mean over the solved of the F1 of their action schemas' literals against the reference's.",
    )
    return Table("Faithfulness (%)", columns, tuple(rows), notes)


def by_group(measured: Sequence[Measured], *, reference: bool = False) -> Table:
    """Table 3b: faithful success by group."""
    groups = groups_of(measured)
    rows = [(item.name, *_cells(item.faithful, groups)) for item in measured]
    rows += [_published(row, groups) for row in (published_rows(groups, "faithful") if reference else ())]
    return Table("Faithful success by group (%)", ("Method", *groups, "Avg."), tuple(rows), (_SE,))


def intervals(measured: Sequence[Measured]) -> Table:
    """Wilson's 95 % intervals of the main measure: faithful success, or right answers."""
    groups = groups_of(measured)
    rows = [(item.name, *(_interval(_of(item.faithful, group)) for group in groups)) for item in measured]
    notes = (
        "Wilson, 95 %; in brackets hits of n. Faithful success, or right answers where the set is not about PDDL.",
    )
    return Table("Confidence intervals (%)", ("Method", *groups), tuple(rows), notes)


def endings(measured: Sequence[Measured]) -> Table:
    """Wrong answers and failures of extraction, budget and tools apart, and what the method took."""
    columns = ("Method", *COLUMNS, "model calls", "solver calls", "tokens", "US$")
    rows = []
    for item in measured:
        counts = [str(item.columns[column]) for column in COLUMNS]
        means = [number(mean.value) for mean in (item.model_calls, item.solver_calls)]
        usd = "–" if item.usd is None else f"{item.usd:.4f}"
        rows.append((item.name, *counts, *means, number(item.tokens.value, 0), usd))
    notes = (
        "Calls and tokens are means over tasks, tool failures left out; dollars are the sum, a dash where a price is "
        "not known. A reply that several methods share counts for each of them.",
    )
    return Table("Endings and costs", columns, tuple(rows), notes)


def drift_kinds(measured: Sequence[Measured]) -> tuple[Table, ...]:
    """Table 4b: what kind of other task the solved but unfaithful specifications are; none where nobody says."""
    kinds = [name for name in dict.fromkeys(m for item in measured for m in item.marks) if name not in _DRIFTS_LEFT]
    if not kinds:
        return ()
    rows = []
    for item in measured:
        drifted = [r.score.marks for r in item.records if r.score.marks.get("solved") and not r.score.correct]
        known = [marks for marks in drifted if marks.get("faithful") is False]
        counts = [sum(bool(marks.get(kind)) for marks in known) for kind in kinds]
        rows.append((item.name, *(percent(c / len(known) if known else None) for c in counts), str(len(known))))
    return (Table("Kinds of drift (% of the solved but unfaithful)", ("Method", *kinds, "n"), tuple(rows)),)


def repairs(measured: Sequence[Measured]) -> tuple[Table, ...]:
    """Figure 3 in numbers: cumulative success and marginal gain by step, of methods with more than one candidate."""
    several = [item for item in measured if any(candidate.step for candidate in item.candidates)]
    if not several:
        return ()
    horizon = max(candidate.step for item in several for candidate in item.candidates)
    rows = []
    for item in several:
        curve = cumulative_success(item.candidates, horizon)
        gains = ["", *(percent(gain) for gain in marginal_gains(curve))]
        cells = [
            f"{percent(rate.value)} ({gain})" if gain else percent(rate.value) for rate, gain in _zip(curve, gains)
        ]
        rows.append((item.name, *cells))
    columns = ("Method", *(f"step {step}" for step in range(horizon + 1)))
    notes = ("In brackets the marginal gain Δ(h). For methods that sample, a step is one more sample.",)
    return (Table("Cumulative success by step (%)", columns, tuple(rows), notes),)


def judges(measured: Sequence[Measured]) -> tuple[Table, ...]:
    """Table 5 in one figure: whether the Judge tells faithful from unfaithful among what is solved; none unjudged."""
    judged = [item for item in measured if any(candidate.score is not None for candidate in item.candidates)]
    if not judged:
        return ()
    rows = [
        (item.name, number(auc.value, 3), number(auc.standard_error, 3), str(auc.faithful), str(auc.unfaithful))
        for item in judged
        for auc in (item.judge,)
    ]
    notes = ("AUC of the Judge's scores among solved candidates; none where all of them are of one kind.",)
    return (Table("Judge among the solved", ("Method", "AUC", "±", "faithful", "unfaithful"), tuple(rows), notes),)


def other_marks(measured: Sequence[Measured]) -> Table:
    """What else the scorer says of sets that are not about PDDL: exact match, constraints satisfied."""
    names = tuple(dict.fromkeys(name for item in measured for name in item.marks))
    rows = []
    for item in measured:
        rates = [item.marks.get(name) or Rate(0, 0) for name in names]
        rows.append((item.name, *(percent(rate.value, rate.standard_error) for rate in rates)))
    return Table("Other measures (%)", ("Method", *names), tuple(rows), ("Over all groups, where known.",))


def pairs(measured: Sequence[Measured]) -> Table:
    """McNemar's exact test for every two methods, on the main measure."""
    found = [(a, b, paired_of(a, b)) for a, b in combinations(measured, 2)]
    corrected = holm([result.p for _, _, result in found])
    rows = [
        (f"{a.name} / {b.name}", str(r.n), str(r.first_only), str(r.second_only), f"{r.p:.4g}", f"{p:.4g}")
        for (a, b, r), p in zip(found, corrected, strict=True)
    ]
    columns = ("First / second", "n", "only first", "only second", "p", "p (Holm)")
    return Table("Paired comparison (McNemar, exact, two-sided)", columns, tuple(rows))


def paired_of(first: Measured, second: Measured) -> Paired:
    """The two methods on the tasks that both have a known result for."""
    results = [{(r.group, r.task): r.score.correct for r in item.records} for item in (first, second)]
    return paired(*results)


def _zip(curve: Sequence[Rate], gains: Sequence[str]) -> zip[tuple[Rate, str]]:
    return zip(curve, gains, strict=True)


def _of(rates: Mapping[str, Rate], group: str) -> Rate:
    return rates.get(group) or Rate(0, 0)


def _cells(rates: Mapping[str, Rate], groups: Sequence[str]) -> list[str]:
    mean = average([_of(rates, group) for group in groups])
    values = [_of(rates, group) for group in groups]
    return [*(percent(r.value, r.standard_error) for r in values), percent(mean.value, mean.standard_error)]


def _interval(rate: Rate) -> str:
    if rate.value is None:
        return "–"
    low, high = rate.wilson()
    return f"{100 * low:.1f} to {100 * high:.1f} ({rate.hits}/{rate.n})"


def _published(row: Mapping[str, Any], groups: Sequence[str]) -> tuple[str, ...]:
    return (f"{name_of(row)}, {row['backbone']}", *(number(row.get(name)) for name in (*groups, "average")))
