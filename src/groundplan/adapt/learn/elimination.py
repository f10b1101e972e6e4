"""Which candidate is dropped, and when a training may end early: rules over learning curves alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from groundplan.adapt.learn.evaluation import Evaluation
from groundplan.adapt.learn.settings import LearningSettings

Curve = Sequence[Evaluation]


def recent(curve: Curve, window: int) -> float:
    """Mean deterministic success over the last `window` evaluations; 0 without any."""
    return float(np.mean([row.deterministic for row in curve[-window:]])) if curve else 0.0


def is_settled(curve: Curve, settings: LearningSettings) -> bool:
    """Whether success over a full window is high and steady: the end of a training before its steps are used up."""
    last = [row.deterministic for row in curve[-settings.window :]]
    full = len(last) == settings.window
    return full and float(np.mean(last)) >= settings.stop_mean and float(np.std(last)) <= settings.stop_spread


def worst(curves: Mapping[int, Curve], window: int) -> int:
    """The candidate to drop: the lowest recent deterministic success; of equals the lowest stochastic success, then
    the last one."""

    def rank(number: int) -> tuple[float, float, int]:
        stochastic = [row.stochastic for row in curves[number][-window:]]
        return recent(curves[number], window), float(np.mean(stochastic)) if stochastic else 0.0, -number

    return min(curves, key=rank)


def best_row(curve: Curve) -> Evaluation | None:
    """The evaluation whose model is kept: the highest rank, of equals the earliest."""
    return max(curve, key=lambda row: row.rank, default=None)


def best_of(curves: Mapping[int, Curve], window: int) -> int:
    """The candidate whose best model wins: best evaluation, then recent success, then the first one."""

    def rank(number: int) -> tuple[tuple[float, float], float, int]:
        row = best_row(curves[number])
        return row.rank if row else (0.0, 0.0), recent(curves[number], window), -number

    return max(curves, key=rank)
