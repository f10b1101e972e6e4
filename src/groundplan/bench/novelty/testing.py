"""A learned controller in scenes that its training never saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from groundplan.adapt.learn.env import OperatorEnv
from groundplan.adapt.learn.evaluation import play
from groundplan.adapt.learn.executor import SavedExecutor
from groundplan.adapt.learn.scoring import MachineScoring
from groundplan.adapt.learn.starts import Start
from groundplan.adapt.rewards.sub_goals import sub_goals_of
from groundplan.adapt.worlds.world import World
from groundplan.bench.novelty.outcome import FreshScenes

TOGETHER = 8
"""Episodes at once."""


def tested_controller(
    saved: SavedExecutor, make_world: Callable[[], World], starts: Sequence[Start], seed: int
) -> FreshScenes:
    """One deterministic and one stochastic episode from each start; `seed` decides the draws of the latter."""
    goals = sub_goals_of(saved.operator)
    worlds = [make_world() for _ in range(min(TOGETHER, len(starts)))]
    try:
        envs = [
            OperatorEnv(world, saved.layout, MachineScoring(goals, len(goals) - 1), starts, saved.most_steps)
            for world in worlds
        ]
        certain = play(saved.actor, envs, len(starts), len(starts))
        drawn = play(saved.actor, envs, len(starts), len(starts), np.random.default_rng([seed, 100]))
    finally:
        for world in worlds:
            world.close()
    shares = tuple(float(np.mean([most > place for most in certain.most])) for place in range(len(goals)))
    return FreshScenes(len(starts), certain.success, drawn.success, shares)
