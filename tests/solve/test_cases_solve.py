"""Field cases of solving: the right ending, for the right reason, from both engines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundplan.cli.app import run
from groundplan.pddl import Task, check_sources, read_source
from groundplan.pddl.explain import explain_unsolvable
from groundplan.solve.engines import make_engine
from groundplan.solve.outcome import Fault, Limits, Outcome, Status

ENGINES = ("fast-downward", "builtin")


def _task(folder: Path, problem: str = "problem.pddl", domain: str = "domain.pddl") -> Task:
    return check_sources(read_source(folder / domain), read_source(folder / problem)).task()


def _solve(task: Task, engine: str, *, optimal: bool = False) -> Outcome:
    solver = make_engine(engine, optimal=optimal)
    try:
        return solver.solve(task, Limits(wall_s=30))
    finally:
        solver.close()


@pytest.fixture
def cases(shared_dir: Path) -> Path:
    return shared_dir / "cases"


@pytest.mark.parametrize("engine", ENGINES)
def test_goal_already_true(cases: Path, engine: str) -> None:
    outcome = _solve(_task(cases / "goal-already-true"), engine)
    assert (outcome.status, outcome.plan, outcome.cost) == (Status.SOLVED, (), 0)


@pytest.mark.parametrize("engine", ENGINES)
def test_exhausted_search_is_proof(cases: Path, engine: str) -> None:
    folder = cases / "exhausted-search-is-proof"
    outcome = _solve(_task(folder), engine)
    assert outcome.status is Status.UNSOLVABLE
    assert outcome.reason
    unreachable = _task(folder, "problem_relaxed_unreachable.pddl")
    assert _solve(unreachable, engine).status is Status.UNSOLVABLE
    assert any("attic" in found.message and "beside" in found.message for found in explain_unsolvable(unreachable))


@pytest.mark.parametrize("optimal", [[], ["--optimal"]])
@pytest.mark.parametrize("engine", ENGINES)
def test_costs_without_metric(cases: Path, capsys: pytest.CaptureFixture[str], engine: str, optimal: list[str]) -> None:
    folder = cases / "costs-without-metric"
    command = ["solve", str(folder / "domain.pddl"), "--engine", engine, "--json", *optimal]
    for problem, cost, measure, proved in (
        ("problem", 2, "total-cost", True),
        ("problem_no_metric", 1, "steps", bool(optimal)),
    ):
        assert run([*command, str(folder / f"{problem}.pddl")]) == 0
        data = json.loads(capsys.readouterr().out)
        assert (data["cost"], data["measure"], data["optimal"], len(data["plan"])) == (cost, measure, proved, cost)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("domain", "problem", "words"),
    [
        ("domain_numeric.pddl", "problem_numeric.pddl", ["numeric condition", "domain_numeric.pddl:8"]),
        ("domain_durative.pddl", "problem_durative.pddl", ["durative action", "domain_durative.pddl:4"]),
        ("domain_durative.pddl", "problem_durative_til.pddl", ["timed initial literal", "problem_durative_til.pddl:1"]),
    ],
)
def test_beyond_classical_is_named(cases: Path, engine: str, domain: str, problem: str, words: list[str]) -> None:
    task = _task(cases / "beyond-classical", problem, domain)
    outcome = _solve(task, engine)
    assert (outcome.status, outcome.fault) == (Status.FAILED, Fault.UNSUPPORTED)
    for word in words:
        assert word in outcome.reason


@pytest.mark.parametrize("engine", ENGINES)
def test_costs_never_declared(cases: Path, engine: str) -> None:
    outcome = _solve(_task(cases / "cost-without-functions"), engine)
    assert (outcome.status, outcome.cost, len(outcome.plan or ())) == (Status.SOLVED, 0, 1)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("case", "steps"),
    [
        ("bom-crlf-tabs", 2),
        ("comment-with-parens", 2),
        ("empty-and-missing-parts", 5),
        ("constants-in-problem", 1),
        ("either", 2),
        ("nested-when", 1),
        ("add-and-delete-same-atom", 1),
        ("counts-in-words", 14),
        ("solvable-but-not-what-was-asked", 8),
    ],
)
def test_shortest_plans(cases: Path, engine: str, case: str, steps: int) -> None:
    folder = cases / case
    problem = "problem.pddl" if (folder / "problem.pddl").exists() else "problem_reference.pddl"
    outcome = _solve(_task(folder, problem), engine, optimal=True)
    assert (outcome.status, outcome.cost, outcome.optimal) == (Status.SOLVED, steps, True)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", ["blocked-way-one-direction", "action-with-no-grounding"])
def test_unsolvable_models(cases: Path, engine: str, case: str) -> None:
    assert _solve(_task(cases / case), engine).status is Status.UNSOLVABLE
