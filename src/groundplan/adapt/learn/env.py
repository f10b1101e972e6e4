"""The Gymnasium environment of one operator in one phase, and several of them stepped together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.running_mean_std import RunningMeanStd
from stable_baselines3.common.vec_env import DummyVecEnv

from groundplan.adapt.learn.actor import Rows
from groundplan.adapt.learn.scoring import Scoring
from groundplan.adapt.learn.starts import Start
from groundplan.adapt.rewards.layout import Layout
from groundplan.adapt.rewards.shaping import Shaping
from groundplan.adapt.worlds.world import Array, World

Stepped = tuple[Rows, float, bool, bool, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Finished:
    """An episode of the training: its return, whether it succeeded at least once, its steps, what a latch kept back."""

    reward: float
    success: bool
    steps: int
    withheld: float


class OperatorEnv(gymnasium.Env[Rows, Rows]):
    """Episodes that begin where the operator begins, in a random one of `starts` (`options={"start": n}`: in that one).

    The observation is the layout's, each number times its scale; the action the world's. An episode ends on success
    where the scoring says so, and is cut off after `horizon` steps. `info` holds `reached` (sub-goals that hold) and
    `success` (at this step).

    A step has two halves, so that the shaping of many environments is asked for at once: `advance` and `settle`.
    """

    def __init__(
        self,
        world: World,
        layout: Layout,
        scoring: Scoring,
        starts: Sequence[Start],
        horizon: int,
        shaping: Shaping | None = None,
    ) -> None:
        self.world = world
        self.layout = layout
        self.scoring = scoring
        self._starts = starts
        self._horizon = horizon
        self._shaping = shaping
        self._scale = layout.scale
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (layout.width,), np.float32)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (4,), np.float32)
        self.previous: Array = np.zeros(layout.width)
        self.current: Array = self.previous
        self._steps = 0
        self._return = 0.0
        self._succeeded = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Rows, dict[str, Any]]:
        super().reset(seed=seed)
        chosen = (options or {}).get("start")
        place = int(self.np_random.integers(len(self._starts))) if chosen is None else int(chosen)
        self.current = self.layout.flat(self.world.restore(self._starts[place].state))
        self.previous = self.current
        self._steps, self._return, self._succeeded = 0, 0.0, False
        self.scoring.start()
        return self._seen(), {"start": place}

    def step(self, action: Rows) -> Stepped:
        needs = self.advance(action)
        shaping = 0.0
        if needs is not None and self._shaping is not None:
            shaping = float(self._shaping.values([needs], self.previous[None], self.current[None])[0])
        return self.settle(shaping)

    def advance(self, action: Rows) -> int | None:
        """Step the world; which sub-goal's shaping (of `previous`, `current`) the reward takes, if any."""
        self.previous = self.current
        self.current = self.layout.flat(self.world.step(np.asarray(action, np.float64)))
        return self.scoring.look(self.world.facts())

    def settle(self, shaping: float) -> Stepped:
        """The outcome of the step, given the shaping's value."""
        scored = self.scoring.score(shaping)
        self._steps += 1
        self._return += scored.reward
        self._succeeded = self._succeeded or scored.success
        terminated = scored.success and self.scoring.ends_on_success
        truncated = not terminated and self._steps >= self._horizon
        info: dict[str, Any] = {"reached": scored.reached, "success": scored.success}
        if terminated or truncated:
            info["finished"] = Finished(self._return, self._succeeded, self._steps, self.scoring.withheld)
        return self._seen(), scored.reward, terminated, truncated, info

    def _seen(self) -> Rows:
        return (self.current * self._scale).astype(np.float32)

    def save(self) -> dict[str, Any]:
        """Everything that the rest of the episode, and the choice of the next, depends on."""
        return {
            "world": self.world.save(),
            "scoring": self.scoring.memory(),
            "random": self.np_random.bit_generator.state,
            "current": self.current,
            "counts": (self._steps, self._return, self._succeeded),
        }

    def load(self, saved: dict[str, Any]) -> None:
        self.world.restore(saved["world"])
        self.scoring.remember(saved["scoring"])
        self.np_random.bit_generator.state = saved["random"]
        self.current = saved["current"]
        self.previous = self.current
        self._steps, self._return, self._succeeded = saved["counts"]

    def close(self) -> None:
        self.world.close()


class Together(DummyVecEnv):
    """Environments of one process, whose shaping is asked for in one call a step. `finished` collects the episodes.

    With a `discount`, the rewards that the learner sees are divided by the running standard deviation of the discounted
    return (those of `finished` are not), as VecNormalize of Stable-Baselines3 does it.
    """

    def __init__(self, envs: Sequence[OperatorEnv], shaping: Shaping | None, discount: float | None = None) -> None:
        super().__init__([lambda env=env: env for env in envs])  # type: ignore[misc]
        self._own = tuple(envs)
        self._shaping = shaping
        self.finished: list[Finished] = []
        self._discount = discount
        self._returns = np.zeros(len(envs))
        self._spread = RunningMeanStd(shape=())

    def step_wait(self) -> Any:
        for number, (env, outcome) in enumerate(zip(self._own, self._stepped(), strict=True)):
            seen, reward, terminated, truncated, info = outcome
            self.buf_rews[number] = reward
            self.buf_dones[number] = terminated or truncated
            if "finished" in info:
                self.finished.append(info.pop("finished"))
                info["terminal_observation"] = seen
                info["TimeLimit.truncated"] = truncated
                seen, self.reset_infos[number] = env.reset()
            self.buf_infos[number] = info
            self._save_obs(number, seen)
        return self._obs_from_buf(), self._normalized(self.buf_rews), self.buf_dones.copy(), list(self.buf_infos)

    def _stepped(self) -> list[Stepped]:
        needs = [env.advance(action) for env, action in zip(self._own, self.actions, strict=True)]
        asking = [number for number, which in enumerate(needs) if which is not None]
        values = np.zeros(len(needs))
        if asking and self._shaping is not None:
            previous = np.stack([self._own[number].previous for number in asking])
            current = np.stack([self._own[number].current for number in asking])
            which = [place for place in needs if place is not None]
            values[asking] = self._shaping.values(which, previous, current)
        return [env.settle(float(value)) for env, value in zip(self._own, values, strict=True)]

    def _normalized(self, rewards: Rows) -> Rows:
        if self._discount is None:
            return rewards.copy()
        self._returns = self._returns * self._discount + rewards
        self._spread.update(self._returns)
        self._returns[self.buf_dones] = 0.0
        seen: Rows = np.clip(rewards / np.sqrt(self._spread.var + 1e-8), -10.0, 10.0).astype(np.float32)
        return seen

    def save(self) -> dict[str, Any]:
        spread = (self._spread.mean, self._spread.var, self._spread.count)
        return {"envs": [env.save() for env in self._own], "returns": self._returns.copy(), "spread": spread}

    def load(self, saved: dict[str, Any]) -> None:
        for env, state in zip(self._own, saved["envs"], strict=True):
            env.load(state)
        self._returns = saved["returns"]
        self._spread.mean, self._spread.var, self._spread.count = saved["spread"]
