"""The environment: Gymnasium's own checker, one step against many at once, rewards and endings by method."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from toy_world import GRASP_BALL, LIFT_BALL, PICK_UP, ToyWorld

from groundplan.adapt.learn.env import OperatorEnv, Together
from groundplan.adapt.learn.scoring import Scoring, scoring_for
from groundplan.adapt.learn.settings import Method
from groundplan.adapt.learn.starts import Starts, collect_starts, from_resets
from groundplan.adapt.rewards.layout import layout_for
from groundplan.adapt.rewards.shaping import ConfinedShaping, Shaping
from groundplan.adapt.rewards.sub_goals import sub_goals_of
from groundplan.confine.opening import lacking
from groundplan.errors import InputError

GOALS = sub_goals_of(PICK_UP)
WORLD = ToyWorld()
LAYOUT = layout_for(PICK_UP, WORLD.observables, WORLD.objects)
STARTS = from_resets(WORLD, range(5), range(5)).training
confined = pytest.mark.skipif(bool(lacking()), reason="this machine cannot confine")


def environment(scoring: Scoring, shaping: Shaping | None = None, horizon: int = 50) -> OperatorEnv:
    return OperatorEnv(ToyWorld(), LAYOUT, scoring, STARTS, horizon, shaping)


def towards(env: OperatorEnv, lift: bool = False) -> np.ndarray:
    """A hand-written policy: to the ball, close, and up."""
    seen = env.layout.spread(env.current)
    gap = seen["hand_to_ball"]
    near = float(np.linalg.norm(gap)) < 0.006
    move = np.array([0.0, 0.0, 1.0]) if near and lift and seen["hand_aperture"][0] == 0 else np.clip(gap / 0.016, -1, 1)
    return np.append(move, -1.0 if near else 1.0).astype(np.float32)


def test_the_layout_leaves_out_what_the_operator_does_not_name() -> None:
    assert LAYOUT.names == ("hand_pos", "hand_aperture", "ball_pos", "hand_to_ball")


def test_gymnasiums_checker_has_nothing_to_say() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(minimum value|maximum value|infinity|render|spec).*")
        check_env(environment(scoring_for(Method.MACHINE, GOALS, 0)), skip_render_check=True)


@confined
def test_many_at_once_are_each_one_alone() -> None:
    sizes = [(item.name, item.size) for item in LAYOUT.observables]
    random = np.random.default_rng(3)
    with ConfinedShaping([GRASP_BALL, LIFT_BALL], sizes) as shaping:
        alone = [environment(scoring_for(Method.GUIDED, GOALS, 1), shaping, 9) for _ in range(3)]
        others = [environment(scoring_for(Method.GUIDED, GOALS, 1), None, 9) for _ in range(3)]
        together = Together(others, shaping)
        together.seed(4)
        seen = together.reset()
        expected = np.stack([env.reset(seed=4 + number)[0] for number, env in enumerate(alone)])
        assert (seen == expected).all()
        for _ in range(30):
            actions = random.uniform(-1, 1, (3, 4)).astype(np.float32)
            together.step_async(actions)
            seen, rewards, dones, _ = together.step_wait()
            for number, env in enumerate(alone):
                own, reward, terminated, truncated, _ = env.step(actions[number])
                assert rewards[number] == np.float32(reward)
                assert dones[number] == (terminated or truncated)
                assert (seen[number] == (env.reset()[0] if dones[number] else own)).all()
        assert len(together.finished) == 9


@confined
def test_the_guided_reward_pays_the_way_the_grasp_and_the_lift() -> None:
    sizes = [(item.name, item.size) for item in LAYOUT.observables]
    with ConfinedShaping([GRASP_BALL, LIFT_BALL], sizes) as shaping:
        env = environment(scoring_for(Method.GUIDED, GOALS, 1), shaping)
        env.reset(seed=0)
        rewards: list[tuple[float, bool, bool, dict[str, Any]]] = []
        for _ in range(25):
            lift = bool(rewards) and rewards[-1][3]["reached"] > 0
            rewards.append(env.step(towards(env, lift))[1:])
    way = [reward for reward, _, _, info in rewards if info["reached"] == 0]
    held = [reward for reward, _, _, info in rewards if info["reached"] == 1]
    lifted = [reward for reward, _, _, info in rewards if info["reached"] == 2]
    assert all(abs(reward) <= 1 for reward in way)
    assert sum(way) > 1
    assert held
    assert all(0 <= reward <= 20 for reward in held)
    assert set(lifted) == {110.0}
    assert not any(terminated for _, terminated, _, _ in rewards)  # a later phase does not end on success


@pytest.mark.parametrize(
    ("method", "phase", "before", "at", "ends"),
    [
        (Method.MACHINE, 0, -2.0, -1.0, True),
        (Method.MACHINE, 1, -2.0, -1.0, False),
        (Method.SPARSE, 1, 0.0, 0.0, False),
    ],
)
def test_the_baselines_at_the_grasp(method: Method, phase: int, before: float, at: float, ends: bool) -> None:
    env = environment(scoring_for(method, GOALS, phase))
    env.reset(seed=0)
    while True:
        _, reward, terminated, _, info = env.step(towards(env))
        if info["reached"]:
            break
        assert reward == before
    assert (reward, terminated) == (at, ends)


def test_league_sparse_pays_once_all_is_achieved_and_discovery_where_a_plan_is_found() -> None:
    asked = []

    def plannable(facts: frozenset[tuple[str, ...]]) -> bool:
        asked.append(facts)
        return ("on", "ball1", "table1") not in facts

    for scoring in (scoring_for(Method.SPARSE, GOALS, 1), scoring_for(Method.DISCOVERY, GOALS, 1, plannable=plannable)):
        env = environment(scoring)
        env.reset(seed=0)
        paid = []
        for _ in range(50):
            _, reward, terminated, _, _ = env.step(towards(env, lift=True))
            paid.append(reward)
            if terminated:
                break
        assert paid[-1] == 10.0
        assert set(paid[:-1]) == {0.0}
    assert asked


def test_an_episode_is_cut_off_and_says_so() -> None:
    env = environment(scoring_for(Method.MACHINE, GOALS, 0), horizon=3)
    env.reset(seed=0)
    ends = [env.step(np.zeros(4, np.float32))[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]


def test_starts_are_where_the_plan_has_come_to() -> None:
    def reach(world: ToyWorld) -> bool:
        if world.observe()["ball_pos"][0] > 0:
            return False
        for _ in range(4):
            world.step(np.array([0.0, 0.0, 1.0, 1.0]))
        return True

    found = collect_starts(ToyWorld(), PICK_UP, reach, range(12), range(100, 112))  # type: ignore[arg-type]
    assert 0 < len(found.training) < 12
    assert {reason for _, reason in found.left_out} == {"the plan before the operator failed"}
    world = ToyWorld()
    assert world.restore(found.training[0].state)["hand_pos"][2] > 0.07
    with pytest.raises(InputError, match="no scene reaches it"):
        collect_starts(ToyWorld(), PICK_UP, lambda world: False, range(2), range(2))
    with pytest.raises(InputError):
        Starts((), ())
