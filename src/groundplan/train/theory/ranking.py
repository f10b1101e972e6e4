"""Whether the Judge ranks a wrong candidate above a right one of the same task (Theorem C.3)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from groundplan.train.theory.calibration import checked


@dataclass(frozen=True, slots=True)
class Ranking:
    """Eq. 17 on pairs of candidates of the same task.

    `pairs` were compared, of which `decided` have scores at least 2 `delta` apart; `misranked` of these put a wrong
    candidate first. `eps` is the share of B != C among the pairs' candidates (a candidate counts once for each pair it
    is in), so that a task with many candidates weighs the same on both sides of the bound.
    """

    pairs: int
    decided: int
    misranked: int
    eps: float
    delta: float

    @property
    def rate(self) -> float:
        """The share of mis-ranked pairs, taken in either order; the probability in Eq. 17, of one order, is half."""
        return self.misranked / self.pairs

    @property
    def bound(self) -> float:
        return 2 * self.eps

    @property
    def holds(self) -> bool:
        return self.rate <= self.bound

    @property
    def vacuous(self) -> bool:
        """No two scores of [0, 1] are so far apart, so that the theorem says nothing."""
        return 2 * self.delta > 1


def ranking(
    tasks: Sequence[Hashable],
    scores: Sequence[float],
    solved: Sequence[bool],
    correct: Sequence[bool],
    delta: float | None = None,
) -> Ranking:
    """Compare all pairs of candidates whose entries in `tasks` are equal.

    `delta` stands for the theorem's delta_J; None takes the sample's largest |s - B|, with which the bound holds on
    every sample: where B = C for both, a margin of 2 delta cannot turn them round. With a smaller delta (as 0, any
    order counts) it may fail, which shows what the Judge's own error adds.

    Raises ValueError as `checked` does, for a negative delta, and where no two candidates share a task.
    """
    checked(scores, solved, correct, [True] * len(tasks))
    if delta is None:
        delta = max(abs(score - bool(b)) for score, b in zip(scores, solved, strict=True))
    if not delta >= 0:
        raise ValueError(f"delta is the Judge's calibration error, 0 or more, not {delta}")
    pairs = decided = misranked = apart = 0
    for one, other in pairs_of(tasks):
        pairs += 1
        apart += sum(bool(solved[place]) != bool(correct[place]) for place in (one, other))
        first, second = (one, other) if scores[one] >= scores[other] else (other, one)
        if scores[first] >= scores[second] + 2 * delta:
            decided += 1
            tied = scores[first] == scores[second]
            misranked += bool(correct[first]) != bool(correct[second]) and (tied or not correct[first])
    if not pairs:
        raise ValueError("no two candidates belong to the same task; sample at least two for one task")
    return Ranking(pairs, decided, misranked, apart / (2 * pairs), delta)


def pairs_of(tasks: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """The places of every two candidates of the same task."""
    groups: dict[Hashable, list[int]] = {}
    for place, task in enumerate(tasks):
        groups.setdefault(task, []).append(place)
    for group in groups.values():
        yield from combinations(group, 2)
