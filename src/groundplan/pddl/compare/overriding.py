"""When a step changes anything, where one of its effects may override another: adding wins over deleting.

A fact becomes true where one of its additions happens; it becomes false where one of its deletions happens and none of
its additions does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from groundplan.pddl.ground_task import GroundOperator, bits

Masks: TypeAlias = tuple[int, int]
MAX_WAYS = 256


class TooManyWays(Exception):
    """A step's conditions are too entangled to be written as a few conjunctions."""


def overrides(operator: GroundOperator) -> bool:
    """Whether a conditional effect and another effect pull one fact both ways."""
    adds, deletes = operator.add, operator.delete
    for effect in operator.conditional:
        adds, deletes = adds | effect.add, deletes | effect.delete
    return bool(operator.conditional) and bool(adds & deletes)


def change_ways(operator: GroundOperator) -> list[Masks]:
    """Conditions, one for each way, under which the step is allowed and changes something. Raises TooManyWays."""
    allowed = (operator.pos, operator.neg)
    found: list[Masks] = []
    for fact, (adds, deletes) in _causes(operator).items():
        for add in adds:
            found += _joined([allowed], add, (0, fact))
        for delete in deletes:
            found += _without(_joined([allowed], delete, (fact, 0)), adds)
    return list(dict.fromkeys(found))


def still_ways(operator: GroundOperator) -> list[Masks]:
    """Conditions under which the step is allowed and changes nothing. Raises TooManyWays."""
    still: list[Masks] = [(operator.pos, operator.neg)]
    for fact, (adds, deletes) in _causes(operator).items():
        false, true = _joined(still, (0, fact)), _joined(still, (fact, 0))
        ways = _without(false, adds) + _without(true, deletes)
        for add in adds:
            ways += _joined(true, add)
        still = list(dict.fromkeys(ways))
        if len(still) > MAX_WAYS:
            raise TooManyWays
    return still


def _causes(operator: GroundOperator) -> dict[int, tuple[list[Masks], list[Masks]]]:
    """For every fact (as a mask) the conditions of its additions and deletions."""
    found: dict[int, tuple[list[Masks], list[Masks]]] = {}
    parts = [(operator.add, operator.delete, 0, 0)]
    parts += [(effect.add, effect.delete, effect.pos, effect.neg) for effect in operator.conditional]
    for add, delete, when, unless in parts:
        for number in bits(add):
            found.setdefault(1 << number, ([], []))[0].append((when, unless))
        for number in bits(delete):
            found.setdefault(1 << number, ([], []))[1].append((when, unless))
    return found


def _joined(ways: Iterable[Masks], *more: Masks) -> list[Masks]:
    """Each way and all that is more, where that is no contradiction."""
    found = []
    for pos, neg in ways:
        for when, unless in more:
            pos, neg = pos | when, neg | unless
        if not pos & neg:
            found.append((pos, neg))
    return found


def _without(ways: list[Masks], conditions: list[Masks]) -> list[Masks]:
    """Each way with all the conditions false."""
    for when, unless in conditions:
        literals = [(0, 1 << number) for number in bits(when)] + [(1 << number, 0) for number in bits(unless)]
        ways = list(dict.fromkeys(way for literal in literals for way in _joined(ways, literal)))
        if len(ways) > MAX_WAYS:
            raise TooManyWays
    return ways
