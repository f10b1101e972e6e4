"""Relaxed reachability as an analysis: what can ever become true, which actions can ever be taken, and why not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TypeAlias

from groundplan.pddl.ast import And, Atom, Exists, Forall, Formula, Not, Or, Task, TypedName, conjuncts
from groundplan.pddl.classical import refuse_beyond_classical
from groundplan.pddl.ground import MAX_ACTIONS
from groundplan.pddl.ground_fixpoint import Fixpoint
from groundplan.pddl.ground_limits import GroundingLimit, Meter
from groundplan.pddl.ground_normal import negation_normal, renamed
from groundplan.pddl.ground_rules import World
from groundplan.pddl.reach_causes import Cause, CauseKind, Causes
from groundplan.pddl.reach_ways import Target, Way, ways_of, ways_to

__all__ = [
    "Cause",
    "CauseKind",
    "DeadAction",
    "GoalPart",
    "GroundingLimit",
    "Reachability",
    "Target",
    "Way",
    "dead_actions",
    "reachability",
    "unreachable_goals",
]

Literals: TypeAlias = dict[tuple[bool, Atom], None]


@dataclass(frozen=True)
class DeadAction:
    """An action schema without a single reachable instance, and every cause of that."""

    name: str
    causes: tuple[Cause, ...]


@dataclass(frozen=True)
class GoalPart:
    """A conjunct of the goal that cannot be reached even if nothing were ever deleted.

    `literals` are those of its literals that cannot be reached, each with whether it is wanted true: for a plain
    literal that one alone, for a disjunction at least one of every alternative.
    """

    formula: Formula
    literals: tuple[tuple[bool, Atom], ...]


class Reachability:
    """What can happen in a task if no delete effect ever takes a fact away (it may still make one false).

    What is not reachable here is not reachable at all; what is reachable here need not be.
    """

    def __init__(self, task: Task, *, max_actions: int = MAX_ACTIONS, deadline: float | None = None) -> None:
        """Raises GroundingLimit after `deadline` seconds or `max_actions` instances, InputError as `ground` does."""
        refuse_beyond_classical(task)
        self.task = task
        self.meter = Meter(max_actions, deadline)
        self.fixpoint = Fixpoint(World(task), self.meter)
        self.fixpoint.run()

    def can_hold(self, atom: Atom) -> bool:
        """Whether a ground atom can ever be true."""
        return self.fixpoint.is_reached((True, atom.predicate, atom.terms))

    def can_fail(self, atom: Atom) -> bool:
        """Whether a ground atom can ever be false; of a derived one that is not known, and true is said."""
        return self.fixpoint.is_reached((False, atom.predicate, atom.terms))

    def atoms(self, predicate: str) -> Iterator[Atom]:
        """The atoms of a predicate that can ever be true."""
        return (Atom(predicate, row) for row in self.fixpoint.reached_rows(predicate))

    @cached_property
    def live_actions(self) -> frozenset[str]:
        """The action schemas with a reachable instance."""
        pairs = zip(self.fixpoint.rules, self.fixpoint.instances, strict=True)
        return frozenset(rule.name for rule, instances in pairs if rule.kind == "action" and instances)

    @cached_property
    def causes(self) -> Causes:
        return Causes(self.fixpoint)

    def dead_actions(self) -> tuple[DeadAction, ...]:
        """The action schemas that can never be taken, with all causes; in the order of the domain."""
        dead = []
        for action in self.task.domain.actions:
            if action.name not in self.live_actions:
                ways = ways_of(self.fixpoint.world, action)
                found = dict.fromkeys(_key(cause) for way in ways for cause in self.causes.of(way))
                dead.append(DeadAction(action.name, tuple(key.cause for key in found)))
        return tuple(dead)

    def ways_to(self, target: Target) -> list[Way]:
        """The actions and rules with the wanted effect, whether or not they can ever be taken."""
        return ways_to(self.fixpoint.world, target)

    def unreachable_goals(self) -> tuple[GoalPart, ...]:
        """The conjuncts of the goal that cannot be reached; empty when each can be."""
        parts = (self._goal_part(part) for part in conjuncts(negation_normal(self.task.problem.goal, True)))
        return tuple(part for part in parts if part is not None)

    def _goal_part(self, formula: Formula) -> GoalPart | None:
        """The part with its unreachable literals, unless it can be reached."""
        missing = self._missing(formula)
        return None if missing is None else GoalPart(formula, tuple(missing))

    def _missing(self, formula: Formula) -> Literals | None:
        """The unreachable literals that keep a condition from being reachable; None where it is reachable."""
        match formula:
            case Atom():
                return None if self._can_be(True, formula) else {(True, formula): None}
            case Not(part=Atom() as atom):
                return None if self._can_be(False, atom) else {(False, atom): None}
            case And(parts=parts):
                return _joined([self._missing(part) for part in parts], any_will_do=False)
            case Or(parts=parts):
                return _joined([self._missing(part) for part in parts], any_will_do=True)
            case Forall(variables=variables, part=part):
                return _joined(map(self._missing, self._instances(variables, part)), any_will_do=False)
            case Exists(variables=variables, part=part):
                return _joined(map(self._missing, self._instances(variables, part)), any_will_do=True)
            case _:
                raise AssertionError(f"not in negation normal form: {formula}")

    def _can_be(self, positive: bool, atom: Atom) -> bool:
        if atom.predicate == "=":
            return (atom.terms[0] == atom.terms[1]) is positive
        return self.fixpoint.is_reached((positive, atom.predicate, atom.terms))

    def _instances(self, variables: tuple[TypedName, ...], part: Formula) -> Iterator[Formula]:
        """A condition with objects in the place of variables, in every way."""
        names = [variable.name for variable in variables]
        world = self.fixpoint.world
        for values in product(*(world.members(variable.types) for variable in variables)):
            self.meter.rows(1)
            yield renamed(part, dict(zip(names, values, strict=True)))


def _joined(parts: Iterable[Literals | None], *, any_will_do: bool) -> Literals | None:
    """What is missing of a disjunction or a conjunction, given what is missing of its parts."""
    found = list(parts)
    if any(part is None for part in found) if any_will_do else all(part is None for part in found):
        return None
    return {literal: None for part in found if part is not None for literal in part}


@dataclass(frozen=True)
class _Key:
    """A cause, equal to others that say the same."""

    kind: CauseKind
    what: str
    cause: Cause

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and (self.kind, self.what) == (other.kind, other.what)

    def __hash__(self) -> int:
        return hash((self.kind, self.what))


def _key(cause: Cause) -> _Key:
    what = cause.parameter.name if cause.parameter else f"{cause.needed} {cause.atom}"
    return _Key(cause.kind, what, cause)


def reachability(task: Task, *, deadline: float | None = None) -> Reachability:
    """Analyse a task. Raises GroundingLimit after `deadline` seconds, InputError beyond classical planning."""
    return Reachability(task, deadline=deadline)


def dead_actions(task: Task, *, deadline: float | None = None) -> tuple[DeadAction, ...]:
    """The action schemas without a single reachable instance, and why. Raises as `reachability` does."""
    return reachability(task, deadline=deadline).dead_actions()


def unreachable_goals(task: Task, *, deadline: float | None = None) -> tuple[GoalPart, ...]:
    """The conjuncts of the goal that can never be reached. Raises as `reachability` does."""
    return reachability(task, deadline=deadline).unreachable_goals()
