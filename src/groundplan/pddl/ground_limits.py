"""Bounds on grounding: it ends with a clear error instead of running away."""

from __future__ import annotations

import time

from groundplan.errors import GroundplanError

MAX_ROWS = 100_000_000
"""Rows that joins may look at. No benchmark task comes near; a condition without a limit would."""


class GroundingLimit(GroundplanError):
    """Grounding stopped at a bound, so nothing is known about the task.

    `bound` says which one: "time", "actions", "memory" or "conditions".
    """

    def __init__(self, bound: str, message: str) -> None:
        super().__init__(message)
        self.bound = bound


class Meter:
    """Counts the work of grounding and raises GroundingLimit at the first bound that is passed."""

    def __init__(self, max_actions: int, seconds: float | None) -> None:
        self.max_actions = max_actions
        self.seconds = seconds
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._rows = 0
        self._next_look = 0
        self._instances: dict[str, int] = {}

    def rows(self, count: int) -> None:
        """`count` more rows, bindings or parts of conditions were looked at."""
        self._rows += count
        if self._rows >= self._next_look:
            self._next_look = self._rows + 5_000
            self.look()
            if self._rows > MAX_ROWS:
                raise GroundingLimit("conditions", f"grounding stopped: its joins looked at more than {MAX_ROWS} rows")

    def look(self) -> None:
        """Check the clock."""
        if self._ends is not None and time.monotonic() > self._ends:
            raise GroundingLimit("time", f"grounding did not end within {self.seconds:.3g} s")

    def instance(self, schema: str, kind: str) -> None:
        """One more instance of an action, effect or axiom; an action may have several effects."""
        self._instances[kind] = count = self._instances.get(kind, 0) + 1
        if count > self.max_actions * (1 if kind == "action" else 5):
            raise GroundingLimit(
                "actions",
                f"grounding stopped at {count - 1} instances of {kind}s, the last of `{schema}`; "
                "fewer objects, fewer parameters or narrower types would help",
            )
