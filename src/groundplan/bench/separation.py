"""Does the Judge score faithful specifications above unfaithful ones, among those that are solved (Table 5)?"""

from __future__ import annotations

import math
import random
import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from groundplan.bench.candidate import NONE_LEFT_OUT, Candidate, LeftOut, left_out
from groundplan.bench.episode import by_task


@dataclass(frozen=True, slots=True)
class Auc:
    """Probability that a faithful candidate scores above an unfaithful one, a tie counting one half.

    `value` is None where either class is empty. `standard_error` is Hanley and McNeil's (1982), for independent
    candidates; it is 0 at 0 and 1, where it says nothing.
    """

    value: float | None
    standard_error: float | None
    faithful: int
    unfaithful: int
    left_out: LeftOut = NONE_LEFT_OUT

    def as_json(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "standard_error": self.standard_error,
            "faithful": self.faithful,
            "unfaithful": self.unfaithful,
            "left_out": self.left_out.as_json(),
        }


def auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """The Mann-Whitney statistic over its maximum; None where either class is empty."""
    if not positive or not negative:
        return None
    ordered = sorted(negative)
    twice = sum(bisect_left(ordered, score) + bisect_right(ordered, score) for score in positive)
    return twice / (2 * len(positive) * len(negative))


def hanley_mcneil(value: float, positives: int, negatives: int) -> float:
    """Standard error of an AUC (Hanley and McNeil 1982, Eq. 1 and 2)."""
    square = value * value
    q1, q2 = value / (2 - value), 2 * square / (1 + value)
    spread = value * (1 - value) + (positives - 1) * (q1 - square) + (negatives - 1) * (q2 - square)
    return math.sqrt(max(0.0, spread) / (positives * negatives))


def judge_auc(candidates: Iterable[Candidate]) -> Auc:
    """The AUC among solved candidates; solved ones without a faithfulness label or a score are left out."""
    positive, negative, missing = _classes(candidates)
    value = auc(positive, negative)
    error = None if value is None else hanley_mcneil(value, len(positive), len(negative))
    return Auc(value, error, len(positive), len(negative), missing)


def auc_bootstrap_error(candidates: Iterable[Candidate], rounds: int = 200, seed: int = 0) -> float | None:
    """Standard error of `judge_auc` when whole tasks are drawn anew: candidates of one task are not independent.

    Rounds in which a class is empty are left away; None where fewer than two rounds give an AUC.
    """
    groups = [_classes(group)[:2] for group in by_task(candidates).values()]
    groups = [group for group in groups if group[0] or group[1]]
    draw = random.Random(seed)
    values = []
    for _ in range(rounds if groups else 0):
        drawn = draw.choices(groups, k=len(groups))
        value = auc([s for pos, _ in drawn for s in pos], [s for _, neg in drawn for s in neg])
        if value is not None:
            values.append(value)
    return statistics.stdev(values) if len(values) > 1 else None


def _classes(candidates: Iterable[Candidate]) -> tuple[list[float], list[float], LeftOut]:
    """Scores of the faithful and of the unfaithful among the solved, and the solved that cannot be used."""
    scores: dict[bool, list[float]] = {True: [], False: []}
    unlabelled, unscored = [], []
    for candidate in candidates:
        if candidate.solver_label is False:
            continue
        if candidate.correct_label is None:
            unlabelled.append(candidate)
        elif candidate.score is None:
            unscored.append(candidate)
        else:
            scores[candidate.correct_label].append(candidate.score)
    return scores[True], scores[False], left_out(unlabelled, unscored)
