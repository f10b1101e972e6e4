"""What holds in every world whatever the actions: numbers, limits, no lucky grasps, states that can be put back."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operator_solutions import HAND, PLANS, carry_out, executor_of

from groundplan.adapt.worlds.base import HandWorld
from groundplan.adapt.worlds.registry import WORLD_NAMES, make_world
from groundplan.adapt.worlds.world import MAX_DISPLACEMENT, Array

FEW = settings(max_examples=4, deadline=None, derandomize=True)
_MADE: dict[str, HandWorld] = {}


def world_of(name: str) -> HandWorld:
    """Made once: a model takes longer to build than to reset."""
    if name not in _MADE:
        made = make_world(name)
        assert isinstance(made, HandWorld)
        _MADE[name] = made
    return _MADE[name]


def random_actions(seed: int, count: int) -> Array:
    """Half of them jitter, half keep a direction for ten steps, so that the gripper gets about."""
    rng = np.random.default_rng(seed)
    held = np.repeat(rng.uniform(-1, 1, (count // 10 + 1, 4)), 10, axis=0)[:count]
    return np.where(rng.random((count, 1)) < 0.5, held, rng.uniform(-1, 1, (count, 4)))


def trace(world: HandWorld, actions: Array) -> list[tuple[bytes, frozenset[tuple[str, ...]]]]:
    steps = [world.step(action) for action in actions]
    return [(b"".join(array.tobytes() for array in seen.values()), world.facts()) for seen in steps]


@pytest.mark.parametrize("name", WORLD_NAMES)
def test_random_actions_break_nothing_and_grasp_nothing(name: str) -> None:
    world, grasps = world_of(name), 0
    for seed in range(2):
        world.reset(seed)
        before = world.observe()["gripper_pos"]
        for action in random_actions(seed, 300):
            seen = world.step(action)
            assert all(np.isfinite(array).all() for array in seen.values())
            assert np.abs(seen["gripper_pos"] - before).max() <= 1.25 * MAX_DISPLACEMENT
            assert 0 <= seen["gripper_aperture"][0] + 0.003 <= 0.09
            before = seen["gripper_pos"]
        grasps += ("free", HAND) not in world.facts()
    assert grasps == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLD_NAMES)
def test_a_random_policy_hardly_ever_grasps(name: str) -> None:
    """Otherwise a sparse reward would find the first sub-goal by luck."""
    world, grasps = world_of(name), 0
    for seed in range(40):
        world.reset(seed)
        for action in random_actions(seed, 150):
            world.step(action)
            if ("free", HAND) not in world.facts():
                grasps += 1
                break
    assert grasps <= 2


@pytest.mark.parametrize("name", WORLD_NAMES)
def test_the_gripper_starts_far_away(name: str) -> None:
    world = world_of(name)
    for seed in range(50):
        for key, array in world.reset(seed).items():
            if key.startswith("gripper_to_"):
                assert np.linalg.norm(array) >= 0.2, key


@pytest.mark.parametrize("name", WORLD_NAMES)
def test_nothing_moves_by_itself(name: str) -> None:
    world = world_of(name)
    first = world.reset(0)
    for _ in range(40):
        last = world.step(np.zeros(4))
    for key, array in first.items():
        np.testing.assert_allclose(last[key], array, atol=2e-3, err_msg=key)


@pytest.mark.parametrize("name", WORLD_NAMES)
@FEW
@given(seed=st.integers(0, 10_000), early=st.integers(1, 60))
def test_restored_futures_are_the_same_bit_for_bit(name: str, seed: int, early: int) -> None:
    world, actions = world_of(name), random_actions(seed, early + 30)
    world.reset(seed)
    trace(world, actions[:early])
    saved = pickle.dumps(world.save())
    ahead = trace(world, actions[early:])
    world.reset(seed + 1)
    world.restore(pickle.loads(saved))
    assert trace(world, actions[early:]) == ahead


@pytest.mark.parametrize("name", WORLD_NAMES)
def test_restoring_in_the_middle_of_a_grasp(name: str) -> None:
    """The detectors' memory is part of the state: saved at every step around the moment of the grasp."""
    world = world_of(name)
    seen = world.reset(4)
    operator, objects = PLANS[name][0]
    executor = executor_of(world, operator, objects)
    saved, facts = [], []
    while (action := executor.act(seen, world.facts())) is not None:
        seen = world.step(action)
        saved.append(world.save())
        facts.append(world.facts())
    first = next(index for index, now in enumerate(facts) if ("free", HAND) not in now)
    hold = np.array([0.0, 0.0, 0.0, -1.0])
    for index in range(first - 4, first + 2):
        world.restore(saved[index])
        assert world.facts() == facts[index]
        ahead = trace(world, np.tile(hold, (6, 1)))
        world.restore(saved[index])
        assert trace(world, np.tile(hold, (6, 1))) == ahead


@pytest.mark.parametrize("name", WORLD_NAMES)
def test_same_seed_same_trajectory_in_another_instance(name: str) -> None:
    one, other = world_of(name), make_world(name)
    assert isinstance(other, HandWorld)
    other.reset(77)
    trace(other, random_actions(1, 20))
    one.reset(9)
    other.reset(9)
    assert trace(one, random_actions(2, 60)) == trace(other, random_actions(2, 60))


def test_actions_are_clipped_and_checked() -> None:
    world = world_of("kitchen_lid")
    world.reset(0)
    start = world.save()
    one = trace(world, np.ones((3, 4)))
    world.restore(start)
    assert trace(world, np.full((3, 4), 50.0)) == one
    for wrong in (np.array([0, 0, np.nan, 0]), np.zeros(3), np.zeros((4, 1))):
        with pytest.raises(ValueError, match="4 numbers"):
            world.step(wrong)


def test_states_of_other_worlds_are_refused() -> None:
    with pytest.raises(ValueError, match="nut_round_peg"):
        world_of("kitchen_lid").restore(world_of("nut_round_peg").save())


def test_the_gripper_opens_closes_and_stays() -> None:
    world = world_of("nut_round_peg")
    world.reset(0)
    wide = world.observe()["gripper_aperture"][0]
    for _ in range(3):
        world.step(np.array([0.0, 0.0, 0.0, -0.5]))
    half = world.observe()["gripper_aperture"][0]
    assert 0.02 < half < wide - 0.02
    for grip in (0.3, -0.3, 0.0):
        for _ in range(5):
            world.step(np.array([0.0, 0.0, 0.0, grip]))
        assert abs(world.observe()["gripper_aperture"][0] - half) < 0.008
    for _ in range(8):
        world.step(np.array([0.0, 0.0, 0.0, 0.5]))
    assert abs(world.observe()["gripper_aperture"][0] - wide) < 0.002


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLD_NAMES)
def test_a_grasp_lasts(name: str) -> None:
    """Held still for ten seconds after the operator, and shaken, what was grasped stays grasped."""
    for operator, _ in PLANS[name]:
        if not operator.startswith("pick-up"):
            continue
        world = world_of(name)
        world.reset(5)
        for before, things in PLANS[name]:
            carry_out(world, before, things)
            if before == operator:
                break
        held = {fact for fact in world.facts() if fact[0] == "grasped"}
        assert held
        for step in range(200):
            shake = 0.6 * np.sin(step / 3) if step > 100 else 0.0
            world.step(np.array([shake, 0.0, shake, 0.0]))
            assert held <= world.facts(), (operator, step)
