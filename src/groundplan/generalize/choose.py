"""Which tasks a program is debugged on, and which two of them the prompts show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.errors import InputError
from groundplan.generalize.kinds import NamedTask
from groundplan.generalize.settings import DEBUGGING_TASKS, EXAMPLE_TASKS
from groundplan.pddl.ast import Plan, Step
from groundplan.runs.run import Run
from groundplan.solve.outcome import Engine, Limits, Status

AMONG = 16
"""Debugging tasks come from the 16 smallest."""

PLAN_LIMITS = Limits(30.0, 30.0, 2048)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The debugging tasks, smallest first; those left over; a reference plan by task where an engine found one."""

    debugging: tuple[NamedTask, ...]
    rest: tuple[NamedTask, ...]
    plans: dict[str, Plan | None]

    def pair(self, number: int) -> tuple[NamedTask, ...]:
        """The tasks shown in the prompts: pair 0, 1, 2, ... of neighbours in size."""
        pairs = max(1, len(self.debugging) // EXAMPLE_TASKS)
        start = (number % pairs) * EXAMPLE_TASKS
        return self.debugging[start : start + EXAMPLE_TASKS]


def choose(tasks: Sequence[NamedTask], engine: Engine, run: Run, most: int = DEBUGGING_TASKS) -> Chosen:
    """Order the tasks by their number of objects and the length of a plan, and take `most` of the smallest 16.

    The reference plans are those of `engine` (the paper takes optimal ones). Up to `most` tasks are all taken; of more,
    those at even distances in the order, so that small and larger ones are among them, and none whose goal holds at
    the start while there are others. Raises InputError where there is no task, two tasks have one name, or the tasks
    are not of one domain.
    """
    refuse_unfit(tasks)
    by_size = sorted(tasks, key=lambda task: (len(task.task.objects), len(task.task.problem.init)))
    near = by_size[:AMONG]
    plans = {task.name: reference_plan(task, engine, run) for task in near}
    ordered = sorted(near, key=lambda task: (len(task.task.objects), len(plans[task.name] or ())))
    real = [task for task in ordered if plans[task.name] != ()] if len(ordered) > most else ordered
    pool = real if len(real) >= min(most, len(ordered)) else ordered
    picked = [pool[round(n * (len(pool) - 1) / max(1, most - 1))] for n in range(most)] if len(pool) > most else pool
    names = {task.name for task in picked}
    return Chosen(tuple(picked), tuple(task for task in by_size if task.name not in names), plans)


def refuse_unfit(tasks: Sequence[NamedTask]) -> None:
    """Raises InputError for no tasks, equal names, or tasks of different domains."""
    if not tasks:
        raise InputError("no task is given: a program is debugged on at least one, better six small ones")
    seen: set[str] = set()
    for task in tasks:
        if task.name in seen:
            raise InputError(f"two tasks are called `{task.name}`")
        seen.add(task.name)
        if task.task.domain != tasks[0].task.domain:
            raise InputError(f"`{task.name}` and `{tasks[0].name}` are not of the same domain")


def reference_plan(task: NamedTask, engine: Engine, run: Run) -> Plan | None:
    """A plan by the engine, remembered in the run's log; None where none was found."""
    step = f"plan/{task.name}"
    known = run.recall("reference_plan", step)
    if known is None:
        outcome = engine.solve(task.task, PLAN_LIMITS)
        plan = outcome.plan if outcome.status is Status.SOLVED else None
        steps = None if plan is None else [[item.action, *item.args] for item in plan]
        known = run.once("reference_plan", step, plan=steps, engine=outcome.engine, reason=outcome.reason)
    return _plan(known.payload["plan"])


def _plan(steps: list[list[str]] | None) -> Plan | None:
    return None if steps is None else tuple(Step(words[0], tuple(words[1:])) for words in steps)
