"""Milliseconds that reading and checking a task takes: `python benchmarks/check_speed.py --data DIR`.

DIR is a copy of PlanBench's files (`<domain>/domain.pddl`, `<domain>/instances/*.pddl`). "new domain" forgets the
domain between tasks, as when every task brings its own; "same domain" is the rule in a benchmark, where it is kept.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from groundplan.pddl import Source, check_sources
from groundplan.pddl.read import forget_domains
from own_tasks import OWN_TASKS


def planbench(folder: Path, most: int) -> dict[str, list[tuple[str, str]]]:
    """Domain and problem texts by the name of the domain's folder."""
    tasks = {}
    for domain in sorted(folder.glob("*/domain.pddl")):
        problems = sorted((domain.parent / "instances").glob("**/*.pddl"))[:most]
        tasks[domain.parent.name] = [(domain.read_text("utf-8"), path.read_text("utf-8")) for path in problems]
    return tasks


def median_ms(tasks: Sequence[tuple[str, str]], *, keep_domains: bool, rounds: int) -> float:
    """The median over all tasks of the best of several rounds, in CPU milliseconds."""
    best = [float("inf")] * len(tasks)
    for _ in range(rounds):
        for index, (domain, problem) in enumerate(tasks):
            if not keep_domains:
                forget_domains()
            started = time.process_time_ns()
            check_sources(Source(domain, "domain"), Source(problem, "problem"))
            best[index] = min(best[index], (time.process_time_ns() - started) / 1e6)
    return statistics.median(best)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, help="a copy of PlanBench's files")
    options.add_argument("--most", type=int, default=50, help="tasks of a domain")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    groups = {f"own: {name}": [pair] * 20 for name, pair in OWN_TASKS.items()}
    if chosen.data is not None:
        groups |= planbench(chosen.data, chosen.most)
    print(f"{'':24}{'tasks':>6}{'new domain':>12}{'same domain':>13}   (median ms a task)")
    for name, tasks in groups.items():
        if tasks:
            new = median_ms(tasks, keep_domains=False, rounds=chosen.rounds)
            same = median_ms(tasks, keep_domains=True, rounds=chosen.rounds)
            print(f"{name:24}{len(tasks):>6}{new:>12.2f}{same:>13.2f}")


if __name__ == "__main__":
    main()
