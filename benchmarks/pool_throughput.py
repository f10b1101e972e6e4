"""Tasks a second: our pool of warm workers against Fast Downward's own driver script, both two at a time.

    python benchmarks/pool_throughput.py [--data DIR] [--tasks 100] [--workers 2] [--rounds 1]

The tasks are PlanBench's blocksworld (DIR/planbench/blocksworld), or, without them, random ones made here. All ways
run in turn on the same small batches, so a disturbance of the machine hits each of them. Our time runs from the PDDL
text to the validated outcome; the driver's from its start to its end. Outcomes are compared: every task must end the
same way, and every plan must be valid.
"""

from __future__ import annotations

import argparse
import importlib.util
import itertools
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from groundplan.pddl import task_from_text
from groundplan.pddl.source import read_source
from groundplan.pddl.validate import validate_text
from groundplan.solve.fast_downward import SEARCHES
from groundplan.solve.outcome import Status
from groundplan.solve.pool import SolverPool

Pair = tuple[Path, Path]
Solver = Callable[[Sequence[Pair]], tuple[list[Status], float]]
"""Solves some tasks; gives their endings and the seconds it took."""

BLOCKS = """(define (domain blocks) (:requirements :strips)
  (:predicates (clear ?x) (on-table ?x) (free) (held ?x) (on ?x ?y))
  (:action take :parameters (?x) :precondition (and (clear ?x) (on-table ?x) (free))
    :effect (and (held ?x) (not (clear ?x)) (not (on-table ?x)) (not (free))))
  (:action drop :parameters (?x) :precondition (held ?x)
    :effect (and (clear ?x) (on-table ?x) (free) (not (held ?x))))
  (:action put :parameters (?x ?y) :precondition (and (held ?x) (clear ?y))
    :effect (and (on ?x ?y) (clear ?x) (free) (not (held ?x)) (not (clear ?y))))
  (:action lift :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (free))
    :effect (and (held ?x) (clear ?y) (not (on ?x ?y)) (not (clear ?x)) (not (free)))))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--batch", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="groundplan-bench-") as folder:
        pairs = planbench(options.data)[: options.tasks] or made_here(Path(folder), options.tasks)
        print(f"{len(pairs)} tasks from {pairs[0][1].parent}, {options.workers} at a time, {options.rounds} round(s)")
        compare(pairs, options.workers, options.rounds, options.batch, Path(folder))


def compare(pairs: list[Pair], workers: int, rounds: int, batch: int, folder: Path) -> None:
    started = time.perf_counter()
    pools = {search: SolverPool("fast-downward", workers, search=search) for search in ("lazy-ff", "lama-first")}
    for pool in pools.values():
        pool.start()
    print(f"two pools started in {time.perf_counter() - started:.2f} s (not counted below)")
    ways: dict[str, Solver] = {}
    for search, pool in pools.items():
        ways[f"pool, {search}"] = partial(with_pool, pool)
    ways["driver, lama-first"] = partial(with_driver, workers, folder, ("--alias", "lama-first"), ())
    ways["driver, lazy-ff"] = partial(with_driver, workers, folder, (), ("--search", SEARCHES["lazy-ff"]))
    seconds = dict.fromkeys(ways, 0.0)
    statuses: dict[str, list[Status]] = {name: [] for name in ways}
    for _ in range(rounds):
        for start in range(0, len(pairs), batch):
            some = pairs[start : start + batch]
            for name, solve in ways.items():
                found, took = solve(some)
                statuses[name] += found
                seconds[name] += took
    for pool in pools.values():
        pool.close()
    report(statuses, seconds, rounds * len(pairs))


def report(statuses: dict[str, list[Status]], seconds: dict[str, float], count: int) -> None:
    reference = statuses["driver, lama-first"]
    print(f"\n{'':22}{'tasks/s':>9}{'ms a task':>11}{'solved':>8}   outcomes as the driver's")
    for name, found in statuses.items():
        same = sum(ours is theirs for ours, theirs in zip(found, reference, strict=True))
        solved = sum(status is Status.SOLVED for status in found)
        rate = count / seconds[name]
        print(f"{name:22}{rate:9.1f}{1000 / rate:11.1f}{solved:8}   {same} of {count}")
    print()
    for ours, theirs in (
        ("pool, lazy-ff", "driver, lama-first"),
        ("pool, lazy-ff", "driver, lazy-ff"),
        ("pool, lama-first", "driver, lama-first"),
    ):
        print(f"{ours} / {theirs}: {seconds[theirs] / seconds[ours]:.1f} times the tasks a second")
    if any(found != reference for found in statuses.values()):
        sys.exit("the outcomes differ")


# --- the two ways ---------------------------------------------------------------------------------------------------


def with_pool(pool: SolverPool, pairs: Sequence[Pair]) -> tuple[list[Status], float]:
    started = time.perf_counter()
    tasks = (task_from_text(domain.read_text(), problem.read_text()) for domain, problem in pairs)
    found = [outcome.status for outcome in pool.solve_many(tasks)]
    return found, time.perf_counter() - started


def with_driver(
    workers: int, folder: Path, before: Sequence[str], after: Sequence[str], pairs: Sequence[Pair]
) -> tuple[list[Status], float]:
    """Run the driver with some options before the names of the files and some behind them."""

    def run(number: int) -> int:
        plan, sas = folder / f"plan-{number}", folder / f"sas-{number}"
        plan.unlink(missing_ok=True)
        command = [sys.executable, str(driver()), "--plan-file", str(plan), "--sas-file", str(sas), *before]
        command += [*map(str, pairs[number]), *after]
        # A session of its own, as our workers have: on a busy machine Linux shares out time by session.
        null = subprocess.DEVNULL
        return subprocess.run(command, cwd=folder, start_new_session=True, stdout=null, stderr=null).returncode

    started = time.perf_counter()
    with ThreadPoolExecutor(workers) as threads:
        codes = list(threads.map(run, range(len(pairs))))
    seconds = time.perf_counter() - started
    plans = [folder / f"plan-{number}" for number in range(len(pairs))]
    return [judged(*each) for each in zip(pairs, codes, plans, strict=True)], seconds


def judged(pair: Pair, code: int, plan: Path) -> Status:
    if code == 0 and plan.exists():
        task = task_from_text(pair[0].read_text(), pair[1].read_text())
        return Status.SOLVED if validate_text(task, read_source(plan)).is_valid else Status.FAILED
    return Status.UNSOLVABLE if code in (10, 11) else Status.FAILED


def driver() -> Path:
    spec = importlib.util.find_spec("up_fast_downward")
    if spec is None or spec.origin is None:
        sys.exit("Fast Downward is not installed: pip install up-fast-downward fast-downward-translate")
    return Path(spec.origin).parent / "downward" / "fast-downward.py"


# --- tasks ----------------------------------------------------------------------------------------------------------


def planbench(data: Path) -> list[Pair]:
    folder = data / "planbench" / "blocksworld"
    return [(folder / "domain.pddl", problem) for problem in sorted((folder / "instances").glob("*.pddl"))]


def made_here(folder: Path, count: int, seed: int = 1) -> list[Pair]:
    """Random towers of four or five blocks to be built into other towers, as PlanBench has them."""
    rng = random.Random(seed)
    domain = folder / "domain.pddl"
    domain.write_text(BLOCKS)
    pairs = []
    for number in range(count):
        blocks = [f"b{index}" for index in range(rng.choice((4, 5)))]
        init = [fact for tower in towers(blocks, rng) for fact in standing(tower)]
        goal = [fact for tower in towers(blocks, rng) for fact in standing(tower) if fact.startswith("(on ")]
        problem = folder / f"problem-{number}.pddl"
        problem.write_text(
            f"(define (problem p{number}) (:domain blocks) (:objects {' '.join(blocks)})\n"
            f"(:init (free) {' '.join(init)})\n(:goal (and {' '.join(goal)})))\n"
        )
        pairs.append((domain, problem))
    return pairs


def towers(blocks: list[str], rng: random.Random) -> list[list[str]]:
    """The blocks in random towers, each listed from the table up."""
    order = rng.sample(blocks, len(blocks))
    found: list[list[str]] = []
    for block in order:
        if found and rng.random() < 0.6:
            found[-1].append(block)
        else:
            found.append([block])
    return found


def standing(tower: list[str]) -> list[str]:
    on = [f"(on {upper} {lower})" for lower, upper in itertools.pairwise(tower)]
    return [f"(on-table {tower[0]})", *on, f"(clear {tower[-1]})"]


if __name__ == "__main__":
    main()
