"""Searching a ground task blindly: all reachable states, fewest steps, lowest cost (`ground_greedy` has the other way).

The searches are complete: when one ends by itself without a plan, the task has none.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from groundplan.pddl.ast import Plan
from groundplan.pddl.ground_successors import Successors
from groundplan.pddl.ground_task import GroundOperator, GroundTask

Parents: TypeAlias = dict[int, int]
"""The state from which each state was reached; the initial state has itself."""

LOOK_EVERY = 64
STATE_BYTES = 140
"""What keeping a state takes besides its number: its places in the dictionary and the queue (measured)."""
ENTRY_BYTES = 110
"""An entry of an open list (measured)."""


class Stop(StrEnum):
    """What ended a search before its time."""

    WALL = "wall"
    CPU = "cpu"
    MEMORY = "memory"
    STATES = "states"


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds on one search, None for no bound. Memory is estimated from the states and open entries kept."""

    wall_s: float | None = None
    cpu_s: float | None = None
    memory_bytes: int | None = None
    states: int | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search gave. Without a plan and without `stopped`, it has proved that there is none.

    `states` counts the different states that were reached, `expanded` those whose successors were made.
    """

    plan: tuple[GroundOperator, ...] | None
    states: int
    expanded: int
    stopped: Stop | None = None

    @property
    def is_exhausted(self) -> bool:
        return self.plan is None and self.stopped is None

    @property
    def steps(self) -> Plan | None:
        return None if self.plan is None else tuple(operator.step for operator in self.plan)


class Watch:
    """Says when a search must stop."""

    def __init__(self, task: GroundTask, bounds: Bounds) -> None:
        self._bounds = bounds
        self._wall = None if bounds.wall_s is None else time.monotonic() + bounds.wall_s
        self._cpu = None if bounds.cpu_s is None else time.process_time() + bounds.cpu_s
        self._state_bytes = STATE_BYTES + sys.getsizeof(1 << max(0, len(task.facts) - 1))

    def stop(self, states: int, entries: int) -> Stop | None:
        bounds = self._bounds
        if bounds.states is not None and states >= bounds.states:
            return Stop.STATES
        if self._wall is not None and time.monotonic() > self._wall:
            return Stop.WALL
        if self._cpu is not None and time.process_time() > self._cpu:
            return Stop.CPU
        used = states * self._state_bytes + entries * ENTRY_BYTES
        if bounds.memory_bytes is not None and used > bounds.memory_bytes:
            return Stop.MEMORY
        return None


def reachable_states(task: GroundTask, limit: int) -> Iterator[int]:
    """The states that can be reached, each once, the initial one first, then by their distance from it.

    Ends after `limit` states at the latest: ask for one more than you expect to see whether there are more.
    """
    if limit <= 0:
        return
    successors = Successors(task)
    seen = {task.init}
    queue = deque(seen)
    yield task.init
    while queue:
        for _, new in successors(queue.popleft()):
            if new not in seen:
                if len(seen) >= limit:
                    return
                seen.add(new)
                queue.append(new)
                yield new


def breadth_first(task: GroundTask, bounds: Bounds) -> SearchResult:
    """A plan with the fewest steps."""
    if task.goal is None or task.is_goal(task.init):
        return SearchResult(None if task.goal is None else (), 1, 0)
    successors, watch, is_goal = Successors(task), Watch(task, bounds), goal_test(task)
    parents: Parents = {task.init: task.init}
    queue = deque(parents)
    expanded = 0
    while queue:
        if expanded % LOOK_EVERY == 0 and (stopped := watch.stop(len(parents), 0)):
            return SearchResult(None, len(parents), expanded, stopped)
        state = queue.popleft()
        expanded += 1
        for _, new in successors(state):
            if new not in parents:
                parents[new] = state
                if is_goal(new):
                    return SearchResult(path(parents, new, successors), len(parents), expanded)
                queue.append(new)
    return SearchResult(None, len(parents), expanded)


def uniform_cost(task: GroundTask, bounds: Bounds) -> SearchResult:
    """A plan with the lowest summed cost (Dijkstra 1959); costs must not be negative."""
    if task.goal is None:
        return SearchResult(None, 1, 0)
    successors, watch, is_goal = Successors(task), Watch(task, bounds), goal_test(task)
    parents: Parents = {task.init: task.init}
    costs: dict[int, float] = {task.init: 0}
    ticket = count()
    open_ = [(0.0, next(ticket), task.init)]
    closed: set[int] = set()
    while open_:
        if len(closed) % LOOK_EVERY == 0 and (stopped := watch.stop(len(parents), len(open_) + len(costs))):
            return SearchResult(None, len(parents), len(closed), stopped)
        cost, _, state = heappop(open_)
        if state in closed:
            continue
        if is_goal(state):
            return SearchResult(path(parents, state, successors), len(parents), len(closed))
        closed.add(state)
        for operator, new in successors(state):
            new_cost = cost + operator.cost
            known = costs.get(new)
            if known is None or new_cost < known:
                costs[new] = new_cost
                parents[new] = state
                heappush(open_, (new_cost, next(ticket), new))
    return SearchResult(None, len(parents), len(closed))


def goal_test(task: GroundTask) -> Callable[[int], bool]:
    """Whether a state satisfies the goal, fast. The goal must not be None."""
    if task.goal is None or task.axioms:
        return task.is_goal
    pos, neg = task.goal
    return lambda state: state & pos == pos and not state & neg


def path(parents: Parents, state: int, successors: Successors) -> tuple[GroundOperator, ...]:
    """The operators from the initial state; of several between two states, the cheapest."""
    found: list[GroundOperator] = []
    while (before := parents[state]) != state:
        arrows = [operator for operator, new in successors(before) if new == state]
        found.append(min(arrows, key=lambda operator: operator.cost))
        state = before
    return tuple(reversed(found))
