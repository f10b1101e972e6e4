"""The reward of one step: the walk over the sub-goals in order (the paper's reward for LLM-guided agents)."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_PROGRESS = 100.0
"""With latched progress, the most that one sub-goal's shaping pays in an episode, in largest displacements of one step
(100 are 1.6 m: farther than a gripper has to go)."""


def bonus(reached: int, phase: int) -> float:
    """What the sub-goals that hold pay each step: 10^(i+1) for sub-goal i, of those up to the phase's own."""
    return float(sum(10 ** (place + 1) for place in range(min(reached, phase + 1))))


def needed(reached: int, phase: int) -> int | None:
    """The sub-goal whose shaping counts now: the first that does not hold, unless it lies beyond the phase's own."""
    return reached if reached <= phase else None


def walk(reached: int, phase: int, shaping: float) -> float:
    """The reward of a step after which `reached` sub-goals hold, in the phase that learns sub-goal `phase`.

    Each that holds adds 10^(i+1); the first that does not adds 10^i times the shaping, clipped to [-1, 1]; there the
    walk ends.
    """
    place = needed(reached, phase)
    return bonus(reached, phase) + (10.0**place * clipped(shaping) if place is not None else 0.0)


def clipped(shaping: float) -> float:
    return -1.0 if shaping < -1.0 else 1.0 if shaping > 1.0 else shaping


@dataclass(slots=True)
class Latch:
    """The same walk, but paid for new progress only: nothing can be collected twice in an episode.

    A sub-goal's bonus is paid when it is first reached; its shaping only where the sum of it passes the highest that
    it has been, and no more than MOST_PROGRESS in all. So an episode pays sub-goal i at most
    10^i * (10 + MOST_PROGRESS), whatever the policy does and whatever the shaping says. `withheld` adds up what the
    plain walk would have paid beyond that.
    """

    paid: int = 0
    level: list[float] = field(default_factory=list)
    best: list[float] = field(default_factory=list)
    withheld: float = 0.0

    def walk(self, reached: int, phase: int, shaping: float) -> float:
        reward = 0.0
        held = min(reached, phase + 1)
        if held > self.paid:
            reward += bonus(held, phase) - bonus(self.paid, phase)
            self.paid = held
        place = needed(reached, phase)
        if place is not None:
            reward += 10.0**place * self._gain(place, clipped(shaping))
        self.withheld += walk(reached, phase, shaping) - reward
        return reward

    def _gain(self, place: int, shaping: float) -> float:
        while len(self.level) <= place:
            self.level.append(0.0)
            self.best.append(0.0)
        self.level[place] = min(self.level[place] + shaping, MOST_PROGRESS)
        gain = max(0.0, self.level[place] - self.best[place])
        self.best[place] += gain
        return gain
