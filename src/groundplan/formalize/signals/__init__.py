"""Signs that a PDDL task does not say what its text says, found without a reference."""

from groundplan.formalize.signals.checks import Check
from groundplan.formalize.signals.choice import chosen_checks
from groundplan.formalize.signals.reading import Ask
from groundplan.formalize.signals.registry import CHECKS, SYMBOLIC, signals

__all__ = ["CHECKS", "SYMBOLIC", "Ask", "Check", "chosen_checks", "signals"]
