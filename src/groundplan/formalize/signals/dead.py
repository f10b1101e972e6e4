"""What can never happen in a task: dead actions, and facts that no plan makes true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groundplan.formalize.signals.checks import evidence
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.words import listed
from groundplan.formalize.specification import Signal

if TYPE_CHECKING:
    from groundplan.pddl.reach_causes import Cause


def find_dead_actions(reading: Reading) -> Iterator[Signal]:
    """Actions without a single reachable instance, each with its first cause."""
    reach = reading.reach
    for dead in reach.dead_actions() if reach else ():
        why = f": {_cause(dead.causes[0])}" if dead.causes else ""
        yield Signal("dead-action", "warning", f"no plan can use the action {dead.name}{why}", (dead.name,))


def _cause(cause: Cause) -> str:
    if cause.atom is None:
        return f"{cause.kind.value} ({cause.parameter.name if cause.parameter else '?'})"
    return f"it needs {cause.atom if cause.needed else f'(not {cause.atom})'}, {cause.kind.value}"


def find_unreachable_goals(reading: Reading) -> Iterator[Signal]:
    """Parts of the goal that cannot come true even if nothing were ever deleted."""
    reach = reading.reach
    parts = reach.unreachable_goals() if reach else ()
    literals = [literal for part in parts for literal in part.literals]
    atoms = [str(atom) if positive else f"(not {atom})" for positive, atom in literals]
    if atoms:
        yield Signal("unreachable-goal-fact", "info", f"no plan can reach {listed(atoms)} of the goal", evidence(atoms))


def find_unreachable_facts(reading: Reading) -> Iterator[Signal]:
    """Predicates that actions change and of which no atom can ever be true."""
    reach = reading.reach
    if reach:
        names = sorted(name for name in reading.task.domain.fluents if next(reach.atoms(name), None) is None)
        if names:
            yield Signal("unreachable-fact", "info", f"no fact of {listed(names)} can ever be true", evidence(names))
