"""Generated tasks to try a program on: counter-examples for the search, beyond its debugging tasks."""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.bench.genplan.generator import DOMAINS, benchmark_domain, generate
from groundplan.generalize.grow import Pool
from groundplan.generalize.kinds import NamedTask
from groundplan.pddl.ast import Domain, Task

PER_ROUND = 20
_LARGE_FROM = 1
"""From this round on (counted from 0), half of the tasks are large ones."""


def benchmark_name(domain: Domain) -> str | None:
    """The benchmark that a domain is, by its actions, predicates, types and constants; None for any other domain."""
    for name in DOMAINS:
        known = benchmark_domain(name)
        if all(
            _unordered(getattr(domain, part)) == _unordered(getattr(known, part))
            for part in ("actions", "predicates", "types", "constants")
        ):
            return name
    return None


def generated_pool(domain: Domain, seed: int = 0) -> Pool | None:
    """Small generated tasks of a benchmark domain, from the second round on large ones too; None for other domains."""
    name = benchmark_name(domain)
    if name is None:
        return None

    def pool(number: int) -> Sequence[NamedTask]:
        tasks = []
        for n in range(PER_ROUND):
            size = "large" if number >= _LARGE_FROM and n % 2 else "small"
            this = 1_000_000 * (seed + 1) + PER_ROUND * number + n  # apart from the seeds of debugging and evaluation
            made = generate(name, "large" if size == "large" else "small", this)
            tasks.append(NamedTask(f"generated-{number}-{n}", Task(domain, made.problem)))
        return tasks

    return pool


def _unordered(items: Sequence[object]) -> set[object]:
    return set(items)
