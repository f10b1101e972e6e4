"""`groundplan adapt` and `adapt-check` from the command line: files, exit codes, JSON, resuming."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from planning_oracle import DRAW_BOLT, GARDEN, garden_problem

from groundplan.cli import adapt, adapt_check
from groundplan.cli.exits import Exit
from groundplan.cli.output import report_error
from groundplan.errors import GroundplanError
from groundplan.pddl.read import read_task
from groundplan.pddl.source import read_source
from groundplan.pddl.validate import validate_text

BOLT = ["```\n(force-bolt g1 lawn)\n```", "```\n(not (bolted g1))\n```"] * 3


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "domain.pddl").write_text(GARDEN)
    (tmp_path / "now.pddl").write_text(garden_problem())
    (tmp_path / "before.pddl").write_text(garden_problem(""))
    (tmp_path / "script.json").write_text(json.dumps(BOLT))
    (tmp_path / "draw.txt").write_text(DRAW_BOLT)
    (tmp_path / "jump.txt").write_text("(:action jump :parameters (?p - plot) :precondition () :effect (in ?p))")
    (tmp_path / "broken.txt").write_text("(:action x :parameters () :effect (inn pond))")
    start = ["in lawn", "path lawn shed", "bolted g1", "gate-between g1 lawn pond"]
    before = [fact.split() for fact in start]
    line = {"action": ["jump", "pond"], "success": False, "before": before, "after": before}
    (tmp_path / "seen.jsonl").write_text(json.dumps(line) + "\n")
    return tmp_path


def run(*arguments: str) -> int:
    app = typer.Typer(pretty_exceptions_enable=False)
    adapt.add_to(app)
    adapt_check.add_to(app)
    try:
        return int(app(list(arguments), standalone_mode=False))
    except GroundplanError as error:
        return report_error(error, "--json" in arguments)


def test_a_plan_is_found_and_its_files_stand_by_themselves(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(
        "adapt", "domain.pddl", "now.pddl", "--model", "scripted:script.json", "--before", "before.pddl", "--out", "run"
    )
    assert code == Exit.YES
    text = capsys.readouterr().out
    assert "[novelty-fact]" in text
    assert "whether its operators are right is not checked" in text
    task = read_task("run/domain.pddl", "now.pddl")
    assert validate_text(task, read_source("run/plan.txt")).is_valid
    assert "(:action force-bolt" in Path("run/operators.pddl").read_text()
    assert json.loads(Path("run/result.json").read_text())["status"] == "found"


def test_json_and_resuming_without_a_second_question(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["adapt", "domain.pddl", "now.pddl", "--model", "scripted:script.json", "--out", "run", "--json"]
    assert run(*words, "--max-calls", "4") == Exit.NO
    stopped = json.loads(capsys.readouterr().out)
    assert (stopped["status"], stopped["limit"]) == ("not found", "budget")
    assert run(*words) == Exit.YES
    found = json.loads(capsys.readouterr().out)
    assert found["model_calls"] == 6
    assert found["plan"] == ["(force-bolt g1 lawn)", "(swing-open g1 lawn pond)", "(pass g1 lawn pond)"]
    assert found["run"] == "run"
    assert run(*words, "--samples", "3") == Exit.INPUT


def test_without_out_nothing_is_left(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(folder.iterdir())
    assert run("adapt", "domain.pddl", "now.pddl", "--model", "scripted:script.json") == Exit.YES
    assert sorted(folder.iterdir()) == before


def test_endings_have_their_exit_codes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("adapt", "domain.pddl", "before.pddl") == Exit.YES
    assert run("adapt", "domain.pddl", "now.pddl", "--before", "before.pddl") == Exit.NO
    (folder / "short.json").write_text(json.dumps(BOLT[:1]))
    assert run("adapt", "domain.pddl", "now.pddl", "--model", "scripted:short.json") == Exit.FAILED
    (folder / "never.pddl").write_text(garden_problem(goal="(and (open g1) (not (open g1)))"))
    capsys.readouterr()
    assert run("adapt", "domain.pddl", "never.pddl", "--json") == Exit.NO
    assert json.loads(capsys.readouterr().out)["status"] == "no operator can help"


BAD = {
    "no such domain": (["adapt", "nowhere.pddl", "now.pddl"], "no such file"),
    "a domain as problem": (["adapt", "domain.pddl", "domain.pddl"], "problem"),
    "an unknown scenario": (["adapt", "domain.pddl", "now.pddl", "--scenario", "cafe"], "no scenario"),
    "a scenario of other objects": (["adapt", "domain.pddl", "now.pddl", "--scenario", "nut"], "round-peg1"),
    "an unknown model": (["adapt", "domain.pddl", "now.pddl", "--model", "what:ever"], "what"),
    "an unknown predicate": (["adapt", "domain.pddl", "now.pddl", "--fixed", "roads"], "roads"),
    "before without problem": (["adapt-check", "domain.pddl", "draw.txt", "--before", "before.pddl"], "--problem"),
    "no such proposal": (["adapt-check", "domain.pddl", "none.txt"], "no such file"),
    "a fixed predicate of another domain": (["adapt-check", "domain.pddl", "draw.txt", "--fixed", "roads"], "roads"),
    "no transitions": (["adapt-check", "domain.pddl", "draw.txt", "--transitions", "draw.txt"], "draw.txt:2"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_told_and_nothing_is_made(folder: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    arguments, words = BAD[kind]
    before = sorted(folder.iterdir())
    assert run(*arguments) == Exit.INPUT
    assert words in capsys.readouterr().err
    assert sorted(folder.iterdir()) == before


def test_proposals_are_judged_and_ranked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["adapt-check", "domain.pddl", "jump.txt", "broken.txt", "draw.txt", "--problem", "now.pddl"]
    assert run(*words, "--json") == Exit.YES
    data = json.loads(capsys.readouterr().out)
    assert data["ranking"] == ["draw.txt", "jump.txt"]
    assert [item["standing"] for item in data["proposals"]] == ["suspicious", "rejected", "helpful"]
    assert run(*words) == Exit.YES
    assert "to try, in this order: draw.txt, jump.txt" in capsys.readouterr().out


def test_the_world_has_the_last_word(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["adapt-check", "domain.pddl", "jump.txt", "--problem", "now.pddl", "--transitions", "seen.jsonl"]
    assert run(*words) == Exit.NO
    assert "refuted by transition 1 (too wide)" in capsys.readouterr().out


def test_a_folder_stands_for_all_in_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "all").mkdir()
    for name in ("draw.txt", "broken.txt"):
        (folder / name).rename(folder / "all" / name)
    assert run("adapt-check", "domain.pddl", "all", "--problem", "now.pddl", "--json") == Exit.YES
    names = [Path(item["name"]).name for item in json.loads(capsys.readouterr().out)["proposals"]]
    assert names == ["broken.txt", "draw.txt"]


def test_planning_loads_nothing_heavy() -> None:
    code = (
        "import sys, groundplan.cli.adapt, groundplan.adapt.planning.search, groundplan.adapt.planning.judge\n"
        "print([m for m in ('numpy', 'torch', 'mujoco', 'gymnasium', 'openai') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_domain_without_a_problem_is_told_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("adapt", "domain.pddl") == Exit.INPUT
    assert "name the problem file" in capsys.readouterr().err
    assert run("adapt", "kitchen_lit") == Exit.INPUT
    assert "kitchen_lid" in capsys.readouterr().err
