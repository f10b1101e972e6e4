"""Solver calls that are made once: the seam between a run and an engine."""

from __future__ import annotations

import hashlib

from groundplan.pddl.ast import Task
from groundplan.runs.budget import SOLVER_CALL
from groundplan.runs.run import Run
from groundplan.solve.outcome import Engine, Fault, Limits, Outcome, Status, outcome_from_json


class RecordedEngine:
    """`engine`, with every outcome in the run's log; a task that the log has an outcome for is not solved again.

    An engine that broke may do better next time: such outcomes are asked for anew. Raises BudgetExhausted before a
    call beyond the run's budget for solver calls or time.
    """

    def __init__(self, engine: Engine, run: Run) -> None:
        self._engine = engine
        self._run = run

    @property
    def name(self) -> str:
        return self._engine.name

    def solve(self, task: Task, limits: Limits) -> Outcome:
        texts = (task.domain.source.text, task.problem.source.text, self.name, repr(limits))
        step = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
        known = self._run.recall(SOLVER_CALL, step)
        if known is not None:
            outcome = outcome_from_json(known.payload["outcome"])
            if outcome.status is not Status.FAILED or outcome.fault is Fault.UNSUPPORTED:
                return outcome
        self._run.check_budget(of_model=False)
        outcome = self._engine.solve(task, limits)
        self._run.event(SOLVER_CALL, step=step, engine=self.name, outcome=outcome.as_json(), log=outcome.log[-4000:])
        return outcome

    def close(self) -> None:
        self._engine.close()
