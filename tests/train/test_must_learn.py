"""A tiny model learns a toy task from the solver's word, and does not where a part that it needs is missing."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from toy import Role, solved_first, toy

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
