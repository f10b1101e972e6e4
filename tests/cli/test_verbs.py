"""check, solve, validate, formalize and demo as scripts call them: JSON keys and exit codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from groundplan.cli.app import run
from groundplan.cli.exits import Exit

sys.path.append(str(Path(__file__).parents[1] / "formalize"))
from texts import BROKEN_DOMAIN, DOMAIN, GOOD, PROBLEM, TASK, UNSOLVABLE, VERDICT


@pytest.fixture
def files(tmp_path: Path) -> Path:
    texts = {
        "domain.pddl": DOMAIN,
        "problem.pddl": PROBLEM,
        "broken.pddl": BROKEN_DOMAIN,
        "unsolvable.pddl": UNSOLVABLE,
    }
    texts |= {
        "plan.txt": "(light left)\n(light right)\n",
        "short.txt": "(light left)\n",
        "odd.txt": "<html>\n",
        "task.txt": TASK,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "script.json").write_text(json.dumps([GOOD, VERDICT]))
    return tmp_path


def _json(files: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    resolved = [str(files / item) if (files / item).exists() and "." in item else item for item in arguments]
    code = run([*resolved, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_check(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _json(files, capsys, "check", "domain.pddl", "problem.pddl") == (Exit.YES, {"ok": True, "diagnostics": []})
    code, data = _json(files, capsys, "check", "broken.pddl")
    assert code == Exit.NO
    assert not data["ok"]
    keys = {"code", "category", "severity", "file", "line", "column", "end_line", "end_column", "message", "hint"}
    assert set(data["diagnostics"][0]) == keys
    assert data["diagnostics"][0]["line"] == 7
    assert "dark" in data["diagnostics"][0]["hint"]


@pytest.mark.parametrize("engine", ["fast-downward", "builtin"])
def test_solve(files: Path, capsys: pytest.CaptureFixture[str], engine: str) -> None:
    code, data = _json(files, capsys, "solve", "domain.pddl", "problem.pddl", "--engine", engine)
    assert code == Exit.YES
    assert {"status", "plan", "cost", "engine", "seconds", "reason"} <= set(data)
    assert (data["status"], data["cost"], data["engine"], data["measure"]) == ("solved", 2, engine, "steps")
    assert sorted(data["plan"]) == ["(light left)", "(light right)"]
    code, data = _json(files, capsys, "solve", "domain.pddl", "unsolvable.pddl", "--engine", engine)
    assert code == Exit.NO
    assert (data["status"], data["plan"]) == ("unsolvable", None)
    assert any("(lit right)" in found["message"] for found in data["diagnostics"])


@pytest.mark.parametrize(
    ("plan", "code", "verdict", "step"),
    [
        ("plan.txt", Exit.YES, "valid", None),
        ("short.txt", Exit.NO, "invalid", None),
        ("odd.txt", Exit.INPUT, "unreadable", None),
    ],
)
def test_validate(
    files: Path, capsys: pytest.CaptureFixture[str], plan: str, code: Exit, verdict: str, step: int | None
) -> None:
    got, data = _json(files, capsys, "validate", "domain.pddl", "problem.pddl", plan)
    assert (got, data["verdict"]) == (code, verdict)
    assert {"verdict", "step", "reasons", "cost"} <= set(data)
    assert bool(data["reasons"]) == (verdict != "valid")


def test_formalize_writes_a_run(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = files / "run"
    code, data = _json(
        files, capsys, "formalize", "task.txt", "--model", f"scripted:{files / 'script.json'}", "--out", str(out)
    )
    assert code == Exit.YES
    assert {"status", "domain", "problem", "plan", "solver_calls", "repairs", "signals", "judge"} <= set(data)
    assert (data["status"], data["solver_calls"], data["repairs"], data["judge"]) == ("solved", 1, 0, 0.9)
    for name in ("domain.pddl", "problem.pddl", "plan.txt", "result.json", "events.jsonl", "report.html", "run.json"):
        assert (out / name).stat().st_size > 0
    assert run(["validate", str(out / "domain.pddl"), str(out / "problem.pddl"), str(out / "plan.txt")]) == Exit.YES


def test_the_text_may_stand_on_the_command_line(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = f"scripted:{files / 'script.json'}"
    assert run(["formalize", TASK, "--model", model, "--out", str(files / "run")]) == Exit.YES
    assert "solved: the plan is valid" in capsys.readouterr().out


def test_output_for_people(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", str(files / "broken.pddl")])
    assert "^^^" in capsys.readouterr().out
    run(["solve", str(files / "domain.pddl"), str(files / "problem.pddl")])
    assert "measured by number of steps" in capsys.readouterr().out
    run(["validate", str(files / "domain.pddl"), str(files / "problem.pddl"), str(files / "short.txt")])
    assert "(lit right)" in capsys.readouterr().out
    assert run(["--version"]) == Exit.YES
    assert "groundplan" in capsys.readouterr().out
