"""Which parts of a goal hold after which steps."""

from __future__ import annotations

from dataclasses import dataclass, replace

from groundplan.formalize.report_text import shorten
from groundplan.pddl.ast import And, Atom, Exists, Forall, Formula, Imply, Not, Or, atoms_in, conjuncts
from groundplan.pddl.simulate import Simulator, State
from groundplan.pddl.write import write_formula

MOST_PARTS = 400
MOST_WORK = 300_000
"""Bindings of quantified variables to try for one part over a whole plan."""


@dataclass(frozen=True, slots=True)
class GoalPart:
    """A conjunct of the goal. `flips` are the steps after which it begins or ceases to hold; 0 is the start."""

    text: str
    flips: tuple[int, ...]

    def ranges(self, last: int) -> list[tuple[int, int]]:
        """The runs of steps, both ends included, after which it holds; `last` is the number of steps shown."""
        ends = [*self.flips, last + 1] if len(self.flips) % 2 else list(self.flips)
        return [(start, end - 1) for start, end in zip(ends[::2], ends[1::2], strict=True)]


class GoalWatch:
    """Follows the conjuncts of a goal along a plan, looking again only at what a step may have changed.

    `untracked` counts conjuncts beyond MOST_PARTS and those too costly to look at again and again.
    """

    def __init__(self, simulator: Simulator, steps: int) -> None:
        self._simulator = simulator
        parts = list(conjuncts(simulator.task.problem.goal))
        work = MOST_WORK // (steps + 1)
        self._parts = [part for part in parts[:MOST_PARTS] if _bindings(part, simulator) <= work]
        self.untracked = len(parts) - len(self._parts)
        self._checks = {index: self._check(part) for index, part in enumerate(self._parts) if not self._plain(part)}
        self._mentioned = {index: {atom.predicate for atom in atoms_in(self._parts[index])} for index in self._checks}
        self._by_atom: dict[Atom, list[int]] = {}
        for index, part in enumerate(self._parts):
            if self._plain(part) and isinstance(part, Atom):
                self._by_atom.setdefault(part, []).append(index)
        self._holds = [self._now(index, simulator.initial) for index in range(len(self._parts))]
        self._flips: list[list[int]] = [[0] if holds else [] for holds in self._holds]

    def update(self, step: int, state: State) -> int:
        """Look at the state after a step (counted from 1); returns how many of the followed parts hold."""
        changed = state.added | state.deleted
        again = [index for atom in changed for index in self._by_atom.get(atom, ())]
        names = {atom.predicate for atom in changed} | self._simulator.task.domain.derived_names
        again += [index for index, mentioned in self._mentioned.items() if names & mentioned]
        for index in again:
            holds = self._now(index, state)
            if holds != self._holds[index]:
                self._holds[index] = holds
                self._flips[index].append(step)
        return sum(self._holds)

    def parts(self) -> tuple[GoalPart, ...]:
        texts = [shorten(write_formula(part), 300) for part in self._parts]
        return tuple(GoalPart(text, tuple(flips)) for text, flips in zip(texts, self._flips, strict=True))

    def _plain(self, part: Formula) -> bool:
        derived = self._simulator.task.domain.derived_names
        return isinstance(part, Atom) and part.predicate != "=" and part.predicate not in derived

    def _now(self, index: int, state: State) -> bool:
        part = self._parts[index]
        if index in self._checks:
            return self._checks[index].is_goal(state)
        return isinstance(part, Atom) and part in state

    def _check(self, part: Formula) -> Simulator:
        """A simulator with this part alone as its goal."""
        task = self._simulator.task
        return Simulator(replace(task, problem=replace(task.problem, goal=part)))


def _bindings(part: Formula, simulator: Simulator) -> int:
    """How many bindings of variables a look at this condition may try; an upper bound."""
    match part:
        case Forall(variables=variables, part=inner) | Exists(variables=variables, part=inner):
            count = 1
            for variable in variables:
                count *= max(1, len(simulator.members(variable.types)))
            return count * _bindings(inner, simulator)
        case And(parts=parts) | Or(parts=parts):
            return 1 + sum(_bindings(item, simulator) for item in parts)
        case Imply(left=left, right=right):
            return _bindings(left, simulator) + _bindings(right, simulator)
        case Not(part=inner):
            return _bindings(inner, simulator)
        case _:
            return 1
