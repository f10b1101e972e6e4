"""A tiny model learns a toy task from the solver's word, and does not where a part that it needs is missing."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from toy import Role, repaired, solved_first, toy

from groundplan.train.update import Batch, update

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


FEW = 10
"""Updates in which the Editor learns, beside an Actor that does not change (the backbone is frozen)."""


@pytest.mark.parametrize(
    ("without", "learns"),
    [({}, True), ({"deaf": True}, False), ({"lambda_editor": 0.0}, False)],
    ids=["whole", "without the solver's word", "without the Editor's loss"],
)
def test_the_editor_learns_to_repair(without, learns) -> None:
    made = toy(backbone="frozen", rank=8, roles={Role.EDITOR, Role.JUDGE}, lambda_judge=0.0, **without)
    heard = made.stage.environment.answers
    made.stage.environment.answers = _hearing(made)  # episodes are scored by what is true
    before = repaired(made, made.play(128))
    made.stage.environment.answers = heard
    made.learn(FEW)
    made.stage.environment.answers = _hearing(made)
    after = repaired(made, made.play(128))
    assert before < 0.6
    assert (after > 0.9) is learns
    assert learns or after < 0.6


@pytest.mark.parametrize("weight", [0.3, 0.0])
def test_the_judge_learns_to_tell_what_was_solved(weight) -> None:
    """On contexts as short as they can be: among a hundred tokens a model of one layer finds a letter too slowly."""
    made = toy(roles={Role.ACTOR, Role.JUDGE}, lambda_judge=weight)
    policy, contexts = made.stage.policy, [(5, token) for token in range(20, 60)]
    labels = [token % 3 == 0 for _, token in contexts]
    for _ in range(30):
        batch = Batch((), (), tuple(zip(contexts, labels, strict=True)))
        update(policy, batch, made.optimizer, made.rewards, made.optimizer_settings)
    scores = policy.judge_logits(contexts).sigmoid().tolist()
    right = sum((score > 0.5) is label for score, label in zip(scores, labels, strict=True)) / len(labels)
    assert right > 0.95 if weight else right < 0.7


def _hearing(made):
    """The environment's answers without the deafness."""
    return type(made.stage.environment).answers.__get__(made.stage.environment)
