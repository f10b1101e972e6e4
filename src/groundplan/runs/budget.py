"""What a run may spend, and what it has spent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import datetime

from groundplan.errors import GroundplanError, InputError
from groundplan.runs.log import Event

SESSION = "session"
REPLY = "reply"
MODEL_ERROR = "model_error"
SOLVER_CALL = "solver_call"
"""The kinds of event that count. A `solver_call` may carry `count`, the number of calls that it stands for."""


class BudgetExhausted(GroundplanError):
    """The next call would go beyond the budget: an ending of the run, not a fault of it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a run over all its sessions; None is no limit.

    `calls` counts replies of a model (not those from a cache), `tokens` prompt and completion together, `usd` US
    dollars, `seconds` the wall time of the sessions. Raises InputError for a limit below zero.
    """

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    solver_calls: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            limit = getattr(self, field.name)
            if limit is not None and not limit >= 0:
                raise InputError(f"the budget for {field.name.replace('_', ' ')} must be 0 or more, not {limit}")


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has spent so far; `unpriced` counts the replies whose cost is unknown."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    solver_calls: int = 0
    seconds: float = 0.0
    unpriced: int = 0


def spent_in(events: Iterable[Event]) -> Spent:
    """What the events of a log add up to: nothing is forgotten at a kill."""
    events = tuple(events)
    spent = Spent(seconds=active_seconds(events))
    for event in events:
        spent = spent_after(spent, event)
    return spent


def spent_after(spent: Spent, event: Event) -> Spent:
    """`spent` and what one more event cost, the time aside."""
    payload = event.payload
    if event.kind == SOLVER_CALL:
        return replace(spent, solver_calls=spent.solver_calls + int(payload.get("count", 1)))
    usage = payload["reply"]["usage"] if event.kind == REPLY else payload.get("usage")
    if event.kind not in (REPLY, MODEL_ERROR) or usage is None or payload.get("cached"):
        return spent
    cost = usage["cost_usd"]
    return replace(
        spent,
        calls=spent.calls + 1,
        tokens=spent.tokens + usage["prompt_tokens"] + usage["completion_tokens"],
        usd=spent.usd + (cost or 0.0),
        unpriced=spent.unpriced + (cost is None),
    )


def active_seconds(events: Iterable[Event]) -> float:
    """Wall seconds from the start of each session to its last event, added up."""
    total, start, last = 0.0, None, None
    for event in events:
        now = datetime.fromisoformat(event.time)
        if event.kind == SESSION:
            total += _between(start, last)
            start = now
        last = now
    return total + _between(start, last)


def _between(start: datetime | None, end: datetime | None) -> float:
    return max(0.0, (end - start).total_seconds()) if start and end else 0.0  # a clock may be set back


def exhausted(budget: Budget, spent: Spent) -> str | None:
    """Which limit is reached, in words; None while another call may be made.

    With a limit in dollars, a reply of unknown cost ends the run too: the limit could not be kept.
    """
    for name, words in (("calls", "model calls"), ("tokens", "tokens"), ("solver_calls", "solver calls")):
        limit, used = getattr(budget, name), getattr(spent, name)
        if limit is not None and used >= limit:
            return f"the budget of {limit} {words} is used up ({used} used)"
    if budget.usd is not None and spent.unpriced:
        return f"the cost of {spent.unpriced} replies is unknown, so the budget of ${budget.usd:g} cannot be kept"
    if budget.usd is not None and spent.usd >= budget.usd:
        return f"the budget of ${budget.usd:g} is used up (${spent.usd:.4f} spent)"
    if budget.seconds is not None and spent.seconds >= budget.seconds:
        return f"the budget of {budget.seconds:g} seconds is used up ({spent.seconds:.0f} used)"
    return None
