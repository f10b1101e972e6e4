"""robosuite's Lift through the interface of worlds; only where robosuite is installed."""

from __future__ import annotations

import pytest

pytest.importorskip("robosuite")

from groundplan.adapt.execution.operate import operate
from groundplan.adapt.worlds.adapters.robosuite_lift import DOMAIN, PROBLEM, RobosuiteLift, reach
from groundplan.adapt.worlds.checking import check_world
from groundplan.adapt.worlds.executors.moves import CLOSE, Move, Script, holds, shifted
from groundplan.pddl.ast import Step
from groundplan.pddl.read import task_from_text


@pytest.fixture(scope="module")
def world() -> RobosuiteLift:
    return RobosuiteLift()


def test_the_world_keeps_the_interfaces_promises(world: RobosuiteLift) -> None:
    assert check_world(world, task_from_text(DOMAIN, PROBLEM)) == []


@pytest.mark.parametrize("seed", range(3))
def test_the_cube_is_reached_grasped_and_lifted(world: RobosuiteLift, seed: int) -> None:
    world.reset(seed)
    step = Step("reach-for-cube", ("gripper1", "cube1"))
    done = operate(task_from_text(DOMAIN, PROBLEM), world, reach(world, ("gripper1", "cube1")), step)
    assert done.succeeded, done.missing
    held = holds(("grasped", "cube1", "gripper1"))
    lift = Script([Move(shifted(0.0, 0.0, 0.0), CLOSE, held, tolerance=0.02), Move(shifted(0.0, 0.0, 0.1), CLOSE)])
    observation = world.observe()
    while (action := lift.act(observation, world.facts())) is not None:
        observation = world.step(action)
    assert world.facts() == {("grasped", "cube1", "gripper1"), ("at-cube", "gripper1", "cube1")}
