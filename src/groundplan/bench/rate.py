"""A share or a mean of a sample, with its uncertainty and with what it leaves out."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from groundplan.bench.candidate import NONE_LEFT_OUT, LeftOut
from groundplan.errors import InputError

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `n`. `extraction` says how many of the n were extraction failures, which count as not solved.

    `left_out` counts what could not enter the n. Raises InputError unless 0 <= hits <= n.
    """

    hits: int
    n: int
    extraction: int = 0
    left_out: LeftOut = NONE_LEFT_OUT

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.n:
            raise InputError(f"a rate needs 0 <= hits <= n, not hits {self.hits} and n {self.n}")

    @property
    def value(self) -> float | None:
        """None where n is 0."""
        return self.hits / self.n if self.n else None

    @property
    def standard_error(self) -> float | None:
        """Binomial: sqrt(p (1 - p) / n). It is 0 at p = 0 and 1, where only `wilson` still says something."""
        return None if self.value is None else math.sqrt(self.value * (1 - self.value) / self.n)

    def wilson(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Wilson's score interval, two-sided; (0, 1) where n is 0. Raises InputError for a confidence not in (0, 1)."""
        if not 0 < confidence < 1:
            raise InputError(f"a confidence lies between 0 and 1, not {confidence}")
        if self.value is None:
            return 0.0, 1.0
        z2 = statistics.NormalDist().inv_cdf((1 + confidence) / 2) ** 2
        centre = (self.hits + z2 / 2) / (self.n + z2)
        half = math.sqrt(z2 * (self.hits * (self.n - self.hits) / self.n + z2 / 4)) / (self.n + z2)
        # At 0 and at n the interval ends there exactly; floating point would miss it by a hair.
        low = 0.0 if self.hits == 0 else max(0.0, centre - half)
        high = 1.0 if self.hits == self.n else min(1.0, centre + half)
        return low, high

    @property
    def reach(self) -> tuple[float, float]:
        """The lowest and highest value that it could have, were everything that is left out known."""
        all_of_them = self.n + self.left_out.total
        if not all_of_them:
            return 0.0, 1.0
        return self.hits / all_of_them, (self.hits + self.left_out.total) / all_of_them

    def as_json(self, confidence: float = CONFIDENCE) -> dict[str, Any]:
        return {
            "value": self.value,
            "hits": self.hits,
            "n": self.n,
            "standard_error": self.standard_error,
            "wilson": list(self.wilson(confidence)),
            "reach": list(self.reach),
            "extraction": self.extraction,
            "left_out": self.left_out.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of n independent values, with its standard error s / sqrt(n) (None for n < 2)."""

    value: float | None
    standard_error: float | None
    n: int
    left_out: LeftOut = NONE_LEFT_OUT

    def as_json(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "standard_error": self.standard_error,
            "n": self.n,
            "left_out": self.left_out.as_json(),
        }


def mean_of(values: Sequence[float], missing: LeftOut = NONE_LEFT_OUT) -> Mean:
    """The mean of the values; None where there is none."""
    n = len(values)
    return Mean(
        value=math.fsum(values) / n if n else None,
        standard_error=statistics.stdev(values) / math.sqrt(n) if n > 1 else None,
        n=n,
        left_out=missing,
    )
