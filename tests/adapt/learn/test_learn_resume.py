"""A seeded training is repeatable, and one that was killed goes on as if it had not been."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from learn_small import QUICK, lesson, trained
from toy_world import LIFT_BALL

from groundplan.adapt.learn.agent import BEST, CHECKPOINT, CURVE, Agent, read_state
from groundplan.adapt.learn.evaluation import read_curve
from groundplan.adapt.learn.settings import Method
from groundplan.confine.opening import lacking
from groundplan.errors import InputError

HERE = Path(__file__).parent
confined = pytest.mark.skipif(bool(lacking()), reason="this machine cannot confine")


def weights(folder: Path) -> dict[str, torch.Tensor]:
    found: dict[str, torch.Tensor] = read_state(folder / CHECKPOINT, weights_only=False)["weights"]["policy"]
    return found


def same_weights(one: Path, other: Path) -> bool:
    first, second = weights(one), weights(other)
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


@confined
def test_two_seeded_trainings_give_the_same_curve_and_another_seed_another(tmp_path: Path) -> None:
    first = trained(lesson(), tmp_path / "a", 128, 256)
    random.seed(5)
    np.random.seed(5)
    torch.manual_seed(5)
    assert trained(lesson(), tmp_path / "b", 128, 256) == first
    assert same_weights(tmp_path / "a", tmp_path / "b")
    trained(lesson(seed=1), tmp_path / "c", 256)
    assert not same_weights(tmp_path / "a", tmp_path / "c")


@confined
@pytest.mark.parametrize("latched", [False, True])
def test_stopped_and_resumed_in_between_it_is_the_same_training(tmp_path: Path, latched: bool) -> None:
    settings = replace(QUICK, latched=latched, normalized=True)
    whole = trained(lesson(settings=settings), tmp_path / "whole", 128, 256, 384)
    work = lesson(settings=settings)
    trained(work, tmp_path / "parts", 128)
    broken = Agent(work, tmp_path / "parts")  # a rollout beyond its checkpoint, then lost
    with broken._random.in_force():
        broken._model.learn(total_timesteps=1, log_interval=1 << 30, reset_num_timesteps=False)
    broken.close()
    assert trained(work, tmp_path / "parts", 256, 384) == whole
    assert same_weights(tmp_path / "whole", tmp_path / "parts")
    assert list(read_curve(tmp_path / "parts" / CURVE)) == whole


def test_what_is_random_elsewhere_stays_as_it_was(tmp_path: Path) -> None:
    torch.manual_seed(1)
    np.random.seed(1)
    before = torch.get_rng_state(), np.random.get_state()[1].copy(), random.getstate()
    trained(lesson(Method.MACHINE), tmp_path, 64)
    assert torch.equal(torch.get_rng_state(), before[0])
    assert (np.random.get_state()[1] == before[1]).all()
    assert random.getstate() == before[2]


KILLED = """
import sys
sys.path.insert(0, {here!r})
from pathlib import Path
from learn_small import lesson, trained
trained(lesson(), Path({folder!r}), *range(128, 128 * 6, 128))
"""


@confined
def test_killed_at_any_moment_it_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = trained(lesson(), tmp_path / "whole", *range(128, 128 * 6, 128))
    folder = tmp_path / "killed"
    program = [sys.executable, "-c", KILLED.format(here=str(HERE), folder=str(folder))]
    process = subprocess.Popen(program, env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        deadline = time.monotonic() + 60
        while not (folder / CHECKPOINT).exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.15)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert (folder / CHECKPOINT).exists()
    assert trained(lesson(), folder, *range(128, 128 * 6, 128)) == whole
    assert same_weights(tmp_path / "whole", folder)


@confined
def test_a_later_phase_begins_with_the_best_model_of_the_one_before(tmp_path: Path) -> None:
    first = lesson()
    trained(first, tmp_path / "first", 128)
    work = replace(first, phase=1, sources=(*first.sources, LIFT_BALL), begin=tmp_path / "first")
    agent = Agent(work, tmp_path / "second")
    best = read_state(tmp_path / "first" / BEST, weights_only=True)["policy"]
    assert all(torch.equal(value, best[name]) for name, value in agent._model.policy.state_dict().items())
    assert agent.steps == 0
    agent.close()


def test_another_training_or_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    trained(lesson(Method.MACHINE), tmp_path, 128)
    with pytest.raises(InputError, match="other settings"):
        Agent(lesson(Method.MACHINE, seed=1), tmp_path)
    Agent(lesson(Method.MACHINE, replace(QUICK, most_steps=9999)), tmp_path).close()  # it only ends later
    (tmp_path / CHECKPOINT).write_bytes(b"no checkpoint")
    with pytest.raises(InputError, match="cannot be read"):
        Agent(lesson(Method.MACHINE), tmp_path)
