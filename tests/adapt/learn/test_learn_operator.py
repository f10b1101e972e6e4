"""A whole operator: phases, faults, elimination, decisions in the log, a resumed run, the executor at the end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from learn_small import QUICK, pick_up
from toy_world import GRASP_BALL, LIFT_BALL, PICK_UP, ToyWorld

from groundplan.adapt.learn.actor import Actor
from groundplan.adapt.learn.executor import HEAD, POLICY, find_executors, load_executor, save_executor
from groundplan.adapt.learn.operator_learning import Learned, learn_operator
from groundplan.adapt.learn.settings import LearningSettings, Method
from groundplan.adapt.rewards.layout import layout_for
from groundplan.confine.opening import lacking
from groundplan.errors import InputError
from groundplan.runs.budget import Budget, BudgetExhausted
from groundplan.runs.run import Run

confined = pytest.mark.skipif(bool(lacking()), reason="this machine cannot confine")
FAR_OFF = GRASP_BALL.replace("(before - after)", "(after - before)")
FAULTY = "def shaping(previous, current):\n    return 1.0 / (current['hand_pos'][0] - current['hand_pos'][0])\n"
ENDLESS = "def shaping(previous, current):\n    while True:\n        pass\n"


def learn(folder: Path, settings: LearningSettings, shaping: list[list[str]], budget: Budget | None = None) -> Learned:
    with Run.open(folder, settings={"seed": 0}, budget=budget) as run:
        return learn_operator(run, pick_up(), settings, 0, shaping=shaping)


@confined
def test_bad_candidates_fail_the_worst_is_dropped_and_a_resumed_run_decides_the_same(tmp_path: Path) -> None:
    shaping = [[FAULTY, FAR_OFF, ENDLESS, GRASP_BALL], [LIFT_BALL]]
    settings = replace(QUICK, most_steps=384, stop_by="any")
    learned = learn(tmp_path / "a", settings, shaping)
    decided = [(item.steps, item.candidate, item.verdict) for item in learned.phases[0].decisions]
    assert decided[:2] == [(128, 0, "failed"), (128, 2, "failed")]
    assert decided[2][0::2] == (256, "eliminated")
    assert "ZeroDivisionError" in learned.phases[0].faults[0]
    assert "time-out: line 2" in learned.phases[0].faults[2]
    assert learned.executor is None  # far too short to learn anything
    assert "never achieved" in learned.reason
    with pytest.raises(BudgetExhausted):
        learn(tmp_path / "b", settings, shaping, Budget(seconds=1.0))
    assert learn(tmp_path / "b", settings, shaping) == learned
    data = json.loads((tmp_path / "b/learning/pick-up/guided/seed0/learned.json").read_text())
    assert [item["verdict"] for item in data["phases"][0]["decisions"]] == ["failed", "failed", "eliminated", "won"]


@confined
def test_when_all_candidates_fail_that_is_the_result(tmp_path: Path) -> None:
    learned = learn(tmp_path / "run", QUICK, [[FAULTY], [LIFT_BALL]])
    assert (learned.best, learned.phases[0].winner, learned.is_complete) == (0.0, None, False)
    assert "every candidate failed" in learned.reason


def test_shaping_must_fit_the_sub_goals(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="2 sub-goals"):
        learn(tmp_path / "run", QUICK, [[GRASP_BALL]])


def test_methods_without_phases_train_once_with_the_steps_of_all(tmp_path: Path) -> None:
    settings = replace(QUICK, most_steps=128)
    with Run.open(tmp_path / "run", settings={}) as run:
        sparse = learn_operator(run, pick_up(), settings, 0, method=Method.SPARSE)
        assert [phase.phase for phase in sparse.phases] == [1]
        assert sparse.phases[0].final is not None
        assert sparse.phases[0].final.steps == 256
        task = replace(pick_up(), plannable=held)
        found = learn_operator(run, task, settings, 0, method=Method.DISCOVERY)
    assert len(found.phases) == 1
    assert found.executor is None


def held(facts: frozenset[tuple[str, ...]]) -> bool:
    return ("free", "hand1") not in facts


@confined
@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_whole_operator_is_learned_and_executed(tmp_path: Path, jobs: int) -> None:
    settings = LearningSettings(
        horizons=(50, 60), evaluate_every=5120, eliminate_every=5120, most_steps=40_960, window=2, stop_by="any",
        rollout=128, batch=256, learning_rate=2e-3,
    )  # fmt: skip
    with Run.open(tmp_path / "run", settings={}) as run:
        learned = learn_operator(run, pick_up(), settings, 0, shaping=[[FAR_OFF, GRASP_BALL], [LIFT_BALL]], jobs=jobs)
    assert learned.best >= 0.9
    assert learned.phases[0].winner == 1
    (saved,) = find_executors(tmp_path, "pick-up", ("ball", "table", "gripper"))
    assert sum(executed(saved, seed) for seed in range(5000, 5020)) >= 17


def executed(saved: object, seed: int) -> bool:
    world = ToyWorld(0.03)
    seen = world.reset(seed)
    executor = saved(world, PICK_UP.objects)  # type: ignore[operator]
    while (action := executor.act(seen, world.facts())) is not None:
        seen = world.step(action)
    return ("grasped", "ball1", "hand1") in world.facts() and ("on", "ball1", "table1") not in world.facts()


def an_actor(width: int) -> Actor:
    random = np.random.default_rng(0)
    shapes = [(64, width), (64, 64), (4, 64)]
    layers = tuple(
        (random.normal(0, 0.3, shape).astype(np.float32), random.normal(size=shape[0]).astype(np.float32))
        for shape in shapes
    )
    return Actor(layers, np.zeros(4, np.float32))


def test_an_executor_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    world = ToyWorld()
    layout = layout_for(PICK_UP, world.observables, world.objects)
    save_executor(tmp_path / "x", an_actor(layout.width), layout, PICK_UP, 7, {"seed": 3})
    saved = load_executor(tmp_path / "x")
    assert (saved.operator, saved.layout, saved.most_steps, saved.about) == (PICK_UP, layout, 7, {"seed": 3})
    first, second = saved(world, PICK_UP.objects), saved(world, PICK_UP.objects)
    seen = world.reset(1)
    for _ in range(7):
        action = first.act(seen, world.facts())
        assert action is not None
        assert (action == second.act(seen, world.facts())).all()
        assert np.abs(action).max() <= 1
        seen = world.step(action)
    assert first.act(seen, world.facts()) is None  # its steps are used up
    done = frozenset({("grasped", "ball1", "hand1")})
    assert saved(world, PICK_UP.objects).act(seen, done) is None
    assert list(find_executors(tmp_path, "pick-up", ("ball", "table", "gripper")))
    assert not list(find_executors(tmp_path, "pick-up", ("ball", "gripper", "table")))


class TwoBalls(ToyWorld):
    """The keys of the first ball carry its name, and there is another."""

    def __init__(self) -> None:
        super().__init__()
        self.objects = {**self.objects, "ball2": "ball"}
        first = [replace(item, name=item.name.replace("ball", "ball1")) for item in self.observables]
        self.observables = (
            *first,
            *(
                replace(item, name=item.name.replace("ball1", "ball2"), objects=("ball2", *item.objects[1:]))
                for item in first
                if "ball1" in item.objects
            ),
        )


def test_another_object_of_the_kind_can_stand_in(tmp_path: Path) -> None:
    world = TwoBalls()
    layout = layout_for(PICK_UP, world.observables, world.objects)
    save_executor(tmp_path, an_actor(layout.width), layout, PICK_UP, 9, {})
    saved = load_executor(tmp_path)
    other = saved(world, ("ball2", "table1", "hand1"))
    assert {name for name in other._layout.names if "ball" in name} == {"ball2_pos", "hand_to_ball2"}
    with pytest.raises(InputError, match="`ball1_pos`, not seen here"):
        saved(ToyWorld(), ("ball1", "table1", "hand1"))
    for wrong in (("ball1", "table1"), ("ball9", "table1", "hand1")):
        with pytest.raises(InputError, match="3 objects"):
            saved(world, wrong)


def test_damaged_executors_are_refused(tmp_path: Path) -> None:
    world = ToyWorld()
    layout = layout_for(PICK_UP, world.observables, world.objects)
    save_executor(tmp_path, an_actor(layout.width + 1), layout, PICK_UP, 7, {})
    with pytest.raises(InputError, match="sees 11 numbers"):
        load_executor(tmp_path)
    (tmp_path / POLICY).write_bytes(b"PK")
    with pytest.raises(InputError, match="no learned policy"):
        load_executor(tmp_path)
    (tmp_path / HEAD).write_text("{}")
    with pytest.raises(InputError, match="no learned executor"):
        load_executor(tmp_path)
