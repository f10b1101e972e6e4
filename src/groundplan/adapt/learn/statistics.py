"""Whether one method is better than another over seeds: a sign test, Wilcoxon's test, and honest errors.

The paper's Table III names Wilcoxon's test, but its p-values (0.0010 = 1/1024, 0.0107 = 11/1024) are those of a
one-sided sign test over ten seeds; both are here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from groundplan.adapt.learn.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class Scores:
    """Success rates of one training: the best evaluation ever seen (the paper's score), which looks at many and takes
    the luckiest, and the last one."""

    best: float
    final: float


def scores_of(curve: Sequence[Evaluation]) -> Scores:
    """Raises ValueError for a curve without a row."""
    if not curve:
        raise ValueError("a learning curve without a row has no score")
    return Scores(max(row.deterministic for row in curve), curve[-1].deterministic)


@dataclass(frozen=True, slots=True)
class Summary:
    """A mean over seeds with its standard error: the sample's standard deviation (n - 1) over the root of n; nan for
    one seed, of which nothing is known."""

    n: int
    mean: float
    error: float


def summary(values: Sequence[float]) -> Summary:
    """Raises ValueError without values."""
    if not values:
        raise ValueError("there are no values to summarise")
    n = len(values)
    error = float(np.std(values, ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return Summary(n, float(np.mean(values)), error)


@dataclass(frozen=True, slots=True)
class Compared:
    """Ours against theirs over the same seeds. `sign_p` and `wilcoxon_p` are one-sided: how likely so many, or such,
    wins would be if neither were better; 1.0 where all seeds tie."""

    wins: int
    losses: int
    ties: int
    sign_p: float
    wilcoxon_p: float


def compare(ours: Sequence[float], theirs: Sequence[float]) -> Compared:
    """Scores of the same seeds, in the same order. Ties are left out of both tests. Raises ValueError for sequences of
    different lengths, or none."""
    if len(ours) != len(theirs) or not ours:
        raise ValueError("the two methods want scores for the same seeds, at least one")
    from scipy.stats import binomtest, wilcoxon

    gaps = [mine - other for mine, other in zip(ours, theirs, strict=True)]
    wins, losses = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    if not wins + losses:
        return Compared(0, 0, len(gaps), 1.0, 1.0)
    sign = float(binomtest(wins, wins + losses, 0.5, alternative="greater").pvalue)
    signed = float(wilcoxon([gap for gap in gaps if gap], alternative="greater").pvalue)
    return Compared(wins, losses, len(gaps) - wins - losses, sign, signed)
