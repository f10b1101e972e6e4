"""The worlds as plain Gymnasium environments, for learners of one's own.

    import gymnasium
    import groundplan.adapt.worlds.gym_env  # registers the ids of GYM_IDS

    env = gymnasium.make("groundplan/KitchenLid-v0")

The task is the scenario's goal, all at once and from the start, which nobody learns from a sparse reward; it is there
to be wrapped. `info["facts"]` holds what the detectors see.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from groundplan.adapt.facts import Fact
from groundplan.adapt.worlds.registry import make_world, scenario
from groundplan.adapt.worlds.world import CONTROL_HZ, Observation, World
from groundplan.pddl.ast import atoms_in
from groundplan.pddl.read import read_task

Row = NDArray[np.float32]
GYM_IDS = {
    "kitchen_lid": "groundplan/KitchenLid-v0",
    "nut_round_peg": "groundplan/NutRoundPeg-v0",
    "coffee_box": "groundplan/CoffeeBox-v0",
    "coffee_drawer": "groundplan/CoffeeDrawer-v0",
}
EPISODE_STEPS = 500
_BOUND = {"m": 1.0, "rad": float(np.pi), "1": 1.0}
"""Largest value of an observable by unit; what lies beyond is clipped."""


class WorldEnv(gymnasium.Env[Row, Row]):
    """One world; the observation is all observables in a row, each times its scale, the action the world's own.

    The reward is 1, and the episode over, when all `goal` facts hold; 0 otherwise. Without `goal` it is the scenario's
    of a world of this package, and no step is ever rewarded in a world of one's own. `world` is a name for `make_world`
    or a world.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": CONTROL_HZ}

    def __init__(
        self, world: str | World, goal: Iterable[Fact] | None = None, render_mode: str | None = None, size: int = 480
    ) -> None:
        self.world = make_world(world) if isinstance(world, str) else world
        self.goal = frozenset(goal) if goal is not None else _goal_of(self.world.name)
        self.render_mode = render_mode
        self._size = size
        seen = self.world.observables
        self._names = [each.name for each in seen]
        self._scale = np.concatenate([np.full(each.size, each.scale) for each in seen])
        self._bound = np.concatenate([np.full(each.size, _BOUND[each.unit] * each.scale) for each in seen])
        self.observation_space = spaces.Box(-self._bound.astype(np.float32), self._bound.astype(np.float32))
        self.action_space = spaces.Box(-1.0, 1.0, (4,), np.float32)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Row, dict[str, Any]]:
        super().reset(seed=seed)
        seen = self.world.reset(int(self.np_random.integers(2**31)))
        return self._row(seen), {"facts": self.world.facts()}

    def step(self, action: Row) -> tuple[Row, float, bool, bool, dict[str, Any]]:
        seen = self.world.step(np.asarray(action, dtype=np.float64))
        facts = self.world.facts()
        done = bool(self.goal) and self.goal <= facts
        return self._row(seen), float(done), done, False, {"facts": facts}

    def render(self) -> NDArray[np.uint8] | None:
        if self.render_mode is None:
            return None
        return self.world.render(self._size, self._size)

    def close(self) -> None:
        self.world.close()

    def _row(self, seen: Observation) -> Row:
        row: NDArray[np.float64] = np.concatenate([seen[name] for name in self._names]) * self._scale
        return np.clip(row, -self._bound, self._bound).astype(np.float32)


def _goal_of(name: str) -> frozenset[Fact]:
    """The goal of a world of this package; empty for others."""
    if name not in GYM_IDS:
        return frozenset()
    found = scenario(name)
    goal = read_task(found.domain, found.problem).problem.goal
    return frozenset((atom.predicate, *atom.terms) for atom in atoms_in(goal))


for _name, _id in GYM_IDS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(_id, f"{__name__}:WorldEnv", max_episode_steps=EPISODE_STEPS, kwargs={"world": _name})
