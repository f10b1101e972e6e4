"""`groundplan formalize --signals`: choosing the checks, and keeping the choice when a run is resumed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from groundplan.cli.app import run
from groundplan.cli.exits import Exit
from groundplan.cli.formalize import CHECKS_HELP
from groundplan.formalize.signals import CHECKS

sys.path.append(str(Path(__file__).parents[1] / "formalize"))
from texts import GOOD, TASK, VERDICT

PROBES = json.dumps({"restrictions": [{"sentence": "Both are dark.", "trace": ["(light left)"]}]})


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "task.txt").write_text(TASK)
    (tmp_path / "script.json").write_text(json.dumps([GOOD, VERDICT, PROBES]))
    return tmp_path


def _formalize(files: Path, *more: str, out: str = "run") -> int:
    model = f"scripted:{files / 'script.json'}"
    return run(["formalize", str(files / "task.txt"), "--model", model, "--out", str(files / out), *more])


def _result(files: Path) -> dict[str, object]:
    return json.loads((files / "run" / "result.json").read_text())


def test_a_check_that_asks_the_model(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _formalize(files, "--signals", "none,restriction-probes") == Exit.YES
    output = capsys.readouterr()
    assert "signal (warning) restriction-probes" in output.out
    assert "3 model call(s)" in output.out
    assert "a check asks the model" in output.err


def test_resuming_keeps_the_choice(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _formalize(files, "--signals", "+restriction-probes") == Exit.YES
    before = _result(files)
    (files / "run" / "result.json").unlink()
    assert run(["resume", str(files / "run")]) == Exit.YES
    assert _result(files) == before
    assert before["model_calls"] == 3
    assert _formalize(files) == Exit.INPUT  # without the option it would be another run
    assert "signals was" in capsys.readouterr().err


@pytest.mark.parametrize("words", ["-mutation", "-dead-action,-mutation", "none", "mutation"])
def test_fewer_checks(files: Path, words: str) -> None:
    assert _formalize(files, "--signals", words) == Exit.YES
    assert _result(files)["model_calls"] == 2


def test_naming_what_runs_anyway_is_the_default(files: Path) -> None:
    assert _formalize(files, "--signals", "all,-restriction-probes,-back-translation") == Exit.YES
    assert _formalize(files) == Exit.YES
    assert "signals" not in json.loads((files / "run" / "run.json").read_text())["settings"]


@pytest.mark.parametrize("words", ["mutatoin", "", "all,+judge"])
def test_unknown_checks_end_before_anything_is_paid_for(
    files: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert _formalize(files, "--signals", words) == Exit.INPUT
    message = capsys.readouterr().err
    assert all(name in message for name in CHECKS)
    assert not (files / "run").exists()


def test_a_run_that_names_a_check_of_another_version(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _formalize(files, "--signals", "mutation") == Exit.YES
    head = files / "run" / "run.json"
    head.write_text(head.read_text().replace('"mutation"', '"telepathy"'))
    assert run(["resume", str(files / "run")]) == Exit.INPUT
    assert "telepathy" in capsys.readouterr().err


def test_the_help_says_what_costs_model_calls() -> None:
    for name, check in CHECKS.items():
        calls = f"{name} ({check.calls} call{'s' * (check.calls > 1)})"
        assert (calls in CHECKS_HELP) == (check.cost == "model")
