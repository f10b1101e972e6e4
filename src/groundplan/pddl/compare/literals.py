"""Which facts of two tasks always have the same truth while both take the same steps.

Two literals are in step when they have the same truth at the start, and every joint step makes both true, both false
or leaves both alone, under conditions that are in step themselves. The classes of the coarsest such partition become
the facts of the difference task, so that equal parts of the two tasks are kept once, whatever their names: this is
why no map of predicates is needed. A predicate that the candidate keeps as its negation falls into place too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from groundplan.pddl.compare.labelled import Label, LabelledTask
from groundplan.pddl.ground_task import GroundOperator, GroundTask, bits

Masks: TypeAlias = tuple[int, int]
"""What must be true, what must be false (or: is made true, made false)."""

Cause: TypeAlias = tuple[int, str, int, int]
"""A joint label by its number, how it changes a fact (T or F, or a mark), and the masks of the condition."""


@dataclass
class Side:
    """Translates the masks of one task into those of the difference task."""

    ground: GroundTask
    places: list[tuple[int, bool]]
    """For each fact its bit in the difference task, and whether it is that bit itself or its negation."""

    def __post_init__(self) -> None:
        self._known: dict[Masks, Masks] = {}

    def masks(self, pos: int, neg: int) -> Masks:
        """The same literals over the facts of the difference task; contradictory where both masks overlap."""
        known = self._known.get((pos, neg))
        if known is None:
            yes = no = 0
            for source, as_said in ((pos, True), (neg, False)):
                for number in bits(source):
                    place, same = self.places[number]
                    if same is as_said:
                        yes |= place
                    else:
                        no |= place
            known = self._known[pos, neg] = (yes, no)
        return known


@dataclass(frozen=True)
class Shared:
    """The facts of both tasks in one numbering. `count` facts, `init` the state at the start; derived facts last."""

    count: int
    init: int
    basic: int
    reference: Side
    candidate: Side


def share(reference: LabelledTask, candidate: LabelledTask) -> Shared:
    """Number the facts of two tasks, facts in step once."""
    labels = [label for label in reference.by_label if label in candidate.by_label]
    signs = _Signs(labels)
    causes = [signs.causes(reference), signs.causes(candidate)]
    classes = signs.refine([reference.ground, candidate.ground], causes)
    places: dict[int, int] = {}
    sides: list[list[tuple[int, bool]]] = []
    init = 0
    for task, (true, false) in zip((reference.ground, candidate.ground), classes, strict=True):
        side = []
        for number in range(task.basic.bit_length()):
            if true[number] in places:
                side.append((1 << places[true[number]], True))
            elif false[number] in places:
                side.append((1 << places[false[number]], False))
            else:
                place = places[true[number]] = len(places)
                side.append((1 << place, True))
                init |= (task.init >> number & 1) << place
        sides.append(side)
    count = len(places)
    basic = (1 << count) - 1
    for task, side in zip((reference.ground, candidate.ground), sides, strict=True):
        for _ in range(task.basic.bit_length(), len(task.facts)):
            side.append((1 << count, True))
            count += 1
    return Shared(count, init, basic, Side(reference.ground, sides[0]), Side(candidate.ground, sides[1]))


class _Signs:
    """The partition of literals by what makes them true and false."""

    def __init__(self, labels: list[Label]) -> None:
        self.labels = labels
        self.conditional = False

    def causes(self, task: LabelledTask) -> list[list[Cause]]:
        """For every basic fact: (label, how, pos, neg of the condition), once for each joint label that changes it."""
        found: list[list[Cause]] = [[] for _ in range(task.ground.basic.bit_length())]
        for number, label in enumerate(self.labels):
            effects = [_effects(operator) for operator in task.by_label[label]]
            same = all(other == effects[0] for other in effects[1:])
            for at, effect in enumerate(effects[:1] if same else effects):
                # operators of one label that differ: what they change is in step with nothing else
                own = "" if same else f" by {id(task)}.{at}"
                for fact, ways in effect.items():
                    for how, pos, neg in ways:
                        self.conditional = self.conditional or bool(pos or neg)
                        found[fact].append((number, how + own + (f" of {fact}" if own else ""), pos, neg))
        return found

    def refine(self, tasks: list[GroundTask], causes: list[list[list[Cause]]]) -> list[tuple[list[int], list[int]]]:
        """For each task the classes of its facts' positive and negative literals."""
        classes = [
            ([task.init >> n & 1 for n in range(len(own))], [1 - (task.init >> n & 1) for n in range(len(own))])
            for task, own in zip(tasks, causes, strict=True)
        ]
        while True:
            numbers: dict[object, int] = {}
            new = []
            for task, own, (true, false) in zip(tasks, causes, classes, strict=True):
                yes = [self._signature(true[n], ways, (true, false), task, "TF") for n, ways in enumerate(own)]
                no = [self._signature(false[n], ways, (true, false), task, "FT") for n, ways in enumerate(own)]
                new.append(
                    (
                        [numbers.setdefault(s, len(numbers)) for s in yes],
                        [numbers.setdefault(s, len(numbers)) for s in no],
                    )
                )
            before = len({number for pair in classes for part in pair for number in part})
            classes = new
            if not self.conditional or len(numbers) == before:
                return classes

    def _signature(
        self,
        present: int,
        ways: list[Cause],
        classes: tuple[list[int], list[int]],
        task: GroundTask,
        letters: str,
    ) -> object:
        """What decides the truth of a literal: its class so far and all its causes."""
        return present, frozenset(
            (
                label,
                _as_seen(how, letters),
                self._condition(pos, neg, classes, task),
            )
            for label, how, pos, neg in ways
        )

    def _condition(self, pos: int, neg: int, classes: tuple[list[int], list[int]], task: GroundTask) -> object:
        if not pos and not neg:
            return None
        if (pos | neg) & ~task.basic:
            return id(task), pos, neg  # on derived facts: comparable only with itself
        true, false = classes
        return frozenset([*(true[n] for n in bits(pos)), *(false[n] for n in bits(neg))])


def _effects(operator: GroundOperator) -> dict[int, tuple[tuple[str, int, int], ...]]:
    """For every fact that an operator may change: (T or F, condition) for each way.

    Where a fact may be both added and deleted, adding wins: then the letters are marked, since the negation of such
    a fact behaves otherwise.
    """
    found: dict[int, list[tuple[str, int, int]]] = {}
    add, delete = plain_effects(operator)
    parts: Iterable[tuple[int, int, int, int]] = [
        (add, delete, 0, 0),
        *((effect.add, effect.delete, effect.pos, effect.neg) for effect in operator.conditional),
    ]
    for add, delete, when, unless in parts:
        for fact in bits(add):
            found.setdefault(fact, []).append(("T", when, unless))
        for fact in bits(delete):
            found.setdefault(fact, []).append(("F", when, unless))
    return {fact: tuple(ways) if _one_way(ways) else _marked(ways) for fact, ways in found.items()}


def plain_effects(operator: GroundOperator) -> Masks:
    """What an operator adds and deletes without condition, but for what its precondition says already.

    An addition that a conditional effect would delete counts in any case: adding wins.
    """
    deleted = 0
    for effect in operator.conditional:
        deleted |= effect.delete
    return operator.add & ~(operator.pos & ~deleted), operator.delete & ~operator.neg


def _as_seen(how: str, letters: str) -> str:
    """How a change looks from the literal's side: for the negation, true and false change places."""
    return letters["TF".index(how)] if how in ("T", "F") else how + letters


def _one_way(ways: list[tuple[str, int, int]]) -> bool:
    return len({how for how, _, _ in ways}) == 1


def _marked(ways: list[tuple[str, int, int]]) -> tuple[tuple[str, int, int], ...]:
    return tuple((f"{how} and other", when, unless) for how, when, unless in ways)
