"""The searches agree with a search over all objects: same answers, and the best costs where those are promised."""

from __future__ import annotations

import sys
import tracemalloc

import pytest
from hypothesis import assume, given
from lifted_search import LiftedSearch, TooManyStatesError
from strategies import tasks

from groundplan.pddl import Task, task_from_text
from groundplan.pddl.ground import GroundTask, ground
from groundplan.pddl.ground_greedy import greedy
from groundplan.pddl.ground_heuristic import FFHeuristic
from groundplan.pddl.ground_search import Bounds, Stop, breadth_first, reachable_states, uniform_cost
from groundplan.pddl.ground_successors import Successors
from groundplan.pddl.validate import validate_plan

NO_BOUNDS = Bounds()


def best(task: Task, *, unit: bool) -> float | None:
    try:
        return LiftedSearch(task).best(unit=unit)
    except TooManyStatesError:
        assume(False)
        raise


@given(tasks())
def test_breadth_first_search_finds_the_fewest_steps(task: Task) -> None:
    wanted = best(task, unit=True)
    result = breadth_first(ground(task), NO_BOUNDS)
    assert (None if result.steps is None else len(result.steps)) == wanted
    assert result.is_exhausted == (wanted is None)
    assert result.steps is None or validate_plan(task, result.steps).is_valid


@given(tasks())
def test_uniform_cost_search_finds_the_lowest_cost(task: Task) -> None:
    wanted = best(task, unit=False)
    result = uniform_cost(ground(task), NO_BOUNDS)
    assert (None if result.plan is None else sum(operator.cost for operator in result.plan)) == wanted
    assert result.steps is None or validate_plan(task, result.steps).is_valid


@given(tasks())
def test_greedy_search_finds_a_plan_exactly_if_there_is_one(task: Task) -> None:
    wanted = best(task, unit=True)
    result = greedy(ground(task), NO_BOUNDS)
    assert result.is_exhausted == (wanted is None)
    assert result.steps is None or (len(result.steps) >= (wanted or 0) and validate_plan(task, result.steps).is_valid)


@given(tasks())
def test_fast_successors_are_the_plain_ones(task: Task) -> None:
    grounded = ground(task)
    fast = Successors(grounded)
    for state in reachable_states(grounded, 60):
        plain = sorted((str(operator), new) for operator, new in grounded.successors(state))
        assert sorted((str(operator), new) for operator, new in fast(state)) == plain


@given(tasks())
def test_dead_ends_are_dead_and_preferred_operators_apply(task: Task) -> None:
    grounded = ground(task)
    assume(grounded.goal is not None)
    heuristic = FFHeuristic(grounded)
    for state in reachable_states(grounded, 12):
        estimate = heuristic(state)
        if estimate is None:
            started = GroundTask(
                task, grounded.facts, grounded.basic, state, grounded.goal, grounded.operators, grounded.axioms
            )
            assert breadth_first(started, Bounds(states=5_000)).plan is None
        else:
            applicable = [operator for operator, _ in grounded.successors(state)]
            assert all(any(operator is other for other in applicable) for operator in estimate[1])
            assert (estimate[0] == 0) >= grounded.is_goal(state)


@given(tasks())
def test_reachable_states_are_each_yielded_once_and_the_limit_holds(task: Task) -> None:
    grounded = ground(task)
    states = list(reachable_states(grounded, 50))
    assert states[0] == grounded.init
    assert len(set(states)) == len(states) <= 50
    assert list(reachable_states(grounded, 3)) == states[:3]


SWITCHES = """(define (domain switches) (:requirements :strips :negative-preconditions) (:predicates (on ?s) (never))
  (:action press :parameters (?s) :precondition (not (on ?s)) :effect (on ?s))
  (:action release :parameters (?s) :precondition (on ?s) :effect (not (on ?s)))
  (:action cheat :precondition (never) :effect (not (never))))"""


def switches(count: int, goal: str) -> GroundTask:
    names = " ".join(f"s{number}" for number in range(count))
    problem = f"(define (problem p) (:domain switches) (:objects {names}) (:init (never)) (:goal {goal}))"
    return ground(task_from_text(SWITCHES, problem))


CONTRADICTION = "(and (not (never)) (on s0) (on s1) (never))"


@pytest.mark.parametrize("search", [breadth_first, uniform_cost, greedy])
def test_bounds_stop_a_search_and_are_named(search) -> None:  # type: ignore[no-untyped-def]
    task = switches(18, CONTRADICTION)
    assert task.goal is not None
    assert search(task, Bounds(wall_s=0.05)).stopped is Stop.WALL
    assert search(task, Bounds(cpu_s=0.05)).stopped is Stop.CPU
    assert search(task, Bounds(states=500)).stopped is Stop.STATES
    assert search(task, Bounds(memory_bytes=300_000)).stopped is Stop.MEMORY
    small = switches(4, CONTRADICTION)
    assert search(small, NO_BOUNDS).is_exhausted


@pytest.mark.parametrize("search", [breadth_first, uniform_cost, greedy])
def test_the_memory_estimate_is_not_far_from_the_memory_used(search) -> None:  # type: ignore[no-untyped-def]
    bound = 4 << 20
    task = switches(18, CONTRADICTION)
    tracemalloc.start()
    try:
        result = search(task, Bounds(memory_bytes=bound, wall_s=120))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.stopped is Stop.MEMORY
    assert bound / 4 < peak < bound * 1.5, (peak, bound, sys.version)
