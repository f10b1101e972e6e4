"""Coverage of programs: what counts, what is left out, and that nothing is measured twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from genplan_fakes import NoConfinement, Runner, suite_of
from hypothesis import given
from hypothesis import strategies as st

from groundplan.bench.genplan.coverage import Coverage, Settings, evaluate
from groundplan.bench.genplan.ledger import LEDGER_FILE, Ledger, key_of
from groundplan.errors import InputError, StorageError
from groundplan.generalize.kinds import Kind


def _evaluate(program: str, runner: Runner | None = None, **more: Any) -> Coverage:
    runner = Runner() if runner is None else runner
    return evaluate(program, suite_of(len(program)), NoConfinement(), run_task=runner, **more)


@given(st.text("SXTN", max_size=6), st.integers(1, 3))
def test_every_task_counts_once(program: str, jobs: int) -> None:
    found = _evaluate(program, settings=Settings(jobs=jobs))
    assert [result.task for result in found.results] == [f"t{n}" for n in range(len(program))]
    assert [result.kind for result in found.results] == [Runner.KINDS[letter] for letter in program]
    rate = found.rate
    assert (rate.hits, rate.n) == (program.count("S"), len(program) - program.count("N"))
    assert rate.left_out.tool == program.count("N")
    assert sum(found.failures.values()) == len(program) - program.count("S")
    assert found.solved == {f"t{n}" for n, letter in enumerate(program) if letter == "S"}


def test_settings_reach_the_runs() -> None:
    runner = Runner()
    _evaluate("SS", runner, settings=Settings(orders=7))
    assert {orders for _, _, orders in runner.asked} == {7}


def test_nothing_is_run_twice(tmp_path: Path) -> None:
    first, again, other = Runner(), Runner(), Runner()
    with Ledger(tmp_path) as ledger:
        before = _evaluate("SXNT", first, ledger=ledger)
    with Ledger(tmp_path) as ledger:
        assert _evaluate("SXNT", again, ledger=ledger) == before
        _evaluate("SXNT", other, ledger=ledger, settings=Settings(orders=1))
    assert [task for _, task, _ in again.asked] == ["t2"]  # what could not be run is tried again
    assert len(other.asked) == 4


def test_a_result_cut_off_by_a_kill_is_run_again(tmp_path: Path) -> None:
    with Ledger(tmp_path) as ledger:
        before = _evaluate("SX", ledger=ledger, settings=Settings(jobs=1))
    file = tmp_path / LEDGER_FILE
    file.write_bytes(file.read_bytes()[:-20])
    runner = Runner()
    with Ledger(tmp_path) as ledger:
        assert _evaluate("SX", runner, ledger=ledger) == before
    assert len(runner.asked) == 1


def test_an_interruption_keeps_what_was_done(tmp_path: Path) -> None:
    class Interrupted(Runner):
        def __call__(self, *arguments: Any, **more: Any) -> Any:
            if len(self.asked) == 2:
                raise KeyboardInterrupt
            return super().__call__(*arguments, **more)

    with Ledger(tmp_path) as ledger, pytest.raises(KeyboardInterrupt):
        _evaluate("SSSS", Interrupted(), ledger=ledger, settings=Settings(jobs=1))
    runner = Runner()
    with Ledger(tmp_path) as ledger:
        _evaluate("SSSS", runner, ledger=ledger)
    assert sorted(task for _, task, _ in runner.asked) == ["t2", "t3"]


def test_a_task_that_cannot_be_asked_is_named() -> None:
    def refuse(*arguments: Any, **more: Any) -> Any:
        raise InputError("the goal is no conjunction")

    with pytest.raises(InputError, match="task t0: the goal"):
        evaluate("", suite_of(1), NoConfinement(), run_task=refuse)


def test_progress_tells_the_result() -> None:
    lines: list[str] = []
    _evaluate("SXX", progress=lines.append)
    assert lines[-1] == "greenhouse eval, program: 1 of 3 solved (2 exception)"


def test_json_has_every_task() -> None:
    data = _evaluate("SX").as_json()
    assert data["rate"]["value"] == 0.5
    assert data["failures"] == {"exception": 1}
    assert [item["kind"] for item in data["results"]] == [Kind.SOLVED, Kind.EXCEPTION]


def test_two_writers_are_one_too_many(tmp_path: Path) -> None:
    with Ledger(tmp_path), pytest.raises(StorageError, match="another process"):
        Ledger(tmp_path)
    Ledger(tmp_path).close()


def test_keys_do_not_run_together() -> None:
    assert key_of("ab", "c") != key_of("a", "bc")
    assert key_of("a", 1) == key_of("a", 1)
