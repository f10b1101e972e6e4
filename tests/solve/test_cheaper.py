"""Looking for a cheaper plan never makes an outcome worse, and finds the cheapest one where the search ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.pddl import Task, task_from_text
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.cheaper import cheaper
from groundplan.solve.outcome import Limits, Outcome, Status


def _action(name: str, before: str, after: str, cost: int) -> str:
    effect = f"(and {after} (increase (total-cost) {cost}))"
    return f"(:action {name} :parameters () :precondition {before} :effect {effect})"


def _task(costs: list[int], metric: bool = True) -> Task:
    """A chain of len(costs) stages, each passed at once (cost) or in two steps of 1 each."""
    actions, facts = [], []
    for number, cost in enumerate(costs):
        here, half, there = f"(s{number})", f"(h{number})", f"(s{number + 1})"
        facts += [here, half]
        actions += [
            _action(f"jump{number}", here, there, cost),
            _action(f"walk{number}", here, half, 1),
            _action(f"on{number}", half, there, 1),
        ]
    facts.append(f"(s{len(costs)})")
    domain = (
        f"(define (domain d) (:predicates {' '.join(facts)}) (:functions (total-cost) - number) {' '.join(actions)})"
    )
    wanted = "(:metric minimize (total-cost))" if metric else ""
    return task_from_text(domain, f"(define (problem p) (:domain d) (:init (s0)) (:goal (s{len(costs)})) {wanted})")


@given(st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_the_cheapest_plan_is_found(costs: list[int]) -> None:
    task = _task(costs)
    first = BuiltinEngine().solve(task, Limits())
    found = cheaper(task, first, lambda: BuiltinEngine(optimal=True), Limits())
    assert found.cost == sum(min(cost, 2) for cost in costs)
    assert found.optimal
    assert first.cost is not None
    assert found.cost <= first.cost


def test_steps_are_left_alone() -> None:
    task = _task([5], metric=False)
    first = BuiltinEngine().solve(task, Limits())
    assert cheaper(task, first, lambda: pytest.fail("not asked for"), Limits()) is first


class _Hopeless:
    name = "hopeless"

    def solve(self, task: Task, limits: Limits) -> Outcome:
        return Outcome(Status.NOT_FOUND, self.name, reason="out of time")

    def close(self) -> None:
        pass


def test_a_vain_search_keeps_the_plan() -> None:
    task = _task([5])
    first = Outcome(Status.SOLVED, "x", (), 5.0, "total-cost")
    found = cheaper(task, first, _Hopeless, Limits())
    assert (found.status, found.cost) == (Status.SOLVED, 5.0)
    assert "out of time" in found.reason
