"""Executing plans: effects are looked at, failures are planned round, unknown operators are learned on the way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numpy")

from button_world import ButtonWorld, Press, lamps

from groundplan.adapt.execution.loop import execute, holds, plan_from
from groundplan.adapt.execution.operate import foretold, operate
from groundplan.adapt.execution.record import Ending
from groundplan.adapt.execution.skills import Skills
from groundplan.adapt.planning.replay import Right, replay
from groundplan.errors import InputError
from groundplan.pddl.ast import Step

TASK = lamps()
BOTH = {"switch-on": Press, "touch": Press}
PLAN = (Step("switch-on", ("a", "h")), Step("touch", ("a", "h")), Step("switch-on", ("b", "h")))


def world(**settings):
    made = ButtonWorld(**settings)
    made.reset(0)
    return made


def run(made, plan=PLAN, skills=None, **options):
    return execute(TASK, made, plan, skills or Skills(BOTH), **options)


def test_a_plan_is_done_and_each_step_was_as_foretold() -> None:
    made = world()
    found = run(made)
    assert found.reached
    assert found.replans == 0
    assert [item.step for item in found.done] == list(PLAN)
    assert all(item.as_foretold and item.control_steps > 1 for item in found.done)
    for item in found.done:
        assert foretold(TASK, item.before, item.step) == item.after


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(0, 5), st.integers(0, 4), st.integers(0, 99))
def test_presses_that_come_to_nothing_are_planned_round_as_often_as_allowed(sticky, most, seed) -> None:
    made = world(sticky=sticky)
    made.reset(seed)
    found = run(made, most_replans=most)
    assert found.reached is (sticky <= most)
    assert found.reached is holds(TASK, made.facts())
    assert found.replans == min(sticky, most)
    assert sum(not item.succeeded for item in found.done) == min(sticky, most + 1)
    if not found.reached:
        assert found.ending is Ending.EFFECTS_FAILED
        assert "did not come about" in found.reason


def test_what_the_domain_does_not_foretell_is_recorded_and_planned_round() -> None:
    made = world(dark=True)
    plan = (Step("switch-on", ("b", "h")), Step("switch-on", ("a", "h")), Step("touch", ("a", "h")))
    found = run(made, plan)
    assert found.reached
    assert found.replans == 1
    touched = next(item for item in found.done if item.step.action == "touch")
    assert touched.succeeded
    assert not touched.as_foretold
    assert touched.surplus == ((False, ("lit", "b")),)
    transitions = [item.transition for item in found.done]
    assert replay(TASK.domain.action_by_name["touch"], TASK.domain, transitions).right is Right.REFUTED
    assert replay(TASK.domain.action_by_name["switch-on"], TASK.domain, transitions).right is Right.EXPLAINS


def test_an_operator_is_learned_while_the_world_stands_still_and_kept() -> None:
    made, skills, asked = world(), Skills({"switch-on": Press}), []

    def learn(step, before):
        asked.append((step, before, made.facts(), made.at))
        made.reset(99)
        return Press

    found = run(made, skills=skills, learn=learn)
    assert found.reached
    assert [item[:2] for item in asked] == [(PLAN[1], PLAN[:1])]
    assert [item.learned for item in found.done] == [False, True, False]
    assert found.done[1].before == asked[0][2]
    assert skills.maker("touch") is Press


def test_without_an_executor_it_stops_before_anything_is_broken() -> None:
    made = world()
    found = run(made, skills=Skills({"switch-on": Press}))
    assert found.ending is Ending.NO_EXECUTOR
    assert "`touch`" in found.reason
    assert [item.step for item in found.done] == [PLAN[0]]


def test_no_plan_is_an_ending() -> None:
    class Breaks(Press):
        def __init__(self, made, objects):
            super().__init__(made, objects)
            self.made = made

        def act(self, observation, facts):
            self.made.true.discard(("free", "h"))
            return super().act(observation, facts)

    found = run(world(), skills=Skills({"switch-on": Breaks, "touch": Breaks}))
    assert found.ending is Ending.NO_PLAN
    assert "no plan" in found.reason


def test_an_executor_that_never_ends_is_stopped() -> None:
    class Idle:
        def __init__(self, made, objects):
            pass

        def act(self, observation, facts):
            return [0.0, 0.0, 0.0, 0.0]

    found = run(world(), skills=Skills({"switch-on": Idle, "touch": Idle}), most_replans=1, most_steps=30)
    assert found.ending is Ending.EFFECTS_FAILED
    assert all(30 <= item.control_steps <= 60 for item in found.done)


def test_a_step_that_cannot_be_taken_is_refused_by_name() -> None:
    made = world()
    with pytest.raises(InputError, match="touch"):
        operate(TASK, made, Press(made, ("a", "h")), PLAN[1])


def test_a_plan_from_here_is_shortest_and_there_may_be_none() -> None:
    made = world()
    assert len(plan_from(TASK, made.facts()) or ()) == 3
    assert plan_from(TASK, frozenset()) is None
