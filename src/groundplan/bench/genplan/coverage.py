"""Coverage: how many tasks of a suite one program solves, and what it fails by."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from groundplan.bench.candidate import LeftOut
from groundplan.bench.genplan.ledger import Ledger, key_of
from groundplan.bench.genplan.suites import Suite
from groundplan.bench.rate import Rate
from groundplan.confine.outcome import ConfineLimits
from groundplan.confine.protocol import DEFAULT_LIMITS, Confinement
from groundplan.errors import InputError
from groundplan.generalize.checks import result_from_json
from groundplan.generalize.kinds import Kind, NamedTask, TaskResult, failures_by_kind
from groundplan.pddl.write import write_domain, write_problem

Progress: TypeAlias = Callable[[str], None]
RunTask: TypeAlias = Callable[..., TaskResult]
"""`run_on_task` of generalize.execute, or what stands for it."""

_SAY_EVERY_S = 5.0


@dataclass(frozen=True, slots=True)
class Settings:
    """How programs are run: `orders` of objects and facts, all of which must succeed; `limits` of one run; `jobs` at
    once; `renamed`: every task with other object names as well."""

    orders: int = 4
    limits: ConfineLimits = DEFAULT_LIMITS
    jobs: int = 2
    renamed: bool = False


@dataclass(frozen=True, slots=True)
class Coverage:
    """What one program (`run`) did on the tasks of a suite, in their order. Plans are left out of the results."""

    domain: str
    suite: str
    run: str
    results: tuple[TaskResult, ...]

    @property
    def rate(self) -> Rate:
        """Solved of all tasks. Those that could not be run (the confinement's fault) are left out, as `tool`."""
        known = [result for result in self.results if result.kind is not Kind.NOT_RUN]
        missing = LeftOut(tool=len(self.results) - len(known))
        return Rate(sum(result.solved for result in known), len(known), left_out=missing)

    @property
    def failures(self) -> dict[str, int]:
        return failures_by_kind(self.results)

    @property
    def solved(self) -> frozenset[str]:
        """The names of the tasks solved."""
        return frozenset(result.task for result in self.results if result.solved)

    def as_json(self) -> dict[str, Any]:
        return {
            "domain": self.domain,
            "suite": self.suite,
            "run": self.run,
            "rate": self.rate.as_json(),
            "failures": self.failures,
            "results": [result.as_json() for result in self.results],
        }


def evaluate(
    source: str,
    suite: Suite,
    confinement: Confinement,
    settings: Settings = Settings(),
    *,
    run: str = "program",
    ledger: Ledger | None = None,
    progress: Progress = lambda line: None,
    run_task: RunTask | None = None,
) -> Coverage:
    """Run a program on every task of a suite, `settings.jobs` at once. Results in the ledger are not run again.

    Raises InputError for a task that programs cannot be asked to solve (its goal is no conjunction of atoms).
    """
    ledger = Ledger() if ledger is None else ledger
    run_task = default_run_task() if run_task is None else run_task
    tasks = suite.load()
    done: dict[int, TaskResult] = {}
    said = time.monotonic()

    def one(task: NamedTask) -> TaskResult:
        return _remembered(source, task, confinement, settings, ledger, run_task)

    with ThreadPoolExecutor(max_workers=settings.jobs) as pool:
        futures = {pool.submit(one, task): place for place, task in enumerate(tasks)}
        try:
            for future in as_completed(futures):
                done[futures[future]] = future.result()
                if time.monotonic() - said >= _SAY_EVERY_S:
                    said = time.monotonic()
                    progress(f"{suite.label}, {run}: {len(done)} of {len(tasks)} tasks")
        except BaseException:  # Ctrl-C, or a task that cannot be run: what has not begun is not begun
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    found = Coverage(suite.domain, suite.name, run, tuple(done[place] for place in range(len(tasks))))
    progress(_line(suite, found))
    return found


def _remembered(
    source: str,
    task: NamedTask,
    confinement: Confinement,
    settings: Settings,
    ledger: Ledger,
    run_task: RunTask,
) -> TaskResult:
    key = key_of(source, *texts_of(task), settings.orders, settings.limits, settings.renamed)
    known = ledger.recall("coverage", key)
    if known is not None:
        return replace(result_from_json(known["result"]), task=task.name)
    options: dict[str, Any] = {"limits": settings.limits, "orders": settings.orders}
    if settings.renamed:
        options["renamed"] = True
    try:
        result = replace(run_task(source, task, confinement, **options), plan=None)
    except InputError as error:
        raise InputError(f"task {task.name}: {error}") from None
    if result.kind is not Kind.NOT_RUN:
        ledger.keep("coverage", key, result=result.as_json())
    return result


def texts_of(task: NamedTask) -> tuple[str, str]:
    """The task as PDDL text, as it is written by us: equal for equal tasks."""
    return write_domain(task.task.domain), write_problem(task.task.problem)


def _line(suite: Suite, found: Coverage) -> str:
    rate = found.rate
    failed = ", ".join(f"{count} {kind}" for kind, count in found.failures.items())
    return f"{suite.label}, {found.run}: {rate.hits} of {rate.n} solved" + (f" ({failed})" if failed else "")


def default_run_task() -> RunTask:
    """`run_on_task`, imported when it is needed."""
    from groundplan.generalize.execute import run_on_task

    return run_on_task
