"""How far the Judge's score is from the probability that it states: Eq. 13, Brier score, expected calibration error."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from groundplan.bench.candidate import NONE_LEFT_OUT, Candidate, Failure, LeftOut, left_out
from groundplan.bench.rate import Rate
from groundplan.errors import InputError

Target = Literal["solved", "faithful"]


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores and labels of the same length, and what had to be left out.

    Raises InputError for different lengths and for scores outside [0, 1].
    """

    scores: tuple[float, ...]
    labels: tuple[bool, ...]
    left_out: LeftOut = NONE_LEFT_OUT

    def __post_init__(self) -> None:
        if len(self.scores) != len(self.labels):
            raise InputError(f"{len(self.scores)} scores and {len(self.labels)} labels: one label a score is wanted")
        for score in self.scores:
            if not 0.0 <= score <= 1.0:
                raise InputError(f"a score lies between 0 and 1, not {score}")


def scored(candidates: Iterable[Candidate], target: Target = "solved") -> Scored:
    """The scored candidates with their label: the solver's (what the Judge is trained on), or faithful success.

    Extraction failures are left out: there was no specification to judge.
    """
    kept, unlabelled, unscored = [], [], []
    for candidate in candidates:
        label = candidate.solver_label if target == "solved" else candidate.correct_label
        if label is None:
            unlabelled.append(candidate)
        elif candidate.score is None or candidate.failure is Failure.EXTRACTION:
            unscored.append(candidate)
        else:
            kept.append((float(candidate.score), label))
    return Scored(tuple(score for score, _ in kept), tuple(label for _, label in kept), left_out(unlabelled, unscored))


def judge_error(data: Scored) -> float | None:
    """delta_J of Eq. 13 on the sample: max |s - b|. None for an empty sample.

    For a fixed specification the solver's label is certain, so one confident mistake brings it to nearly 1; and the
    supremum over all specifications can only be larger. Read it together with `calibration` and `brier`.
    """
    return max((abs(score - label) for score, label in zip(data.scores, data.labels, strict=True)), default=None)


def brier(data: Scored) -> float | None:
    """Mean of (s - b)^2: 0 is perfect, 0.25 is what a constant 0.5 gets. None for an empty sample."""
    if not data.scores:
        return None
    return math.fsum((s - b) ** 2 for s, b in zip(data.scores, data.labels, strict=True)) / len(data.scores)


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores from `low` to `high`: their number, their mean, and how many of the labels hold."""

    low: float
    high: float
    mean_score: float
    rate: Rate

    @property
    def n(self) -> int:
        return self.rate.n

    @property
    def gap(self) -> float:
        """|mean score - share of labels that hold|."""
        return abs(self.mean_score - self.rate.hits / self.rate.n)

    def as_json(self) -> dict[str, Any]:
        return {
            "low": self.low,
            "high": self.high,
            "n": self.n,
            "mean_score": self.mean_score,
            "rate": self.rate.value,
            "wilson": list(self.rate.wilson()),
        }


@dataclass(frozen=True, slots=True)
class Calibration:
    """Expected calibration error and the bins that it comes from; `ece` is None for an empty sample."""

    ece: float | None
    bins: tuple[Bin, ...]
    binning: str

    def as_json(self) -> dict[str, Any]:
        return {"ece": self.ece, "binning": self.binning, "bins": [bin_.as_json() for bin_ in self.bins]}


def calibration(data: Scored, bins: int = 10, binning: Literal["width", "mass"] = "width") -> Calibration:
    """ECE = sum over bins of n_bin / n * |mean score - share of labels that hold|; empty bins are left away.

    "width" cuts [0, 1] into equal pieces, closed below (the last one at both ends); "mass" puts about the same number
    of scores into each bin and never parts equal scores, so that their order cannot matter. Raises InputError for
    less than one bin.
    """
    if bins < 1:
        raise InputError(f"calibration needs at least one bin, not {bins}")
    rows = sorted(zip(data.scores, data.labels, strict=True))
    indices = _by_width(rows, bins) if binning == "width" else _by_mass(rows, bins)
    made = []
    for index, members in groupby(zip(indices, rows, strict=True), key=lambda pair: pair[0]):
        inside = [row for _, row in members]
        edges = (index / bins, (index + 1) / bins) if binning == "width" else (inside[0][0], inside[-1][0])
        mean = math.fsum(score for score, _ in inside) / len(inside)
        made.append(Bin(edges[0], edges[1], mean, Rate(sum(label for _, label in inside), len(inside))))
    ece = math.fsum(bin_.n * bin_.gap for bin_ in made) / len(rows) if rows else None
    return Calibration(ece, tuple(made), binning)


def _by_width(rows: Sequence[tuple[float, bool]], bins: int) -> list[int]:
    edges = [index / bins for index in range(1, bins)]
    return [bisect_right(edges, score) for score, _ in rows]


def _by_mass(rows: Sequence[tuple[float, bool]], bins: int) -> list[int]:
    indices: list[int] = []
    for _, ties in groupby(rows, key=lambda row: row[0]):
        size = len(list(ties))
        middle = 2 * len(indices) + size  # twice the rank of the middle of these equal scores
        indices += [bins * middle // (2 * len(rows))] * size
    return indices
