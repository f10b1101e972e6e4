"""Lazy greedy best-first search with the FF heuristic and preferred operators."""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush
from typing import TypeAlias

from groundplan.pddl.ground_heuristic import FFHeuristic
from groundplan.pddl.ground_search import LOOK_EVERY, Bounds, Parents, SearchResult, Watch, goal_test, path
from groundplan.pddl.ground_successors import Successors
from groundplan.pddl.ground_task import GroundTask

Arrow: TypeAlias = tuple[int, int]
"""A state, and one of its successors."""

BOOST = 1000
"""How many turns the preferred operators get ahead after every progress."""


def greedy(task: GroundTask, bounds: Bounds) -> SearchResult:
    """A plan, not always a short one.

    A state is evaluated when it is taken from an open list, not when it is put there. Two lists take turns, one with
    all successors and one with those of preferred operators (Richter and Helmert 2009). Only states that cannot reach
    the goal even without delete effects are left out, so an exhausted search is a proof that there is no plan.
    """
    if task.goal is None:
        return SearchResult(None, 1, 0)
    return _Greedy(task, bounds).run()


class _Greedy:
    def __init__(self, task: GroundTask, bounds: Bounds) -> None:
        self.task = task
        self.successors = Successors(task)
        self.heuristic = FFHeuristic(task)
        self.watch = Watch(task, bounds)
        self.parents: Parents = {}
        self.every = _OpenList()
        self.preferred = _OpenList()
        self.best: int | None = None

    def run(self) -> SearchResult:
        is_goal = goal_test(self.task)
        expanded = 0
        arrow: Arrow | None = (self.task.init, self.task.init)
        while arrow is not None:
            before, state = arrow
            self.parents[state] = before
            if is_goal(state):
                return SearchResult(path(self.parents, state, self.successors), len(self.parents), expanded)
            expanded += self._expand(state)
            if len(self.parents) % LOOK_EVERY == 0:
                stopped = self.watch.stop(len(self.parents), len(self.every) + len(self.preferred))
                if stopped:
                    return SearchResult(None, len(self.parents), expanded, stopped)
            arrow = self._next()
        return SearchResult(None, len(self.parents), expanded)

    def _expand(self, state: int) -> bool:
        """Evaluate a state and put its successors into the open lists, unless it is a dead end."""
        estimate = self.heuristic(state)
        if estimate is None:
            return False
        value, helpful = estimate
        if self.best is None or value < self.best:
            self.preferred.turns -= 0 if self.best is None else BOOST
            self.best = value
        names = set(map(id, helpful))
        arrows = [(operator, new) for operator, new in self.successors(state) if new not in self.parents]
        self.every.extend(value, [(state, new) for _, new in arrows])
        self.preferred.extend(value, [(state, new) for operator, new in arrows if id(operator) in names])
        return True

    def _next(self) -> Arrow | None:
        """The next way to a state that was not met before."""
        while lists := [item for item in (self.preferred, self.every) if len(item)]:
            arrow = min(lists, key=lambda item: item.turns).pop()
            if arrow[1] not in self.parents:
                return arrow
        return None


class _OpenList:
    """Arrows by the estimate of the state they leave; first in, first out among equals.

    `turns` counts the arrows taken; the list with fewer is next.
    """

    def __init__(self) -> None:
        self.turns = 0
        self._buckets: dict[int, deque[Arrow]] = {}
        self._values: list[int] = []
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def extend(self, value: int, arrows: list[Arrow]) -> None:
        if not arrows:
            return
        if value not in self._buckets:
            self._buckets[value] = deque()
            heappush(self._values, value)
        self._buckets[value].extend(arrows)
        self._size += len(arrows)

    def pop(self) -> Arrow:
        self.turns += 1
        self._size -= 1
        bucket = self._buckets[self._values[0]]
        arrow = bucket.popleft()
        if not bucket:
            del self._buckets[heappop(self._values)]
        return arrow
