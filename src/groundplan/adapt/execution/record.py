"""What an execution was: each step with the facts before and after it, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.planning.transitions import Transition
from groundplan.pddl.ast import Step


class Ending(StrEnum):
    """How an execution ended."""

    REACHED = "goal reached"
    """The world's detectors see every fact of the goal."""
    NO_EXECUTOR = "no executor"
    """An operator of the plan has no executor, and none was learned."""
    EFFECTS_FAILED = "effects failed"
    """An operator did not bring about its effects, as often as it was allowed to try."""
    NO_PLAN = "no plan"
    """From the state reached there is no plan with the operators that there are."""


@dataclass(frozen=True, slots=True)
class Done:
    """One operator as it went: `missing` are the effects that did not come about, as texts; `surplus` facts that
    changed although the operator says nothing of them (positive: came to hold)."""

    step: Step
    before: Facts
    after: Facts
    control_steps: int
    missing: tuple[str, ...] = ()
    surplus: tuple[tuple[bool, Fact], ...] = ()
    learned: bool = False
    """Done by a learned controller."""

    @property
    def succeeded(self) -> bool:
        return not self.missing

    @property
    def as_foretold(self) -> bool:
        """The facts after it are those that the operator foretells, and no others."""
        return not self.missing and not self.surplus

    @property
    def transition(self) -> Transition:
        return Transition(self.before, (self.step.action, *self.step.args), self.succeeded, self.after)

    def as_json(self) -> dict[str, Any]:
        return {
            "step": str(self.step),
            "control_steps": self.control_steps,
            "succeeded": self.succeeded,
            "missing": list(self.missing),
            "surplus": [{"fact": list(fact), "holds": holds} for holds, fact in self.surplus],
            "learned": self.learned,
        }


@dataclass(frozen=True, slots=True)
class Execution:
    """All operators in order, those that failed and were planned round included."""

    ending: Ending
    reason: str
    done: tuple[Done, ...]
    replans: int = 0

    @property
    def reached(self) -> bool:
        return self.ending is Ending.REACHED

    @property
    def control_steps(self) -> int:
        return sum(item.control_steps for item in self.done)

    def as_json(self) -> dict[str, Any]:
        return {
            "ending": self.ending.value,
            "reason": self.reason,
            "replans": self.replans,
            "control_steps": self.control_steps,
            "steps": [item.as_json() for item in self.done],
        }
