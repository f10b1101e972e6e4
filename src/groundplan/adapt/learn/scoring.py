"""Rewards and success of an episode's steps, by method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from groundplan.adapt.facts import Facts
from groundplan.adapt.learn.settings import Method
from groundplan.adapt.rewards.sub_goals import SubGoals
from groundplan.adapt.rewards.walk import Latch, needed, walk

Plannable = Callable[[Facts], bool]
"""Whether search ahead finds a plan from these facts (Operator Discovery)."""
ACHIEVED = 10.0
"""The reward of LS and OD."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A step's reward; whether what is learned is achieved now; how many sub-goals hold."""

    reward: float
    success: bool
    reached: int


class Scoring(Protocol):
    """Scores the steps of one environment: `start` an episode, then `look` at each step's facts and `score` it."""

    @property
    def ends_on_success(self) -> bool: ...

    def start(self) -> None: ...

    def look(self, facts: Facts) -> int | None:
        """Take the facts after a step; which sub-goal's shaping its score takes, if any."""
        ...

    def score(self, shaping: float) -> Scored:
        """The score of the step last looked at."""
        ...

    @property
    def withheld(self) -> float:
        """What a latch has kept back in this episode."""
        ...

    def memory(self) -> Any:
        """What an episode under way depends on, as something picklable."""
        ...

    def remember(self, memory: Any) -> None: ...


@dataclass
class WalkScoring:
    """The guided agents' reward. Only the first phase ends on success."""

    goals: SubGoals
    phase: int
    latched: bool = False
    _reached: int = 0
    _latch: Latch = field(default_factory=Latch)

    @property
    def ends_on_success(self) -> bool:
        return self.phase == 0

    def start(self) -> None:
        self._latch = Latch()

    def look(self, facts: Facts) -> int | None:
        self._reached = self.goals.reached(facts)
        return needed(self._reached, self.phase)

    def score(self, shaping: float) -> Scored:
        pay = self._latch.walk if self.latched else walk
        return Scored(pay(self._reached, self.phase, shaping), self._reached > self.phase, self._reached)

    @property
    def withheld(self) -> float:
        return self._latch.withheld

    def memory(self) -> Any:
        return self._latch

    def remember(self, memory: Any) -> None:
        self._latch = memory


@dataclass
class MachineScoring:
    """Reward Machine: sub-goals achieved minus the number of all; the same phases, the same endings."""

    goals: SubGoals
    phase: int
    withheld: float = 0.0
    _reached: int = 0

    @property
    def ends_on_success(self) -> bool:
        return self.phase == 0

    def start(self) -> None:
        pass

    def look(self, facts: Facts) -> int | None:
        self._reached = self.goals.reached(facts)
        return None

    def score(self, shaping: float) -> Scored:
        achieved = min(self._reached, self.phase + 1)
        return Scored(float(achieved - len(self.goals)), self._reached > self.phase, self._reached)

    def memory(self) -> Any:
        return None

    def remember(self, memory: Any) -> None:
        pass


@dataclass
class OnceScoring:
    """+10 when it is achieved, which ends the episode, and nothing else: `is_achieved` is all sub-goals (LEAGUE-sparse)
    or that a plan is found (Operator Discovery)."""

    is_achieved: Callable[[Facts], bool]
    goals: SubGoals
    withheld: float = 0.0
    ends_on_success: bool = True
    _reached: int = 0
    _achieved: bool = False

    def start(self) -> None:
        pass

    def look(self, facts: Facts) -> int | None:
        self._reached = self.goals.reached(facts)
        self._achieved = self.is_achieved(facts)
        return None

    def score(self, shaping: float) -> Scored:
        return Scored(ACHIEVED if self._achieved else 0.0, self._achieved, self._reached)

    def memory(self) -> Any:
        return None

    def remember(self, memory: Any) -> None:
        pass


class Remembered:
    """`plannable`, asked once for the same facts: search is dear, and exploration comes back to the same facts."""

    def __init__(self, plannable: Plannable) -> None:
        self._plannable = plannable
        self._known: dict[Facts, bool] = {}

    def __call__(self, facts: Facts) -> bool:
        if facts not in self._known:
            self._known[facts] = self._plannable(facts)
        return self._known[facts]


def scoring_for(
    method: Method, goals: SubGoals, phase: int, *, latched: bool = False, plannable: Plannable | None = None
) -> Scoring:
    """The scoring of a method in a phase. Raises ValueError for Operator Discovery without `plannable`."""
    if method is Method.GUIDED:
        return WalkScoring(goals, phase, latched)
    if method is Method.MACHINE:
        return MachineScoring(goals, phase)
    if method is Method.SPARSE:
        return OnceScoring(lambda facts: goals.reached(facts) == len(goals), goals)
    if plannable is None:
        raise ValueError("Operator Discovery wants `plannable`: whether a plan is found from given facts")
    return OnceScoring(plannable, goals)
