"""The Judge's scores in three groups: unsolved, solved but unfaithful, solved and faithful (Eq. 80, Figure 5)."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from groundplan.bench.candidate import Candidate, Failure, LeftOut, left_out


class Group(StrEnum):
    """The partition of Eq. 80."""

    UNSOLVED = "U"
    DRIFTED = "D"
    FAITHFUL = "F"

    @property
    def words(self) -> str:
        return {"U": "unsolved", "D": "solved, unfaithful", "F": "solved, faithful"}[self.value]


def group_of(candidate: Candidate) -> Group | None:
    """The group of a candidate; None for failures of tool or extraction and where a label is missing."""
    if candidate.failure is Failure.EXTRACTION or candidate.correct_label is None:
        return None
    if not candidate.solver_label:
        return Group.UNSOLVED
    return Group.FAITHFUL if candidate.correct_label else Group.DRIFTED


@dataclass(frozen=True, slots=True)
class GroupScores:
    """`n` candidates of a group, and the mean, standard deviation and quartiles of the `scored` ones among them.

    `quartiles` are interpolated between the scores (0 to 100 % from the least to the greatest). The standard
    deviation is that of a sample, None below two scores; all are None without a score.
    """

    group: Group
    n: int
    scored: int
    mean: float | None
    deviation: float | None
    quartiles: tuple[float, float, float] | None

    def as_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "scored": self.scored,
            "mean": self.mean,
            "deviation": self.deviation,
            "quartiles": None if self.quartiles is None else list(self.quartiles),
        }


@dataclass(frozen=True, slots=True)
class Groups:
    """The three groups, in the order U, D, F, and the candidates in none of them."""

    scores: tuple[GroupScores, GroupScores, GroupScores]
    left_out: LeftOut

    def as_json(self) -> dict[str, Any]:
        return {part.group.value: part.as_json() for part in self.scores} | {"left_out": self.left_out.as_json()}


def score_groups(candidates: Iterable[Candidate]) -> Groups:
    """Counts and scores of the three groups."""
    members: dict[Group | None, list[Candidate]] = {None: [], **{group: [] for group in Group}}
    for candidate in candidates:
        members[group_of(candidate)].append(candidate)
    unsolved, drifted, faithful = (_described(group, members[group]) for group in Group)
    return Groups((unsolved, drifted, faithful), left_out(members[None]))


def _described(group: Group, members: Sequence[Candidate]) -> GroupScores:
    scores = [candidate.score for candidate in members if candidate.score is not None]
    if not scores:
        return GroupScores(group, len(members), 0, None, None, None)
    first, middle, third = statistics.quantiles(scores * 2 if len(scores) == 1 else scores, n=4, method="inclusive")
    return GroupScores(
        group=group,
        n=len(members),
        scored=len(scores),
        mean=math.fsum(scores) / len(scores),
        deviation=statistics.stdev(scores) if len(scores) > 1 else None,
        quartiles=(first, middle, third),
    )
