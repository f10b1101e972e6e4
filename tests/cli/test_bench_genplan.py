"""groundplan bench genplan, from the command line to its files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "bench"))
from genplan_fakes import NoConfinement, Runner

from groundplan.cli.app import run
from groundplan.cli.exits import Exit
from groundplan.confine.opening import lacking
from own_tasks import GREENHOUSE

WATER_ALL = '''
def get_plan(objects, init, goal):
    """Water every plant that the goal names, at the sink; each goes back to where it stood."""
    at = {fact[1]: fact[2] for fact in init if fact[0] == "on"}
    plan = []
    for plant in sorted(fact[1] for fact in goal if fact[0] == "wet"):
        plan += [f"(move {plant} {at[plant]} sink)", f"(water {plant})", f"(move {plant} sink {at[plant]})"]
    return plan
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tasks, programs = tmp_path / "data" / "greenhouse", tmp_path / "programs" / "greenhouse"
    (tasks / "eval").mkdir(parents=True)
    programs.mkdir(parents=True)
    (tasks / "domain.pddl").write_text(GREENHOUSE[0])
    for number in range(2):
        (tasks / "eval" / f"t{number}.pddl").write_text(GREENHOUSE[1])
    (programs / "good.py").write_text(WATER_ALL)
    (programs / "lazy.py").write_text("def get_plan(objects, init, goal):\n    return []\n")
    return tmp_path


def _bench(folder: Path, *more: str) -> int:
    return run(["bench", "genplan", "--data", str(folder / "data"), *more])


@pytest.mark.skipif(bool(lacking()), reason="this machine cannot confine programs")
def test_programs_are_measured_and_not_measured_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--programs", str(folder / "programs"), "--out", str(folder / "out"), "--orders", "2", "--jobs", "1")
    assert _bench(folder, *arguments, "--json") == Exit.YES
    data = json.loads(capsys.readouterr().out)
    assert data["rows"][0]["coverage"]["mean"] == 0.5
    assert [item["failures"] for item in data["coverage"]] == [{}, {"goal-missing": 2}]
    results = (folder / "out" / "results.jsonl").read_text()
    assert _bench(folder, *arguments) == Exit.YES
    shown = capsys.readouterr()
    assert "50.0 ± 50.0" in shown.out
    assert "are there already" in shown.err
    assert (folder / "out" / "results.jsonl").read_text() == results
    assert {"results.json", "table.md", "table.txt"} <= {file.name for file in (folder / "out").iterdir()}


def _fake(monkeypatch: pytest.MonkeyPatch, runner: Any) -> NoConfinement:
    confinement = NoConfinement()
    monkeypatch.setattr("groundplan.confine.opening.open_confinement", lambda unconfined=False: confinement)
    monkeypatch.setattr("groundplan.generalize.execute.run_on_task", runner)
    return confinement


def test_a_broken_confinement_is_an_exit_code_of_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    confinement = _fake(monkeypatch, Runner())
    (folder / "programs" / "greenhouse.py").write_text("NS")
    program = f"greenhouse={folder / 'programs' / 'greenhouse.py'}"
    assert _bench(folder, "--program", program, "--paper", "deepseek-best") == Exit.FAILED
    assert "left out" in capsys.readouterr().out
    assert confinement.closed


def test_generated_tasks_and_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class First(Runner):
        def __call__(self, source: str, task: Any, *arguments: Any, **more: Any) -> Any:
            assert more["limits"].wall_s == 7
            assert more["renamed"]
            assert len(task.task.problem.objects) > 3
            return super().__call__(source, type(task)("t0", task.task), *arguments, **more)

    _fake(monkeypatch, First())
    (tmp_path / "ferry.py").write_text("S")
    arguments = ["--program", str(tmp_path / "ferry.py"), "--sizes", "small,large", "--seeds", "2", "--timeout", "7"]
    assert run(["bench", "genplan", *arguments, "--renamed", "--json"]) == Exit.YES
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["suite"], row["tasks"]) for row in rows] == [("ferry small", 2), ("ferry large", 2), ("average", 4)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no programs to measure"),
        (("--programs", "nowhere"), "no such directory"),
        (("--programs", "programs", "--domains", "greenhouse,ferry"), "no program for ferry"),
        (("--programs", "programs", "--paper", "gpt-5"), "no column"),
        (("--program", "programs/greenhouse/good.py"), "which domain"),
        (("--program", "ferry=programs/greenhouse/good.py"), "no tasks here"),
    ],
)
def test_mistakes(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(folder)
    assert _bench(folder, *arguments) == Exit.INPUT
    assert message in capsys.readouterr().err


def test_no_sizes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = str(folder / "programs" / "greenhouse" / "good.py")
    assert run(["bench", "genplan", "--program", f"ferry={program}", "--sizes", ","]) == Exit.INPUT
    assert "--sizes is empty" in capsys.readouterr().err
