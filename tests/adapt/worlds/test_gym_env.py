"""The worlds as Gymnasium environments."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from operator_solutions import PLANS, executor_of
from point_world import PointWorld

from groundplan.adapt.worlds.gym_env import GYM_IDS, WorldEnv
from groundplan.adapt.worlds.registry import WORLD_NAMES


@pytest.mark.parametrize("name", WORLD_NAMES)
def test_both_environment_checkers_are_content(name: str) -> None:
    from stable_baselines3.common.env_checker import check_env as check_for_learner

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(GYM_IDS[name]).unwrapped, skip_render_check=True)
        check_for_learner(gymnasium.make(GYM_IDS[name]), warn=True)


def test_seeds_decide_the_episodes() -> None:
    one, other = (gymnasium.make(GYM_IDS["coffee_box"]) for _ in range(2))
    for _ in range(2):
        np.testing.assert_array_equal(one.reset(seed=3)[0], other.reset(seed=3)[0])
        np.testing.assert_array_equal(one.reset()[0], other.reset()[0])
        np.testing.assert_array_equal(one.step(np.ones(4))[0], other.step(np.ones(4))[0])
    assert not np.array_equal(one.reset(seed=3)[0], one.reset(seed=4)[0])


def test_rows_are_the_scaled_observables() -> None:
    env = WorldEnv("nut_round_peg")
    row, info = env.reset(seed=0)
    seen, at = env.world.observe(), 0
    for each in env.world.observables:
        np.testing.assert_allclose(row[at : at + each.size], seen[each.name] * each.scale, rtol=1e-5)
        at += each.size
    assert at == len(row)
    assert info["facts"] == env.world.facts()


def test_the_goal_ends_the_episode_with_a_reward_of_one() -> None:
    env = WorldEnv("nut_round_peg")
    env.reset(seed=0)
    seen, rewards, done = env.world.observe(), [], False
    for operator, objects in PLANS["nut_round_peg"]:
        executor = executor_of(env.world, operator, objects)
        while not done and (action := executor.act(seen, env.world.facts())) is not None:
            _, reward, done, cut, info = env.step(action.astype(np.float32))
            assert not cut
            assert done == (env.goal <= info["facts"])
            rewards.append(reward)
            seen = env.world.observe()
    assert done
    assert sum(rewards) == rewards[-1] == 1.0


def test_a_world_of_ones_own_has_the_goal_it_is_given() -> None:
    env = WorldEnv(PointWorld(), goal=[("near", "ball1", "hand1")])
    row, _ = env.reset(seed=0)
    assert row.shape == (6,)
    done = False
    while not done:
        _, reward, done, _, _ = env.step(-np.ones(4, dtype=np.float32))
    assert reward == 1.0
    assert WorldEnv(PointWorld()).goal == frozenset()
