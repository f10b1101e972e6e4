"""Field cases of text to PDDL: replies of every shape, and specifications that solve but say something else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from groundplan.formalize.extract import extract
from groundplan.formalize.loop import Settings, formalize
from groundplan.formalize.signals import signals
from groundplan.formalize.specification import Result, Specification
from groundplan.formalize.verify import verify
from groundplan.models.scripted import ScriptedModel
from groundplan.pddl import check_sources, read_source
from groundplan.pddl.source import Source
from groundplan.runs.run import Run
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Limits, Status

sys.path.append(str(Path(__file__).parent))


@pytest.fixture
def cases(shared_dir: Path) -> Path:
    return shared_dir / "cases"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _formalize(folder: Path, text: str, reply: str, domain: str = "") -> Result:
    with Run.open(folder, settings={}) as run:
        model = ScriptedModel([reply])
        return formalize(text, model, BuiltinEngine(), run, domain=domain, settings=Settings(0, judge=False))


@pytest.mark.parametrize("name", ["a_fences", "c_json", "d_draft_then_final", "f_no_fence"])
def test_the_pair_is_found(cases: Path, tmp_path: Path, name: str) -> None:
    folder = cases / "replies-that-are-not-just-pddl"
    result = _formalize(tmp_path / "run", _text(folder / "prompt.txt"), _text(folder / f"reply_{name}.txt"))
    assert result.status is Status.SOLVED
    final = result.final
    assert final is not None
    wanted = check_sources(read_source(folder / "domain.pddl"), read_source(folder / "problem.pddl"))
    got = check_sources(Source(final.specification.domain), Source(final.specification.problem))
    assert (got.domain, got.problem) == (wanted.domain, wanted.problem)
    assert len(result.as_json()["plan"]) == 1


def test_no_domain_in_the_reply_keeps_the_present_one(cases: Path, tmp_path: Path) -> None:
    folder = cases / "replies-that-are-not-just-pddl"
    reply, domain = _text(folder / "reply_b_no_change.txt"), _text(folder / "domain.pddl")
    assert extract(reply).domain is None
    assert _formalize(tmp_path / "run", _text(folder / "prompt.txt"), reply, domain).status is Status.SOLVED


def test_a_placeholder_is_refused(cases: Path, tmp_path: Path) -> None:
    folder = cases / "replies-that-are-not-just-pddl"
    result = _formalize(tmp_path / "run", _text(folder / "prompt.txt"), _text(folder / "reply_e_ellipsis.txt"))
    assert result.status is Status.FAILED
    codes = [found["code"] for found in result.as_json()["diagnostics"]]
    assert codes == ["placeholder"]


def test_a_refusal_is_no_answer(cases: Path, tmp_path: Path) -> None:
    folder = cases / "replies-that-are-not-just-pddl"
    result = _formalize(tmp_path / "run", _text(folder / "prompt.txt"), _text(folder / "reply_g_refusal.txt"))
    assert result.status is Status.FAILED
    assert [found["code"] for found in result.as_json()["diagnostics"]] == ["no-pddl-in-reply"]
    assert result.solver_calls == 0


@pytest.mark.parametrize("name", ["and_empty", "same_as_init", "nil", "bare", "no_goal"])
def test_no_real_goal_is_no_success(cases: Path, name: str) -> None:
    folder = cases / "no-real-goal"
    specification = Specification(_text(folder / "domain.pddl"), _text(folder / f"problem_{name}.pddl"))
    found = verify(specification, BuiltinEngine(), Limits())
    assert not found.solved
    wanted = {
        "and_empty": {"empty-goal", "nothing-to-do"},
        "same_as_init": {"nothing-to-do"},
        "nil": {"empty-goal"},
        "bare": {"empty-goal"},
        "no_goal": {"missing-goal"},
    }
    assert {diagnostic.code for diagnostic in found.diagnostics} == wanted[name]


def _signals(folder: Path, problem: str) -> set[str]:
    task = check_sources(read_source(folder / "domain.pddl"), read_source(folder / problem)).task()
    found = signals(_text(folder / "prompt.txt"), task)
    return {signal.name for signal in found if signal.severity != "info"}


@pytest.mark.parametrize(
    ("case", "problem", "flagged"),
    [
        ("solvable-but-not-what-was-asked", "problem_candidate_goal_short.pddl", {"goal-coverage"}),
        ("solvable-but-not-what-was-asked", "problem_candidate_goal_in_init.pddl", {"goal-already-true"}),
        ("solvable-but-not-what-was-asked", "problem_candidate_equivalent.pddl", set()),
        ("solvable-but-not-what-was-asked", "problem_reference.pddl", set()),
        ("counts-in-words", "problem_candidate_short.pddl", {"number-coverage"}),
        ("counts-in-words", "problem_candidate_forall.pddl", set()),
        ("counts-in-words", "problem_reference.pddl", set()),
        ("no-real-goal", "problem_and_empty.pddl", {"empty-goal"}),
        ("no-real-goal", "problem_same_as_init.pddl", {"goal-already-true"}),
    ],
)
def test_wrong_ones_are_flagged_and_right_ones_pass(cases: Path, case: str, problem: str, flagged: set[str]) -> None:
    found = _signals(cases / case, problem)
    assert flagged <= found
    assert bool(found) == bool(flagged)
