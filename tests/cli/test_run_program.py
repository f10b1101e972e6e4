"""groundplan run-program as scripts call it: JSON keys, exit codes, the plan file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from groundplan.cli.app import run
from groundplan.cli.exits import Exit
from groundplan.confine import opening
from groundplan.confine.opening import CannotConfine
from groundplan.confine.outcome import Ending, Ran

sys.path.append(str(Path(__file__).parents[1] / "generalize"))
sys.path.append(str(Path(__file__).parents[1] / "pddl"))
from program_tasks import LAMPS, LAMPS_PLAN, LAMPS_PROBLEM

RIGHT = f"def get_plan(objects, init, goal):\n    return {list(LAMPS_PLAN)!r}\n"
KEYS = {
    "task", "kind", "cause", "message", "plan", "step", "seconds", "orders_tried", "valid", "cost", "program", "notes",
}  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> Path:
    texts = {
        "domain.pddl": LAMPS,
        "two.pddl": LAMPS_PROBLEM,
        "right.py": RIGHT,
        "wrong.py": "def get_plan(objects, init, goal):\n    return ['(walk hall attic)']\n",
        "odd.py": "def solve(task):\n    return []\n",
        "broken.py": "def get_plan(objects, init, goal:\n    return []\n",
        "reply.txt": f"Here:\n```python\n{RIGHT}\nprint(get_plan(1, 2, 3))\n```\n",
        "reply.md": f"```python\n{RIGHT}```\n",
        "prose.txt": "I cannot do that.",
        "program": RIGHT,
        "negated.pddl": LAMPS_PROBLEM.replace("(lit l2)", "(not (lit l2))"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def call(files: Path, capsys: pytest.CaptureFixture[str], program: str, *options: str) -> tuple[int, dict[str, Any]]:
    arguments = [str(files / name) for name in (program, "domain.pddl", "two.pddl")]
    code = run(["run-program", *arguments, *options, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.fixture(autouse=True)
def _can_confine() -> None:
    try:
        opening.open_confinement().close()
    except CannotConfine as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("program", ["right.py", "reply.txt", "reply.md", "program"])
def test_a_valid_plan(files: Path, capsys: pytest.CaptureFixture[str], program: str) -> None:
    out = files / "plan.txt"
    code, data = call(files, capsys, program, "--orders", "2", "--out", str(out))
    assert code == Exit.YES
    assert set(data) == KEYS
    assert (data["kind"], data["valid"], data["cost"], data["orders_tried"]) == ("solved", True, 4, 2)
    assert data["plan"] == list(LAMPS_PLAN)
    assert out.read_text().splitlines() == [*LAMPS_PLAN, "; cost = 4"]
    assert bool(data["notes"]) == (program == "reply.txt")
    assert run(["validate", str(files / "domain.pddl"), str(files / "two.pddl"), str(out)]) == Exit.YES


@pytest.mark.parametrize(
    ("program", "code", "kind", "words"),
    [
        ("wrong.py", Exit.NO, "unmet-static-precondition", "(door hall attic)"),
        ("odd.py", Exit.INPUT, "no-program", "get_plan"),
        ("broken.py", Exit.INPUT, "no-program", "line 1"),
        ("prose.txt", Exit.INPUT, "no-program", "No program was found"),
    ],
)
def test_no_plan(
    files: Path, capsys: pytest.CaptureFixture[str], program: str, code: Exit, kind: str, words: str
) -> None:
    out = files / "plan.txt"
    got, data = call(files, capsys, program, "--out", str(out))
    assert (got, data["kind"], data["valid"], data["cost"]) == (code, kind, False, None)
    assert words in data["message"]
    assert not out.exists()


def test_renamed_objects(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, data = call(files, capsys, "right.py", "--renamed")
    assert (code, data["kind"], data["cause"]) == (Exit.NO, "name-dependent", "unknown-object")


def test_wrong_input(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(files, capsys, "missing.py")[0] == Exit.INPUT
    arguments = [str(files / name) for name in ("right.py", "domain.pddl", "negated.pddl")]
    assert run(["run-program", *arguments, "--json"]) == Exit.INPUT
    assert "negation" in json.loads(capsys.readouterr().out)["reason"]
    assert run(["run-program", str(files / "right.py"), str(files / "domain.pddl"), "missing.pddl"]) == Exit.INPUT
    assert run(["run-program", *arguments[:2], str(files / "two.pddl"), "--orders", "0"]) == Exit.INPUT
    assert call(files, capsys, "right.py", "--out", str(files / "no" / "plan.txt"))[0] == Exit.INPUT


def test_for_people(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(files / name) for name in ("domain.pddl", "two.pddl")]
    assert run(["run-program", str(files / "reply.txt"), *arguments]) == Exit.YES
    said = capsys.readouterr()
    assert said.out.splitlines()[:4] == list(LAMPS_PLAN)
    assert "; valid: cost = 4, 4 step(s), in 4 order(s)" in said.out
    assert "left out" in said.err
    assert run(["run-program", str(files / "wrong.py"), *arguments]) == Exit.NO
    assert "; unmet-static-precondition: Step 1" in capsys.readouterr().out


def test_a_time_limit(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "loops.py").write_text("def get_plan(objects, init, goal):\n    while True:\n        pass\n")
    code, data = call(files, capsys, "loops.py", "--timeout", "0.3")
    assert (code, data["kind"]) == (Exit.NO, "time-out")
    assert "did not end within 0.3 seconds" in data["message"]


class Broken:
    """A confinement that can run nothing."""

    def run(self, *_: Any, **__: Any) -> Ran:
        return Ran(Ending.BROKEN, message="it did not start")

    def close(self) -> None:
        """Nothing is held."""


def test_a_confinement_that_breaks(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "open_confinement", lambda **_: Broken())
    code, data = call(files, capsys, "right.py")
    assert (code, data["kind"]) == (Exit.FAILED, "not-run")
