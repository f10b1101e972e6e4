"""Stand-ins for measuring: programs that are one word, a planner with a script, a confinement that is never asked."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from groundplan.bench.genplan.suites import Suite
from groundplan.confine.outcome import ConfineLimits, Ending, Ran
from groundplan.confine.protocol import DEFAULT_LIMITS
from groundplan.generalize.kinds import Kind, NamedTask, TaskResult
from groundplan.pddl import Task, task_from_text
from groundplan.pddl.ast import Step
from groundplan.solve.outcome import Fault, Limits, Outcome, Status
from own_tasks import GREENHOUSE

STEP = Step("water", ("fern",))


def small_task(number: int) -> NamedTask:
    """Task number `number`: as many plants beyond the usual two."""
    more = " ".join(f"p{n}" for n in range(number))
    return NamedTask(f"t{number}", task_from_text(GREENHOUSE[0], GREENHOUSE[1].replace("fern ivy", f"fern ivy {more}")))


def suite_of(count: int, domain: str = "greenhouse", name: str = "eval") -> Suite:
    return Suite(domain, name, lambda: [small_task(number) for number in range(count)])


class Runner:
    """`run_on_task` for programs such as "SFX": one letter a task, S solved, X exception, N not run."""

    KINDS = {"S": Kind.SOLVED, "X": Kind.EXCEPTION, "N": Kind.NOT_RUN, "T": Kind.TIME_OUT}

    def __init__(self, steps: int = 3, seconds: float = 0.5) -> None:
        self.steps, self.seconds = steps, seconds
        self.asked: list[tuple[str, str, int]] = []
        self._mutex = threading.Lock()

    def __call__(
        self, source: str, task: NamedTask, confinement: Any, *, limits: ConfineLimits, orders: int, **more: Any
    ) -> TaskResult:
        with self._mutex:
            self.asked.append((source, task.name, orders))
        kind = self.KINDS[source[int(task.name[1:])]]
        plan = (STEP,) * self.steps if kind is Kind.SOLVED else None
        return TaskResult(task.name, kind, plan=plan, seconds=self.seconds, orders_tried=orders)


class NoConfinement:
    name = "none"

    def __init__(self) -> None:
        self.closed = False

    def run(
        self,
        source: str,
        function: str,
        arguments: Sequence[object],
        limits: ConfineLimits = DEFAULT_LIMITS,
        *,
        hash_seed: int = 0,
    ) -> Ran:
        return Ran(Ending.RETURNED, [])

    def close(self) -> None:
        self.closed = True


class ScriptedEngine:
    """One letter a task, by its number of objects: S solved in `steps`, F failed, O out of time, M not installed."""

    name = "scripted"

    def __init__(self, script: str, steps: int = 2, seconds: float = 1.0) -> None:
        self.script, self.steps, self.seconds = script, steps, seconds
        self.solved = 0

    def solve(self, task: Task, limits: Limits) -> Outcome:
        self.solved += 1
        letter = self.script[len(task.problem.objects) - 4]
        if letter == "S":
            return Outcome(Status.SOLVED, self.name, (STEP,) * self.steps, seconds=self.seconds)
        if letter == "O":
            return Outcome(Status.NOT_FOUND, self.name, seconds=45.0)
        fault = Fault.MISSING if letter == "M" else Fault.CRASH
        return Outcome(Status.FAILED, self.name, reason="no planner here", fault=fault)

    def close(self) -> None:
        return
