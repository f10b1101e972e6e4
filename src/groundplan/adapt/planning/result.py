"""What a search for missing operators gave. A plan found is not an operator that is right: the two are told apart."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from groundplan.adapt.operator import GroundOperator, Literal
from groundplan.adapt.planning.changes import Changes
from groundplan.adapt.planning.lifting import ground_operator
from groundplan.adapt.planning.states import text_of
from groundplan.pddl.ast import Action, Plan, Step
from groundplan.pddl.diagnostics import Diagnostic
from groundplan.pddl.write import write_action


class Status(StrEnum):
    """The four endings."""

    FOUND = "found"
    """A plan of the modified domain, validated by our own simulator. Whether its new operators are right is open."""
    NO_OPERATOR_CAN_HELP = "no operator can help"
    """Proved; the reason says what exactly is proved, and under which assumption."""
    NOT_FOUND = "not found"
    """No plan within a limit, which is named; proves nothing about other operators."""
    FAILED = "failed"
    """The model failed, or what came out of the search did not stand up to our validator."""


class Limit(StrEnum):
    """What ended a search without a plan."""

    CALLS = "calls"
    DEPTH = "depth"
    """All states within `max_depth` were asked about; there are others further on."""
    STATES = "states"
    """A bound on states, or the size of the task."""
    EXHAUSTED = "exhausted"
    """The model was asked in every state that can be reached, and proposed nothing that leads on."""
    BUDGET = "budget"
    """The run's own budget: money, tokens, time."""


@dataclass(frozen=True, slots=True)
class NewOperator:
    """An operator that a model proposed. `votes` of `samples` agreed on it; `after` is how the robot got to the state
    in which it was proposed."""

    ground: GroundOperator
    action: Action
    votes: int
    samples: int
    after: Plan = ()
    findings: tuple[Diagnostic, ...] = ()

    @property
    def pddl(self) -> str:
        """The operator with variables, as it stands in the modified domain."""
        return write_action(self.action)

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.ground.name,
            "objects": list(self.ground.objects),
            "types": list(self.ground.types),
            "preconditions": [_literal(item) for item in self.ground.preconditions],
            "effects": [_literal(item) for item in self.ground.effects],
            "pddl": self.pddl,
            "votes": self.votes,
            "samples": self.samples,
            "after": [str(step) for step in self.after],
            "findings": [found.as_json() for found in self.findings],
        }


@dataclass(frozen=True, slots=True)
class Adapted:
    """The result of a search. `plan` is None unless `status` is FOUND; `operators` are the new ones that it uses, in
    the order in which they are first used, and `domain_text` the domain with them.

    An empty `operators` with FOUND means that the known ones suffice. `asked` counts the states in which the model was
    asked, `calls` its replies (those from the run's log too), `opened` the states that were expanded.
    """

    status: Status
    reason: str
    limit: Limit | None = None
    plan: Plan | None = None
    operators: tuple[NewOperator, ...] = ()
    domain_text: str = ""
    findings: tuple[Diagnostic, ...] = ()
    changes: Changes | None = None
    model: str = ""
    calls: int = 0
    asked: int = 0
    opened: int = 0
    suspicious: bool = False

    def operator_at(self, step: Step) -> GroundOperator | None:
        """The new operator that a step of the plan takes, over that step's objects, which need not be those that it was
        proposed for; None where the step takes a known operator."""
        for item in self.operators:
            if item.action.name == step.action:
                return ground_operator(item.action, step.args)
        return None

    def as_json(self) -> dict[str, Any]:
        """The keys that `groundplan adapt --json` prints."""
        return {
            "status": self.status.value,
            "reason": self.reason,
            "limit": self.limit.value if self.limit else None,
            "plan": None if self.plan is None else [str(step) for step in self.plan],
            "operators": [item.as_json() for item in self.operators],
            "operators_right": "not checked",
            "suspicious": self.suspicious,
            "domain": self.domain_text or None,
            "findings": [found.as_json() for found in self.findings],
            "changes": self.changes.as_json() if self.changes else None,
            "model": self.model,
            "model_calls": self.calls,
            "states_asked": self.asked,
            "states_opened": self.opened,
        }


def _literal(literal: Literal) -> str:
    return text_of(literal.fact, literal.positive)
