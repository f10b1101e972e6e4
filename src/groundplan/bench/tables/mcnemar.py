"""Two methods on the same tasks: McNemar's exact test on the tasks that only one of them gets right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from groundplan.bench.bounds import binomial_cdf


@dataclass(frozen=True, slots=True)
class Paired:
    """`first_only` and `second_only` count the tasks that one method alone got right, of `n` known for both."""

    n: int
    both: int
    first_only: int
    second_only: int
    p: float

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def mcnemar(first_only: int, second_only: int) -> float:
    """The exact two-sided p: under the null hypothesis each discordant task falls to either side by a fair coin."""
    n = first_only + second_only
    return min(1.0, 2 * binomial_cdf(min(first_only, second_only), n, 0.5)) if n else 1.0


def paired(first: Mapping[Any, bool | None], second: Mapping[Any, bool | None]) -> Paired:
    """Compare two methods by task; tasks whose result is not known for both are left out."""
    known = [(first[task], second[task]) for task in first if first[task] is not None and second.get(task) is not None]
    only_first = sum(bool(a and not b) for a, b in known)
    only_second = sum(bool(b and not a) for a, b in known)
    both = sum(bool(a and b) for a, b in known)
    return Paired(len(known), both, only_first, only_second, mcnemar(only_first, only_second))


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """Holm's correction: p values that may be read together, in the order given."""
    order = sorted(range(len(values)), key=lambda place: values[place])
    corrected = [1.0] * len(values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = highest
    return tuple(corrected)
