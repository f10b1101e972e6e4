"""The pool: order, laziness, limits, faults and a clean end."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from process_groups import group, wait_until
from solve_tasks import ferry, tiles

from groundplan.errors import InputError
from groundplan.pddl import Task
from groundplan.pddl.validate import validate_plan
from groundplan.solve.fd_home import find_fast_downward
from groundplan.solve.outcome import DEFAULT_LIMITS, Limit, Limits, Outcome, Status
from groundplan.solve.pool import SolverPool

needs_fast_downward = pytest.mark.skipif(find_fast_downward(None) is None, reason="Fast Downward is not installed")


class Sleeper:
    """An engine that takes as many milliseconds as a task has objects, and notes what it was asked."""

    name = "sleeper"
    running = 0
    most_running = 0
    solved: list[int] = []
    closed = 0
    _lock = threading.Lock()

    def __init__(self) -> None:
        self._wake = threading.Event()
        self._in_use = False

    @classmethod
    def forget(cls) -> None:
        cls.running = cls.most_running = cls.closed = 0
        cls.solved = []

    def solve(self, task: Task, limits: Limits) -> Outcome:
        assert not self._in_use, "one engine, one task at a time"
        self._in_use = True
        size = len(task.objects)
        if size == 13:
            raise ZeroDivisionError("a fault in an engine")
        with self._lock:
            Sleeper.running += 1
            Sleeper.most_running = max(Sleeper.most_running, Sleeper.running)
        self._wake.wait(min(size / 1000, limits.wall_s))
        with self._lock:
            Sleeper.running -= 1
            Sleeper.solved.append(size)
        self._in_use = False
        return Outcome(Status.NOT_FOUND, self.name, cost=float(size), limit=Limit.WALL, seconds=limits.wall_s)

    def close(self) -> None:
        Sleeper.closed += 1
        self._wake.set()


@pytest.fixture(autouse=True)
def _forget() -> None:
    Sleeper.forget()


TASKS = {cars: ferry(cars) for cars in range(1, 31)}
"""A task of `cars` cars has `cars + 3` objects."""


@settings(max_examples=25)
@given(sizes=st.lists(st.sampled_from([1, 2, 5, 20, 30]), max_size=25), workers=st.integers(1, 4))
def test_outcomes_come_in_the_order_of_the_tasks(sizes: list[int], workers: int) -> None:
    seen: list[int] = []
    with SolverPool(Sleeper, workers) as pool:
        outcomes = list(pool.solve_many((TASKS[size] for size in sizes), lambda count, _: seen.append(count)))
    assert [outcome.cost for outcome in outcomes] == [size + 3 for size in sizes]
    assert seen == list(range(1, len(sizes) + 1))


def test_all_workers_work_and_no_more() -> None:
    with SolverPool(Sleeper, 3) as pool:
        list(pool.solve_many([TASKS[30]] * 9))
    assert Sleeper.most_running == 3


def test_an_endless_input_is_taken_a_few_ahead() -> None:
    taken = []

    def endless() -> Iterator[Task]:
        for number in itertools.count():
            taken.append(number)
            yield TASKS[1]

    with SolverPool(Sleeper, 2) as pool:
        outcomes = pool.solve_many(endless())
        assert len(list(itertools.islice(outcomes, 10))) == 10
        outcomes.close()  # type: ignore[attr-defined]
        assert len(taken) <= 10 + 2 * 64 + 2 * 4
        time.sleep(0.05)
        solved = len(Sleeper.solved)
        time.sleep(0.05)
        assert len(Sleeper.solved) == solved, "an abandoned iterator goes on solving"
        assert pool.solve(TASKS[2]).cost == 5


def test_one_slow_task_does_not_hold_up_the_others() -> None:
    with SolverPool(Sleeper, 2) as pool:
        list(pool.solve_many([TASKS[30], *[TASKS[1]] * 5]))
    assert Sleeper.solved[-1] == 33


def test_limits_of_the_pool_and_of_one_call() -> None:
    with SolverPool(Sleeper, 1) as pool:
        assert pool.solve(TASKS[1]).seconds == DEFAULT_LIMITS.wall_s == 60
    with SolverPool(Sleeper, 1, Limits(wall_s=7)) as pool:
        assert pool.solve(TASKS[1]).seconds == 7
        assert pool.solve(TASKS[1], Limits(wall_s=3)).seconds == 3
        assert [outcome.seconds for outcome in pool.solve_many([TASKS[1]])] == [7]


def test_a_fault_in_an_engine_reaches_the_caller() -> None:
    pool = SolverPool(Sleeper, 2)
    with pytest.raises(ZeroDivisionError):
        list(pool.solve_many([TASKS[1], TASKS[10], TASKS[1]]))
    pool.close()
    assert Sleeper.closed >= 2


def test_a_fault_in_the_input_or_in_progress_reaches_the_caller() -> None:
    def broken() -> Iterator[Task]:
        yield TASKS[1]
        raise KeyError("input")

    def refuse(count: int, outcome: Outcome) -> None:
        raise LookupError("progress")

    with SolverPool(Sleeper, 2) as pool, pytest.raises(KeyError):
        list(pool.solve_many(broken()))
    with SolverPool(Sleeper, 2) as pool, pytest.raises(LookupError):
        list(pool.solve_many([TASKS[1]], refuse))


def test_a_closed_pool_says_so() -> None:
    pool = SolverPool(Sleeper, 2)
    pool.close()
    pool.close()
    with pytest.raises(RuntimeError, match="closed"):
        pool.solve(TASKS[1])
    with pytest.raises(RuntimeError, match="closed"):
        pool.solve_many([TASKS[1]])


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="at least one worker"):
        SolverPool(Sleeper, 0)
    with pytest.raises(InputError, match="did you mean"):
        SolverPool("fast-downwrad")
    with pytest.raises(InputError, match="serach"):
        SolverPool("fast-downward", serach="x")


# --- with Fast Downward ---------------------------------------------------------------------------------------------


def pids(pool: SolverPool) -> list[int]:
    pool.start()
    return [engine._home._worker.pid for engine in pool._engines]  # type: ignore[attr-defined]


@needs_fast_downward
def test_warm_workers_solve_and_stay() -> None:
    tasks = [ferry(cars) for cars in (1, 2, 3, 4)] * 3 + [tiles(2, swapped=True)]
    with SolverPool(workers=2) as pool:
        before = pids(pool)
        assert len(set(before)) == 2
        outcomes = list(pool.solve_many(tasks))
        assert pids(pool) == before
    for task, outcome in zip(tasks[:-1], outcomes, strict=False):
        assert outcome.plan is not None
        assert validate_plan(task, outcome.plan).is_valid
    assert outcomes[-1].status is Status.UNSOLVABLE
    assert wait_until(lambda: not any(group(pid) for pid in before))


@needs_fast_downward
def test_a_task_over_its_limit_does_not_disturb_the_others() -> None:
    tasks = [tiles(4, swapped=True), *[ferry(2)] * 6, tiles(4, swapped=True), ferry(1)]
    with SolverPool(workers=2, limits=Limits(wall_s=0.5)) as pool:
        statuses = [outcome.status for outcome in pool.solve_many(tasks)]
    assert statuses == [Status.NOT_FOUND, *[Status.SOLVED] * 6, Status.NOT_FOUND, Status.SOLVED]


@needs_fast_downward
def test_close_ends_what_other_threads_are_solving() -> None:
    pool = SolverPool(workers=2)
    workers = pids(pool)
    outcomes: list[Outcome] = []
    threads = [threading.Thread(target=lambda: outcomes.append(pool.solve(tiles(4, swapped=True)))) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    pool.close()
    for thread in threads:
        thread.join(timeout=5)
    assert [outcome.status for outcome in outcomes] == [Status.FAILED] * 2
    assert wait_until(lambda: not any(group(pid) for pid in workers))
    assert all(engine._home._worker is None for engine in pool._engines)  # type: ignore[attr-defined]


CTRL_C = """
import json, sys
sys.path[:0] = json.loads(sys.argv[1])
from solve_tasks import tiles
from groundplan.solve.pool import SolverPool
pool = SolverPool(workers=2)
pool.start()
print(*[engine._home._worker.pid for engine in pool._engines], flush=True)
{use}
"""


@needs_fast_downward
@pytest.mark.parametrize(
    "use", ["list(pool.solve_many([tiles(4, swapped=True)] * 8))", "pool.solve(tiles(4, swapped=True))"]
)
def test_ctrl_c_ends_everything_at_once(use: str) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CTRL_C).format(use=use), json.dumps(sys.path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    workers = [int(pid) for pid in child.stdout.readline().split()]
    time.sleep(0.6)
    child.send_signal(signal.SIGINT)
    started = time.monotonic()
    _, errors = child.communicate(timeout=20)
    assert time.monotonic() - started < 5
    assert "KeyboardInterrupt" in errors
    assert wait_until(lambda: not any(group(pid) for pid in workers))


def test_no_thread_or_file_is_left(tmp_path: Path) -> None:
    threads, files = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with SolverPool(Sleeper, 4) as pool:
            list(pool.solve_many([TASKS[1]] * 8))
    assert wait_until(lambda: threading.active_count() <= threads)  # earlier tests may still end theirs
    assert wait_until(lambda: len(os.listdir("/proc/self/fd")) <= files)
