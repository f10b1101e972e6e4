"""The semantics of tasks, written a second time in the plainest way: recursion over sets of atoms, no speed at all.

Tests hold the simulator and the validator against it. Derived predicates must not depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from groundplan.pddl.ast import (
    Action,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    FunctionTerm,
    Imply,
    Not,
    Number,
    Or,
    Step,
    Task,
    TypedName,
)

Fact = tuple[str, ...]
Binding = dict[str, str]


@dataclass
class BruteForce:
    task: Task
    types: dict[str, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.types = {item.name: item.types for item in self.task.objects}

    @property
    def initial(self) -> frozenset[Fact]:
        return frozenset((atom.predicate, *atom.terms) for atom in self.task.problem.init)

    def is_of(self, name: str, wanted: tuple[str, ...]) -> bool:
        """Whether an object is of one of some types, going up the hierarchy one parent at a time."""
        parents = {item.name: item.types for item in self.task.domain.types}
        level = set(self.types.get(name, ()))
        for _ in range(len(parents) + 2):
            if level & {*wanted}:
                return True
            level = {parent for kind in level for parent in parents.get(kind, ("object",))}
        return False

    def bindings(self, variables: tuple[TypedName, ...]) -> Iterator[Binding]:
        choices = [[name for name in self.types if self.is_of(name, item.types)] for item in variables]
        for values in product(*choices):
            yield {item.name: value for item, value in zip(variables, values, strict=True)}

    def holds(self, formula: Formula, binding: Binding, facts: frozenset[Fact]) -> bool:
        match formula:
            case Atom(predicate=predicate, terms=terms):
                values = [binding.get(term, term) for term in terms]
                return values[0] == values[1] if predicate == "=" else (predicate, *values) in facts
            case Not(part=part):
                return not self.holds(part, binding, facts)
            case And(parts=parts):
                return all(self.holds(part, binding, facts) for part in parts)
            case Or(parts=parts):
                return any(self.holds(part, binding, facts) for part in parts)
            case Imply(left=left, right=right):
                return not self.holds(left, binding, facts) or self.holds(right, binding, facts)
            case Forall(variables=variables, part=part):
                return all(self.holds(part, {**binding, **more}, facts) for more in self.bindings(variables))
            case Exists(variables=variables, part=part):
                return any(self.holds(part, {**binding, **more}, facts) for more in self.bindings(variables))
            case _:
                raise AssertionError("numbers are beyond this")

    def with_derived(self, facts: frozenset[Fact]) -> frozenset[Fact]:
        found = {
            (rule.head.name, *(binding[item.name] for item in rule.head.parameters))
            for rule in self.task.domain.derived
            for binding in self.bindings(rule.head.parameters)
            if self.holds(rule.condition, binding, facts)
        }
        return facts | found

    def binding_of(self, step: Step) -> tuple[Action, Binding] | None:
        action = next((item for item in self.task.domain.actions if item.name == step.action), None)
        if action is None or len(action.parameters) != len(step.args):
            return None
        if not all(self.is_of(name, item.types) for item, name in zip(action.parameters, step.args, strict=True)):
            return None
        return action, {item.name: name for item, name in zip(action.parameters, step.args, strict=True)}

    def cost(self, action: Action, binding: Binding) -> float | None:
        """What the step adds to the measure; None where a number is missing."""
        if not self.task.minimizes_cost:
            return 1.0
        total = 0.0
        for effect in action.numeric_effects:
            match effect.expression:
                case Number(value=value):
                    total += value
                case FunctionTerm(name=name, terms=terms):
                    wanted = FunctionTerm(name, tuple(binding.get(term, term) for term in terms))
                    values = [item.value for item in self.task.problem.values if item.function == wanted]
                    if not values:
                        return None
                    total += values[0]
        return total

    def apply(self, facts: frozenset[Fact], step: Step) -> tuple[frozenset[Fact], float] | None:
        """The facts after a step and its cost; None when the step is not applicable."""
        found = self.binding_of(step)
        if found is None:
            return None
        action, binding = found
        known = self.with_derived(facts)
        cost = self.cost(action, binding)
        if cost is None or not self.holds(action.precondition, binding, known):
            return None
        gone, new = set(), set()
        for effect in action.effects:
            for more in self.bindings(effect.variables):
                inner = {**binding, **more}
                if self.holds(effect.condition, inner, known):
                    fact = (effect.atom.predicate, *(inner.get(term, term) for term in effect.atom.terms))
                    (new if effect.positive else gone).add(fact)
        return frozenset((facts - gone) | new), cost

    def judge(self, plan: tuple[Step, ...]) -> tuple[str, int | None, float | None]:
        """Verdict, step at fault (from 1), and cost."""
        facts = self.initial
        total = 0.0
        for number, step in enumerate(plan, start=1):
            after = self.apply(facts, step)
            if after is None:
                return "invalid", number, None
            facts, cost = after
            total += cost
        if not self.holds(self.task.problem.goal, {}, self.with_derived(facts)):
            return "invalid", None, None
        return "valid", None, total
