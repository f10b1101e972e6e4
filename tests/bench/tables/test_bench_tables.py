"""Tables against numbers worked out by hand, and McNemar's test against plain enumeration."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "methods"))
from bench_fakes import LampSet, by_prompt, work

from groundplan.bench.methods.registry import METHODS
from groundplan.bench.methods.trail import NO_ANSWER
from groundplan.bench.rate import Rate
from groundplan.bench.running.reading import Ran, read_run
from groundplan.bench.running.records import Record
from groundplan.bench.running.runner import run_bench
from groundplan.bench.sets.task import Answer, Ending, Score, Step
from groundplan.bench.tables.candidates import candidates_of
from groundplan.bench.tables.layout import Table, latex
from groundplan.bench.tables.mcnemar import holm, mcnemar, paired
from groundplan.bench.tables.measures import average, measure
from groundplan.bench.tables.paper_tables import tables
from groundplan.bench.tables.published import LABEL, PLANNING_GROUPS, published, published_rows
from groundplan.bench.tables.report import report, write_report
from groundplan.errors import InputError

OK = Step("d", "p", ("(a)",), True, score=0.9)
BAD = Step("d", "p", None, False, "goal/constraint", 0.1)
UNREAD = Step("d", "p", None, False, NO_ANSWER)


def record(
    task: str,
    group: str,
    steps: tuple[Step, ...],
    *,
    faithful: bool | None = True,
    column: str = "",
    method: str = "m",
    usd: float = 0.5,
    schema_f1: float | None = None,
) -> Record:
    ending = {"extraction": Ending.EXTRACTION, "budget": Ending.BUDGET, "tool": Ending.TOOL}.get(
        column, Ending.ANSWERED
    )
    solved = bool(steps and steps[-1].solved) if column != "tool" else None
    correct = None if column == "tool" else bool(solved and faithful)
    marks = {"solved": solved, "faithful": faithful if solved else None, "goal_preserved": faithful}
    answer = Answer(ending, "", steps, "", len(steps) or 1, len(steps), 100, 10, usd)
    measures = {} if schema_f1 is None else {"schema_f1": schema_f1}
    score = Score(correct, column or ("correct" if correct else "wrong"), marks, "", measures)
    return Record(task, group, method, answer, score, 0)


# north: solved and faithful, solved but drifted, unsolved, no PDDL. south: solved at the second step, a broken tool.
BY_HAND = (
    record("1", "north", (OK,)),
    record("2", "north", (OK,), faithful=False),
    record("3", "north", (BAD, BAD)),
    record("4", "north", (), column="extraction"),
    record("5", "south", (BAD, OK)),
    record("6", "south", (), column="tool"),
)


def test_figures_worked_out_by_hand() -> None:
    found = measure("some", "m", BY_HAND)
    assert {group: (rate.hits, rate.n) for group, rate in found.solved.items()} == {"north": (2, 4), "south": (1, 1)}
    assert {group: (rate.hits, rate.n) for group, rate in found.faithful.items()} == {"north": (1, 4), "south": (1, 1)}
    assert (found.drift.hits, found.drift.n) == (1, 3)
    assert (found.gap.hits, found.gap.n, found.gap.left_out.tool) == (1, 5, 1)
    assert (found.goal.hits, found.goal.n) == (2, 3)
    assert found.columns == {"correct": 2, "wrong": 2, "extraction": 1, "budget": 0, "tool": 1}
    mean = average(list(found.faithful.values()))
    assert mean.value == pytest.approx((0.25 + 1.0) / 2)
    assert mean.standard_error == pytest.approx(math.sqrt(0.25 * 0.75 / 4) / 2)
    assert found.solver_calls.value == pytest.approx((1 + 1 + 2 + 0 + 2) / 5)
    assert found.tokens.value == 110
    assert found.usd == pytest.approx(3.0)


def test_an_average_over_a_group_without_results_is_none() -> None:
    assert average([Rate(1, 2), Rate(0, 0)]).value is None
    assert average([]).value is None


def test_tables_hold_the_figures_by_hand() -> None:
    found = {table.title: table for table in tables([measure("some", "m", BY_HAND)])}
    assert found["Success rate (%)"].rows == (("m (some)", "50.0 ± 25.0", "100.0 ± 0.0", "75.0 ± 12.5"),)
    matched = found["Matched solver-call budget"]
    assert matched.columns[-4:] == ("Avg.", "Avg. Calls", "Faithful", "Drift ↓")
    assert matched.rows == (("m", "some", "50.0", "100.0", "75.0", "1.2", "62.5", "33.3"),)
    assert found["Endings and costs"].rows[0][1:6] == ("2", "2", "1", "0", "1")
    curve = found["Cumulative success by step (%)"].rows[0]
    assert curve == ("m (some)", "40.0", "60.0 (20.0)")
    low, high = Rate(1, 4).wilson()
    assert found["Confidence intervals (%)"].rows[0][1] == f"{100 * low:.1f} to {100 * high:.1f} (1/4)"


def test_schemas_are_measured_over_the_solved_and_the_judge_too() -> None:
    low = replace(OK, score=0.2)
    rows = (
        record("1", "g", (OK,), schema_f1=1.0),
        record("2", "g", (low,), faithful=False, schema_f1=0.5),
        record("3", "g", (OK,), faithful=False),
        record("4", "g", (BAD,), schema_f1=0.1),
    )
    found = measure("some", "m", rows)
    assert (found.schema_f1.value, found.schema_f1.n, found.schema_f1.left_out.unlabelled) == (0.75, 2, 1)
    shown = {table.title: table for table in tables([found])}
    assert shown["Faithfulness (%)"].rows[0][-1] == "75.0 ± 25.0"
    # One faithful at 0.9 against unfaithful ones at 0.2 and 0.9: a win and a tie.
    assert shown["Judge among the solved"].rows[0][:2] == ("m (some)", "0.750")
    assert found.as_json()["judge"]["value"] == 0.75
    unjudged = measure("some", "m", [record("1", "g", (replace(OK, score=None),))])
    assert "Judge among the solved" not in {table.title for table in tables([unjudged])}


def test_steps_become_candidates_with_their_failures() -> None:
    [first, second, third] = candidates_of([record("1", "g", (UNREAD, BAD, OK))])
    assert (first.failure.value, first.calls, first.step) == ("extraction", 0, 0)
    assert (second.diagnostic, second.solved, second.score) == ("goal/constraint", False, 0.1)
    assert (third.solved, third.faithful, third.calls) == (True, True, 1)
    [_, last] = candidates_of([record("1", "g", (BAD, UNREAD))])
    assert (last.failure.value, last.solved, last.calls) == ("extraction", False, 0)
    [broken] = candidates_of([record("1", "g", (), column="tool")])
    assert (broken.failure.value, broken.solved) == ("tool", None)


def enumerated(first_only: int, second_only: int) -> float:
    """The share of coin sequences at least as uneven."""
    n, seen = first_only + second_only, abs(first_only - second_only)
    return sum(abs(2 * sum(coins) - n) >= seen for coins in product((0, 1), repeat=n)) / 2**n


@pytest.mark.parametrize(("b", "c"), [(b, c) for b in range(7) for c in range(7)])
def test_mcnemar_is_the_enumeration(b: int, c: int) -> None:
    assert mcnemar(b, c) == pytest.approx(enumerated(b, c))


def test_mcnemar_of_many_is_the_exact_fraction() -> None:
    for b, c in ((40, 60), (3, 200), (0, 90), (500, 480)):
        tail = Fraction(sum(math.comb(b + c, k) for k in range(min(b, c) + 1)), 2 ** (b + c))
        assert mcnemar(b, c) == pytest.approx(float(2 * tail), rel=1e-9)


@settings(deadline=None, max_examples=50, derandomize=True)
@given(
    st.dictionaries(
        st.integers(0, 9), st.tuples(st.sampled_from((True, False, None)), st.sampled_from((True, False, None)))
    )
)
def test_pairs_are_counted_by_task(results: dict[int, tuple[bool | None, bool | None]]) -> None:
    first = {task: a for task, (a, _) in results.items()}
    second = {task: b for task, (_, b) in results.items()}
    found, turned = paired(first, second), paired(second, first)
    assert found.n == sum(None not in pair for pair in results.values())
    assert (found.first_only, found.second_only, found.both) == tuple(
        sum(pair == wanted for pair in results.values()) for wanted in ((True, False), (False, True), (True, True))
    )
    assert (turned.first_only, turned.p) == (found.second_only, found.p)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))
    assert holm([0.9, 0.8]) == (1.0, 1.0)


def test_published_figures_are_labelled_and_add_up() -> None:
    assert published()["label"] == LABEL
    rows = published_rows(PLANNING_GROUPS, "solved") + published_rows(PLANNING_GROUPS, "faithful")
    assert len(rows) == 14
    for row in rows:
        mean = sum(row[group] for group in PLANNING_GROUPS) / 4
        off = 0.1 if "note" in row else 0.05  # two printed averages are not the mean of their row
        assert row["average"] == pytest.approx(mean, abs=off + 1e-9), row
        assert row["source"].startswith("Table")
    assert [row["method"] for row in published_rows(["prontoqa"], "solved")] == ["CoT", "LLM+P", "Ours"]
    assert not published_rows(["lamps"], "solved")
    assert all("average" not in row for row in published_rows(["gripper"], "solved"))


def test_reports_show_published_rows_apart() -> None:
    records = tuple(record(str(n), group, (OK,)) for n, group in enumerate(PLANNING_GROUPS))
    head = {"set": "planbench", "model": "some", "tasks": "x", "prompts": "v", "conditions": {}}
    shown = report([Ran(head, records)], reference=True).as_markdown()
    lines = [line for line in shown.splitlines() if LABEL in line and line.startswith("|")]
    assert len(lines) == 10 + 10 + 4 + 4
    assert LABEL not in report([Ran(head, records)]).as_markdown()
    assert LABEL not in report([Ran({**head, "set": "planetarium"}, records)], reference=True).as_markdown()


def test_latex_and_markdown_escape_what_they_must() -> None:
    table = Table("50% & more", ("A_b", "c"), (("x|y", "1 ± 2"),), ("note #1",))
    assert r"x\|y" in table.as_markdown()
    made = table.as_latex()
    assert r"\caption{50\% \& more. note \#1}" in made
    assert r"A\_b & c \\" in made
    assert r"1 $\pm$ 2" in made
    assert latex("\\{") == r"\textbackslash{}\{"
    with pytest.raises(ValueError, match="as many cells"):
        Table("t", ("a", "b"), (("x",),))


def test_a_whole_report_has_the_same_bytes_twice(tmp_path: Path) -> None:
    names = ("llm+p", "actor")
    for run in ("one", "two"):
        todo = work([METHODS[name] for name in names], by_prompt(3))
        run_bench(todo, LampSet().tasks(2, 0), tmp_path / run, label="some", workers=2)
        write_report(report([read_run(tmp_path / run)]), tmp_path / run)
    one, two = (
        {p.relative_to(tmp_path / run): p.read_bytes() for p in (tmp_path / run).rglob("*") if p.is_file()}
        for run in ("one", "two")
    )
    timed = {"events.jsonl", "run.json", "run.lock"}
    assert {str(p): data for p, data in one.items() if p.name not in timed} == {
        str(p): data for p, data in two.items() if p.name not in timed
    }
    assert {"tables.md", "tables.tex", "summary.json"} <= {p.name for p in one}
    told = json.loads((tmp_path / "one" / "summary.json").read_text())
    assert [item["method"] for item in told["methods"]] == list(names)
    assert len(told["paired"]) == 1
    joined = report([read_run(tmp_path / "one"), read_run(tmp_path / "two")])
    assert [item.model for item in joined.measured] == ["some", "some", "some #2", "some #2"]


def test_runs_on_other_tasks_are_not_joined(tmp_path: Path) -> None:
    for run, seed in (("one", 0), ("two", 1)):
        todo = work([METHODS["actor"]], by_prompt(3))
        run_bench(todo, LampSet().tasks(1, seed), tmp_path / run, label="some")
    with pytest.raises(InputError, match="is on other tasks"):
        report([read_run(tmp_path / "one"), read_run(tmp_path / "two")])
    with pytest.raises(InputError, match="no results of a benchmark here"):
        read_run(tmp_path)
