"""Where programs and tasks come from, and that what is missing is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundplan.bench.genplan.generator import generate
from groundplan.bench.genplan.suites import data_suite, generated_suite, programs_from, programs_in
from groundplan.errors import InputError
from own_tasks import GREENHOUSE


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_programs_in_every_layout(tmp_path: Path) -> None:
    _write(tmp_path / "ferry.py", "a")
    _write(tmp_path / "heavy" / "one.py", "b")
    _write(tmp_path / "heavy" / "two.py", "c")
    _write(tmp_path / "spanner" / "f5-3" / "program.py", "d")
    _write(tmp_path / "spanner" / "f5-3" / "report.md", "no program")
    _write(tmp_path / "README.md", "no program")
    assert programs_in(tmp_path) == {
        "ferry": {"program": "a"},
        "heavy": {"one": "b", "two": "c"},
        "spanner": {"f5-3": "d"},
    }


def test_folders_without_programs(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InputError, match=r"DIR/<domain>\.py"):
            programs_in(folder)


def test_single_files(tmp_path: Path) -> None:
    named = str(_write(tmp_path / "ferry.py", "a"))
    other = str(_write(tmp_path / "mine.py", "b"))
    twin = str(_write(tmp_path / "more" / "mine.py", "c"))
    assert programs_from([named]) == {"ferry": {"ferry": "a"}}
    assert programs_from([f"heavy={other}", named]) == {"heavy": {"mine": "b"}, "ferry": {"ferry": "a"}}
    assert programs_from([other, twin], ["spanner"]) == {"spanner": {"mine": "b", twin: "c"}}
    with pytest.raises(InputError, match="which domain"):
        programs_from([other])
    with pytest.raises(InputError, match="no such file"):
        programs_from(["ferry=nowhere.py"])


def test_tasks_of_a_folder(tmp_path: Path) -> None:
    _write(tmp_path / "greenhouse" / "domain.pddl", GREENHOUSE[0])
    for name in ("eval/p2", "eval/p1", "train/p3"):
        _write(tmp_path / "greenhouse" / f"{name}.pddl", GREENHOUSE[1])
    suite = data_suite(tmp_path, "greenhouse")
    assert suite.label == "greenhouse eval"
    assert [task.name for task in suite.load()] == ["p1", "p2"]
    assert [task.name for task in data_suite(tmp_path, "greenhouse", "train").load()] == ["p3"]
    with pytest.raises(InputError, match="no tasks here"):
        data_suite(tmp_path, "ferry")


def test_generated_tasks() -> None:
    suite = generated_suite("ferry", "small", 2, first=7)
    first, second = suite.load()
    assert (first.name, second.name) == ("small-7", "small-8")
    assert first.task == generate("ferry", "small", 7) == suite.load()[0].task
    assert first.task != second.task
    with pytest.raises(InputError, match="did you mean `ferry`"):
        generated_suite("fery")
    with pytest.raises(InputError, match="no size is called"):
        generated_suite("ferry", "vast")  # type: ignore[arg-type]
