"""Searching a task without grounding: all instances by trying all objects, over the brute-force interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from heapq import heappop, heappush
from itertools import count, product

from brute_force import BruteForce, Fact

from groundplan.pddl.ast import Step, Task

State = frozenset[Fact]


class TooManyStatesError(Exception):
    pass


class LiftedSearch:
    def __init__(self, task: Task, most: int = 60) -> None:
        self.task = task
        self.most = most
        self.brute = BruteForce(task)
        derived = task.domain.derived_names
        self.initial = frozenset(fact for fact in self.brute.initial if fact[0] not in derived)
        names = [item.name for item in task.objects]
        self.steps = [
            Step(action.name, args)
            for action in task.domain.actions
            for args in product(names, repeat=len(action.parameters))
        ]
        self.successors = cache(self._successors)

    def _successors(self, state: State) -> dict[State, float]:
        """Every other state that one step leads to, with the lowest cost of such a step."""
        found: dict[State, float] = {}
        for step in self.steps:
            after = self.brute.apply(state, step)
            if after is not None and after[0] != state:
                found[after[0]] = min(after[1], found.get(after[0], after[1]))
        return found

    def is_goal(self, state: State) -> bool:
        return self.brute.holds(self.task.problem.goal, {}, self.brute.with_derived(state))

    def states(self) -> Iterator[State]:
        """All reachable states, by their distance. Raises TooManyStatesError."""
        seen = {self.initial: None}
        queue = list(seen)
        for state in queue:
            yield state
            for new in self.successors(state):
                if new not in seen:
                    seen[new] = None
                    queue.append(new)
                    if len(seen) > self.most:
                        raise TooManyStatesError

    def best(self, *, unit: bool) -> float | None:
        """The lowest cost of a plan (or the fewest steps), None without a plan. Raises TooManyStatesError."""
        ticket = count()
        open_: list[tuple[float, int, State]] = [(0, next(ticket), self.initial)]
        closed: set[State] = set()
        while open_:
            cost, _, state = heappop(open_)
            if state in closed:
                continue
            if self.is_goal(state):
                return cost
            closed.add(state)
            if len(closed) > self.most:
                raise TooManyStatesError
            for new, price in self.successors(state).items():
                heappush(open_, (cost + (1 if unit else price), next(ticket), new))
        return None
