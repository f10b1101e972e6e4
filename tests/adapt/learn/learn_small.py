"""Small trainings for the tests: a second or two each."""

from __future__ import annotations

import functools
from pathlib import Path

from toy_world import GRASP_BALL, PICK_UP, ToyWorld

from groundplan.adapt.learn.agent import Agent, Lesson, Task
from groundplan.adapt.learn.evaluation import Evaluation
from groundplan.adapt.learn.settings import LearningSettings, Method
from groundplan.adapt.learn.starts import from_resets

QUICK = LearningSettings(
    horizons=(12,),
    evaluate_every=128,
    episodes=4,
    eliminate_every=256,
    most_steps=512,
    environments=2,
    rollout=32,
    batch=32,
    epochs=2,
    window=2,
    checkpoint_s=0.0,
)
"""Rollouts of 64 steps, an evaluation every second one, a checkpoint after each."""


def pick_up(near: float = 0.03, many: int = 20) -> Task:
    make = functools.partial(ToyWorld, near)
    return Task(make, PICK_UP, from_resets(make(), range(many), range(1000, 1000 + many)))


def lesson(method: Method = Method.GUIDED, settings: LearningSettings = QUICK, seed: int = 0, **more: object) -> Lesson:
    sources = (GRASP_BALL,) if method is Method.GUIDED else ()
    return Lesson(pick_up(), method, 0, settings, seed, **{"sources": sources, **more})  # type: ignore[arg-type]


def trained(work: Lesson, folder: Path, *until: int) -> list[Evaluation]:
    agent = Agent(work, folder)
    try:
        for steps in until:
            agent.train_until(steps)
        return agent.curve
    finally:
        agent.close()
