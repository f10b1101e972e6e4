"""Field cases of generalized planning: what their expected.md asks of running programs and reading replies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundplan.confine.opening import CannotConfine, open_confinement
from groundplan.confine.outcome import ConfineLimits
from groundplan.confine.protocol import Confinement
from groundplan.generalize.code import program_from_reply
from groundplan.generalize.execute import run_on_task
from groundplan.generalize.kinds import Kind, NamedTask, TaskResult
from groundplan.pddl.read import read_task

LIMITS = ConfineLimits(wall_s=2, cpu_s=2)


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    try:
        opened = open_confinement()
    except CannotConfine as error:
        pytest.skip(str(error))
    yield opened
    opened.close()


@pytest.fixture
def cases(shared_dir: Path) -> Path:
    return shared_dir / "cases"


def run(folder: Path, program: str, confinement: Confinement, problem: str = "problem") -> TaskResult:
    task = NamedTask(problem, read_task(folder / "domain.pddl", folder / f"{problem}.pddl"))
    text = (folder / program).read_text(encoding="utf-8")
    if program.endswith(".txt"):
        found = program_from_reply(text)
        if found.fault is not None:
            return TaskResult(problem, found.fault, found.message)
        text = found.source
    return run_on_task(text, task, confinement, limits=LIMITS)


def test_an_atom_of_another_length(cases: Path, confinement: Confinement) -> None:
    folder = cases / "policy-assumes-fixed-arity"
    result = run(folder, "policy.py", confinement)
    assert result.kind is Kind.EXCEPTION
    for words in ("ValueError", "line 2", "of init does not fit (pred, thing, spot)", "the element ("):
        assert words in result.message
    assert "goal" not in result.message
    repaired = run(folder, "policy_repaired.py", confinement)
    assert (repaired.kind, len(repaired.plan or ())) == (Kind.SOLVED, 7)


@pytest.mark.parametrize("name", ["adds_goal", "clears_goal"])
def test_a_program_that_writes_into_its_input_gains_nothing(cases: Path, confinement: Confinement, name: str) -> None:
    result = run(cases / "policy-changes-its-input", f"policy_{name}.py", confinement)
    assert (result.kind, result.plan) == (Kind.GOAL_MISSING, ())
    assert "(parked c1 q2)" in result.message


def test_an_honest_program_may_write_into_its_input(cases: Path, confinement: Confinement) -> None:
    for _ in range(2):
        result = run(cases / "policy-changes-its-input", "policy_honest_but_mutating.py", confinement)
        assert (result.kind, len(result.plan or ()), result.orders_tried) == (Kind.SOLVED, 7, 4)


def test_a_program_that_walks_in_circles(cases: Path, confinement: Confinement) -> None:
    folder = cases / "policy-loops-on-a-ring"
    line = run(folder, "policy.py", confinement, "problem_1_line")
    assert (line.kind, len(line.plan or ())) == (Kind.SOLVED, 2)
    ring = run(folder, "policy.py", confinement, "problem_2_ring")
    assert ring.kind in (Kind.TIME_OUT, Kind.OUT_OF_MEMORY)
    assert "did not end" in ring.message
    assert "the last steps repeat: (walk h1 h2) (walk h2 h1)." in ring.message
    assert ring.seconds < 6


@pytest.mark.parametrize("name", ["ok", "no_brackets", "tuples", "string", "generator"])
def test_shapes_of_a_plan_that_are_read(cases: Path, confinement: Confinement, name: str) -> None:
    result = run(cases / "policy-output-shapes", f"policy_{name}.py", confinement)
    assert (result.kind, len(result.plan or ())) == (Kind.SOLVED, 7)


@pytest.mark.parametrize(
    ("name", "kind", "step", "words"),
    [
        ("repr_inside", Kind.UNKNOWN_OBJECT, 4, "`('c1',)` is no object"),
        ("none_argument", Kind.UNKNOWN_OBJECT, 1, "None was formatted into the step"),
        ("returns_none", Kind.RETURNED_NOTHING, None, "returned nothing"),
    ],
)
def test_shapes_of_a_plan_that_are_refused(
    cases: Path, confinement: Confinement, name: str, kind: Kind, step: int | None, words: str
) -> None:
    result = run(cases / "policy-output-shapes", f"policy_{name}.py", confinement)
    assert (result.kind, result.step) == (kind, step)
    assert words in result.message
    assert "goal" not in result.message


@pytest.mark.parametrize("name", ["a_prose_and_code", "b_no_fence", "c_demo_call", "d_main_guard", "g_two_blocks"])
def test_replies_with_a_program(cases: Path, confinement: Confinement, name: str) -> None:
    result = run(cases / "policy-replies-not-just-code", f"reply_{name}.txt", confinement)
    assert (result.kind, len(result.plan or ())) == (Kind.SOLVED, 7)


def test_a_missing_module_is_named(cases: Path, confinement: Confinement) -> None:
    result = run(cases / "policy-replies-not-just-code", "reply_e_missing_module.txt", confinement)
    assert result.kind is Kind.MISSING_MODULE
    assert "`planning_kit`" in result.message


def test_a_reply_that_was_cut_off(cases: Path, confinement: Confinement) -> None:
    result = run(cases / "policy-replies-not-just-code", "reply_f_cut_off.txt", confinement)
    assert result.kind is Kind.NO_PROGRAM
    assert "cut off" in result.message
