"""How well the Judge's scores fit the labels: reliability, Brier score, AUC, and the bound of Eq. 15."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores in [low, high) (the last bin has 1 too): how many, their mean, and the share whose label is true."""

    low: float
    high: float
    count: int
    score: float
    rate: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """`ece` is the expected calibration error over the bins, `brier` the mean squared distance of score and label.

    `auc` is None where all labels are the same. Bins without a score are left out.
    """

    bins: tuple[Bin, ...]
    ece: float
    brier: float
    auc: float | None
    n: int


@dataclass(frozen=True, slots=True)
class JudgeBound:
    """Theorem C.2 on a sample. The theorem's delta_J is a supremum over all pairs of task and candidate (Eq. 13), which
    no sample can measure; `error`, the mean of |s - B|, stands for it in Eq. 15, and `largest`, the sample's largest
    |s - B|, in Eq. 16. With these stand-ins both equations hold on every sample, by the triangle inequality: what
    they tell is the size of the terms. `largest` bounds delta_J from below only.

    `gap` is the mean of |s - C|, `eps` the share of B != C, `exceeding` the share with |s - C| > `largest`.
    """

    gap: float
    eps: float
    error: float
    largest: float
    exceeding: float
    n: int

    @property
    def bound(self) -> float:
        return self.eps + self.error

    @property
    def holds(self) -> bool:
        """Eqs. 15 and 16, with room for rounding."""
        return self.gap <= self.bound + 1e-9 and self.exceeding <= self.eps


def calibration(scores: Sequence[float], labels: Sequence[bool], bins: int = 10) -> Calibration:
    """Compare scores in [0, 1] with labels, over `bins` bins of equal width.

    The labels are the solver's (what the Judge learns, Lemma C.1) or the reference's (what one hopes for; Table 5
    reports the AUC of these among the solved). Raises ValueError as `checked` does, and for fewer than one bin.
    """
    if bins < 1:
        raise ValueError(f"reliability needs at least one bin, not {bins}")
    n = checked(scores, labels)
    found = reliability(scores, labels, bins)
    ece = sum(item.count * abs(item.score - item.rate) for item in found) / n
    brier = sum((score - bool(label)) ** 2 for score, label in zip(scores, labels, strict=True)) / n
    return Calibration(found, ece, brier, area_under_curve(scores, labels), n)


def reliability(scores: Sequence[float], labels: Sequence[bool], bins: int) -> tuple[Bin, ...]:
    """The bins of equal width that hold a score."""
    inside: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for score, label in zip(scores, labels, strict=True):
        inside[min(bins - 1, int(score * bins))].append((score, bool(label)))
    return tuple(
        Bin(
            place / bins,
            (place + 1) / bins,
            len(held),
            sum(score for score, _ in held) / len(held),
            sum(label for _, label in held) / len(held),
        )
        for place, held in enumerate(inside)
        if held
    )


def area_under_curve(scores: Sequence[float], labels: Sequence[bool]) -> float | None:
    """The share of pairs of a true and a false label in which the true one scores higher, ties counting half
    (Mann-Whitney). None where there is no such pair."""
    high = [score for score, label in zip(scores, labels, strict=True) if label]
    low = sorted(score for score, label in zip(scores, labels, strict=True) if not label)
    if not high or not low:
        return None
    halves = sum(bisect_left(low, score) + bisect_right(low, score) for score in high)
    return halves / (2 * len(high) * len(low))


def judge_bound(scores: Sequence[float], solved: Sequence[bool], correct: Sequence[bool]) -> JudgeBound:
    """Eqs. 15 and 16 on one policy's candidates: E|s - C| <= eps + delta_J, and Pr(|s - C| > delta_J) <= eps.

    The solver is deterministic, so that the Bayes-optimal score of a candidate is its label B. Raises ValueError as
    `checked` does.
    """
    n = checked(scores, solved, correct)
    errors = [abs(score - bool(b)) for score, b in zip(scores, solved, strict=True)]
    gaps = [abs(score - bool(c)) for score, c in zip(scores, correct, strict=True)]
    largest = max(errors)
    return JudgeBound(
        gap=sum(gaps) / n,
        eps=sum(bool(b) != bool(c) for b, c in zip(solved, correct, strict=True)) / n,
        error=sum(errors) / n,
        largest=largest,
        exceeding=sum(gap > largest for gap in gaps) / n,
        n=n,
    )


def checked(scores: Sequence[float], *labels: Sequence[bool]) -> int:
    """How many candidates there are. Raises ValueError where there are none, where a score lies outside [0, 1] (or is
    no number), and where a label is missing."""
    n = len(scores)
    for given in labels:
        if len(given) != n:
            raise ValueError(f"{n} scores but {len(given)} labels; give each candidate's score with its labels")
    if n == 0:
        raise ValueError("no candidates: give at least one score with its labels")
    for place, score in enumerate(scores):
        if not 0 <= score <= 1:
            raise ValueError(f"score {place} is {score}; a Judge's score lies in [0, 1] (apply the sigmoid of Eq. 4)")
    return n
