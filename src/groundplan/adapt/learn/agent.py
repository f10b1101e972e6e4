"""One training: PPO on one operator, in one phase, with one reward and one seed; stopped and resumed bit for bit.

It can be stopped at any rollout boundary. A checkpoint holds the policy with its optimizer, the states of all random
generators, of every parallel world and episode, and the learning curve; from it the training goes on as if it had
never been stopped.
"""

from __future__ import annotations

import hashlib
import io
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.logger import Logger

from groundplan.adapt.learn.actor import Actor
from groundplan.adapt.learn.elimination import best_row
from groundplan.adapt.learn.env import Finished, OperatorEnv, Together
from groundplan.adapt.learn.evaluation import Evaluation, curve_text, play
from groundplan.adapt.learn.randomness import Randomness
from groundplan.adapt.learn.scoring import Plannable, Remembered, Scoring, scoring_for
from groundplan.adapt.learn.settings import LearningSettings, Method
from groundplan.adapt.learn.starts import Starts
from groundplan.adapt.operator import GroundOperator
from groundplan.adapt.rewards.layout import Layout, layout_for
from groundplan.adapt.rewards.shaping import DEFAULT_LIMITS, ConfinedShaping, ShapingLimits
from groundplan.adapt.rewards.sub_goals import sub_goals_of
from groundplan.adapt.worlds.world import World
from groundplan.errors import InputError
from groundplan.models.storage import write_whole

CHECKPOINT, BEST, CURVE = "checkpoint.pt", "best.pt", "curve.jsonl"
_DECIDING = (
    "evaluate_every episodes latched normalized environments rollout batch epochs learning_rate gamma gae_lambda clip "
    "entropy"
).split()
"""The settings that the course of a single training depends on; the others say when it ends."""


@dataclass(frozen=True)
class Task:
    """What is to be learned: an operator in a world, from these states. Picklable where `make_world` is, so a
    module's function, a class, or a `functools.partial` of one; `plannable` is for Operator Discovery alone."""

    make_world: Callable[[], World]
    operator: GroundOperator
    starts: Starts = field(repr=False)
    plannable: Plannable | None = None


@dataclass(frozen=True)
class Lesson:
    """What decides one training. `sources` are the shaping functions for sub-goals 0 to `phase` (guided agents only);
    `begin` is the folder of the training whose best model it starts from."""

    task: Task
    method: Method
    phase: int
    settings: LearningSettings
    seed: int
    sources: tuple[str, ...] = ()
    begin: Path | None = None
    limits: ShapingLimits = DEFAULT_LIMITS
    unconfined: bool = False

    def fingerprint(self) -> str:
        """Of all that decides the training's course."""
        figures = [getattr(self.settings, name) for name in _DECIDING]
        settings = [*figures, self.settings.horizon(self.phase)]
        begin = self.begin and hashlib.sha256((self.begin / BEST).read_bytes()).hexdigest()
        starts = [[item.seed for item in some] for some in (self.task.starts.training, self.task.starts.evaluation)]
        parts = (self.task.operator, self.method.value, self.phase, settings, self.seed, self.sources, begin, starts)
        return hashlib.sha256(repr(parts).encode()).hexdigest()


class Agent:
    """A training in `folder`, begun or resumed. Close it after use.

    Raises InputError for a folder with a training of other settings or a damaged checkpoint, CannotConfine where
    shaping cannot be confined, ShapingFailed for a source that does not load.
    """

    def __init__(self, lesson: Lesson, folder: Path) -> None:
        self.lesson = lesson
        self.folder = folder
        self.curve: list[Evaluation] = []
        self._print = lesson.fingerprint()
        self._random = Randomness.seeded(lesson.seed)
        self._saved_at = time.monotonic()
        self._faults_before = 0
        self._worlds: list[World] = []
        self._shaping: ConfinedShaping | None = None
        try:
            self._build()
            if (folder / CHECKPOINT).exists():
                self._load()
        except BaseException:
            self.close()
            raise

    def _build(self) -> None:
        lesson = self.lesson
        task, settings = lesson.task, lesson.settings
        self._goals = sub_goals_of(task.operator)
        self._plannable = Remembered(task.plannable) if task.plannable else None
        first = self._world()
        self.layout = layout_of(task, lesson.method, first)
        if lesson.method is Method.GUIDED:
            if len(lesson.sources) != lesson.phase + 1:
                raise ValueError(f"phase {lesson.phase} takes {lesson.phase + 1} shaping functions")
            sizes = [(item.name, item.size) for item in self.layout.observables]
            self._shaping = ConfinedShaping(lesson.sources, sizes, lesson.limits, unconfined=lesson.unconfined)
        count, starts = settings.environments, task.starts
        worlds = [first, *(self._world() for _ in range(2 * count - 1))]
        self._envs = Together(
            [self._env(world, starts.training) for world in worlds[:count]],
            self._shaping,
            discount=settings.gamma if settings.normalized else None,
        )
        self._tests = [self._env(world, starts.evaluation) for world in worlds[count:]]
        with self._random.in_force():
            self._model = PPO(
                "MlpPolicy",
                self._envs,
                learning_rate=settings.learning_rate,
                n_steps=settings.rollout,
                batch_size=settings.batch,
                n_epochs=settings.epochs,
                gamma=settings.gamma,
                gae_lambda=settings.gae_lambda,
                clip_range=settings.clip,
                ent_coef=settings.entropy,
                policy_kwargs={"optimizer_kwargs": {"eps": 1e-5, "fused": True}},  # fused: the same steps, faster
                seed=lesson.seed,
                device="cpu",
            )
            self._model.set_logger(Logger(None, []))
            if lesson.begin is not None:
                self._take(read_state(lesson.begin / BEST, weights_only=True))

    def _world(self) -> World:
        world = self.lesson.task.make_world()
        self._worlds.append(world)
        return world

    def _env(self, world: World, starts: Any) -> OperatorEnv:
        return OperatorEnv(world, self.layout, self._scoring(), starts, self.lesson.settings.horizon(self.lesson.phase))

    def _scoring(self) -> Scoring:
        lesson = self.lesson
        latched = lesson.settings.latched
        return scoring_for(lesson.method, self._goals, lesson.phase, latched=latched, plannable=self._plannable)

    @property
    def steps(self) -> int:
        """Control steps trained so far."""
        return int(self._model.num_timesteps)

    @property
    def faults(self) -> int:
        return self._faults_before + (sum(self._shaping.faults.values()) if self._shaping else 0)

    def train_until(self, steps: int) -> None:
        """Train to the first rollout boundary at or after `steps`, then evaluate; both are saved.

        Raises ShapingFailed when the shaping is given up.
        """
        if self.curve and self.curve[-1].steps >= steps:
            return
        while self.steps < steps:
            with self._random.in_force():
                self._model.learn(total_timesteps=1, log_interval=1 << 30, reset_num_timesteps=False)
            if time.monotonic() - self._saved_at > self.lesson.settings.checkpoint_s and self.steps < steps:
                self.save()
        self.evaluate()
        self.save()

    def evaluate(self) -> Evaluation:
        """Add a row to the curve; its model is kept where it is the best so far."""
        settings, actor = self.lesson.settings, Actor.of(self._model.policy.state_dict())
        count = len(self.lesson.task.starts.evaluation)
        noise = np.random.default_rng([self.lesson.seed, len(self.curve)])
        certain = play(actor, self._tests, count, settings.episodes)
        drawn = play(actor, self._tests, count, settings.episodes, noise)
        done = self._envs.finished
        row = Evaluation(
            steps=self.steps,
            deterministic=certain.success,
            stochastic=drawn.success,
            episodes=settings.episodes,
            reached=certain.reached,
            training_episodes=len(done),
            training_success=_mean([item.success for item in done]),
            training_return=_mean([item.reward for item in done]),
            withheld=_mean([item.withheld for item in done]) or 0.0,
            faults=self.faults,
            std=float(np.exp(actor.log_std).mean()),
        )
        self._envs.finished = []
        self.curve.append(row)
        if best_row(self.curve) is row:
            write_whole(self.folder / BEST, _bytes(self._weights()))
        return row

    def _weights(self) -> dict[str, Any]:
        return {
            "policy": self._model.policy.state_dict(),
            "optimizer": self._model.policy.optimizer.state_dict(),
        }

    def _take(self, weights: dict[str, Any]) -> None:
        self._model.policy.load_state_dict(weights["policy"])
        self._model.policy.optimizer.load_state_dict(weights["optimizer"])

    def save(self) -> None:
        """Write the checkpoint, whole or not at all, and the curve. Raises StorageError."""
        state = {
            "print": self._print,
            "weights": self._weights(),
            "steps": self.steps,
            "updates": self._model._n_updates,
            "seen": self._model._last_obs,
            "starting": self._model._last_episode_starts,
            "random": self._random,
            "envs": self._envs.save(),
            "finished": [(item.reward, item.success, item.steps, item.withheld) for item in self._envs.finished],
            "faults": self.faults,
            "curve": curve_text(self.curve),
        }
        write_whole(self.folder / CHECKPOINT, _bytes(state))
        write_whole(self.folder / CURVE, curve_text(self.curve).encode())
        self._saved_at = time.monotonic()

    def _load(self) -> None:
        state = read_state(self.folder / CHECKPOINT, weights_only=False)
        if state.get("print") != self._print:
            raise InputError(
                f"{self.folder}: a training with other settings was begun here; use the same ones, or another folder"
            )
        self._take(state["weights"])
        model = self._model
        model.num_timesteps, model._n_updates = state["steps"], state["updates"]
        model._last_obs, model._last_episode_starts = state["seen"], state["starting"]
        self._random = state["random"]
        self._envs.reset()  # each environment's generator is made anew by its first reset
        self._envs.load(state["envs"])
        self._envs.finished = [Finished(*item) for item in state["finished"]]
        self._faults_before = state["faults"]
        self.curve = [Evaluation(**json.loads(line)) for line in state["curve"].splitlines()]

    def close(self) -> None:
        """End the shaping's process and close the worlds; calling it twice is harmless."""
        if self._shaping is not None:
            self._shaping.close()
        while self._worlds:
            self._worlds.pop().close()


def layout_of(task: Task, method: Method, world: World) -> Layout:
    """What the policy sees: the operator's share of the observation; all of it where no operator is known (OD)."""
    if method is Method.DISCOVERY:
        return Layout(tuple(world.observables))
    return layout_for(task.operator, world.observables, world.objects)


def _mean(values: list[float] | list[bool]) -> float | None:
    return float(np.mean(values)) if values else None


def _bytes(state: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    torch.save(state, buffer)
    return buffer.getvalue()


def read_state(path: Path, *, weights_only: bool) -> dict[str, Any]:
    """A file that this module wrote. The checkpoint holds the worlds' own states, so it is read as a pickle: take none
    from strangers."""
    try:
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=weights_only)
    except Exception as error:
        raise InputError(f"{path}: this checkpoint cannot be read ({error})") from error
    return state
