"""The losses of the multi-role paper (Eqs. 5, 6, 11, 12 and section A.4), on tensors alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

Ratio = Literal["token", "sequence"]


def ppo_loss(new: Sequence[Tensor], old: Sequence[Tensor], advantages: Tensor, clip: float, ratio: Ratio) -> Tensor:
    """L_PPO of Eq. 11: -E[min(q A, clip(q, 1 - eps, 1 + eps) A)].

    `new` and `old` hold each sample's token log-probabilities (tokens,), `advantages` (samples,). With "sequence" q is
    the ratio of whole replies, as the equation reads (a_t is a token sequence); with "token" there is a q for each
    token and the mean is taken over all tokens of all samples, as is usual for long replies.
    """
    logs = [now - before.detach() for now, before in zip(new, old, strict=True)]
    if ratio == "sequence":
        q, weights = torch.stack([log.sum() for log in logs]).exp(), advantages
    else:
        q = torch.cat(logs).exp()
        weights = torch.cat([weight.expand(len(log)) for weight, log in zip(advantages, logs, strict=True)])
    return -torch.minimum(q * weights, q.clamp(1 - clip, 1 + clip) * weights).mean()


def band(scores: Tensor, solved: Tensor, threshold: float) -> Tensor:
    """The banded penalty of Eq. 12 for each sample: (1 - b) max(0, s - tau)^2 + b/2 max(0, tau - s)^2."""
    above = (scores - threshold).clamp(min=0) ** 2
    below = (threshold - scores).clamp(min=0) ** 2
    return (1 - solved) * above + 0.5 * solved * below


def judge_loss(logits: Tensor, solved: Tensor, lambda_band: float, threshold: float) -> Tensor:
    """L_J of Eq. 5, averaged over samples: BCE(s, b) + lambda_band * band(s, b); `solved` holds 0 and 1."""
    cross = binary_cross_entropy_with_logits(logits, solved, reduction="none")
    return (cross + lambda_band * band(logits.sigmoid(), solved, threshold)).mean()


def judge_reward(scores: Tensor, solved: Tensor, threshold: float) -> Tensor:
    """R_J of section A.4 for each sample: 1, -1, 0.5 or -0.5, by whether s passes tau and the solver succeeds."""
    right_pass, wrong_pass = torch.ones_like(scores), -torch.ones_like(scores)
    passed = torch.where(solved > 0, right_pass, wrong_pass)
    held = torch.where(solved > 0, -0.5 * right_pass, 0.5 * right_pass)
    return torch.where(scores > threshold, passed, held)


def judge_reward_loss(logits: Tensor, solved: Tensor) -> Tensor:
    """Section A.4 as a loss: minus the mean of R_J where the Judge lets a candidate pass with probability s.

    The decision s > tau has no gradient; taken as a draw with probability s, its expectation has:
    s R_J(pass, b) + (1 - s) R_J(hold, b).
    """
    scores = logits.sigmoid()
    passed = torch.where(solved > 0, 1.0, -1.0).to(scores)
    held = torch.where(solved > 0, -0.5, 0.5).to(scores)
    return -(scores * passed + (1 - scores) * held).mean()


def total_loss(actor: Tensor, editor: Tensor, judge: Tensor, lambda_editor: float, lambda_judge: float) -> Tensor:
    """L_total of Eq. 6: L_PPO^A + lambda_E L_PPO^E + lambda_J L_J."""
    return actor + lambda_editor * editor + lambda_judge * judge


def divergence(new: Sequence[Tensor], reference: Sequence[Tensor]) -> Tensor:
    """An estimate of KL(pi_theta || pi_reference) in nats a token that is never negative: mean of exp(d) - 1 - d with
    d = log pi_reference - log pi_theta on sampled tokens. Not in the paper; weight 0 by default."""
    d = torch.cat([before.detach() - now for now, before in zip(new, reference, strict=True)])
    return (d.exp() - 1 - d).mean()
