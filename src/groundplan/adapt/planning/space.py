"""The states of one domain, and the search ahead from any of them (paper, Fig. 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

from groundplan.adapt.facts import Facts
from groundplan.adapt.planning.states import atom_of, fact_of, initial_facts
from groundplan.pddl.ast import Domain, Plan, Step, Task
from groundplan.pddl.ground import ground
from groundplan.pddl.ground_search import Bounds, breadth_first
from groundplan.pddl.ground_successors import Successors


class Ahead(StrEnum):
    """How a search ahead ended."""

    PLAN = "plan"
    NONE = "none"
    """Proved: the goal is out of reach from there with these operators."""
    DEEPER = "deeper"
    """There is a plan, of more steps than were allowed."""
    CAPPED = "capped"
    """The bound on states was reached; proves nothing."""


class Space:
    """A task's states under one domain. A state is an integer of this space; `facts` and `state` translate.

    Raises GroundingLimit when the task is too large, InputError beyond classical planning.
    """

    def __init__(self, task: Task, domain: Domain | None = None) -> None:
        self.task = Task(domain or task.domain, task.problem)
        self.ground = ground(self.task, merge=False)
        self._successors = Successors(self.ground)
        self._bit_of = self.ground.bit_of
        self._fixed = frozenset(fact for fact in initial_facts(self.task) if atom_of(fact) not in self._bit_of)

    @property
    def initial(self) -> int:
        return self.ground.init

    def facts(self, state: int) -> Facts:
        """All facts of a state, derived ones left out."""
        derived = self.task.domain.derived_names
        found = (fact_of(atom) for atom in self.ground.atoms(state))
        return self._fixed | {fact for fact in found if fact[0] not in derived and " " not in fact[0]}

    def state(self, facts: Facts) -> int:
        """The state in which just these facts hold; it must be one that can be reached here."""
        mask = 0
        for fact in facts:
            mask |= self._bit_of.get(atom_of(fact), 0)
        return mask & self.ground.basic

    def children(self, state: int) -> Iterator[tuple[Step, int]]:
        """Each other state that one step leads to, once, with the first step that does."""
        seen = {state}
        for operator, new in self._successors(state):
            if new not in seen:
                seen.add(new)
                yield operator.step, new

    def ahead(self, state: int, max_states: int, max_depth: int | None = None) -> tuple[Ahead, Plan]:
        """A plan with the fewest steps from a state; one of more than `max_depth` steps is not given."""
        result = breadth_first(replace(self.ground, init=state), Bounds(states=max_states))
        if result.steps is not None:
            far = max_depth is not None and len(result.steps) > max_depth
            return (Ahead.DEEPER, ()) if far else (Ahead.PLAN, result.steps)
        return (Ahead.NONE if result.is_exhausted else Ahead.CAPPED), ()
