"""What worlds raise besides InputError (no such world) and ValueError (no such action, no such state)."""

from __future__ import annotations

from groundplan.errors import GroundplanError


class RenderError(GroundplanError):
    """No picture can be made on this machine; the message says what to install."""


class PhysicsError(GroundplanError):
    """The simulation became unstable; the state before the step can be restored, this one is lost."""
