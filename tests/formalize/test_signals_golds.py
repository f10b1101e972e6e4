"""Signals on public golds and on the field cases; skipped where the shared data are absent."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from groundplan.errors import PddlError
from groundplan.formalize.signals import signals
from groundplan.pddl import task_from_text
from signal_rates import BREAKS, golds


def test_planbench_golds_have_no_error_and_hardly_a_warning(data_dir: Path) -> None:
    items = list(golds(data_dir, {"planbench"}))[::4]
    loud = [item for item in items if any(s.severity != "info" for s in signals(item.text, item.task))]
    assert len(items) >= 100
    assert len(loud) <= 0.02 * len(items)


def test_query_texts_without_the_domain_are_no_different(data_dir: Path) -> None:
    items = list(golds(data_dir, {"planbench"}))[::10]
    for item in items:
        query = item.text[item.text.index("As initial conditions") :]
        assert [s for s in signals(query, item.task) if s.severity != "info"] == []


def test_planetarium_golds_have_no_warning_but_that_nothing_is_to_do(data_dir: Path) -> None:
    for item in list(golds(data_dir, {"planetarium"}))[::2]:
        found = [s.name for s in signals(item.text, item.task) if s.severity != "info"]
        assert set(found) <= {"goal-already-true"}


@pytest.mark.parametrize("kind", BREAKS[:6], ids=lambda kind: kind.__name__)
def test_broken_planbench_golds_are_found(data_dir: Path, kind) -> None:  # type: ignore[no-untyped-def]
    items = list(golds(data_dir, {"planbench"}))[3::16]
    broken = [(item.text, kind(item.task, random.Random(k))) for k, item in enumerate(items)]
    found = [any(s.severity != "info" for s in signals(text, task)) for text, task in broken if task is not None]
    assert sum(found) >= 0.97 * len(found) > 0


def _case(shared: Path, case: str, problem: str) -> dict[str, str]:
    folder = shared / "cases" / case
    task = task_from_text((folder / "domain.pddl").read_text(), (folder / f"{problem}.pddl").read_text())
    return {s.name: s.severity for s in signals((folder / "prompt.txt").read_text(), task) if s.severity != "info"}


@pytest.mark.parametrize(
    ("case", "problem", "names"),
    [
        ("counts-in-words", "problem_reference", set()),
        ("counts-in-words", "problem_candidate_forall", set()),
        ("counts-in-words", "problem_candidate_short", {"number-coverage"}),
        ("solvable-but-not-what-was-asked", "problem_reference", set()),
        ("solvable-but-not-what-was-asked", "problem_candidate_equivalent", set()),
        ("solvable-but-not-what-was-asked", "problem_candidate_goal_short", {"goal-coverage"}),
        ("solvable-but-not-what-was-asked", "problem_candidate_goal_in_init", {"goal-already-true", "two-places"}),
        ("no-real-goal", "problem_and_empty", {"empty-goal"}),
        ("no-real-goal", "problem_same_as_init", {"goal-already-true", "goal-coverage"}),
    ],
)
def test_field_cases(shared_dir: Path, case: str, problem: str, names: set[str]) -> None:
    assert _case(shared_dir, case, problem).keys() == names


@pytest.mark.parametrize("problem", ["problem_nil", "problem_bare", "problem_no_goal"])
def test_problems_without_a_goal_never_get_here(shared_dir: Path, problem: str) -> None:
    with pytest.raises(PddlError, match="goal"):
        _case(shared_dir, "no-real-goal", problem)
