"""Meta-World's drawer through the interface of worlds; only where Meta-World is installed."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("metaworld")

from groundplan.adapt.execution.operate import operate
from groundplan.adapt.planning.in_task import helps
from groundplan.adapt.planning.pddl_text import operators_in
from groundplan.adapt.worlds.adapters.metaworld_drawer import DOMAIN, PROBLEM, MetaworldDrawer, reach
from groundplan.adapt.worlds.checking import check_world
from groundplan.adapt.worlds.executors.moves import Move, Script, shifted
from groundplan.pddl.ast import Step, Task
from groundplan.pddl.read import task_from_text
from groundplan.pddl.source import Source

OPEN = """(:action open-drawer :parameters (?g - gripper ?d - drawer)
  :precondition (and (at-handle ?g ?d) (not (open ?d))) :effect (and (not (at-handle ?g ?d)) (open ?d)))"""


def test_the_world_keeps_the_interfaces_promises() -> None:
    assert check_world(MetaworldDrawer(), task_from_text(DOMAIN, PROBLEM)) == []


@pytest.mark.parametrize("seed", range(5))
def test_the_handle_is_reached_and_the_drawer_pulled_out(seed: int) -> None:
    world, task = MetaworldDrawer(), task_from_text(DOMAIN, PROBLEM)
    world.reset(seed)
    done = operate(
        task, world, reach(world, ("gripper1", "drawer1")), Step("reach-for-handle", ("gripper1", "drawer1"))
    )
    assert done.succeeded, done.missing
    pull = Script([Move(shifted(0.0, -0.3, 0.0), tolerance=0.02)])
    observation = world.observe()
    while (action := pull.act(observation, world.facts())) is not None:
        observation = world.step(action)
    assert ("open", "drawer1") in world.facts()


def test_a_saved_state_brings_the_drawers_place_back() -> None:
    world = MetaworldDrawer()
    world.reset(1)
    saved, here = world.save(), world.observe()["drawer1_handle_pos"]
    world.reset(2)
    assert not np.allclose(world.observe()["drawer1_handle_pos"], here)
    assert np.array_equal(world.restore(saved)["drawer1_handle_pos"], here)


def test_there_is_no_plan_without_the_operator_that_is_to_be_learned() -> None:
    task = task_from_text(DOMAIN, PROBLEM)
    [read] = operators_in(Source(OPEN, "new"), task.domain, task.objects)
    assert read.action is not None
    assert helps(task, []).steps is None
    assert helps(Task(task.domain, task.problem), [read.action]).steps == 2
