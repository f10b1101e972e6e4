"""A run's directory: started, resumed, refused, locked."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groundplan import __version__
from groundplan.errors import InputError, StorageError
from groundplan.runs.budget import Budget, BudgetExhausted
from groundplan.runs.run import Run
from groundplan.runs.settings import differences

SETTINGS = {"model": "m", "seed": 1, "inputs": {"domain": "d.pddl", "files": ("a", "b")}}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    return tmp_path / "new" / "run"


def test_a_new_run_says_what_it_is(folder: Path) -> None:
    with Run.open(folder, settings=SETTINGS) as run:
        head = json.loads((folder / "run.json").read_text())
        assert not run.resumed
        assert head["id"] == run.id
        assert head["groundplan"] == __version__
        assert head["settings"] == {"model": "m", "seed": 1, "inputs": {"domain": "d.pddl", "files": ["a", "b"]}}
        run.event("note", text="hello")
        assert [event.kind for event in run.events()] == ["session", "note"]


@pytest.mark.parametrize("resume", [True, "auto"])
def test_resume_goes_on_where_it_stopped(resume: Any, folder: Path) -> None:
    with Run.open(folder, settings=SETTINGS, resume=False) as run:
        run.event("solver_call", step="solve/1", seconds=2)
        first = run.id
    with Run.open(folder, settings=SETTINGS, resume=resume) as run:
        assert run.resumed
        assert run.id == first
        assert run.spent.solver_calls == 1
        known = run.recall("solver_call", "solve/1")
        assert known is not None
        assert known.payload["seconds"] == 2
        assert run.recall("solver_call", "solve/2") is None
        assert [event.n for event in run.events()] == [0, 1, 2]


def test_resume_at_odds_with_what_is_there(folder: Path) -> None:
    with pytest.raises(InputError, match="no run here to resume"):
        Run.open(folder, settings=SETTINGS, resume=True)
    assert not folder.parent.exists()
    Run.open(folder, settings=SETTINGS).close()
    with pytest.raises(InputError, match="a run here already"):
        Run.open(folder, settings=SETTINGS, resume=False)


def test_other_settings_are_refused_by_name(folder: Path) -> None:
    Run.open(folder, settings=SETTINGS).close()
    before = (folder / "run.json").read_bytes(), (folder / "events.jsonl").read_bytes()
    other = {"model": "m", "inputs": {"domain": "e.pddl", "files": ["a", "b"]}, "new": None}
    with pytest.raises(InputError) as caught:
        Run.open(folder, settings=other)
    assert 'inputs.domain was "d.pddl", is "e.pddl"; new was not set, is null; seed was 1, is not set' in str(
        caught.value
    )
    assert before == ((folder / "run.json").read_bytes(), (folder / "events.jsonl").read_bytes())
    Run.open(folder, settings=SETTINGS).close()


def test_differences() -> None:
    assert differences({"a": {"b": 1}}, {"a": {"b": 1}}) == []
    assert differences({"a": {}}, {}) == ["a was {}, is not set"]
    assert differences({"a": "x" * 99}, {"a": 1}) == [f'a was "{"x" * 56}..., is 1']


def test_other_peoples_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(InputError, match=r"thesis\.tex"):
        Run.open(tmp_path, settings={})
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(InputError, match="this is a file"):
        Run.open(tmp_path / "thesis.tex", settings={})
    with pytest.raises((InputError, StorageError), match="thesis"):
        Run.open(tmp_path / "thesis.tex" / "run", settings={})


def test_an_empty_directory_and_the_rest_of_a_killed_start_will_do(tmp_path: Path) -> None:
    (tmp_path / "run.lock").write_text("123")
    (tmp_path / ".writing-00ff").write_text("{")
    Run.open(tmp_path, settings={}, resume=False).close()


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"format": 1}', '{"format": 1, "settings": 3}'])
def test_a_damaged_head_is_named(content: str, folder: Path) -> None:
    Run.open(folder, settings={}).close()
    (folder / "run.json").write_text(content)
    with pytest.raises(InputError, match=r"run\.json"):
        Run.open(folder, settings={})


def test_a_later_format_is_refused(folder: Path) -> None:
    Run.open(folder, settings={}).close()
    (folder / "run.json").write_text('{"format": 2, "groundplan": "9.9"}')
    with pytest.raises(InputError, match=r"9\.9"):
        Run.open(folder, settings={})


def test_one_writer_at_a_time(folder: Path) -> None:
    with Run.open(folder, settings={}), pytest.raises(StorageError, match=str(os.getpid())):
        Run.open(folder, settings={})
    Run.open(folder, settings={}).close()


def _try_to_open(folder: Path, said: Any) -> None:
    try:
        Run.open(folder, settings={}).close()
        said.put("opened")
    except StorageError as error:
        said.put(str(error))


def test_another_process_is_kept_out_too(folder: Path) -> None:
    context = multiprocessing.get_context("fork")
    said = context.Queue()
    with Run.open(folder, settings={}):
        process = context.Process(target=_try_to_open, args=(folder, said))
        process.start()
        assert f"another process ({os.getpid()})" in said.get(timeout=20)
        process.join()


def test_a_worker_left_behind_holds_no_lock_and_cannot_write(folder: Path) -> None:
    run = Run.open(folder, settings={})
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:  # a worker that outlives the run
        try:
            run.event("from the worker")
        except RuntimeError:
            os.write(write_end, b"refused")
        finally:
            time.sleep(20)
            os._exit(0)
    assert os.read(read_end, 10) == b"refused"
    run.close()
    Run.open(folder, settings={}).close()
    os.kill(child, 9)
    os.waitpid(child, 0)


def test_a_closed_run_writes_nothing(folder: Path) -> None:
    run = Run.open(folder, settings={})
    run.close()
    run.close()
    with pytest.raises(RuntimeError):
        run.event("late")


def test_steps_are_written_once_unless_they_changed(folder: Path) -> None:
    for _ in range(2):
        with Run.open(folder, settings={}) as run:
            run.once("round", "r/1", accepted=False, places=(1, 2))
    assert [event.kind for event in run.events()] == ["session", "round", "session"]
    with Run.open(folder, settings={}) as run:
        run.once("round", "r/1", accepted=True, places=(1, 2))
        last = run.recall("round", "r/1")
        assert last is not None
        assert last.payload["accepted"] is True


def test_artifacts(folder: Path) -> None:
    with Run.open(folder, settings={}) as run:
        file = run.artifact("found/plan.txt", "(a)\r\n")
        assert file.read_bytes() == b"(a)\r\n"
        run.artifact("found/plan.txt", "half \ud83e")
        assert file.read_bytes() == b"half \\ud83e"
        assert sorted(path.name for path in file.parent.iterdir()) == ["plan.txt"]
        for name in ("", ".", "/etc/x", "../x", "a/../../x", "run.json", "./events.jsonl", "run.lock", "a\0b"):
            with pytest.raises(ValueError, match="cannot name an artifact"):
                run.artifact(name, "x")


def test_an_artifact_that_cannot_be_written(folder: Path) -> None:
    with Run.open(folder, settings={}) as run:
        run.artifact("a", "x")
        with pytest.raises(StorageError, match="a/b"):
            run.artifact("a/b", "y")


def test_settings_that_json_cannot_hold_start_nothing(folder: Path) -> None:
    with pytest.raises(TypeError):
        Run.open(folder, settings={"x": object()})
    assert not folder.exists()


def test_time_adds_up_over_sessions(folder: Path) -> None:
    for _ in range(2):
        with Run.open(folder, settings={}) as run:
            time.sleep(0.05)
            run.event("note")
    with Run.open(folder, settings={}) as run:
        assert 0.1 <= run.elapsed < 5
        assert run.spent.seconds >= run.elapsed - 1


def test_a_budget_holds_over_sessions_and_may_be_raised(folder: Path) -> None:
    budget = Budget(solver_calls=2)
    for _ in range(2):
        with Run.open(folder, settings={}, budget=budget) as run:
            run.check_budget()
            run.event("solver_call")
    with Run.open(folder, settings={}, budget=budget) as run, pytest.raises(BudgetExhausted, match="2 solver calls"):
        run.check_budget()
    with Run.open(folder, settings={}, budget=Budget(solver_calls=3)) as run:
        run.check_budget()
