"""A cheaper plan, where cost is what counts: a short optimal search behind a fast one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from groundplan.pddl.ast import Task
from groundplan.solve.outcome import Engine, Limits, Outcome, Status

POLISH_S = 2.0
"""Seconds for the second search by default: enough for small tasks, little enough not to be noticed on large ones."""


def cheaper(task: Task, outcome: Outcome, optimal_engine: Callable[[], Engine], limits: Limits) -> Outcome:
    """Try to replace a plan by a proved cheapest one, within `limits`.

    Only for tasks that minimize total-cost: a satisficing search may return a plan that costs many times more than
    need be. Anything but a plan from the optimal engine leaves `outcome` as it is.
    """
    if outcome.status is not Status.SOLVED or outcome.optimal or not task.minimizes_cost:
        return outcome
    engine = optimal_engine()
    try:
        better = engine.solve(task, limits)
    finally:
        engine.close()
    if better.status is not Status.SOLVED or better.cost is None or better.cost > (outcome.cost or 0.0):
        return replace(outcome, reason=f"{outcome.reason}; a cheaper plan was looked for in vain: {better.reason}")
    return replace(better, seconds=outcome.seconds + better.seconds)
