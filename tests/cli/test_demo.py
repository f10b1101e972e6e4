"""The demonstration: recorded replies, everything symbolic live; every recorded reply is used and none is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundplan.cli.app import run
from groundplan.cli.exits import Exit
from groundplan.formalize.demo import RECORDED, demo_tasks, recording
from groundplan.models.replay import read_recording
from groundplan.runs.log import read_events


def test_the_demo_runs_without_a_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert run(["demo", "--out", str(tmp_path)]) == Exit.YES
    output = capsys.readouterr().out
    assert "RECORDED" in output
    assert RECORDED in output
    assert "--model openai:" in output
    results = {task.name: json.loads((tmp_path / task.name / "result.json").read_text()) for task in demo_tasks()}
    solved = [name for name, result in results.items() if result["status"] == "solved"]
    assert {"blocksworld", "logistics", "gripper"} < set(solved)
    assert len(results) >= 4
    assert any(results[name]["repairs"] for name in solved), "no task that a repair led to a plan"
    assert "Editor, repair 1" in output
    for name in solved:
        folder = tmp_path / name
        paths = [str(folder / file) for file in ("domain.pddl", "problem.pddl", "plan.txt")]
        assert run(["validate", *paths]) == Exit.YES
        assert (folder / "report.html").stat().st_size > 10_000
    used = {
        event.payload["reply"]["text"]
        for name in results
        for event in read_events(tmp_path / name / "events.jsonl")
        if event.kind == "reply"
    }
    assert used == {recorded.exchange.reply.text for recorded in read_recording(recording())}


def test_one_task_by_name_and_unknown_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "watering", "--engine", "builtin", "--out", str(tmp_path)]) == Exit.YES
    assert "judge: " in capsys.readouterr().out
    assert run(["demo", "wateringg"]) == Exit.INPUT
    assert "watering" in capsys.readouterr().err


def test_nothing_of_the_recorder_is_in_the_recording() -> None:
    text = recording().read_text(encoding="utf-8")
    assert "/tmp/" not in text
    assert all(json.loads(line)["reply"]["model"] == "large language model" for line in text.splitlines())
