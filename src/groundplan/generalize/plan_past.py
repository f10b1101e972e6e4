"""What became of facts in the course of a plan: which step made them true, which made them false."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from groundplan.generalize.values import Fact
from groundplan.pddl.ast import Atom, Plan, conjuncts
from groundplan.pddl.simulate import Simulator

_MOST_CHECKS = 3_000_000
"""So many facts are looked up at most to find out when the goal held: a comfort that may not take seconds."""


@dataclass(frozen=True, slots=True)
class Past:
    """By fact the last step (from 1) that made it true, and the last that made it false; those true at the start."""

    made: dict[Fact, int]
    destroyed: dict[Fact, int]
    initial: frozenset[Fact]
    plan: Plan

    def step(self, number: int) -> str:
        return f"step {number} {self.plan[number - 1]}"


def past_of(simulator: Simulator, plan: Plan, rows: Iterable[Fact]) -> Past:
    """The past of some facts along a plan whose steps can all be taken. Derived facts have none."""
    derived = simulator.task.domain.derived_names
    watched = [row for row in dict.fromkeys(rows) if row[0] not in derived]
    walk = simulator.walk()
    now = {row: row[1:] in walk.tables.get(row[0], ()) for row in watched}
    initial = frozenset(row for row, holds in now.items() if holds)
    made: dict[Fact, int] = {}
    destroyed: dict[Fact, int] = {}
    for number, step in enumerate(plan if watched else (), 1):
        walk.advance(((step.action, *step.args),))
        for row in watched:
            holds = row[1:] in walk.tables.get(row[0], ())
            if holds != now[row]:
                (made if holds else destroyed)[row] = number
                now[row] = holds
    return Past(made, destroyed, initial, plan)


def goal_held_after(simulator: Simulator, plan: Plan) -> int | None:
    """After how many steps the goal first held (0: at the start); None where it never did, or it takes too long."""
    task = simulator.task
    size = 1 + sum(isinstance(part, Atom) for part in conjuncts(task.problem.goal))
    if task.domain.derived:
        size += 50 * len(task.problem.init)  # derived facts are computed anew after every step
    if (len(plan) + 1) * size > _MOST_CHECKS:
        return None
    walk = simulator.walk()
    for taken, step in enumerate(plan):
        if simulator.reaches_goal(walk):
            return taken
        walk.advance(((step.action, *step.args),))
    return len(plan) if simulator.reaches_goal(walk) else None
