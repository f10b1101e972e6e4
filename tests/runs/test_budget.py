"""Budgets and what counts against them."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.errors import InputError
from groundplan.runs.budget import Budget, Spent, active_seconds, exhausted, spent_after, spent_in
from groundplan.runs.log import Event

numbers = st.integers(0, 20)
budgets = st.builds(Budget, *[st.none() | numbers] * 5)
spents = st.builds(Spent, numbers, numbers, numbers.map(float), numbers, numbers.map(float), st.just(0))


@given(budgets, spents)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_budget_is_exhausted_exactly_when_a_limit_is_reached(budget: Budget, spent: Spent) -> None:
    reached = [n for n, limit in asdict(budget).items() if limit is not None and getattr(spent, n) >= limit]
    reason = exhausted(budget, spent)
    assert (reason is not None) == bool(reached)
    if reason is not None:
        words = {"calls": "model calls", "usd": "$", "solver_calls": "solver calls"}
        assert any(words.get(name, name) in reason for name in reached)


def test_no_limits_never_end() -> None:
    assert exhausted(Budget(), Spent(10**9, 10**9, 1e9, 10**9, 1e9, 10**9)) is None


def test_a_limit_in_dollars_cannot_be_kept_with_unknown_prices() -> None:
    assert "unknown" in (exhausted(Budget(usd=5), Spent(calls=2, unpriced=2)) or "")
    assert exhausted(Budget(calls=5), Spent(calls=2, unpriced=2)) is None


@pytest.mark.parametrize("name", [field.name for field in fields(Budget)])
@pytest.mark.parametrize("value", [-1, float("nan")])
def test_a_limit_below_zero_is_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match=name.replace("_", " ")):
        Budget(**{name: value})


def event(kind: str, second: int = 0, **payload: Any) -> Event:
    return Event(0, f"2026-12-01T10:{second // 60:02}:{second % 60:02}.500000+00:00", kind, payload)


def usage(prompt: int, completion: int, cost: float | None) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "cost_usd": cost}


def test_what_counts() -> None:
    events = [
        event("session"),
        event("reply", reply={"usage": usage(10, 5, 0.5)}),
        event("reply", reply={"usage": usage(1, 1, None)}),
        event("reply", reply={"usage": usage(0, 0, 0.0)}, cached=True),
        event("model_error", usage=usage(100, 0, 0.25)),
        event("model_error"),
        event("solver_call"),
        event("solver_call", count=4),
        event("round", accepted=False),
    ]
    assert spent_in(events) == Spent(calls=3, tokens=117, usd=0.75, solver_calls=5, unpriced=1)
    one_by_one = Spent()
    for each in events:
        one_by_one = spent_after(one_by_one, each)
    assert one_by_one == spent_in(events)


def test_only_time_within_sessions_counts() -> None:
    events = [event("session", 0), event("a", 10), event("session", 3000), event("a", 3005), event("session", 3500)]
    assert active_seconds(events) == 15
    assert active_seconds([]) == 0
    assert active_seconds([event("session", 50), event("a", 20)]) == 0  # the clock was set back
