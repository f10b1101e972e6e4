"""`groundplan generalize` and `resume` from the command line: bad input, nonsense, a recorded search."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from groundplan.cli.app import run
from groundplan.pddl.write import write_problem

sys.path.append(str(Path(__file__).parents[1] / "generalize"))
from scripted_porter import DOMAIN, TASKS

RECORDED = Path(__file__).resolve().parents[2] / "examples" / "recorded"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    for task in TASKS:
        (tmp_path / f"{task.name}.pddl").write_text(write_problem(task.task.problem))
    (tmp_path / "script.json").write_text(json.dumps(["nonsense"] * 60))
    return tmp_path


def _run(folder: Path, *arguments: str) -> int:
    model = [] if "--model" in arguments else ["--model", f"scripted:{folder / 'script.json'}"]
    out = [] if "--out" in arguments else ["--out", str(folder / "run")]
    words = [str(folder / word) if (folder / word).is_file() else word for word in arguments]
    return run(["generalize", *words, *model, *out])


BAD = {
    "no task": (["domain.pddl"], "no task is given"),
    "no such domain": (["nowhere.pddl", "p1.pddl"], "no such file"),
    "no such task": (["domain.pddl", "p77.pddl"], "no such file"),
    "unknown benchmark": (["bench:porter"], "no benchmark domain"),
    "domain as task": (["domain.pddl", "domain.pddl"], "domain.pddl:2:9"),
    "task as domain": (["p1.pddl", "p2.pddl"], "p1.pddl:1"),
    "other domain's task": (["bench:ferry", "p1.pddl"], "p1.pddl"),
    "unknown preset": (["domain.pddl", "p1.pddl", "--preset", "f9"], "no preset"),
    "unknown model": (["domain.pddl", "p1.pddl", "--model", "what:ever"], "what"),
    "unwritable": (["domain.pddl", "p1.pddl", "--out", "/proc/run"], "/proc/run"),
    "a pool without growth": (["domain.pddl", "p1.pddl", "--pool", "p2.pddl"], "--grow"),
    "another domain's pool": (["domain.pddl", "p1.pddl", "--grow", "1", "--pool", "domain.pddl", "p2.pddl"], "problem"),
    "a file as run": (["domain.pddl", "p1.pddl", "--out", "p3.pddl"], "p3.pddl"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_told_and_nothing_is_made(folder: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    arguments, words = BAD[kind]
    before = sorted(folder.iterdir())
    assert _run(folder, *arguments) == 2
    assert words in capsys.readouterr().err
    assert sorted(folder.iterdir()) == before


def test_one_task_twice_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(folder, "domain.pddl", "p1.pddl", "p1.pddl") == 2
    assert "p1" in capsys.readouterr().err


def test_nonsense_ends_in_a_report_and_can_be_resumed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(folder, "domain.pddl", "p1.pddl", "p2.pddl", "--json") == 1
    first = json.loads(capsys.readouterr().out)
    assert first["ending"] == "no strategy"
    assert first["program"] is None
    assert "no strategy" in (folder / "run" / "report.md").read_text()
    assert run(["resume", str(folder / "run"), "--json"]) == 1
    again = json.loads(capsys.readouterr().out)
    assert (again["model_calls"], again["ending"]) == (first["model_calls"], first["ending"])


def test_a_recorded_search_needs_no_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["generalize", "bench:gripper", "--model", f"replay:{RECORDED / 'gripper.jsonl'}", "--json"]
    assert run([*command, "--variants-at-once", "1", "--out", str(tmp_path / "run")]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["coverage"] == {"solved": 6, "total": 6}
    program = tmp_path / "run" / "program.py"
    assert program.read_text() == (RECORDED / "gripper.py").read_text()
    assert {file.name for file in (tmp_path / "run").iterdir()} >= {"strategy.txt", "report.md", "result.json"}
