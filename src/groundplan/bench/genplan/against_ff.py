"""A program against a planner: time and plan length, task by task, in one run on one machine.

The planner is the paper's: Fast Downward, lazy greedy search with FF's heuristic and preferred operators, 45 s. Ours is
kept warm (no interpreter is started for a task), which makes it faster than it was for the paper.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass
from typing import Any

from groundplan.bench.candidate import LeftOut
from groundplan.bench.genplan.coverage import Progress, RunTask, Settings, default_run_task, texts_of
from groundplan.bench.genplan.ledger import Ledger, key_of
from groundplan.bench.genplan.suites import Suite
from groundplan.bench.rate import Mean, Rate, mean_of
from groundplan.confine.protocol import Confinement
from groundplan.errors import InputError
from groundplan.generalize.kinds import NamedTask
from groundplan.pddl.read import forget_domains, task_from_text
from groundplan.solve.outcome import Engine, Fault, Limits, Outcome, Status

FF_MEMORY_MIB = 4096
_WARM_UP = "def get_plan(objects, init, goal):\n    return []\n"


@dataclass(frozen=True, slots=True)
class Timing:
    """One task, one program and FF. Times in wall seconds; None where no valid plan was found.

    `ours_s` is the confined run (start of the process, arguments in, plan out). `whole_s` is all of it: reading the
    PDDL, the run, and judging the plan. `ff_s` is FF's whole call from the task in memory to a judged plan, and
    `ff_ending` how it ended (solved, not_found, failed). Lengths are in steps.
    """

    domain: str
    suite: str
    run: str
    task: str
    objects: int
    ours_s: float | None
    whole_s: float | None
    ours_steps: int | None
    ff_s: float | None
    ff_steps: int | None
    ff_ending: str

    @property
    def time_ratio(self) -> float | None:
        """Ours over FF's where both solve the task."""
        return None if self.ours_s is None or self.ff_s is None else self.ours_s / self.ff_s

    @property
    def whole_ratio(self) -> float | None:
        return None if self.whole_s is None or self.ff_s is None else self.whole_s / self.ff_s

    @property
    def length_ratio(self) -> float | None:
        """None also where FF's plan has no step: the goal holds at the start."""
        return self.ours_steps / self.ff_steps if self.ours_steps is not None and self.ff_steps else None


@dataclass(frozen=True, slots=True)
class Ratios:
    """Per-task ratios, ours over FF's, on tasks that both solve; shares count those tasks too. `ff` is its coverage."""

    tasks: int
    time: Mean
    median_time: float | None
    faster: Rate
    whole: Mean
    median_whole: float | None
    faster_whole: Rate
    length: Mean
    median_length: float | None
    shorter: Rate
    not_longer: Rate
    ff: Rate

    def as_json(self) -> dict[str, Any]:
        return {
            name: value.as_json() if isinstance(value, Mean | Rate) else value
            for name, value in ((name, getattr(self, name)) for name in self.__slots__)
        }


def ratios(timings: Sequence[Timing]) -> Ratios:
    """The ratios over some timings: mean and median of per-task ratios, never a ratio of sums."""
    times = [item.time_ratio for item in timings if item.time_ratio is not None]
    wholes = [item.whole_ratio for item in timings if item.whole_ratio is not None]
    lengths = [item.length_ratio for item in timings if item.length_ratio is not None]
    by_task = {(item.domain, item.suite, item.task): item.ff_ending for item in timings}
    broken = sum(ending == Status.FAILED for ending in by_task.values())
    hits = sum(ending == Status.SOLVED for ending in by_task.values())
    return Ratios(
        tasks=len(by_task),
        time=mean_of(times),
        median_time=_median(times),
        faster=_below(times),
        whole=mean_of(wholes),
        median_whole=_median(wholes),
        faster_whole=_below(wholes),
        length=mean_of(lengths),
        median_length=_median(lengths),
        shorter=_below(lengths),
        not_longer=Rate(sum(value <= 1 for value in lengths), len(lengths)),
        ff=Rate(hits, len(by_task) - broken, left_out=LeftOut(tool=broken)),
    )


def time_suite(
    programs: Mapping[str, str],
    suite: Suite,
    confinement: Confinement,
    engine: Engine,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    *,
    solved: Mapping[str, AbstractSet[str]] | None = None,
    ledger: Ledger | None = None,
    progress: Progress = lambda line: None,
    run_task: RunTask | None = None,
) -> list[Timing]:
    """Time programs (by run) and FF on every task, in turns, one at a time, the given order of facts only.

    `solved` has the tasks that each run is known to solve; others are not timed for it (they would cost a time-out
    each). Raises InputError where the planner is not installed.
    """
    ledger = Ledger() if ledger is None else ledger
    timer = _Timer(confinement, engine, settings, run_task or default_run_task())
    found: list[Timing] = []
    tasks = suite.load()
    for number, task in enumerate(tasks, start=1):
        texts = texts_of(task)
        wanted = {run: source for run, source in programs.items() if solved is None or task.name in solved[run]}
        key = key_of(*texts, settings.limits, *sorted(wanted.items()))
        known = ledger.recall("timing", key)
        if known is None:
            ours = {run: timer.ours(source, task, texts) for run, source in wanted.items()}
            known = {"ours": ours, "ff": timer.ff(task)}
            ledger.keep("timing", key, **known)
        for run in programs:
            ours_s, whole_s, steps = known["ours"].get(run) or (None, None, None)
            ff_s, ff_steps, ending = known["ff"]
            objects = len(task.task.objects)
            found.append(
                Timing(
                    suite.domain, suite.name, run, task.name, objects, ours_s, whole_s, steps, ff_s, ff_steps, ending
                )
            )
        if number % 10 == 0 or number == len(tasks):
            progress(f"{suite.label}: timed {number} of {len(tasks)} tasks against FF")
    return found


class _Timer:
    def __init__(self, confinement: Confinement, engine: Engine, settings: Settings, run_task: RunTask) -> None:
        self._confinement, self._engine, self._run_task = confinement, engine, run_task
        self._limits = settings.limits
        self._is_warm = False

    def ours(
        self, source: str, task: NamedTask, texts: tuple[str, str]
    ) -> tuple[float | None, float | None, int | None]:
        """Seconds of the run, seconds from text to judged plan, steps; all None where the task is not solved."""
        self._warm_up()
        forget_domains()  # every task pays for its domain
        started = time.perf_counter()
        read = task_from_text(*texts)
        reading = time.perf_counter() - started
        started = time.perf_counter()
        result = self._run_task(source, NamedTask(task.name, read), self._confinement, limits=self._limits, orders=1)
        judged = time.perf_counter() - started
        if not result.solved or result.plan is None:
            return None, None, None
        return result.seconds, reading + judged, len(result.plan)

    def ff(self, task: NamedTask) -> tuple[float | None, int | None, str]:
        self._warm_up()
        limits = Limits(self._limits.wall_s, self._limits.cpu_s, FF_MEMORY_MIB)
        outcome = self._engine.solve(task.task, limits)
        _refuse_missing(outcome)
        if outcome.status is not Status.SOLVED or outcome.plan is None:
            return None, None, outcome.status.value
        return outcome.seconds, len(outcome.plan), outcome.status.value

    def _warm_up(self) -> None:
        """Both sides start what they keep before the first task is timed."""
        if not self._is_warm:
            self._confinement.run(_WARM_UP, "get_plan", ((), (), ()))
            start = getattr(self._engine, "start", None)
            if start is not None:
                start()
            self._is_warm = True


def _refuse_missing(outcome: Outcome) -> None:
    if outcome.fault is Fault.MISSING:
        raise InputError(f"{outcome.reason}; or measure with --no-ff")


def _median(values: Sequence[float]) -> float | None:
    return statistics.median(values) if values else None


def _below(values: Sequence[float]) -> Rate:
    return Rate(sum(value < 1 for value in values), len(values))


def timing_json(timing: Timing) -> dict[str, Any]:
    return asdict(timing)
