"""What a comparison may take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from groundplan.pddl.ground_search import Bounds

MEMORY_BYTES = 1 << 30


@dataclass
class Budget:
    """Seconds of wall time and paired states for one comparison; memory is bounded too."""

    seconds: float = 10.0
    states: int = 200_000
    memory_bytes: int = MEMORY_BYTES
    started: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        return max(0.0, self.seconds - (time.monotonic() - self.started))

    @property
    def spent(self) -> float:
        return time.monotonic() - self.started

    @property
    def is_over(self) -> bool:
        return self.left <= 0

    def bounds(self, share: float = 1.0, states: int | None = None) -> Bounds:
        """A share of what is left, for one search."""
        most = self.states if states is None else min(states, self.states)
        return Bounds(wall_s=self.left * share, memory_bytes=self.memory_bytes, states=most)
