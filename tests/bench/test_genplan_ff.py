"""Programs against FF: what is timed, what the ratios count, and what they leave out."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import pytest
from genplan_fakes import NoConfinement, Runner, ScriptedEngine, suite_of
from hypothesis import given
from hypothesis import strategies as st

from groundplan.bench.genplan.against_ff import Timing, ratios, time_suite
from groundplan.bench.genplan.ledger import Ledger
from groundplan.errors import InputError

_SECONDS = st.one_of(st.none(), st.floats(0.001, 100.0))


@st.composite
def timings(draw: Any) -> Timing:
    ours, ff = draw(_SECONDS), draw(_SECONDS)
    steps = st.integers(0, 20)
    return Timing(
        "d",
        "eval",
        "program",
        f"t{draw(st.integers(0, 10**9))}",
        3,
        ours,
        None if ours is None else ours * 2,
        None if ours is None else draw(steps),
        ff,
        None if ff is None else draw(steps),
        "not_found" if ff is None else "solved",
    )


def _time(programs: dict[str, str], engine: ScriptedEngine, runner: Runner, **more: Any) -> list[Timing]:
    count = len(engine.script)
    return time_suite(programs, suite_of(count), NoConfinement(), engine, run_task=runner, **more)


@given(st.lists(timings(), unique_by=lambda item: item.task, max_size=12))
def test_ratios_are_those_of_tasks_that_both_solve(items: list[Timing]) -> None:
    found = ratios(items)
    both = [item for item in items if item.ours_s is not None and item.ff_s is not None]
    values = [item.ours_s / item.ff_s for item in both]  # type: ignore[operator]
    assert found.time.n == found.faster.n == len(both)
    if both:
        assert found.time.value == pytest.approx(statistics.mean(values))
        assert found.median_time == pytest.approx(statistics.median(values))
        assert found.whole.value == pytest.approx(2 * statistics.mean(values))
    assert found.faster.hits == sum(value < 1 for value in values)
    assert found.length.n == sum(item.ff_steps != 0 for item in both)
    assert found.shorter.hits <= found.not_longer.hits <= found.length.n
    assert (found.ff.hits, found.ff.n) == (sum(item.ff_s is not None for item in items), len(items))


def test_both_sides_of_a_task_are_timed_in_turns() -> None:
    runner, engine = Runner(steps=3, seconds=0.5), ScriptedEngine("SOFS", steps=2, seconds=2.0)
    found = _time({"a": "SSSX", "b": "XSSS"}, engine, runner)
    assert [task for _, task, _ in runner.asked] == ["t0", "t0", "t1", "t1", "t2", "t2", "t3", "t3"]
    assert {orders for _, _, orders in runner.asked} == {1}
    assert engine.solved == 4
    by_name = {(item.run, item.task): item for item in found}
    assert by_name["a", "t0"].time_ratio == 0.25
    assert by_name["a", "t0"].length_ratio == 1.5
    assert by_name["b", "t0"].time_ratio is None
    assert by_name["a", "t1"].ff_ending == "not_found"
    totals = ratios(found)
    assert (totals.time.n, totals.tasks) == (2, 4)
    assert (totals.ff.hits, totals.ff.n, totals.ff.left_out.tool) == (2, 3, 1)


def test_the_whole_time_is_more_than_nothing() -> None:
    item = _time({"a": "S"}, ScriptedEngine("S"), Runner())[0]
    assert item.whole_s is not None
    assert 0 < item.whole_s < 5
    assert item.objects == 5  # four and the constant


def test_tasks_not_solved_are_not_timed() -> None:
    runner = Runner()
    found = _time({"a": "SSS"}, ScriptedEngine("SSS"), runner, solved={"a": {"t1"}})
    assert [task for _, task, _ in runner.asked] == ["t1"]
    assert [item.ours_s is None for item in found] == [True, False, True]
    assert all(item.ff_s is not None for item in found)


def test_a_goal_that_holds_at_the_start_has_no_length_ratio() -> None:
    found = _time({"a": "S"}, ScriptedEngine("S", steps=0), Runner())
    assert found[0].length_ratio is None
    assert found[0].time_ratio is not None


def test_nothing_is_timed_twice(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        first = _time({"a": "SX"}, ScriptedEngine("SO"), Runner(), ledger=ledger)
    runner, engine = Runner(), ScriptedEngine("SO")
    with Ledger(tmp_path) as ledger:
        assert _time({"a": "SX"}, engine, runner, ledger=ledger) == first
    assert not runner.asked
    assert not engine.solved


def test_a_missing_planner_is_said_at_once() -> None:
    with pytest.raises(InputError, match="--no-ff"):
        _time({"a": "S"}, ScriptedEngine("M"), Runner())
