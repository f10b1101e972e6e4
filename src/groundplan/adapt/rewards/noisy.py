"""Pairs of observations made of noise: what candidates are tried on, and told apart by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from groundplan.adapt.rewards.layout import Layout
from groundplan.adapt.rewards.shaping import Shaping
from groundplan.adapt.rewards.walk import clipped
from groundplan.adapt.worlds.world import MAX_DISPLACEMENT, Array

SAME_WITHIN = 1e-5
"""Two functions are the same where their rewards differ by no more on each of PAIRS pairs, as in the reference."""
PAIRS = 10


@dataclass(frozen=True)
class Pairs:
    """Flat observations before and after a step, row by row."""

    previous: Array
    current: Array


def noisy_pairs(layout: Layout, count: int, seed: int, around: Array | None = None) -> Pairs:
    """Observations about one range (1 / scale) wide, each followed by one that a control step could lead to.

    `around` is a real observation to scatter about; without it they lie about zero. Shares stay within [0, 1]. A step
    moves what is measured in metres by no more than MAX_DISPLACEMENT along each axis, and the rest by as much of its
    range as that is of a tenth of a metre.
    """
    rng = np.random.default_rng(seed)
    width = 1.0 / layout.scale
    base = np.zeros(layout.width) if around is None else around
    previous = base + width * rng.uniform(-1.0, 1.0, (count, layout.width))
    units = np.concatenate([np.full(item.size, item.unit == "m") for item in layout.observables])
    shares = np.concatenate([np.full(item.size, item.unit == "1") for item in layout.observables])
    largest = np.where(units, MAX_DISPLACEMENT, width * MAX_DISPLACEMENT / 0.1)
    current = previous + largest * rng.uniform(-1.0, 1.0, (count, layout.width))
    for rows in (previous, current):
        rows[:, shares] = np.clip(np.abs(rows[:, shares]), 0.0, 1.0)
    return Pairs(previous, current)


def rewards_on(shaping: Shaping, pairs: Pairs, function: int = 0) -> Array:
    """The function's rewards, clipped as the walk clips them. Raises ShapingFailed."""
    values = shaping.values([function] * len(pairs.previous), pairs.previous, pairs.current)
    return np.array([clipped(float(value)) for value in values])


def are_same(one: Array, other: Array) -> bool:
    """Whether two functions with these rewards on the same pairs mean the same."""
    return bool(np.abs(one - other).max() <= SAME_WITHIN)


def first_of_each(rewards: list[Array]) -> list[int | None]:
    """For each function the earlier one, of those that are kept, that means the same; None where there is none."""
    found: list[int | None] = []
    for place, mine in enumerate(rewards):
        earlier = (n for n in range(place) if found[n] is None and are_same(rewards[n], mine))
        found.append(next(earlier, None))
    return found
