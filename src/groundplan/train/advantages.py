"""From rewards to advantages: named estimators, since the paper names none."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import torch
from torch import Tensor


def leave_one_out(rewards: Tensor, groups: Sequence[Hashable]) -> Tensor:
    """Each reward less the mean of the other samples of its group (one task, several samples): unbiased, no network.

    A sample that is alone in its group is compared with the mean of all the others; a lone sample at all gets 0.
    `rewards` (samples,) -> (samples,).
    """
    totals: dict[Hashable, tuple[float, int]] = {}
    values = rewards.tolist()
    for group, value in zip(groups, values, strict=True):
        total, count = totals.get(group, (0.0, 0))
        totals[group] = (total + value, count + 1)
    whole, everyone = sum(values), len(values)
    found = []
    for group, value in zip(groups, values, strict=True):
        total, count = totals[group]
        if count == 1:
            total, count = whole, everyone
        found.append(value - (total - value) / (count - 1) if count > 1 else 0.0)
    return torch.tensor(found, dtype=rewards.dtype)


def against_value(rewards: Tensor, values: Tensor) -> Tensor:
    """Each reward less the value head's forecast for its context; no gradient goes through it."""
    return rewards - values.detach().to(rewards)


def discounted(last: float, steps: int, gamma: float) -> list[float]:
    """The returns of `steps` Editor steps whose one reward comes at the end: gamma^(T-1-t) R_E (the MDP of A.4)."""
    return [last * gamma ** (steps - 1 - step) for step in range(steps)]
