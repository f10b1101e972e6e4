"""Mutants of a task: its goal without one part, or an action without one part of its precondition.

A part does some work if a state can be reached where the rest holds and the part does not. All parts are looked at
together: each gets a ground action `rest and not part` that nobody takes, and one walk over the reachable states tries
them all. Counted bounds come first, so that a task gets the same answer every time; the clock only stops what is far
too large.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from groundplan.formalize.signals.formulas import plain_literals
from groundplan.pddl.ast import (
    TRUE,
    Action,
    And,
    Atom,
    Effect,
    Formula,
    Not,
    Plan,
    Signature,
    Task,
    TypedName,
    atoms_in,
    conjuncts,
)
from groundplan.pddl.ground import ground
from groundplan.pddl.ground_greedy import greedy
from groundplan.pddl.ground_search import Bounds, reachable_states
from groundplan.pddl.ground_task import GroundOperator, GroundTask
from groundplan.pddl.simulate import State

MOST_INSTANCES = 5_000
MOST_STATES = 1_500
MOST_TESTS = 200_000
"""How often a ground mutant may be held against a state."""
MOST_SEARCHED = 2_000
"""States that the search for a plan may reach."""
_PREFIX = "mutant "

Masks: TypeAlias = tuple[int, int]
"""What must hold, and what must not."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """What is left when `part` is dropped from the goal, or from the precondition of `action`."""

    part: Formula
    rest: Formula
    action: str = ""
    parameters: tuple[TypedName, ...] = ()


def goal_mutants(task: Task) -> list[Mutant]:
    """The goal without each of its parts."""
    parts = list(dict.fromkeys(conjuncts(task.problem.goal)))
    return [Mutant(part, _without(parts, at)) for at, part in enumerate(parts)]


def precondition_mutants(task: Task) -> list[Mutant]:
    """Each action without each part of its precondition that actions can change.

    What nobody changes (types, maps) is left out: it seldom forbids what the rest allows, in right tasks too.
    """
    changing = task.domain.fluents | task.domain.derived_names
    found = []
    for action in task.domain.actions:
        parts = list(dict.fromkeys(conjuncts(action.precondition)))
        for at, part in enumerate(parts):
            if any(atom.predicate in changing for atom in atoms_in(part)):
                found.append(Mutant(part, _without(parts, at), action.name, action.parameters))
    return found


def _without(parts: Sequence[Formula], at: int) -> Formula:
    return And((*parts[:at], *parts[at + 1 :]))


class Survey:
    """What the reachable states say of some mutants.

    `seconds` are for everything. Raises GroundingLimit for a task that is too large, InputError for one beyond
    classical planning.
    """

    def __init__(self, task: Task, mutants: Sequence[Mutant], seconds: float) -> None:
        ends = time.monotonic() + seconds
        plain = {number: found for number, mutant in enumerate(mutants) if (found := _literals(mutant, task))}
        to_ground = {number: mutant for number, mutant in enumerate(mutants) if number not in plain}
        ground_task = ground(_with(task, to_ground), max_actions=MOST_INSTANCES, deadline=ends - time.monotonic())
        self.task, self._places = _apart(ground_task)
        for number, literals in plain.items():
            if (place := _place(self.task, literals)) is not None:
                self._places[number] = [place]
        self._count = len(mutants)
        self._ends = ends

    @cached_property
    def found_plan(self) -> Plan | None:
        """A plan by the built-in search; None where there is none, or none that is found soon."""
        bounds = Bounds(states=MOST_SEARCHED, wall_s=max(0.0, self._ends - time.monotonic()))
        return greedy(self.task, bounds).steps

    def redundant(self, more: Iterable[State] = ()) -> frozenset[int]:
        """The numbers of the mutants of which it is proved that they make no difference in any reachable state.

        `more` are reachable states to look at first.
        """
        bit_of = self.task.bit_of
        open_ = {number: list(places) for number, places in self._places.items()}
        never = frozenset(range(self._count)) - open_.keys()
        for known in more:
            _drop_told(open_, self.task.closed(sum(bit_of.get(atom, 0) for atom in known.atoms)))
        tests = 0
        for count, state in enumerate(reachable_states(self.task, MOST_STATES + 1)):
            tests += sum(map(len, open_.values()))
            if not open_ or count == MOST_STATES or tests > MOST_TESTS or time.monotonic() > self._ends:
                return never  # of those that are still open nothing is known
            _drop_told(open_, self.task.closed(state))
        return never | open_.keys()


def _drop_told(open_: dict[int, list[Masks]], closed: int) -> None:
    """Leave out the mutants that a state tells from the task."""
    told = [number for number, places in open_.items() if any(_holds(place, closed) for place in places)]
    for number in told:
        del open_[number]


def _holds(place: Masks, closed: int) -> bool:
    pos, neg = place
    return closed & pos == pos and not closed & neg


def _literals(mutant: Mutant, task: Task) -> list[tuple[Atom, bool]] | None:
    """`rest and not part` as literals, for a goal that is made of nothing else: they need no grounding."""
    rest, part = plain_literals(mutant.rest), plain_literals(mutant.part)
    if mutant.action or task.domain.derived or rest is None or part is None or len(part) != 1:
        return None
    ((atom, positive),) = part
    return [*rest, (atom, not positive)]


def _place(task: GroundTask, literals: Iterable[tuple[Atom, bool]]) -> Masks | None:
    """The literals as masks; None where they cannot all hold."""
    initial = set(task.task.problem.init)
    pos = neg = 0
    for atom, positive in literals:
        bit = task.bit_of.get(atom)
        if bit is None:  # the same in all states
            if (atom in initial) is not positive:
                return None
        elif positive:
            pos |= bit
        else:
            neg |= bit
    return None if pos & neg else (pos, neg)


def _with(task: Task, mutants: Mapping[int, Mutant]) -> Task:
    """The task with an action for each mutant that can be taken where the mutant makes a difference."""
    marks = tuple(Signature(f"{_PREFIX}{number}") for number in mutants)
    actions = tuple(
        Action(mark.name, mutant.parameters, And((mutant.rest, Not(mutant.part))), (Effect(Atom(mark.name)),))
        for mark, mutant in zip(marks, mutants.values(), strict=True)
    )
    domain = task.domain
    return Task(
        replace(domain, predicates=(*domain.predicates, *marks), actions=(*domain.actions, *actions)), task.problem
    )


def _apart(task: GroundTask) -> tuple[GroundTask, dict[int, list[Masks]]]:
    """The task without the mutants' actions, and what those need, by number."""
    own: list[GroundOperator] = []
    places: dict[int, list[Masks]] = {}
    for operator in task.operators:
        if operator.step.action.startswith(_PREFIX):
            number = int(operator.step.action.removeprefix(_PREFIX))
            places.setdefault(number, []).append((operator.pos, operator.neg))
        else:
            own.append(operator)
    return replace(task, operators=tuple(own)), places


def anywhere(mutant: Mutant) -> Mutant:
    """The mutant with nothing left: it makes a difference wherever the part does not hold."""
    return replace(mutant, rest=TRUE)
