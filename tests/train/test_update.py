"""The gradients that an update adds up part by part are those of Eq. 6 on the whole batch."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from toy import toy  # noqa: E402

from groundplan.train import update as module  # noqa: E402
from groundplan.train.logprobs import reply_log_probs  # noqa: E402
from groundplan.train.losses import judge_loss, ppo_loss, total_loss  # noqa: E402
from groundplan.train.policy import Role  # noqa: E402
from groundplan.train.rewards import RewardSettings  # noqa: E402
from groundplan.train.settings import OptimizerSettings  # noqa: E402


class Still(torch.optim.SGD):
    """Keeps the gradients and takes no step."""

    def step(self, closure=None):
        return None


@pytest.mark.parametrize("ratio", ["token", "sequence"])
@pytest.mark.parametrize(("minibatch", "moved"), [(1, False), (3, True), (64, True)])
def test_parts_add_up_to_the_total_loss(ratio, minibatch, moved) -> None:
    rewards = RewardSettings(roles=frozenset(Role))
    made = toy()
    policy = made.stage.policy
    settings = OptimizerSettings(ratio=ratio, minibatch=minibatch, max_grad_norm=1e9)
    episodes = made.play(24)
    batch = module.batch_from(made.stage, episodes, rewards, settings, [0.0] * 24, None)
    assert batch.actor
    assert batch.editor
    assert batch.judged
    if moved:  # so that the ratios of Eq. 11 are no ones, and some are clipped
        generator = torch.Generator().manual_seed(0)
        with torch.no_grad():
            for _, parameter in policy.trainable():
                parameter.add_(0.05 * torch.randn(parameter.shape, generator=generator))
    module.update(policy, batch, Still([item for _, item in policy.trainable()], lr=1.0), rewards, settings)
    found = {name: item.grad.clone() for name, item in policy.trainable() if item.grad is not None}
    policy.zero_grad(set_to_none=True)
    _whole(policy, batch, rewards, settings).backward()
    for name, item in policy.trainable():
        if item.grad is None:
            assert name not in found or not found[name].any()
        else:
            assert torch.allclose(found[name], item.grad, atol=1e-5, rtol=1e-3), name


def _whole(policy, batch, rewards, settings):
    def ppo(role, samples):
        new, _ = reply_log_probs(
            policy,
            role,
            [item.step.context for item in samples],
            [item.step.reply.tokens for item in samples],
            [item.step.reply.masks for item in samples],
        )
        advantages = torch.tensor([item.advantage for item in samples])
        return ppo_loss(new, [item.old for item in samples], advantages, settings.clip, settings.ratio)

    labels = torch.tensor([float(label) for _, label in batch.judged])
    judge = judge_loss(
        policy.judge_logits([context for context, _ in batch.judged]), labels, rewards.lambda_band, rewards.threshold
    )
    return total_loss(
        ppo(Role.ACTOR, batch.actor),
        ppo(Role.EDITOR, batch.editor),
        judge,
        rewards.lambda_editor,
        rewards.lambda_judge,
    )
