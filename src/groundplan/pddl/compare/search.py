"""Deciding whether a difference task has a plan: shortest first, then any, then at random."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundplan.pddl.compare.budget import Budget
from groundplan.pddl.compare.difference import Alarm, DifferenceTask
from groundplan.pddl.compare.labelled import Label
from groundplan.pddl.compare.result import Equivalence
from groundplan.pddl.ground_greedy import greedy
from groundplan.pddl.ground_heuristic import FFHeuristic
from groundplan.pddl.ground_search import breadth_first
from groundplan.pddl.ground_successors import Successors
from groundplan.pddl.ground_task import GroundOperator

FIRST_STATES = 2_000
"""States of the first breadth-first search, before a heuristic is tried."""
QUICK_STATES = 200
WALKS = 64
WALK_STEPS = 200


@dataclass(frozen=True, slots=True)
class Finding:
    """What the search gave: a run that ends in an alarm, a proof that there is none, or neither."""

    verdict: Equivalence
    method: str
    plan: tuple[GroundOperator, ...] = ()
    is_shortest: bool = False
    states: int = 0


def search(task: DifferenceTask, budget: Budget, seed: int = 0, *, quick: bool = False) -> Finding:
    """Look for a difference; every way ends within the budget. `quick` is content with any, if not the shortest."""
    if not task.has_alarms:
        return Finding(Equivalence.PROVED, "the ground tasks are equal step by step", is_shortest=True)
    if FFHeuristic(task.ground)(task.ground.init) is None:
        return Finding(Equivalence.PROVED, "no difference is reachable even if nothing were ever undone")
    first = breadth_first(task.ground, budget.bounds(0.5, QUICK_STATES if quick else FIRST_STATES))
    if first.plan is not None:
        return Finding(Equivalence.REFUTED, "breadth-first search", first.plan, True, first.states)
    if first.is_exhausted:
        return Finding(Equivalence.PROVED, "exhaustive search of all paired states", states=first.states)
    guided = greedy(task.ground, budget.bounds(0.4))
    if guided.is_exhausted:
        return Finding(Equivalence.PROVED, "exhaustive search of all paired states", states=guided.states)
    if quick and guided.plan is not None:
        return Finding(Equivalence.REFUTED, "heuristic search", guided.plan, False, guided.states)
    whole = breadth_first(task.ground, budget.bounds(0.4 if guided.plan else 0.8))
    if whole.plan is not None:
        return Finding(Equivalence.REFUTED, "breadth-first search", whole.plan, True, whole.states)
    if whole.is_exhausted:
        return Finding(Equivalence.PROVED, "exhaustive search of all paired states", states=whole.states)
    states = guided.states + whole.states
    if guided.plan is not None:
        return Finding(Equivalence.REFUTED, "heuristic search", guided.plan, False, states)
    walk = _walks(task, budget, seed)
    if walk is not None:
        return Finding(Equivalence.REFUTED, "random walks", walk, False, states)
    return Finding(Equivalence.UNREFUTED, f"{states} paired states and {WALKS} random walks", states=states)


def replay(task: DifferenceTask, plans: Iterable[Sequence[Label]]) -> Finding | None:
    """Follow plans of either task, given as labels, in both at once, up to the first alarm on the way."""
    successors = Successors(task.ground)
    for plan in plans:
        state = task.ground.init
        run: list[GroundOperator] = []
        for label in (*plan, None):
            moves = [(task.meaning(operator), operator, new) for operator, new in successors(state)]
            alarm = next((operator for meaning, operator, _ in moves if isinstance(meaning, Alarm)), None)
            if alarm is not None:
                return Finding(Equivalence.REFUTED, "plan replay", (*run, alarm))
            step = next((move for move in moves if move[0].label == label), None)
            if step is None:
                break
            run.append(step[1])
            state = step[2]
    return None


def _walks(task: DifferenceTask, budget: Budget, seed: int) -> tuple[GroundOperator, ...] | None:
    """Joint runs chosen at random, until one ends in an alarm."""
    chance = random.Random(seed)
    successors = Successors(task.ground)
    for _ in range(WALKS):
        run: list[GroundOperator] = []
        state = task.ground.init
        for _ in range(WALK_STEPS):
            moves = successors(state)
            alarm = next((operator for operator, _ in moves if isinstance(task.meaning(operator), Alarm)), None)
            if alarm is not None:
                return (*run, alarm)
            if not moves or budget.is_over:
                break
            operator, state = chance.choice(moves)
            run.append(operator)
    return None
