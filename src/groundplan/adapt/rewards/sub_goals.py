"""The ordered effects of an operator as sub-goals, and how far down that list the facts have come."""

from __future__ import annotations

from dataclasses import dataclass

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.operator import GroundOperator, Literal

GRASPED, FREE = "grasped", "free"


@dataclass(frozen=True, slots=True)
class SubGoal:
    """An effect, and those that come about with it: the first literal names it."""

    literals: tuple[Literal, ...]

    def __str__(self) -> str:
        """As in the paper's Table II: `grasped_lid1_gripper1`."""
        return str(self.literals[0])

    def holds(self, facts: Facts) -> bool:
        """Whether its own literals are true; what came before it is not looked at."""
        return all((item.fact in facts) is item.positive for item in self.literals)


@dataclass(frozen=True, slots=True)
class SubGoals:
    """Sub-goals in order, and the preconditions that the operator leaves alone."""

    goals: tuple[SubGoal, ...]
    untouched: tuple[Literal, ...]

    def __len__(self) -> int:
        return len(self.goals)

    def reached(self, facts: Facts) -> int:
        """How many sub-goals hold. One holds only if all before it do and every untouched precondition is unchanged."""
        for item in self.untouched:
            if (item.fact in facts) is not item.positive:
                return 0
        for place, goal in enumerate(self.goals):
            if not goal.holds(facts):
                return place
        return len(self.goals)


def sub_goals_of(operator: GroundOperator) -> SubGoals:
    """The operator's effects as sub-goals (the paper's section on sub-goal learning).

    `not free(gripper)` is no sub-goal of its own: it comes with `grasped(..., gripper)`. What `grasped` changes of
    `free` counts as touched even where the effects do not say it. Raises ValueError for an operator without effects.
    """
    if not operator.effects:
        raise ValueError(f"operator `{operator.name}` has no effects: there is nothing to learn")
    grasps = [item for item in operator.effects if item.positive and item.fact[0] == GRASPED]
    goals = []
    merged: set[Literal] = set()
    for item in operator.effects:
        if item in grasps:
            hand = (FREE, item.fact[-1])
            with_it = tuple(other for other in operator.effects if not other.positive and other.fact == hand)
            goals.append(SubGoal((item, *with_it)))
            merged.update(with_it)
    order = {goal.literals[0]: goal for goal in goals}
    ordered = tuple(order.get(item) or SubGoal((item,)) for item in operator.effects if item not in merged)
    touched: set[Fact] = {item.fact for item in operator.effects} | {(FREE, item.fact[-1]) for item in grasps}
    return SubGoals(ordered, tuple(item for item in operator.preconditions if item.fact not in touched))
