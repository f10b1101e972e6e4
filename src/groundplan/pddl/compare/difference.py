"""From two tasks to one whose plans are the runs after which the two differ.

A state of the difference task is a pair of states that the same run leads to. Joint operators take a step in both;
an alarm operator can be taken where only one of the tasks allows a step (that changes something), or where only one
goal holds. So the two tasks are bisimilar exactly where the difference task has no plan, and a shortest plan is a
shortest witness: breadth-first search over it is the search over pairs of states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from groundplan.pddl.ast import Atom, Step
from groundplan.pddl.compare.labelled import Label, LabelledTask
from groundplan.pddl.compare.literals import Masks, Shared, Side, plain_effects, share
from groundplan.pddl.compare.overriding import MAX_WAYS, TooManyWays, change_ways, overrides, still_ways
from groundplan.pddl.compare.result import Difference
from groundplan.pddl.ground_task import ConditionalEffect, GroundAxiom, GroundOperator, GroundTask

MAX_ALARMS = MAX_WAYS
"""Ways in which one step may be allowed by one task only; beyond it, pairs of states are compared one by one."""


@dataclass(frozen=True, slots=True)
class Joint:
    """A step of both tasks."""

    label: Label
    candidate: Step


@dataclass(frozen=True, slots=True)
class Alarm:
    """What differs: the step that only one task allows (in its own words), or the goals."""

    difference: Difference
    label: Label | None = None
    step: Step | None = None


@dataclass(frozen=True)
class DifferenceTask:
    """`ground` has one operator `(joint N)` or `(alarm N)` for `meanings[N]`; its goal is the fact `difference`."""

    ground: GroundTask
    meanings: tuple[Joint | Alarm, ...]

    @property
    def has_alarms(self) -> bool:
        return any(isinstance(meaning, Alarm) for meaning in self.meanings)

    def meaning(self, operator: GroundOperator) -> Joint | Alarm:
        return self.meanings[int(operator.step.args[0])]


class _Conditional(NamedTuple):
    """Where all of `pos` and none of `neg` holds, `add` becomes true and `delete` false."""

    pos: int
    neg: int
    add: int
    delete: int


@dataclass(frozen=True, slots=True)
class _Move:
    """An operator over the facts of the difference task."""

    step: Step
    pos: int
    neg: int
    add: int
    delete: int
    conditional: tuple[_Conditional, ...]
    ways: tuple[tuple[Masks, ...], tuple[Masks, ...]] | None = None
    """Where effects override each other: when it changes something, and when nothing."""

    @property
    def always_changes(self) -> bool:
        if self.ways is not None:
            return bool(self.add & self.neg)
        # A step that only one task can take may make two facts true that are each other's negation after joint runs.
        return bool(self.add & self.neg or self.delete & self.pos or self.add & self.delete)

    @property
    def effects(self) -> tuple[int, int, tuple[_Conditional, ...]]:
        return self.add, self.delete, self.conditional


class Pair:
    """Two labelled tasks over one numbering of facts, ready for the searches of one comparison."""

    def __init__(self, reference: LabelledTask, candidate: LabelledTask) -> None:
        self.reference = reference
        self.candidate = candidate
        self.shared: Shared = share(reference, candidate)
        self.difference = 1 << self.shared.count
        self._moves = (_moves(reference, self.shared.reference), _moves(candidate, self.shared.candidate))
        self._goals = tuple(_goal(side) for side in (self.shared.reference, self.shared.candidate))

    def task(self, *, steps: bool = True, weaker: bool = True, stronger: bool = True) -> DifferenceTask:
        """The difference task with the alarms asked for. Raises TooManyWays."""
        operators: list[GroundOperator] = []
        meanings: list[Joint | Alarm] = []

        def alarm(meaning: Alarm, masks: Masks) -> None:
            name = Step("alarm", (str(len(meanings)),))
            operators.append(GroundOperator(name, *masks, self.difference, 0))
            meanings.append(meaning)

        reference, candidate = self._goals
        if weaker and candidate is not None:
            for masks in _holds_without(candidate, reference):
                alarm(Alarm(Difference.WEAKER_GOAL), masks)
        if stronger and reference is not None:
            for masks in _holds_without(reference, candidate):
                alarm(Alarm(Difference.STRONGER_GOAL), masks)
        if steps:
            for meaning, masks in self._step_alarms():
                alarm(meaning, masks)
        if operators:
            for joint, move in self._joint_moves():
                name = Step("joint", (str(len(meanings)),))
                effects = tuple(ConditionalEffect(*effect) for effect in move.conditional)
                operators.append(GroundOperator(name, move.pos, move.neg, move.add, move.delete, effects))
                meanings.append(joint)
        return DifferenceTask(self._ground(tuple(operators)), tuple(meanings))

    def _ground(self, operators: tuple[GroundOperator, ...]) -> GroundTask:
        count = self.shared.count
        facts = (*(Atom("fact", (str(number),)) for number in range(count)), Atom("difference"))
        return GroundTask(
            self.reference.ground.task,
            facts,
            self.shared.basic | self.difference,
            self.shared.init,
            (self.difference, 0),
            operators,
            _axioms(self.shared),
        )

    def _joint_moves(self) -> Iterator[tuple[Joint, _Move]]:
        reference, candidate = self._moves
        for label, ours in reference.items():
            seen = set()
            for first, second in product(ours, candidate.get(label, ())):
                pos, neg = first.pos | second.pos, first.neg | second.neg
                if pos & neg:
                    continue
                add, delete = first.add | second.add, first.delete | second.delete
                conditional = tuple(dict.fromkeys((*first.conditional, *second.conditional)))
                several = len(ours) > 1 or len(candidate[label]) > 1
                for masks in _both_change(first, second) if several else ((pos, neg),):
                    move = _Move(second.step, *masks, add, delete & ~add, conditional)
                    if (*masks, move.effects) not in seen:
                        seen.add((*masks, move.effects))
                        yield Joint(label, second.step), move

    def _step_alarms(self) -> Iterator[tuple[Alarm, Masks]]:
        reference, candidate = self._moves
        for label in (*reference, *(label for label in candidate if label not in reference)):
            ours, theirs = reference.get(label, []), candidate.get(label, [])
            if _same(ours, theirs):
                continue
            for kind, some, others in (
                (Difference.RESTRICTIVE, ours, theirs),
                (Difference.PERMISSIVE, theirs, ours),
            ):
                for move in some:
                    for masks in _allowed_without(move, others):
                        yield Alarm(kind, label, move.step), masks


def _moves(task: LabelledTask, side: Side) -> dict[Label, list[_Move]]:
    return {label: _translated(operators, side) for label, operators in task.by_label.items()}


def _translated(operators: tuple[GroundOperator, ...], side: Side) -> list[_Move]:
    found = []
    for operator in operators:
        pos, neg = side.masks(operator.pos, operator.neg)
        if pos & neg:
            continue  # never both: cannot be taken after a joint run
        add, delete = side.masks(*plain_effects(operator))
        conditional = []
        for effect in operator.conditional:
            when, unless = side.masks(effect.pos, effect.neg)
            if not when & unless:
                conditional.append(_Conditional(when, unless, *side.masks(effect.add, effect.delete)))
        ways = None
        if overrides(operator):
            ways = _read(change_ways(operator), side), _read(still_ways(operator), side)
        found.append(_Move(operator.step, pos, neg, add, delete, tuple(conditional), ways))
    return found


def _read(ways: list[Masks], side: Side) -> tuple[Masks, ...]:
    """Conditions over the facts of the difference task, without those that joint runs never meet."""
    found = (side.masks(pos, neg) for pos, neg in ways)
    return tuple(dict.fromkeys(masks for masks in found if not masks[0] & masks[1]))


def _same(ours: list[_Move], theirs: list[_Move]) -> bool:
    """Whether two groups of moves are allowed, and change something, in the same states."""
    if len(ours) != len(theirs):
        return False
    left, right = ({(move.pos, move.neg, _when_changing(move)) for move in moves} for moves in (ours, theirs))
    return left == right


def _when_changing(move: _Move) -> object:
    """What decides whether a move changes anything; None where it always does."""
    return None if move.always_changes else (move.effects, move.ways)


def _goal(side: Side) -> Masks | None:
    if side.ground.goal is None:
        return None
    pos, neg = side.masks(*side.ground.goal)
    return None if pos & neg else (pos, neg)


def _holds_without(goal: Masks, other: Masks | None) -> Iterator[Masks]:
    """Conditions, one for each way, under which one goal holds and the other does not."""
    if other is None:
        yield goal
        return
    yield from _violating(goal, other)


def _violating(holds: Masks, other: Masks) -> Iterator[Masks]:
    """`holds`, and a literal of `other` false: one condition for each literal."""
    pos, neg = holds
    if other[0] & neg or other[1] & pos:
        yield holds
        return
    rest = other[0] & ~pos
    while rest:
        low = rest & -rest
        rest ^= low
        yield pos, neg | low
    rest = other[1] & ~neg
    while rest:
        low = rest & -rest
        rest ^= low
        yield pos | low, neg


def _allowed_without(move: _Move, others: list[_Move]) -> Iterator[Masks]:
    """Conditions under which a move is allowed and changes something, and none of the others does both."""
    ways = list(_changing(move))
    for other in others:
        ways = list(
            dict.fromkeys(further for way in ways for further in _idle(way, other) if not further[0] & further[1])
        )
        if len(ways) > MAX_ALARMS:
            raise TooManyWays
    yield from ways


def _both_change(first: _Move, second: _Move) -> Iterator[Masks]:
    """Conditions under which two moves are allowed and both change something; moves of one effect do so together."""
    if _when_changing(first) == _when_changing(second):
        yield first.pos | second.pos, first.neg | second.neg
        return
    for number, (one, other) in enumerate(product(_changing(first), _changing(second))):
        if number >= MAX_ALARMS:
            raise TooManyWays
        pos, neg = one[0] | other[0], one[1] | other[1]
        if not pos & neg:
            yield pos, neg


def _changing(move: _Move) -> Iterator[Masks]:
    """Conditions under which a move is allowed and changes something."""
    if move.always_changes:
        yield move.pos, move.neg
        return
    if move.ways is not None:
        yield from move.ways[0]
        return
    parts = [(move.add, move.delete, 0, 0)]
    parts += [(effect.add, effect.delete, effect.pos, effect.neg) for effect in move.conditional]
    for add, delete, when, unless in parts:
        base = (move.pos | when, move.neg | unless)
        if add & delete and not base[0] & base[1]:
            yield base
            continue
        for masks in _violating(base, (add, delete)):
            if not masks[0] & masks[1]:
                yield masks


def _idle(way: Masks, other: _Move) -> Iterator[Masks]:
    """`way`, and the other move is not allowed or changes nothing."""
    yield from _violating(way, (other.pos, other.neg))
    if other.always_changes:
        return
    if other.ways is not None:
        for pos, neg in other.ways[1]:
            yield way[0] | pos, way[1] | neg
        return
    still: list[Masks] = [(way[0] | other.pos | other.add, way[1] | other.neg | other.delete)]
    for effect in other.conditional:
        more: list[Masks] = []
        for pos, neg in still:
            more += _violating((pos, neg), (effect.pos, effect.neg))
            if not effect.add & effect.delete:
                more.append((pos | effect.add, neg | effect.delete))
        still = [masks for masks in dict.fromkeys(more) if not masks[0] & masks[1]]
        if len(still) > MAX_ALARMS:
            raise TooManyWays
    yield from still


def _axioms(shared: Shared) -> tuple[tuple[GroundAxiom, ...], ...]:
    """The axioms of both tasks; each has its own derived facts."""
    strata: list[list[GroundAxiom]] = []
    for side in (shared.reference, shared.candidate):
        for level, stratum in enumerate(side.ground.axioms):
            while len(strata) <= level:
                strata.append([])
            for axiom in stratum:
                pos, neg = side.masks(axiom.pos, axiom.neg)
                if not pos & neg:
                    strata[level].append(GroundAxiom(side.masks(axiom.head, 0)[0], pos, neg))
    return tuple(map(tuple, strata))
