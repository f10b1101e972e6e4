"""What a task does, computed in the plainest way: frozensets of ground atoms and an evaluator of its own.

`Oracle` takes no part of the library but the syntax tree: it makes every ground instance of every action (leaving out
those whose static preconditions never hold), evaluates conditions by recursion and keeps states as frozensets. Facts
that no action changes are kept apart from the states.
STRIPS, negation, equality, disjunction, quantifiers, types and conditional effects; no derived predicates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from typing import TypeAlias

from groundplan.pddl.ast import (
    OBJECT,
    TRUE,
    Action,
    And,
    Atom,
    Effect,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    Step,
    Task,
    TypedName,
    atoms_in,
)

Fact: TypeAlias = tuple[str, ...]
State: TypeAlias = frozenset[Fact]
Binding: TypeAlias = Mapping[str, str]
KEPT = 1000
"""States whose transitions are kept, for searches over the same small task under many maps."""


@dataclass(frozen=True)
class Instance:
    """A ground action: needs the facts of `facts` and every condition of `rest` under `binding`."""

    step: Step
    facts: State
    rest: tuple[Formula, ...]
    binding: Binding
    adds: State
    deletes: State
    conditional: tuple[tuple[Formula, Binding, Fact, bool], ...]


class Oracle:
    """The transitions of one task. Adding wins over deleting; steps that change nothing are left out."""

    def __init__(self, task: Task) -> None:
        if task.domain.derived:
            raise ValueError("the oracle knows no derived predicates")
        self.task = task
        self._parents = {item.name: item.types for item in task.domain.types}
        facts = frozenset((atom.predicate, *atom.terms) for atom in task.problem.init)
        self.init: State = frozenset(fact for fact in facts if fact[0] in task.domain.fluents)
        self._constant = facts - self.init
        self._memo: dict[State, dict[Step, State]] = {}

    def is_goal(self, state: State) -> bool:
        return self.holds(self.task.problem.goal, state, {})

    def transitions(self, state: State) -> dict[Step, State]:
        """The state after every step that is possible in `state` and changes it."""
        known = self._memo.get(state)
        if known is None:
            known = {}
            for instance in chain(self._unguarded, *(self._guarded.get(fact, ()) for fact in state)):
                if instance.facts <= state and all(self.holds(part, state, instance.binding) for part in instance.rest):
                    new = self._apply(instance, state)
                    if new != state:
                        known[instance.step] = new
            if len(self._memo) < KEPT:
                self._memo[state] = known
        return known

    def reachable(self, limit: int) -> set[State]:
        seen, stack = {self.init}, [self.init]
        while stack and len(seen) <= limit:
            for new in self.transitions(stack.pop()).values():
                if new not in seen:
                    seen.add(new)
                    stack.append(new)
        return seen

    # --- conditions ---

    def holds(self, formula: Formula, state: State, binding: Binding) -> bool:
        match formula:
            case Atom(predicate=predicate, terms=terms):
                names = [binding.get(term, term) for term in terms]
                if predicate == "=":
                    return names[0] == names[1]
                return (predicate, *names) in state or (predicate, *names) in self._constant
            case Not(part=part):
                return not self.holds(part, state, binding)
            case And(parts=parts):
                return all(self.holds(part, state, binding) for part in parts)
            case Or(parts=parts):
                return any(self.holds(part, state, binding) for part in parts)
            case Imply(left=left, right=right):
                return not self.holds(left, state, binding) or self.holds(right, state, binding)
            case Forall(variables=variables, part=part):
                return all(self.holds(part, state, inner) for inner in self._bindings(variables, binding))
            case Exists(variables=variables, part=part):
                return any(self.holds(part, state, inner) for inner in self._bindings(variables, binding))
            case _:
                raise ValueError("numeric conditions are beyond classical planning")

    def _apply(self, instance: Instance, state: State) -> State:
        adds, deletes = set(instance.adds), set(instance.deletes)
        for condition, binding, fact, positive in instance.conditional:
            if self.holds(condition, state, binding):
                (adds if positive else deletes).add(fact)
        return (state - deletes) | adds

    def _is_of(self, kind: str, wanted: str) -> bool:
        seen: set[str] = set()
        open_ = [kind]
        while open_:
            name = open_.pop()
            if name == wanted:
                return True
            if name not in seen:
                seen.add(name)
                open_ += self._parents.get(name, ())
        return wanted == OBJECT

    def _objects_of(self, types: tuple[str, ...]) -> list[str]:
        return [
            item.name
            for item in self.task.objects
            if any(self._is_of(kind, wanted) for kind in item.types for wanted in types)
        ]

    def _bindings(self, variables: tuple[TypedName, ...], outer: Binding) -> Iterator[Binding]:
        names = [item.name for item in variables]
        for values in product(*(self._objects_of(item.types) for item in variables)):
            yield {**outer, **dict(zip(names, values, strict=True))}

    # --- ground instances ---

    @cached_property
    def instances(self) -> tuple[Instance, ...]:
        return tuple(found for action in self.task.domain.actions for found in self._instances_of(action))

    @cached_property
    def _unguarded(self) -> tuple[Instance, ...]:
        return tuple(item for item in self.instances if not item.facts)

    @cached_property
    def _guarded(self) -> dict[Fact, list[Instance]]:
        """Every other instance under one of the facts it needs, so that a state need look only at some."""
        found: dict[Fact, list[Instance]] = {}
        for item in self.instances:
            if item.facts:
                found.setdefault(max(item.facts, key=lambda fact: (len(fact), fact)), []).append(item)
        return found

    def _instances_of(self, action: Action) -> Iterator[Instance]:
        parts = action.precondition.parts if isinstance(action.precondition, And) else (action.precondition,)
        static = [part for part in parts if self._is_static(part)]
        others = [part for part in parts if not self._is_static(part)]
        for binding in self._static_bindings(action, static):
            facts = frozenset(_fact(part, binding) for part in others if isinstance(part, Atom))
            rest = tuple(part for part in others if not isinstance(part, Atom))
            adds, deletes, conditional = self._effects(action.effects, binding)
            step = Step(action.name, tuple(binding[item.name] for item in action.parameters))
            yield Instance(step, facts, rest, binding, adds, deletes, conditional)

    def _is_static(self, part: Formula) -> bool:
        return all(atom.predicate not in self.task.domain.fluents for atom in atoms_in(part))

    def _static_bindings(self, action: Action, static: list[Formula]) -> Iterator[Binding]:
        """The bindings of the parameters under which the static conditions hold, which they do always or never."""
        names = [item.name for item in action.parameters]
        ready: list[list[Formula]] = [[] for _ in range(len(names) + 1)]
        for part in static:
            used = {term for atom in atoms_in(part) for term in atom.terms}
            ready[max((at + 1 for at, name in enumerate(names) if name in used), default=0)].append(part)

        def extended(binding: dict[str, str]) -> Iterator[Binding]:
            at = len(binding)
            if not all(self.holds(part, self.init, binding) for part in ready[at]):
                return
            if at == len(names):
                yield binding
                return
            for value in self._objects_of(action.parameters[at].types):
                yield from extended({**binding, names[at]: value})

        yield from extended({})

    def _effects(
        self, effects: tuple[Effect, ...], outer: Binding
    ) -> tuple[State, State, tuple[tuple[Formula, Binding, Fact, bool], ...]]:
        adds: set[Fact] = set()
        deletes: set[Fact] = set()
        conditional: list[tuple[Formula, Binding, Fact, bool]] = []
        for effect in effects:
            for binding in self._bindings(effect.variables, outer):
                fact = _fact(effect.atom, binding)
                if effect.condition == TRUE:
                    (adds if effect.positive else deletes).add(fact)
                else:
                    conditional.append((effect.condition, binding, fact, effect.positive))
        return frozenset(adds), frozenset(deletes), tuple(conditional)


def _fact(atom: Atom, binding: Binding) -> Fact:
    return (atom.predicate, *(binding.get(term, term) for term in atom.terms))
