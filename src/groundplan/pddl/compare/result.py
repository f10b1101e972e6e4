"""What a comparison of two tasks says: the verdict, the shortest difference, the maps it holds under, the scores.

The reference is the task that was asked for, the candidate the one that was written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from groundplan.pddl.ast import Plan, Step


class Equivalence(StrEnum):
    """Whether the candidate is the reference's task."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNREFUTED = "unrefuted"
    """The budget is spent: no difference was found, and no proof."""


class Drift(StrEnum):
    """What kind of mistake makes the candidate another task."""

    OBJECT_TYPE = "object/type drift"
    GOAL_WEAKENING = "goal weakening"
    GOAL_STRENGTHENING = "goal strengthening"
    CONSTRAINT_OMISSION = "constraint omission"
    SCHEMA = "schema drift"


class Difference(StrEnum):
    """What is seen at the end of a witness."""

    PERMISSIVE = "permissive"
    """The candidate allows a step that the reference forbids."""
    RESTRICTIVE = "restrictive"
    """The reference allows a step that the candidate forbids."""
    WEAKER_GOAL = "weaker goal"
    """The candidate's goal holds, the reference's does not."""
    STRONGER_GOAL = "stronger goal"
    """The reference's goal holds, the candidate's does not."""
    OBJECTS = "objects"
    """The tasks are not about the same objects; no run is needed to see it."""


@dataclass(frozen=True, slots=True)
class ActionMatch:
    """An action schema of the candidate stands for `action` of the reference.

    `positions[i]` is the candidate's parameter (counted from 0) that stands for the reference's i-th parameter; the
    candidate's other parameters are projected away.
    """

    action: str
    positions: tuple[int, ...]


@dataclass(frozen=True)
class Maps:
    """A correspondence: from the candidate's names to the reference's."""

    objects: Mapping[str, str] = field(default_factory=dict)
    actions: Mapping[str, ActionMatch] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        actions = {
            name: {"action": match.action, "positions": list(match.positions)} for name, match in self.actions.items()
        }
        return {"objects": dict(self.objects), "actions": actions}


@dataclass(frozen=True, slots=True)
class Witness:
    """A run that both tasks can take, after which they differ.

    `after` is the run in the reference's words, `candidate_after` the same run in the candidate's. `step` is the step
    that only one of them can take (in the words of the one that can; for PERMISSIVE `reference_step` has it in the
    reference's words where there are such); None where the goals differ. `detail` says in a sentence what differs.
    """

    difference: Difference
    after: Plan = ()
    candidate_after: Plan = ()
    step: Step | None = None
    reference_step: Step | None = None
    detail: str = ""

    def as_json(self) -> list[str]:
        """The steps of the run in the reference's words, then what differs."""
        return [*map(str, self.after), f"{self.difference}: {self.detail}"]


@dataclass(frozen=True, slots=True)
class Probe:
    """A variation of the problem on which the two domains differ though they agree on the problem itself."""

    change: str
    reference_problem: str
    candidate_problem: str


@dataclass(frozen=True)
class Comparison:
    """The verdict on a candidate.

    `goal` is "same", "weaker", "stronger", "different" or "unknown"; `objects`, `schemas` and `initial` (the initial
    facts) are "same", "different" or "unknown". `method` names what decided. `schema_f1` and `goal_preservation` are
    in [0, 1], None where they do not apply. `instance` is the verdict on the problem itself where probes decided
    otherwise.
    """

    verdict: Equivalence
    method: str
    reason: str
    category: Drift | None = None
    goal: str = "unknown"
    objects: str = "unknown"
    schemas: str = "unknown"
    initial: str = "unknown"
    witness: Witness | None = None
    is_shortest: bool = False
    maps: Maps = field(default_factory=Maps)
    schema_f1: float | None = None
    goal_preservation: float | None = None
    probe: Probe | None = None
    instance: Equivalence | None = None
    details: tuple[str, ...] = ()
    pairs: int = 0
    seconds: float = 0.0

    @property
    def is_same(self) -> bool:
        return self.verdict is Equivalence.PROVED

    def as_json(self) -> dict[str, Any]:
        """The keys that `groundplan compare --json` prints."""
        return {
            "verdict": self.verdict.value,
            "category": self.category.value if self.category else None,
            "goal": self.goal,
            "objects": self.objects,
            "schemas": self.schemas,
            "initial": self.initial,
            "witness": self.witness.as_json() if self.witness else [],
            "maps": self.maps.as_json(),
            "schema_f1": self.schema_f1,
            "goal_preservation": self.goal_preservation,
            "reason": self.reason,
            "method": self.method,
            "shortest": self.is_shortest,
            "details": list(self.details),
            "probe": {
                "change": self.probe.change,
                "reference_problem": self.probe.reference_problem,
                "candidate_problem": self.probe.candidate_problem,
            }
            if self.probe
            else None,
            "instance": (self.instance or self.verdict).value,
            "pairs": self.pairs,
            "seconds": round(self.seconds, 4),
        }
