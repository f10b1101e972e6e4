"""Log-probabilities of replies under a policy, with the grammar's masks under which they were written."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from groundplan.train.guides import unpack
from groundplan.train.policy import Role, RolePolicy


def reply_log_probs(
    policy: RolePolicy,
    role: Role,
    contexts: Sequence[Sequence[int]],
    replies: Sequence[Sequence[int]],
    masks: Sequence[Tensor | None],
) -> tuple[list[Tensor], Tensor]:
    """log pi(a_t | o, a_<t) for each token of each reply, and the states (rows, width) before the replies begin.

    Where a mask is given (tokens, words) the distribution is renormalised over what it allows.
    """
    found, states = [], []
    for (logits, state), reply, mask in zip(policy.reply_logits(role, contexts, replies), replies, masks, strict=True):
        found.append(token_log_probs(logits, torch.tensor(reply, device=logits.device), mask))
        states.append(state)
    return found, torch.stack(states)


def token_log_probs(logits: Tensor, tokens: Tensor, mask: Tensor | None) -> Tensor:
    """(tokens, vocabulary) -> (tokens,), in float32 or better."""
    scores = logits if logits.dtype == torch.float64 else logits.float()
    if mask is not None:
        scores = scores.masked_fill(~unpack(mask.to(scores.device), scores.shape[-1]), -torch.inf)
    chosen = scores.gather(-1, tokens[:, None]).squeeze(-1)
    return chosen - scores.logsumexp(-1)
