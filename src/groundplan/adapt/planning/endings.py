"""What a search says at its end, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from groundplan.adapt.operator import GroundOperator
from groundplan.adapt.planning.propose import Proposals
from groundplan.adapt.planning.result import Adapted, Status
from groundplan.adapt.planning.space import Ahead
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity


def known_operators_fail(ending: Ahead, max_states: int) -> Diagnostic:
    """That the known operators do not suffice: proved, or only not found out."""
    if ending is Ahead.NONE:
        code, message = "known-operators-fail", "proved: no plan exists with the known operators"
    else:
        code = "known-operators-unfinished"
        message = f"no plan with the known operators within {max_states} states; that there is none is not proved"
    return Diagnostic(code, Category.SEARCH, Severity.INFO, message)


def with_faults(found: Adapted, faults: Sequence[Diagnostic], readable: int) -> Adapted:
    """The result with a word on samples that could not be read; where none ever could, the model failed."""
    if not faults:
        return found
    message = f"{len(faults)} sample(s) could not be read, even when asked again; the first: {faults[0].message}"
    told = Diagnostic("replies-unreadable", Category.SYNTAX, Severity.WARNING, message)
    found = replace(found, findings=(*found.findings, told))
    if found.status is Status.NOT_FOUND and not readable:
        reason = f"no reply of the model could be read; the first: {faults[0].message}"
        return replace(found, status=Status.FAILED, limit=None, reason=reason)
    return found


def candidates_json(proposals: Proposals) -> list[dict[str, Any]]:
    """The candidates of a state for the run's log."""
    return [
        {"operator": _shown(item.operator), "votes": item.votes, "samples": list(item.samples)}
        for item in proposals.candidates
    ]


def _shown(operator: GroundOperator | None) -> dict[str, Any] | None:
    if operator is None:
        return None
    return {"step": " ".join((operator.name, *operator.objects)), "effects": [str(item) for item in operator.effects]}
