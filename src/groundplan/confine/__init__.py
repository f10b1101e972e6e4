"""Running Python that a language model wrote, confined."""

from __future__ import annotations

from groundplan.confine.outcome import ConfineLimits, Ending, Frame, Opaque, Ran
from groundplan.confine.protocol import Confinement
from groundplan.confine.tagged import ordered_set

__all__ = ["ConfineLimits", "Confinement", "Ending", "Frame", "Opaque", "Ran", "ordered_set"]
