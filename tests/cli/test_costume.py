"""groundplan costume: files in other words, and plans back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundplan.cli.app import run
from groundplan.cli.exits import Exit
from groundplan.pddl import read_task
from groundplan.pddl.validate import validate_plan
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Limits
from own_tasks import GREENHOUSE


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(GREENHOUSE[0])
    (tmp_path / "p1.pddl").write_text(GREENHOUSE[1])
    (tmp_path / "p2.pddl").write_text(GREENHOUSE[1].replace("ivy", "rose"))
    (tmp_path / "table.toml").write_text('wet = "healed"\nfern = "anna"\n')
    return tmp_path


def _costume(files: Path, *arguments: str) -> int:
    problems = [str(files / name) for name in ("p1.pddl", "p2.pddl")]
    return run(["costume", str(files / "domain.pddl"), *problems, *arguments, "--out", str(files / "out")])


@pytest.mark.parametrize("how", [("--anonymise",), ("--random", "7"), ("--table", "table.toml"), ("--keep-objects",)])
def test_a_plan_of_the_new_files_comes_back(
    files: Path, capsys: pytest.CaptureFixture[str], how: tuple[str, ...]
) -> None:
    given = [str(files / word) if word.endswith("toml") else word for word in how]
    given += ["--anonymise"] if how == ("--keep-objects",) else []
    assert _costume(files, *given) == Exit.YES
    for name in ("p1.pddl", "p2.pddl"):
        capsys.readouterr()
        other = read_task(files / "out" / "domain.pddl", files / "out" / name)
        plan = BuiltinEngine().solve(other, Limits(5, 5)).plan
        assert plan
        (files / "plan.txt").write_text("".join(f"{step}\n" for step in plan))
        arguments = ["costume", "--plan-back", str(files / "plan.txt"), "--names", str(files / "out" / "names.json")]
        assert run([*arguments, "--json"]) == Exit.YES
        as_json = json.loads(capsys.readouterr().out)["plan"]
        assert run(arguments) == Exit.YES
        text = capsys.readouterr().out
        assert text.splitlines() == as_json
        (files / "back.txt").write_text(text)
        task = read_task(files / "domain.pddl", files / name)
        assert run(["validate", str(files / "domain.pddl"), str(files / name), str(files / "back.txt")]) == Exit.YES
        assert not validate_plan(task, plan).is_valid


def test_names_json_is_a_table(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _costume(files, "--random", "3", "--json") == Exit.YES
    names = json.loads(capsys.readouterr().out)["names"]
    first = (files / "out" / "p2.pddl").read_text()
    (files / "names.json").write_text(json.dumps(names))
    assert _costume(files, "--table", str(files / "names.json"), "--complete") == Exit.YES
    assert (files / "out" / "p2.pddl").read_text() == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--anonymise", "--random", "1"), "give one of"),
        ((), "give one of"),
        (("--anonymise", "--complete"), "--table FILE"),
        (("--plan-back", "plan.txt"), "--names"),
        (("--table", "nowhere.toml"), "no such file"),
        (("--table", "domain.pddl"), "no TOML"),
    ],
)
def test_mistakes(files: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    given = [str(files / word) if "." in word else word for word in arguments]
    assert _costume(files, *given) == Exit.INPUT
    assert message in capsys.readouterr().err
    assert not (files / "out").exists()


def test_files_of_one_name(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "more").mkdir()
    (files / "more" / "p1.pddl").write_text(GREENHOUSE[1])
    given = [str(files / name) for name in ("domain.pddl", "p1.pddl", "more/p1.pddl")]
    assert run(["costume", *given, "--anonymise", "--out", str(files / "out")]) == Exit.INPUT
    assert "overwrite" in capsys.readouterr().err


def test_a_plan_in_the_old_names_is_refused(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _costume(files, "--anonymise") == Exit.YES
    (files / "plan.txt").write_text("(water fern)\n")
    names = str(files / "out" / "names.json")
    assert run(["costume", "--plan-back", str(files / "plan.txt"), "--names", names]) == Exit.INPUT
    assert "`water`" in capsys.readouterr().err
