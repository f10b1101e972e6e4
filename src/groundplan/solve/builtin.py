"""The built-in engine: no other program, no process; milliseconds on small tasks.

Grounding and search are those of `groundplan.pddl`. Greedy search finds plans, blind search proves them optimal; both
are complete, so a search that ends by itself is a proof.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

from groundplan.errors import InputError
from groundplan.pddl.ast import Task
from groundplan.pddl.classical import refuse_beyond_classical
from groundplan.pddl.ground import GroundingLimit, GroundTask, ground
from groundplan.pddl.ground_greedy import greedy
from groundplan.pddl.ground_search import Bounds, SearchResult, Stop, breadth_first, uniform_cost
from groundplan.pddl.validate import validate_plan
from groundplan.solve.outcome import Fault, Limit, Limits, Outcome, Status

OPERATOR_BYTES = 500
"""What an operator takes besides its masks: itself, its step, its entries in the search (measured)."""


@dataclass(frozen=True)
class BuiltinEngine:
    """Greedy best-first search with the FF heuristic; with `optimal`, uniform-cost or breadth-first search.

    An optimal plan has the lowest total-cost where the problem minimizes it, else the fewest steps. Limits are kept
    by looking at clocks and counting states; memory is an estimate. `cpu_s` is that of this process.
    """

    optimal: bool = False

    @property
    def name(self) -> str:
        return "builtin"

    def solve(self, task: Task, limits: Limits) -> Outcome:
        """Solve a task. Never raises for what the task says."""
        return _Call(task, limits, self.optimal).outcome()

    def close(self) -> None:
        """Nothing to end: the engine has no process."""


class _Call:
    def __init__(self, task: Task, limits: Limits, optimal: bool) -> None:
        self.task = task
        self.limits = limits
        self.optimal = optimal
        self.measure = "total-cost" if task.minimizes_cost else "steps"
        self.wall = time.monotonic()
        self.cpu = time.process_time()

    def outcome(self) -> Outcome:
        try:
            refuse_beyond_classical(self.task)
        except InputError as error:
            return self._ended(Status.FAILED, str(error), fault=Fault.UNSUPPORTED)
        try:
            ground_task = self._ground()
        except InputError as error:
            return self._ended(Status.FAILED, str(error), fault=Fault.INPUT)
        except GroundingLimit as error:
            return self._ended(Status.NOT_FOUND, str(error), limit=self._limit_of(error))
        if ground_task.goal is None:
            reason = "proved by relaxed reachability: the goal is out of reach even if nothing were ever deleted"
            return self._ended(Status.UNSOLVABLE, reason)
        negative = next((item.step for item in ground_task.operators if item.cost < 0), None)
        if negative is not None:
            reason = f"unsupported feature: negative action cost, of {negative}"
            return self._ended(Status.FAILED, reason, fault=Fault.UNSUPPORTED)
        return self._search(ground_task)

    def _ground(self) -> GroundTask:
        seconds = min(self.limits.wall_s, self.limits.cpu_s)
        return ground(self.task, deadline=seconds, memory_mib=self.limits.memory_mib // 2)

    def _limit_of(self, error: GroundingLimit) -> Limit:
        if error.bound == "time":
            return Limit.WALL if self.limits.wall_s <= self.limits.cpu_s else Limit.CPU
        return Limit.MEMORY if error.bound == "memory" else Limit.INCOMPLETE

    def _search(self, ground_task: GroundTask) -> Outcome:
        operators = ground_task.operators
        mask_bytes = 3 * sys.getsizeof(ground_task.basic)
        bounds = Bounds(
            wall_s=max(0.0, self.limits.wall_s - (time.monotonic() - self.wall)),
            cpu_s=max(0.0, self.limits.cpu_s - (time.process_time() - self.cpu)),
            memory_bytes=max(0, (self.limits.memory_mib << 20) - len(operators) * (mask_bytes + OPERATOR_BYTES)),
        )
        if not self.optimal:
            how, result = "greedy search", greedy(ground_task, bounds)
        elif self.task.minimizes_cost:
            how, result = "uniform-cost search", uniform_cost(ground_task, bounds)
        else:
            how, result = "breadth-first search", breadth_first(ground_task, bounds)
        if result.plan is not None:
            return self._solved(result, how)
        if result.stopped is None:
            reason = f"proved by {how}: it ended after {result.states} states, and no other can be reached or leads on"
            return self._ended(Status.UNSOLVABLE, reason)
        limit = {Stop.WALL: Limit.WALL, Stop.CPU: Limit.CPU}.get(result.stopped, Limit.MEMORY)
        reason = f"{how} found no plan within the {limit.value} limit ({result.states} states reached)"
        return self._ended(Status.NOT_FOUND, reason, limit=limit)

    def _solved(self, result: SearchResult, how: str) -> Outcome:
        plan = result.steps
        assert plan is not None
        verdict = validate_plan(self.task, plan)
        if not verdict.is_valid:
            reason = f"the plan of {how} is invalid: {'; '.join(verdict.reasons)}"
            return self._ended(Status.FAILED, reason, fault=Fault.BAD_PLAN)
        if not plan:
            reason = "the goal holds in the initial state"
        else:
            reason = f"found by {how} ({result.states} states reached)"
        return Outcome(
            Status.SOLVED,
            "builtin",
            plan,
            verdict.cost,
            self.measure,
            self.optimal or not plan,
            time.monotonic() - self.wall,
            reason,
        )

    def _ended(self, status: Status, reason: str, *, limit: Limit | None = None, fault: Fault | None = None) -> Outcome:
        seconds = time.monotonic() - self.wall
        return Outcome(
            status, "builtin", measure=self.measure, seconds=seconds, reason=reason, limit=limit, fault=fault
        )
