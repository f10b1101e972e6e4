"""Outcomes: what an engine returned. Four endings, never mixed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from groundplan.pddl.ast import Plan, Step, Task


class Status(StrEnum):
    SOLVED = "solved"
    """A plan was found and our own simulator says that it is valid."""
    UNSOLVABLE = "unsolvable"
    """Proved: a complete search ended, or the goal is unreachable even without delete effects."""
    NOT_FOUND = "not_found"
    """No plan within a limit, or an incomplete search gave up; proves nothing."""
    FAILED = "failed"
    """The engine, or what it was given, is at fault."""


class Limit(StrEnum):
    """The limit that ended a search without a plan."""

    WALL = "wall"
    CPU = "cpu"
    MEMORY = "memory"
    INCOMPLETE = "incomplete search"


class Fault(StrEnum):
    """Who is at fault when an outcome is FAILED."""

    UNSUPPORTED = "unsupported"
    """The task uses a feature that the engine lacks; the reason names it."""
    INPUT = "input"
    """The engine rejected the PDDL."""
    CRASH = "crash"
    """The engine died, stayed silent, or said something that contradicts itself."""
    MISSING = "missing"
    """The engine is not installed."""
    BAD_PLAN = "bad plan"
    """The engine's plan does not stand up to our simulator."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds for one engine call: wall and CPU seconds, memory in MiB."""

    wall_s: float = 60.0
    cpu_s: float = 60.0
    memory_mib: int = 2048


DEFAULT_LIMITS = Limits()
"""60 seconds, as in the multi-role paper (section A.2)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one engine call gave.

    `cost` is measured by `measure`: "total-cost" where the problem minimizes it, else "steps".
    `optimal` is true only when the engine proved that no plan is cheaper by that measure.
    `reason` says in a sentence why (the limit, who proved it, what the engine complained about).
    """

    status: Status
    engine: str
    plan: Plan | None = None
    cost: float | None = None
    measure: str = "steps"
    optimal: bool = False
    seconds: float = 0.0
    reason: str = ""
    limit: Limit | None = None
    fault: Fault | None = None
    log: str = ""

    def as_json(self) -> dict[str, Any]:
        """The keys that `groundplan solve --json` prints."""
        return {
            "status": self.status.value,
            "plan": None if self.plan is None else [str(step) for step in self.plan],
            "cost": self.cost,
            "measure": self.measure,
            "optimal": self.optimal,
            "engine": self.engine,
            "seconds": round(self.seconds, 4),
            "reason": self.reason,
            "limit": self.limit.value if self.limit else None,
            "fault": self.fault.value if self.fault else None,
        }


def outcome_from_json(data: Mapping[str, Any]) -> Outcome:
    """The outcome that `as_json` wrote. Raises KeyError or ValueError when it is no such thing."""
    plan = data["plan"]
    steps = None if plan is None else tuple(_step(text) for text in plan)
    return Outcome(
        status=Status(data["status"]),
        engine=data["engine"],
        plan=steps,
        cost=data["cost"],
        measure=data["measure"],
        optimal=data["optimal"],
        seconds=data["seconds"],
        reason=data["reason"],
        limit=Limit(data["limit"]) if data["limit"] else None,
        fault=Fault(data["fault"]) if data["fault"] else None,
    )


def _step(text: str) -> Step:
    name, *args = text.strip("()").split()
    return Step(name, tuple(args))


class Engine(Protocol):
    """A planner. `solve` never raises for what a planner does wrong: that is an Outcome with status FAILED."""

    @property
    def name(self) -> str: ...

    def solve(self, task: Task, limits: Limits) -> Outcome: ...

    def close(self) -> None:
        """End every process that the engine still holds; calling it twice is harmless."""
