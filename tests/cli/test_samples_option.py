"""`groundplan formalize --samples`: its setting, its output, and what it refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from groundplan.cli.app import run
from groundplan.cli.exits import Exit

sys.path.append(str(Path(__file__).parents[1] / "formalize"))
from texts import DOMAIN, GOOD, PROBLEM, TASK, VERDICT, reply

WEAK = reply(DOMAIN, PROBLEM.replace("(and (lit left) (lit right))", "(lit left)"))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "task.txt").write_text(TASK)
    (tmp_path / "script.json").write_text(json.dumps([WEAK, GOOD, GOOD, VERDICT]))
    return tmp_path


def _formalize(files: Path, *more: str) -> int:
    model = f"scripted:{files / 'script.json'}"
    command = ["formalize", str(files / "task.txt"), "--model", model, "--out", str(files / "run")]
    return run([*command, "--engine", "builtin", *more])


def test_the_majority_for_people_and_for_scripts(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _formalize(files, "--samples", "3", "--temperature", "0.7") == Exit.YES
    output = capsys.readouterr()
    assert "signal (info) agreement: 2 of 3 samples agree" in output.out
    assert "sample 3 of 3: the Actor" in output.err
    assert "agreement" in (files / "run" / "report.html").read_text()
    assert run(["resume", str(files / "run"), "--json"]) == Exit.YES
    data = json.loads(capsys.readouterr().out)
    assert data["agreement"]["clusters"] == [[1, 2], [0]]
    assert data["model_calls"] == 4


def test_one_sample_leaves_the_settings_as_they_were(files: Path) -> None:
    assert _formalize(files, "--samples", "1") == Exit.YES
    assert "samples" not in json.loads((files / "run" / "run.json").read_text())["settings"]
    assert json.loads((files / "run" / "result.json").read_text())["agreement"] is None


def test_greedy_samples_would_be_alike(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _formalize(files, "--samples", "3") == Exit.INPUT
    assert "--temperature 0.7" in capsys.readouterr().err
    assert not (files / "run").exists()
