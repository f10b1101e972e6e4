"""What decides a training: the method, and its figures, with three presets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from groundplan.errors import InputError


class Method(StrEnum):
    """Who gives the reward.

    `guided`: the walk over the sub-goals with a model's shaping (LG of the paper). `sparse`: +10 when everything is
    achieved (LS, after LEAGUE). `machine`: sub-goals achieved minus their number, in the same phases (RM). `discovery`:
    +10 when search ahead finds a plan from the state reached (OD).
    """

    GUIDED = "guided"
    SPARSE = "sparse"
    MACHINE = "machine"
    DISCOVERY = "discovery"

    @property
    def in_phases(self) -> bool:
        """Whether each sub-goal has a training of its own; else one training is for all, with the budget of all."""
        return self in (Method.GUIDED, Method.MACHINE)


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """Figures of a training; all counts of steps are control steps over all parallel environments.

    `horizons` are the longest episodes by phase (the last holds for all later phases). A candidate is evaluated every
    `evaluate_every` steps on `episodes` episodes, deterministic ones and as many stochastic ones. Every
    `eliminate_every` steps the one with the lowest mean deterministic success over its last `window` evaluations is
    dropped. A training ends at `most_steps`, or when mean and standard deviation of that success over a full window
    are at least `stop_mean` and at most `stop_spread`: with `stop_by` "survivor" only the last candidate may end so,
    with "any" the first that gets there ends the phase. `latched` pays for new progress only (see rewards/walk.py).
    The rest are PPO's own, at the defaults of Stable-Baselines3 but for the eight environments.
    """

    horizons: tuple[int, ...] = (100, 150, 200)
    evaluate_every: int = 20_000
    episodes: int = 20
    eliminate_every: int = 200_000
    most_steps: int = 1_000_000
    window: int = 5
    stop_mean: float = 0.9
    stop_spread: float = 0.1
    stop_by: Literal["survivor", "any"] = "survivor"
    latched: bool = False
    normalized: bool = True
    """Divide rewards by the running standard deviation of the discounted return. Raw rewards grow tenfold with every
    phase, and with them the critic's gradients, which then leave nothing of the clipped step to the actor."""
    environments: int = 8
    rollout: int = 256
    """Steps of each environment between two updates."""
    batch: int = 64
    epochs: int = 10
    learning_rate: float = 3e-4
    gamma: float = 0.99
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.0
    checkpoint_s: float = 20.0
    """Seconds between checkpoints, besides those at evaluations; it decides nothing of the result."""

    def __post_init__(self) -> None:
        counts = ("evaluate_every", "episodes", "eliminate_every", "most_steps", "window", "environments", "rollout")
        for name in (*counts, "batch", "epochs"):
            if getattr(self, name) < 1:
                raise InputError(f"the setting {name} must be 1 or more, not {getattr(self, name)}")
        if not self.horizons or min(self.horizons) < 1:
            raise InputError("the setting horizons wants one length of episodes or more, each at least 1")

    def horizon(self, phase: int) -> int:
        return self.horizons[min(phase, len(self.horizons) - 1)]


PRESETS = {
    "paper": LearningSettings(normalized=False),
    "standard": LearningSettings(
        evaluate_every=10_000, eliminate_every=30_000, most_steps=150_000, stop_by="any", batch=256
    ),
    "smoke": LearningSettings(
        evaluate_every=10_000,
        episodes=10,
        eliminate_every=20_000,
        most_steps=60_000,
        window=2,
        stop_by="any",
        batch=256,
    ),
}
"""`paper`: the reference's protocol. `standard`: the same within hours on two cores. `smoke`: minutes. The two small
ones learn from batches of 256, which costs a CPU a third less and took no more steps on the tests' toy world."""


def preset(name: str) -> LearningSettings:
    """Raises InputError for a name that there is not."""
    if name not in PRESETS:
        raise InputError(f"no preset of learning is called `{name}`; there are {', '.join(PRESETS)}")
    return PRESETS[name]
