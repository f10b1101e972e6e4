"""The commands: run, resume, replay, report; what is wrong is said before anything is asked."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "methods"))
from bench_fakes import fenced, snapshot

from groundplan.bench.sets.registry import task_set
from groundplan.bench.tables.published import LABEL
from groundplan.cli.bench_methods import add_to, open_set

NO = "I do not know."
CHEAP = ["--engine", "builtin", "--timeout", "10"]


def call(*arguments: object) -> tuple[int, str, str, Any]:
    app = typer.Typer()
    add_to(app)
    done = CliRunner().invoke(app, [str(item) for item in arguments], standalone_mode=False)
    code = done.return_value if isinstance(done.return_value, int) else 0
    return code, done.stdout, done.stderr, done.exception


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two blocksworld tasks, in turn: llm+p is right at once, or after a reply without PDDL; the actor writes none."""
    tasks = task_set("planbench-blocksworld").tasks(2, 0)
    right = [fenced(task.gold["domain"], task.gold["problem"]) for task in tasks]
    file = tmp_path_factory.mktemp("script") / "script.json"
    file.write_text(json.dumps([right[0], NO, NO, right[1], *[NO] * 20]))
    return file


@pytest.fixture(scope="module")
def ran(script: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("ran") / "run"
    asked = ["--groups", "blocksworld", "--n", 2, "--methods", "llm+p,actor", "--model", f"scripted:{script}", *CHEAP]
    code, shown, told, error = call("planbench", *asked, "--out", out, "--label", "some")
    assert (code, error) == (0, None), told
    assert "| llm+p (some) |" in shown
    assert "model calls" in told
    return out


def test_results_and_tables_are_in_the_run(ran: Path) -> None:
    columns = [json.loads(line)["score"]["column"] for line in (ran / "results.jsonl").read_text().splitlines()]
    assert columns == ["correct", "extraction", "correct", "extraction"]
    assert {"tables.md", "tables.tex", "summary.json", "bench.json"} <= {item.name for item in ran.iterdir()}


def test_a_replay_without_the_model_has_the_same_bytes(ran: Path, tmp_path: Path) -> None:
    asked = ["--groups", "blocksworld", "--n", 2, "--methods", "llm+p,actor", *CHEAP, "--label", "some", "--jobs", 3]
    code, _, told, error = call("planbench", *asked, "--model", f"replay:{ran}", "--out", tmp_path / "again")
    assert (code, error) == (0, None), told
    assert snapshot(tmp_path / "again") == snapshot(ran)


def test_a_resumed_run_asks_nothing(ran: Path, script: Path, tmp_path: Path) -> None:
    shutil.copytree(ran, tmp_path / "copy")
    before = snapshot(ran)
    asked = ["--groups", "blocksworld", "--n", 2, "--methods", "llm+p,actor", "--model", f"scripted:{script}", *CHEAP]
    code, shown, _, error = call("planbench", *asked, "--out", tmp_path / "copy", "--label", "some", "--json")
    assert (code, error) == (0, None)
    assert json.loads(shown)["methods"][0]["columns"]["correct"] == 2
    assert snapshot(tmp_path / "copy") == before


def test_a_report_joins_runs_beside_the_published_figures(ran: Path, tmp_path: Path) -> None:
    _, shown, _, error = call("report", ran, ran, "--out", tmp_path / "report")
    assert error is None
    assert "llm+p (some #2)" in shown
    assert LABEL in shown
    assert (tmp_path / "report" / "tables.tex").read_text().count(r"\begin{table}") >= 6
    _, plain, _, _ = call("report", ran, "--no-published", "--json")
    assert LABEL not in plain
    assert json.loads(plain)["set"] == "planbench"


def test_an_estimate_starts_nothing(script: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(f'["{script}"]\nprompt = 1.0\ncompletion = 1.0\n')
    asked = ["--n", 2, "--methods", "tot", "--model", f"scripted:{script}", "--prices", prices, "--estimate", "--json"]
    _, shown, _, error = call("planbench", *asked, "--out", tmp_path / "run")
    assert error is None
    told = json.loads(shown)
    # 2 levels: 3 thoughts and ratings, then 6; at last 1 to 6 candidates; for 2 tasks of 4 groups
    assert told["calls"] == [8 * (6 + 12 + 1), 8 * (6 + 12 + 6)]
    assert told["usd"] == pytest.approx((told["tokens_in"] + told["tokens_out"]) / 1e6)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["prontoqa", "natural-plan"])
def test_other_sets_are_answered_in_words(name: str, tmp_path: Path) -> None:
    (tmp_path / "script.json").write_text(json.dumps(["Answer: True"] * 4))
    asked = ["--methods", "cot", "--model", f"scripted:{tmp_path / 'script.json'}", "--n", 1, "--out", tmp_path / "run"]
    code, shown, told, error = call(name, *asked)
    assert (code, error) == (0, None), told
    assert "| cot (scripted) |" in shown


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--methods", "trained"], "wants --model trained:DIR"),
        (["--methods", "nothing"], "no method is called `nothing`"),
        (["--methods", "self-consistency"], "which plans are not"),
        (["--methods", "cot", "--max-usd", "1"], "--max-usd wants --prices"),
        (["--methods", "cot", "--groups", "sokoban"], "no task set"),
        (["--methods", "cot", "--model", "nowhere"], "names no model"),
        (["--methods", "cot", "--model", "trained:here"], "add --given-domain"),
        (["--methods", "cot", "--data", "/nowhere/at/all"], "no such folder"),
    ],
)
def test_what_is_wrong_is_said_at_once(more: list[str], words: str, script: Path, tmp_path: Path) -> None:
    asked = ["--model", f"scripted:{script}", *CHEAP, "--out", tmp_path / "run", *more]
    error = call("planbench", *asked)[3]
    assert words in str(error)
    assert not (tmp_path / "run").exists()


def test_methods_without_a_solver_for_the_set_are_refused(script: Path, tmp_path: Path) -> None:
    data = tmp_path / "planetarium"
    data.mkdir()
    asked = ["--methods", "solver-only", "--model", f"scripted:{script}", "--data", data, "--out", tmp_path / "run"]
    assert "no solver for one" in str(call("planetarium", *asked)[3])


def test_parts_of_a_benchmark_are_one_set() -> None:
    joined = open_set("natural-plan", None)
    tasks = joined.tasks(2, 0)
    assert [task.group for task in tasks] == ["trip", "trip", "calendar", "calendar"]
    parts = open_set("planbench", None, "gripper,blocksworld,gripper")
    assert [task.group for task in parts.tasks(1, 0)] == ["gripper", "blocksworld"]
