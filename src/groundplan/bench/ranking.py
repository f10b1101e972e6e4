"""How often a clear margin of the Judge's score points the wrong way (multi-role paper, Theorem C.3)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from groundplan.bench.agreement import correctness, disagrees
from groundplan.bench.candidate import NONE_LEFT_OUT, Candidate, Failure, LeftOut, left_out
from groundplan.bench.episode import by_task
from groundplan.bench.reliability import Scored, judge_error
from groundplan.errors import InputError


@dataclass(frozen=True, slots=True)
class MarginRanking:
    """Eq. 17 on a sample: a task is drawn, then an ordered pair of two of its candidates.

    `frequency` is that of {s1 >= s2 + 2 delta and c1 < c2}, `bound` is 2 epsilon over the same tasks, `decided` the
    frequency of {s1 >= s2 + 2 delta} alone: where it is 0 the theorem says nothing. All None without a pair.
    """

    delta: float | None
    frequency: float | None
    bound: float | None
    decided: float | None
    tasks: int
    pairs: int
    left_out: LeftOut = NONE_LEFT_OUT

    def as_json(self) -> dict[str, Any]:
        return {
            "delta": self.delta,
            "frequency": self.frequency,
            "bound": self.bound,
            "decided": self.decided,
            "tasks": self.tasks,
            "pairs": self.pairs,
            "left_out": self.left_out.as_json(),
        }


def margin_ranking(
    candidates: Iterable[Candidate], delta: float | None = None, *, checked_apart: bool = False
) -> MarginRanking:
    """The frequency in Theorem C.3 and its bound; `delta` defaults to the largest |s - b| of the sample.

    With that default the frequency never exceeds the bound, on any sample. With a smaller delta (a guess of what the
    Judge usually misses by) it may. Tasks with one usable candidate make no pair and are not counted. Raises
    InputError for a delta below 0.
    """
    if delta is not None and not delta >= 0:
        raise InputError(f"delta, the Judge's error, must be 0 or more, not {delta}")
    usable: list[Candidate] = []
    unlabelled: list[Candidate] = []
    unscored: list[Candidate] = []
    for c in candidates:
        if disagrees(c, checked_apart=checked_apart) is None:
            unlabelled.append(c)
        elif c.score is None or c.failure is Failure.EXTRACTION:
            unscored.append(c)
        else:
            usable.append(c)
    missing = left_out(unlabelled, unscored)
    groups = [group for group in by_task(usable).values() if len(group) > 1]
    if delta is None:
        delta = judge_error(_scores([c for group in groups for c in group]))
    if delta is None:
        return MarginRanking(None, None, None, None, 0, 0, missing)
    wrong, decided, differ, pairs = [], [], [], 0
    for group in groups:
        correct = [correctness(c, checked_apart=checked_apart) for c in group]
        rows = zip(_scores(group).scores, correct, strict=True)
        margins = [(c1, c2) for (s1, c1), (s2, c2) in permutations(rows, 2) if s1 >= s2 + 2 * delta]
        ordered = len(group) * (len(group) - 1)
        decided.append(len(margins) / ordered)
        wrong.append(sum(bool(c2) and not c1 for c1, c2 in margins) / ordered)
        differ.append(sum(disagrees(c, checked_apart=checked_apart) is True for c in group) / len(group))
        pairs += ordered
    share = [math.fsum(values) / len(groups) if groups else None for values in (wrong, differ, decided)]
    bound = None if share[1] is None else 2 * share[1]
    return MarginRanking(delta, share[0], bound, share[2], len(groups), pairs, missing)


def _scores(candidates: list[Candidate]) -> Scored:
    scores = tuple(c.score for c in candidates if c.score is not None)
    return Scored(scores, tuple(c.solver_label is True for c in candidates))
