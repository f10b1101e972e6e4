"""How good a policy is: episodes from states that it was not trained from, and the rows of a learning curve."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from groundplan.adapt.learn.actor import Actor
from groundplan.adapt.learn.env import OperatorEnv
from groundplan.errors import InputError


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One row of a learning curve.

    `deterministic` and `stochastic` are success rates of `episodes` episodes each, acting by the mean and by draws as
    in training; `reached` is the mean of the most sub-goals held in a deterministic episode. The `training_` figures
    are of the training's own episodes since the row before (None where none ended). `withheld` is what a latch kept
    back of an episode's return, on average. `faults` counts failed calls of the shaping so far. `std` is the mean
    standard deviation of the policy's actions.
    """

    steps: int
    deterministic: float
    stochastic: float
    episodes: int
    reached: float
    training_episodes: int
    training_success: float | None
    training_return: float | None
    withheld: float
    faults: int
    std: float

    @property
    def rank(self) -> tuple[float, float]:
        """What the best model is chosen by."""
        return self.deterministic, self.stochastic


@dataclass(frozen=True, slots=True)
class Played:
    """Success rate, the mean of the most sub-goals held, and the most held in each episode."""

    success: float
    reached: float
    most: tuple[int, ...] = ()


def play(
    actor: Actor, envs: Sequence[OperatorEnv], starts: int, episodes: int, noise: np.random.Generator | None = None
) -> Played:
    """Episodes from the environments' starts in turn (`starts` of them), several at once; with `noise`, actions are
    drawn. An episode counts as a success when success was reached at least once."""
    successes: list[bool] = []
    reached: list[int] = []
    for first in range(0, episodes, len(envs)):
        numbers = range(first, min(first + len(envs), episodes))
        _play_some(actor, envs, [number % starts for number in numbers], noise, successes, reached)
    return Played(float(np.mean(successes)), float(np.mean(reached)), tuple(reached))


def _play_some(
    actor: Actor,
    envs: Sequence[OperatorEnv],
    starts: Sequence[int],
    noise: np.random.Generator | None,
    successes: list[bool],
    reached: list[int],
) -> None:
    seen = {number: envs[number].reset(options={"start": start})[0] for number, start in enumerate(starts)}
    most = [0] * len(starts)
    success = [False] * len(starts)
    while seen:
        rows = np.stack(list(seen.values()))
        actions = actor.mean(rows) if noise is None else actor.draw(rows, noise)
        for number, action in zip(list(seen), actions, strict=True):
            env = envs[number]
            env.advance(action)
            seen[number], _, terminated, truncated, info = env.settle(0.0)
            most[number] = max(most[number], info["reached"])
            success[number] = success[number] or info["success"]
            if success[number] or terminated or truncated:
                del seen[number]
    successes.extend(success)
    reached.extend(most)


def curve_text(rows: Sequence[Evaluation]) -> str:
    """JSON lines."""
    return "".join(json.dumps(asdict(row)) + "\n" for row in rows)


def read_curve(path: Path) -> tuple[Evaluation, ...]:
    """The learning curve at `path`. Raises InputError for a damaged file."""
    try:
        return tuple(Evaluation(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{path}: no learning curve can be read here ({error})") from error
