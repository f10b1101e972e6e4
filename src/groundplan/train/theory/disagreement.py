"""How often the solver and the reference disagree, with a bound that holds for a whole run (section C.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Disagreement:
    """`rate` is the measured share of candidates with B != C (Eq. 18); the true one of this checkpoint's policy is at
    most `bound` (Eq. 19), with probability 1 - delta over the draw of the `n` candidates."""

    rate: float
    bound: float
    n: int

    @property
    def bounded(self) -> bool:
        """Whether the bound shows Assumption C.1: epsilon < 1/2."""
        return self.bound < 0.5


def disagreement(
    solved: Sequence[bool], correct: Sequence[bool], delta: float = 0.05, checkpoints: int = 1
) -> Disagreement:
    """Eqs. 18 and 19: the share of B != C, and that plus sqrt(log(1 / delta) / 2n), never above 1.

    `solved` are the solver's labels B and `correct` the reference's labels C of n candidates that were drawn
    independently from one policy: one of each task, as several of one task share their luck. Where `checkpoints`
    policies are measured and all bounds shall hold at once, delta is divided by their number.

    Raises ValueError without candidates, where the two differ in length, and for a delta outside (0, 1) or fewer
    than one checkpoint.
    """
    n = len(solved)
    if n != len(correct):
        raise ValueError(f"{n} solver labels but {len(correct)} reference labels; give both for each candidate")
    if n == 0:
        raise ValueError("no candidates: the disagreement rate needs at least one with both labels")
    if not 0 < delta < 1:
        raise ValueError(f"delta is a probability between 0 and 1 (both excluded), not {delta}")
    if checkpoints < 1:
        raise ValueError(f"there is at least one checkpoint, not {checkpoints}")
    rate = sum(bool(b) != bool(c) for b, c in zip(solved, correct, strict=True)) / n
    margin = math.sqrt(math.log(checkpoints / delta) / (2 * n))
    return Disagreement(rate, min(1.0, rate + margin), n)
