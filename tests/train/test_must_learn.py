"""A tiny model learns a toy task from the solver's word, and does not where a part that it needs is missing."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from toy import Role, judged, repaired, solved_first, toy

ENOUGH = 25


def test_the_actor_learns_from_the_solver() -> None:
    made = toy(roles={Role.ACTOR})
    before = solved_first(made, made.play(64))
    made.learn(ENOUGH)
    assert before < 0.6
    assert solved_first(made, made.play(64)) > 0.9


@pytest.mark.parametrize(
    "without",
    [{"deaf": True, "roles": {Role.ACTOR}}, {"backbone": "frozen", "roles": {Role.EDITOR, Role.JUDGE}}],
)
def test_it_does_not_without_the_solvers_word_or_without_the_actors_loss(without) -> None:
    made = toy(**without)
    made.learn(ENOUGH)
    assert solved_first(made, made.play(64)) < 0.7


def test_the_editor_learns_to_repair_and_does_not_without_its_loss() -> None:
    made = toy(roles={Role.EDITOR, Role.JUDGE})
    made.learn(ENOUGH)
    assert repaired(made.play(64)) > 0.9
    made = toy(roles={Role.EDITOR, Role.JUDGE}, lambda_editor=0.0)
    made.learn(ENOUGH)
    assert repaired(made.play(64)) < 0.7


@pytest.mark.parametrize("form", ["loss", "reward"])
def test_the_judge_learns_what_is_solved_and_does_not_without_its_loss(form) -> None:
    made = toy(roles={Role.EDITOR, Role.JUDGE}, judge_form=form)
    made.learn(ENOUGH)
    assert judged(made.play(64)) > 0.5
    made = toy(roles={Role.EDITOR, Role.JUDGE}, judge_form=form, lambda_judge=0.0)
    made.learn(ENOUGH)
    assert abs(judged(made.play(64))) < 0.1
