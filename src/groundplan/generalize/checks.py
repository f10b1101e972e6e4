"""Running programs for the loop: each program once on each task, remembered in the run's log."""

from __future__ import annotations

import hashlib
from typing import Any

from groundplan.confine.outcome import ConfineLimits
from groundplan.confine.protocol import Confinement
from groundplan.errors import GroundplanError
from groundplan.generalize.execute import run_on_task
from groundplan.generalize.kinds import Kind, NamedTask, TaskResult
from groundplan.generalize.settings import Settings
from groundplan.pddl.ast import Step
from groundplan.pddl.write import write_problem
from groundplan.runs.run import Run


class ConfinementBroke(GroundplanError):
    """Programs cannot be run on this machine: an ending of the run, no fault of a program."""


class ProgramRuns:
    """Runs programs under a run's settings. A resumed run takes the results from its log.

    So a program that comes out otherwise on a busier machine does not change the questions that were paid for.
    """

    def __init__(self, confinement: Confinement, settings: Settings, run: Run) -> None:
        self._confinement = confinement
        self._settings = settings
        self._run = run

    def __call__(self, source: str, task: NamedTask) -> TaskResult:
        """Raises ConfinementBroke where the program could not be run at all."""
        step = f"{_digest(source)}/{_digest(write_problem(task.task.problem))}/{task.name}"
        known = self._run.recall("program_run", step)
        if known is not None:
            return result_from_json(known.payload["result"])
        settings = self._settings
        limits = ConfineLimits(wall_s=settings.time_limit_s, cpu_s=settings.time_limit_s)
        result = run_on_task(
            source, task, self._confinement, limits=limits, orders=settings.orders, renamed=settings.invariance
        )
        if result.kind is Kind.NOT_RUN:
            raise ConfinementBroke(result.message)
        self._run.once("program_run", step, result=result.as_json())
        return result


def result_from_json(data: dict[str, Any]) -> TaskResult:
    """The result that `as_json` wrote."""
    plan, cause = data["plan"], data["cause"]
    return TaskResult(
        task=data["task"],
        kind=Kind(data["kind"]),
        message=data["message"],
        plan=None if plan is None else tuple(_step(text) for text in plan),
        step=data["step"],
        seconds=data["seconds"],
        orders_tried=data["orders_tried"],
        cause=Kind(cause) if cause else None,
    )


def _step(text: str) -> Step:
    name, *arguments = text.strip("()").split()
    return Step(name, tuple(arguments))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
