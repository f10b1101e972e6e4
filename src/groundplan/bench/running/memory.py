"""What a worker remembers of its tasks: replies, checks and results that are there already, and where new ones go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from groundplan.runs.run import Run

CHECK, RESULT = "check", "result"
"""Kinds of event besides those of runs.budget."""


class Memory(Protocol):
    """Events by kind and step; a step begins with the unit's name, so that units do not see each other's."""

    def recall(self, kind: str, step: str) -> Mapping[str, Any] | None: ...

    def keep(self, kind: str, step: str, payload: Mapping[str, Any]) -> None:
        """Write it down; what was paid for is on the disk when this returns."""
        ...

    def check_budget(self) -> None:
        """Before a question to a model. Raises BudgetExhausted where the run may ask no more."""
        ...


class RunMemory:
    """The log of a run, in the process that writes it."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def recall(self, kind: str, step: str) -> Mapping[str, Any] | None:
        event = self._run.recall(kind, step)
        return None if event is None else event.payload

    def keep(self, kind: str, step: str, payload: Mapping[str, Any]) -> None:
        self._run.event(kind, durable=kind not in (CHECK, RESULT), step=step, **payload)

    def check_budget(self) -> None:
        self._run.check_budget()
