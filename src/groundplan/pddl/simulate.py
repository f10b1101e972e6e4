"""The lifted semantics of a task: which steps are applicable, and what they change.

Within one step deleting comes before adding, so an atom that is both deleted and added is true afterwards
(Fox and Long 2003, section 8); all conditions look at the state before the step.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TypeAlias

from groundplan.errors import InputError
from groundplan.pddl.ast import And, Atom, Step, Task
from groundplan.pddl.axioms import Axioms
from groundplan.pddl.classical import refuse_beyond_classical
from groundplan.pddl.compiled import CompiledAction, compile_action
from groundplan.pddl.conditions import Check, Tables, compile_condition
from groundplan.pddl.faults import Fault, goal_faults, step_faults, unknown_action
from groundplan.pddl.rows import EMPTY, Row
from groundplan.pddl.types import objects_by_type
from groundplan.pddl.walk import Walk

Changes: TypeAlias = tuple[set[tuple[str, Row]], set[tuple[str, Row]]]
NO_CHANGES: Changes = (set(), set())


class State:
    """The atoms that are true, derived ones left out. States with the same atoms are equal, whatever they cost.

    `cost` is what the steps so far cost: total-cost where the task minimizes it, else their number. `added` and
    `deleted` are what the last step really changed; both are empty for a state that no step led to.
    """

    __slots__ = ("_changes", "_hash", "_tables", "_world", "cost")

    def __init__(self, tables: dict[str, set[Row]], cost: float = 0.0, changes: Changes = NO_CHANGES) -> None:
        self._tables = {name: rows for name, rows in tables.items() if rows}
        self._changes = changes
        self._hash: int | None = None
        self._world: dict[str, set[Row]] | None = None
        self.cost = cost

    @property
    def atoms(self) -> frozenset[Atom]:
        return frozenset(Atom(name, row) for name, rows in self._tables.items() for row in rows)

    @property
    def added(self) -> frozenset[Atom]:
        return frozenset(Atom(name, row) for name, row in self._changes[0])

    @property
    def deleted(self) -> frozenset[Atom]:
        return frozenset(Atom(name, row) for name, row in self._changes[1])

    def __contains__(self, atom: Atom) -> bool:
        return atom.terms in self._tables.get(atom.predicate, ())

    def __len__(self) -> int:
        return sum(map(len, self._tables.values()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._tables == other._tables

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset((name, frozenset(rows)) for name, rows in self._tables.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"State({' '.join(sorted(map(str, self.atoms)))})"


class Simulator:
    """The semantics of one task; actions are compiled when they are first used.

    Raises InputError when the task has numeric or temporal features, or derived predicates without strata.
    `split=False` runs every action through the general path, which must make no difference.
    """

    def __init__(self, task: Task, *, split: bool = True) -> None:
        refuse_beyond_classical(task)
        self.task = task
        self._split = split
        self._by_type = objects_by_type(task)
        self._compiled: dict[str, CompiledAction] = {}
        self._axioms = Axioms(task.domain, self.members) if task.domain.derived else None
        values = {(value.function.name, value.function.terms): value.value for value in task.problem.values}
        self._values = values if task.minimizes_cost else None
        self._initial_cost = values.get(("total-cost", ()), 0.0) if task.minimizes_cost else 0.0

    @cached_property
    def initial(self) -> State:
        return State(self._initial_tables(), self._initial_cost)

    @cached_property
    def _goal(self) -> tuple[list[Atom], Check]:
        """The goal's atoms, and all else that it asks for."""
        goal = self.task.problem.goal
        parts = goal.parts if isinstance(goal, And) and self._split else (goal,)
        atoms = [part for part in parts if isinstance(part, Atom) and part.predicate != "="]
        rest = And(tuple(part for part in parts if not isinstance(part, Atom) or part.predicate == "="))
        return atoms, compile_condition(rest, EMPTY, self.members)

    def members(self, types: tuple[str, ...]) -> tuple[str, ...]:
        """The objects of one of some types, each once."""
        if len(types) == 1:
            return self._by_type.get(types[0], ())
        return tuple(dict.fromkeys(name for kind in types for name in self._by_type.get(kind, ())))

    def applicable(self, state: State, step: Step) -> list[str]:
        """Every reason why a step cannot be taken; empty when it can."""
        return [str(fault) for fault in self.step_faults((step.action, *step.args), self._world(state))]

    def apply(self, state: State, step: Step) -> State:
        """The state after a step. Raises InputError with all reasons when the step is not applicable."""
        action = self.compiled(step.action)
        changed = action.changed if action else frozenset()
        tables = {name: set(rows) if name in changed else rows for name, rows in self._world(state).items()}
        walk = Walk(self.compiled, tables, self._axioms, state.cost, stale=False)
        if not walk.advance(((step.action, *step.args),)):
            raise InputError(f"{step} is not applicable: {'; '.join(self.applicable(state, step))}")
        added, deleted = NO_CHANGES if not changed else (set(), set())
        for name in changed:
            before, after = state._tables.get(name, set()), tables.get(name, set())
            added |= {(name, row) for row in after - before}
            deleted |= {(name, row) for row in before - after}
        return State(self._without_derived(tables), walk.cost, (added, deleted))

    def states(self, plan: Iterable[Step]) -> list[State]:
        """The initial state and the state after each step. Raises InputError at a step that is not applicable."""
        states = [self.initial]
        for number, step in enumerate(plan, start=1):
            try:
                states.append(self.apply(states[-1], step))
            except InputError as error:
                raise InputError(f"step {number}: {error}") from None
        return states

    def derived(self, state: State) -> frozenset[Atom]:
        """The derived atoms that follow from a state."""
        names = self.task.domain.derived_names
        return frozenset(Atom(name, row) for name in names for row in self._world(state)[name])

    def is_goal(self, state: State) -> bool:
        return self._goal_holds(self._world(state))

    def goal_reasons(self, state: State) -> list[str]:
        """Which conditions of the goal do not hold; empty when the goal is reached."""
        return [str(fault) for fault in self.goal_faults(self._world(state))]

    # --- for the validator: tables instead of states, steps as tuples `(action, *args)` ---------------------------

    def walk(self) -> Walk:
        """A walk from the initial state."""
        return Walk(self.compiled, self._initial_tables(), self._axioms, self._initial_cost)

    def reaches_goal(self, walk: Walk) -> bool:
        walk.refresh()
        return self._goal_holds(walk.tables)

    def step_faults(self, step: Row, tables: Tables) -> list[Fault]:
        """The causes why a step is not applicable where `tables` has all facts, derived ones too."""
        action = self.compiled(step[0])
        if action is None:
            return [unknown_action(step[0], [action.name for action in self.task.domain.actions])]
        return step_faults(step, action, self.task, self.members, tables)

    def goal_faults(self, tables: Tables) -> list[Fault]:
        return goal_faults(self.task, self.members, tables)

    def compiled(self, name: str) -> CompiledAction | None:
        """The compiled action of that name, or None when the domain has no such action."""
        known = self._compiled.get(name)
        action = self.task.domain.action_by_name.get(name) if known is None else None
        if action is not None:
            derived = self.task.domain.derived_names
            known = compile_action(action, self.members, self._values, derived, split=self._split)
            self._compiled[name] = known
        return known

    def _goal_holds(self, tables: Tables) -> bool:
        atoms, rest = self._goal
        return all(atom.terms in tables.get(atom.predicate, ()) for atom in atoms) and rest((), tables)

    def _initial_tables(self) -> dict[str, set[Row]]:
        tables: dict[str, set[Row]] = {}
        for atom in self.task.problem.init:
            rows = tables.get(atom.predicate)
            if rows is None:
                rows = tables[atom.predicate] = set()
            rows.add(atom.terms)
        return tables

    def _world(self, state: State) -> dict[str, set[Row]]:
        """All facts of a state, derived ones too. Its sets are shared: nobody may change them."""
        if self._axioms is None:
            return state._tables
        if state._world is None:
            tables = dict(state._tables)
            self._axioms.refresh(tables)
            state._world = tables
        return state._world

    def _without_derived(self, tables: dict[str, set[Row]]) -> dict[str, set[Row]]:
        if self._axioms is None:
            return tables
        return {name: rows for name, rows in tables.items() if name not in self._axioms.names}
