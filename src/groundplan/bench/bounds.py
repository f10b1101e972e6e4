"""Upper bounds on a probability from a sample: Hoeffding, Clopper-Pearson, and both for many checkpoints at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from groundplan.bench.rate import Rate
from groundplan.errors import InputError

Method = Literal["hoeffding", "clopper-pearson"]


def hoeffding_upper(estimate: float, n: int, delta: float = 0.05) -> float:
    """Eq. 19 and 41: estimate + sqrt(log(1 / delta) / (2 n)), at most 1; holds with probability 1 - delta.

    `estimate` may be the mean of any n independent values in [0, 1]. 1 where n is 0. Raises InputError for an
    estimate outside [0, 1], a negative n or a delta outside (0, 1).
    """
    _check(delta, n)
    if not 0.0 <= estimate <= 1.0:
        raise InputError(f"an estimate of a probability lies between 0 and 1, not {estimate}")
    return min(1.0, estimate + math.sqrt(math.log(1 / delta) / (2 * n))) if n else 1.0


def clopper_pearson_upper(hits: int, n: int, delta: float = 0.05) -> float:
    """The exact one-sided bound: the p at which `hits` or fewer of n have probability delta.

    Never looser than Hoeffding, and much sharper for small rates: 0 of 100 gives 0.030 instead of 0.122. 1 where n
    is 0. Raises InputError unless 0 <= hits <= n and 0 < delta < 1.
    """
    _check(delta, n)
    if not 0 <= hits <= n:
        raise InputError(f"0 <= hits <= n is wanted, not hits {hits} and n {n}")
    if hits == n:
        return 1.0
    low, high = hits / n, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        if binomial_cdf(hits, n, middle) > delta:
            low = middle
        else:
            high = middle
    return high


def binomial_cdf(hits: int, n: int, p: float) -> float:
    """P(X <= hits) for X ~ Binomial(n, p), summed from the tail's largest term until the rest is too small to count."""
    if hits >= n or p <= 0.0:
        return 1.0
    if hits < 0 or p >= 1.0:
        return 0.0
    if hits + 1 > p * (n + 1):  # the lower tail would climb over the mode: sum the upper one, which falls
        return 1.0 - binomial_cdf(n - hits - 1, n, 1 - p)
    odds = (1 - p) / p
    terms, term = [1.0], 1.0
    for k in range(hits, 0, -1):
        term *= k / (n - k + 1) * odds
        terms.append(term)
        if term < 1e-18:
            break
    log_first = math.lgamma(n + 1) - math.lgamma(hits + 1) - math.lgamma(n - hits + 1)
    log_first += hits * math.log(p) + (n - hits) * math.log1p(-p)
    return min(1.0, math.exp(log_first) * math.fsum(terms))


def upper_bound(rate: Rate, delta: float = 0.05, method: Method = "hoeffding") -> float:
    """The bound of one rate by either method."""
    if method == "clopper-pearson":
        return clopper_pearson_upper(rate.hits, rate.n, delta)
    return hoeffding_upper(rate.value or 0.0, rate.n, delta)


def checkpoint_bounds(rates: Sequence[Rate], delta: float = 0.05, method: Method = "hoeffding") -> tuple[float, ...]:
    """Section C.1: a bound for each checkpoint with delta / |checkpoints|; all hold at once with 1 - delta.

    Raises InputError where there is no checkpoint.
    """
    if not rates:
        raise InputError("a bound over checkpoints needs at least one checkpoint")
    return tuple(upper_bound(rate, delta / len(rates), method) for rate in rates)


def uniform_bound(rates: Sequence[Rate], delta: float = 0.05, method: Method = "hoeffding") -> float:
    """Eq. 42: one number that bounds every checkpoint, the largest of `checkpoint_bounds`.

    The paper writes max(estimate) + term for one n; with different n the term belongs inside the maximum.
    """
    return max(checkpoint_bounds(rates, delta, method))


def _check(delta: float, n: int) -> None:
    if not 0.0 < delta < 1.0:
        raise InputError(f"delta, the chance that the bound fails, lies between 0 and 1, not {delta}")
    if n < 0:
        raise InputError(f"a sample has 0 or more members, not {n}")
