"""Signs that a PDDL task does not say what its text says, found without a reference."""

from groundplan.formalize.signals.checks import Check
from groundplan.formalize.signals.registry import CHECKS, signals

__all__ = ["CHECKS", "Check", "signals"]
