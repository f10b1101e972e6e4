"""After how few steps each ground action can be taken: the same in both tasks wherever they are bisimilar.

So these tables rule out nearly every wrong map of actions and objects at the price of one short search.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from groundplan.pddl.ast import Step
from groundplan.pddl.ground_search import goal_test
from groundplan.pddl.ground_successors import Successors
from groundplan.pddl.ground_task import GroundTask

MOST_STATES = 300
NEVER = 1 << 30


class Depth(NamedTuple):
    """The fewest steps after which an action can be taken: at all, so that a goal is reached, and in a goal state."""

    at_all: int = NEVER
    into_goal: int = NEVER
    in_goal: int = NEVER

    def earliest(self, other: Depth) -> Depth:
        return Depth(*map(min, self, other))

    def is_no_later(self, other: Depth) -> bool:
        return all(mine <= theirs for mine, theirs in zip(self, other, strict=True))


@dataclass(frozen=True)
class Depths:
    """`first[step]` for every step that can be taken, and changes something, after at most `complete` steps."""

    complete: int
    first: Mapping[Step, Depth]

    def within(self, complete: int) -> dict[Step, Depth]:
        """Only what happens after at most so many steps."""
        cut = {
            step: Depth(*(value if value <= complete else NEVER for value in depth))
            for step, depth in self.first.items()
        }
        return {step: depth for step, depth in cut.items() if depth.at_all <= complete}


def first_depths(task: GroundTask, most_states: int = MOST_STATES, seconds: float = 60.0) -> Depths:
    """Search breadth first, layer by layer, until more than `most_states` are known; the last layer is searched too.

    When the seconds are over, the layer at hand does not count.
    """
    deadline = time.monotonic() + seconds
    successors = Successors(task)
    is_goal = goal_test(task)
    goals = {task.init} if is_goal(task.init) else set()
    seen, layer, depth = {task.init}, [task.init], 0
    first: dict[Step, Depth] = {}
    while layer:
        later = []
        for state in layer:
            if time.monotonic() > deadline:
                return Depths(depth - 1, first)
            in_goal = depth if state in goals else NEVER
            for operator, new in successors(state):
                if new == state:
                    continue
                if new not in seen:
                    seen.add(new)
                    later.append(new)
                    if is_goal(new):
                        goals.add(new)
                found = Depth(depth, depth if new in goals else NEVER, in_goal)
                known = first.get(operator.step)
                first[operator.step] = found if known is None else known.earliest(found)
        if len(seen) > most_states:
            return Depths(depth, first)
        layer, depth = later, depth + 1
    return Depths(NEVER - 1, first)


def earliest(pairs: Iterable[tuple[Step, Depth]]) -> dict[Step, Depth]:
    """For each step the earliest of its depths."""
    found: dict[Step, Depth] = {}
    for step, depth in pairs:
        found[step] = depth.earliest(found.get(step, Depth()))
    return found
