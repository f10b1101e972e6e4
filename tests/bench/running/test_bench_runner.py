"""A benchmark run has the same bytes whoever does the work, how often it is killed, and when it is replayed."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[1] / "methods"))
from bench_child import NAMES
from bench_fakes import BROKEN, DRIFTED, RIGHT, DeadEngine, LampSet, by_prompt, snapshot, work

from groundplan.bench.methods.registry import METHODS
from groundplan.bench.running.estimate import estimate
from groundplan.bench.running.records import RESULTS, read_records, record_from_json
from groundplan.bench.running.runner import run_bench
from groundplan.bench.running.unit import units_of
from groundplan.errors import InputError, StorageError
from groundplan.models.errors import AuthenticationError, ServerFailed
from groundplan.models.prices import Prices
from groundplan.models.protocol import Message
from groundplan.models.replay import ReplayModel
from groundplan.models.scripted import Line, ScriptedModel
from groundplan.runs.budget import REPLY, Budget
from groundplan.runs.log import read_events

ALL = [METHODS[name] for name in NAMES]
TASKS = LampSet().tasks(3, 0)
FEW = (*TASKS[:2], TASKS[-1])


@settings(deadline=None, max_examples=2, derandomize=True)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_workers_and_repetitions_change_no_byte(tmp_path_factory: pytest.TempPathFactory, seed: int, n: int) -> None:
    folder = tmp_path_factory.mktemp("runs")
    found = []
    for name, workers in (("one", 1), ("again", 1), ("many", n)):
        run_bench(work(ALL, by_prompt(seed)), FEW, folder / name, label="m", workers=workers)
        found.append(snapshot(folder / name))
    assert found[0] == found[1] == found[2]
    assert set(found[0]) == {"bench.json", RESULTS}


def test_results_stand_in_the_order_of_tasks_and_methods_without_times_or_paths(tmp_path: Path) -> None:
    finished = run_bench(work(ALL, by_prompt(1)), TASKS, tmp_path / "run", label="m", workers=3)
    assert [(r.task, r.method) for r in finished.records] == [(t.id, m.name) for t in TASKS for m in ALL]
    assert read_records(tmp_path / "run" / RESULTS) == finished.records
    told = (tmp_path / "run" / RESULTS).read_text() + (tmp_path / "run" / "bench.json").read_text()
    assert str(tmp_path) not in told
    assert '"seconds"' not in (tmp_path / "run" / RESULTS).read_text()


def test_a_run_is_a_recording_of_itself(tmp_path: Path) -> None:
    run_bench(work(ALL, by_prompt(5)), TASKS, tmp_path / "first", label="m")
    replayed = ReplayModel(tmp_path / "first")
    assert replayed.name == "chance"
    run_bench(work(ALL, replayed), TASKS, tmp_path / "second", label="m", workers=3)
    assert snapshot(tmp_path / "first") == snapshot(tmp_path / "second")


def test_nothing_is_asked_or_scored_twice(tmp_path: Path) -> None:
    first = by_prompt(2)
    run_bench(work(ALL, first), TASKS, tmp_path / "run", label="m")
    before = snapshot(tmp_path / "run")
    second = by_prompt(2)
    run_bench(work(ALL, second), TASKS, tmp_path / "run", label="m", workers=2)
    assert second.calls == 0
    assert snapshot(tmp_path / "run") == before
    keys = [event.payload["key"] for event in read_events(tmp_path / "run" / "events.jsonl") if event.kind == REPLY]
    assert len(keys) == len(set(keys)) == first.calls


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.slow), 4])
def test_killed_and_resumed_it_ends_the_same(tmp_path: Path, workers: int) -> None:
    child = str(Path(__file__).with_name("bench_child.py"))
    subprocess.run([sys.executable, child, str(tmp_path / "whole" / "run"), "1", "0"], check=True)
    chance = random.Random(workers)
    (tmp_path / "killed").mkdir()
    asked = tmp_path / "killed" / "asked"
    kills = 0
    for _ in range(2):
        process = subprocess.Popen([sys.executable, child, str(tmp_path / "killed" / "run"), str(workers), "0.02"])
        seen = asked.stat().st_size if asked.exists() else 0
        wanted = seen + chance.randrange(3, 12)
        while process.poll() is None and (asked.stat().st_size if asked.exists() else 0) < wanted:
            time.sleep(0.005)
        kills += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert kills
    assert not (tmp_path / "killed" / "run" / RESULTS).exists()
    subprocess.run([sys.executable, child, str(tmp_path / "killed" / "run"), str(workers), "0"], check=True)
    assert snapshot(tmp_path / "killed" / "run") == snapshot(tmp_path / "whole" / "run")
    paid = (tmp_path / "whole" / "asked").stat().st_size
    assert paid <= asked.stat().st_size <= paid + kills * workers, "only what was in flight at a kill is asked again"


def test_what_broke_is_tried_again_and_the_rest_is_kept(tmp_path: Path) -> None:
    down = True
    good = by_prompt(4)

    def answer(messages: Sequence[Message], sample: int) -> Line:
        if down and "hall 1." in messages[-1].content:
            return ServerFailed("down")
        return good.reply(messages, None, sample).text if down else RIGHT  # type: ignore[arg-type]

    model = ScriptedModel(answer, "m")
    one = [METHODS["actor"]]
    first = run_bench(work(one, model), TASKS, tmp_path / "run", label="m").records
    assert {r.task for r in first if r.failed} == {"t1"}
    down = False
    second = run_bench(work(one, model), TASKS, tmp_path / "run", label="m").records
    assert [r.score.column for r in second if r.task == "t1"] == ["correct"]
    assert [r for r in second if r.task != "t1"] == [r for r in first if r.task != "t1"]


def test_a_spent_budget_ends_the_run_and_more_of_it_goes_on(tmp_path: Path) -> None:
    one = [METHODS["actor"]]
    part = run_bench(work(one, by_prompt(6)), TASKS, tmp_path / "run", label="m", budget=Budget(calls=3))
    assert "3 model calls" in part.stopped
    assert len(part.records) == 3
    whole = run_bench(work(one, by_prompt(6)), TASKS, tmp_path / "run", label="m")
    assert (whole.stopped, len(whole.records)) == ("", len(TASKS))
    run_bench(work(one, by_prompt(6)), TASKS, tmp_path / "other", label="m")
    assert snapshot(tmp_path / "run") == snapshot(tmp_path / "other")


def test_a_wrong_key_ends_it_at_once(tmp_path: Path) -> None:
    model = ScriptedModel(lambda messages, sample: AuthenticationError("the key is refused"))
    with pytest.raises(AuthenticationError):
        run_bench(work(ALL, model), TASKS, tmp_path / "run", label="m", workers=2)
    assert model.calls <= 4


def test_other_settings_are_refused(tmp_path: Path) -> None:
    run_bench(work(ALL, by_prompt(1)), TASKS, tmp_path / "run", label="m")
    with pytest.raises(InputError, match=r"conditions\.solver_calls was 6, is 2"):
        run_bench(work(ALL, by_prompt(1), solver_calls=2), TASKS, tmp_path / "run", label="m")
    with pytest.raises(InputError, match="tasks was"):
        run_bench(work(ALL, by_prompt(1)), LampSet().tasks(3, 1), tmp_path / "run", label="m")


def test_a_disk_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises((InputError, StorageError)):
        run_bench(work(ALL, by_prompt(1)), TASKS, tmp_path / "file" / "run", label="m")


def test_a_script_in_order_goes_on_where_it_stopped(tmp_path: Path) -> None:
    script = [DRIFTED, BROKEN, RIGHT, DRIFTED, "", RIGHT]
    one = [METHODS["actor"]]
    run_bench(work(one, ScriptedModel(script)), TASKS, tmp_path / "whole", label="m")
    run_bench(work(one, ScriptedModel(script)), TASKS, tmp_path / "run", label="m", budget=Budget(calls=2))
    run_bench(work(one, ScriptedModel(script)), TASKS, tmp_path / "run", label="m")
    assert snapshot(tmp_path / "run") == snapshot(tmp_path / "whole")


def test_an_engine_that_dies_on_the_way_is_in_the_results(tmp_path: Path) -> None:
    from dataclasses import replace

    todo = replace(work([METHODS["actor"]], by_prompt(1, [RIGHT])), engine=DeadEngine(after=2))
    columns = [r.score.column for r in run_bench(todo, TASKS, tmp_path / "run", label="m").records]
    assert columns == ["correct"] * 2 + ["tool"] * 4


def test_tasks_that_read_the_same_are_one_unit() -> None:
    from dataclasses import replace

    twins = [TASKS[0], TASKS[1], replace(TASKS[0], id="twin")]
    assert [[task.id for task in unit.tasks] for unit in units_of(twins)] == [["t0", "twin"], ["t2"]]


def test_the_estimate_bounds_the_run(tmp_path: Path) -> None:
    todo = work(ALL, by_prompt(9))
    guess = estimate(todo, TASKS, workers=2, prices=Prices(1.0, 2.0))
    finished = run_bench(todo, TASKS, tmp_path / "run", label="m")
    calls = sum(record.answer.model_calls for record in finished.records)
    assert guess.calls[0] <= calls <= guess.calls[1]
    # K = 6: cot and llm+p 6, self-refine 6, actor-judge-editor 6 drafts and 6 scores, for 6 tasks
    assert guess.calls == ((1 + 1 + 1 + 2) * 6, (6 + 6 + 6 + 12) * 6)
    assert guess.solver_calls == (0, 4 * 6 * 6)
    assert guess.usd == pytest.approx((guess.tokens_in + 2 * guess.tokens_out) / 1e6)
    assert "model calls" in guess.as_text()


def test_damaged_results_are_named(tmp_path: Path) -> None:
    (tmp_path / RESULTS).write_text("{}\n")
    with pytest.raises(InputError, match=r"results.jsonl:1: not a result"):
        read_records(tmp_path / RESULTS)


@settings(deadline=None, max_examples=20, derandomize=True)
@given(st.integers(0, 10**6))
def test_records_come_back_from_their_lines(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    out = tmp_path_factory.mktemp("one") / "run"
    for record in run_bench(work(ALL[:2], by_prompt(seed)), TASKS[:1], out, label="m").records:
        assert record_from_json(json.loads(json.dumps(record.as_json()))) == record
