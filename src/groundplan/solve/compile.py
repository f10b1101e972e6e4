"""What Fast Downward does not understand, compiled away before the task is written for it.

- Types beyond a plain tree (`either`, several parents, cycles) become static predicates with initial facts.
- Names that it reads as something else (`clear?`, letters beyond ASCII, a predicate called `and`) are spelt out.
- Costs that are no whole numbers are scaled, several in one action are summed; where the problem does not minimize
  `total-cost`, they are left out, as they are by our simulator.
- Constants that the problem declares again, quantifiers without variables, actions without effects, types that are
  only named as parents, an undeclared `total-cost` and metrics other than its minimization are put in order.

Actions keep their parameters, so a plan for the compiled task is one for the task itself once names are restored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from groundplan.pddl.ast import (
    TRUE,
    Action,
    And,
    Atom,
    Derived,
    Domain,
    Effect,
    Exists,
    Forall,
    Formula,
    FunctionTerm,
    FunctionValue,
    Imply,
    Metric,
    Not,
    Number,
    NumericEffect,
    Or,
    Plan,
    Problem,
    Signature,
    Step,
    Task,
    TypedName,
)
from groundplan.solve.plain_types import PlainTypes
from groundplan.solve.spelling import original, spelt, spelt_predicate

COST = "total-cost"
LARGEST_COST = 2**31 - 1
"""Fast Downward counts costs in 32 bits."""


class CannotCompile(ValueError):
    """The task is classical but beyond Fast Downward; the message names the cause."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A task for Fast Downward. Its costs are those of the original times `scale`."""

    task: Task
    scale: int

    def restore(self, plan: Plan) -> Plan:
        """The plan in the names of the original task."""
        return tuple(Step(original(step.action), tuple(original(name) for name in step.args)) for step in plan)


def compile_task(task: Task) -> Compiled:
    """Raises CannotCompile for costs that are negative or beyond 32 bits, and for sums of costs that are no numbers.

    The task must be classical (`groundplan.pddl.classical`).
    """
    scale = _scale(task)
    types = PlainTypes(task)
    rewrite = _Rewriting(task, types, scale)
    domain = rewrite.domain()
    problem = rewrite.problem()
    return Compiled(Task(types.declared(domain), types.filled(problem)), scale)


# --- costs ----------------------------------------------------------------------------------------------------------


def _scale(task: Task) -> int:
    """The smallest factor that makes every cost a whole number; 1 where costs do not count."""
    used = _cost_functions(task)
    numbers = [(str(item.function), item.value) for item in task.problem.values if item.function.name in used]
    for action in task.domain.actions if task.minimizes_cost else ():
        for effect in action.numeric_effects:
            if isinstance(effect.expression, Number):
                numbers.append((f"action `{action.name}`", effect.expression.value))
    scale = 1
    for place, number in numbers:
        if not 0 <= number < math.inf:
            raise CannotCompile(f"negative cost: {number:g} in {place}")
        if number != int(number):
            scale = math.lcm(scale, Fraction(repr(number)).denominator)
    if numbers and max(number for _, number in numbers) * scale > LARGEST_COST:
        place, largest = max(numbers, key=lambda item: item[1])
        raise CannotCompile(f"its costs (up to {largest:g} in {place}, in steps of 1/{scale}) do not fit into 32 bits")
    return scale


def _cost_functions(task: Task) -> set[str]:
    """The functions whose values are costs of actions; none where costs do not count."""
    if not task.minimizes_cost:
        return set()
    effects = [effect for action in task.domain.actions for effect in action.numeric_effects]
    used = {effect.expression.name for effect in effects if isinstance(effect.expression, FunctionTerm)}
    if COST in used:
        raise CannotCompile(f"an action increases `{COST}` by `{COST}` itself")
    return used


def _scaled(value: float, scale: int) -> float:
    return float(Fraction(repr(value)) * scale)


# --- rewriting ------------------------------------------------------------------------------------------------------


class _Rewriting:
    def __init__(self, task: Task, types: PlainTypes, scale: int) -> None:
        self.task = task
        self.types = types
        self.scale = scale
        self.costs = _cost_functions(task)

    def domain(self) -> Domain:
        domain = self.task.domain
        functions = [self.untyped(item, spelt(item.name)) for item in domain.functions if item.name in self.costs]
        predicates = [self.untyped(item, spelt_predicate(item.name)) for item in domain.predicates]
        return Domain(
            name="domain",
            constants=tuple(self.types.object(item) for item in domain.constants),
            # Without a list of predicates, Fast Downward does not know `=` either.
            predicates=tuple(predicates) or (Signature("none@"),),
            functions=(Signature(COST), *functions),
            actions=tuple(self.action(action) for action in domain.actions if action.effects),
            derived=tuple(self.rule(rule) for rule in domain.derived),
        )

    def problem(self) -> Problem:
        task = self.task
        constants = {item.name for item in task.domain.constants}
        return Problem(
            name="problem",
            domain_name="domain",
            objects=tuple(self.types.object(item) for item in task.objects if item.name not in constants),
            init=tuple(self.atom(atom) for atom in task.problem.init if atom.predicate != "="),
            values=tuple(
                FunctionValue(self.function(item.function), _scaled(item.value, self.scale))
                for item in task.problem.values
                if item.function.name in self.costs
            ),
            goal=self.formula(task.problem.goal),
            metric=Metric("minimize", FunctionTerm(COST)) if task.minimizes_cost else None,
        )

    def untyped(self, signature: Signature, name: str) -> Signature:
        return Signature(name, tuple(TypedName(spelt(item.name)) for item in signature.parameters))

    def action(self, action: Action) -> Action:
        parameters, guards = self.variables(action.parameters)
        return Action(
            spelt(action.name),
            parameters,
            _and(guards, self.formula(action.precondition)),
            tuple(self.effect(effect) for effect in action.effects),
            self.cost(action),
        )

    def cost(self, action: Action) -> tuple[NumericEffect, ...]:
        """One cost effect at most: of several, Fast Downward would see the last."""
        if not self.task.minimizes_cost:
            return ()
        total = 0.0
        for effect in action.numeric_effects:
            match effect.expression:
                case Number(value=value):
                    total += _scaled(value, self.scale)
                case FunctionTerm() as term if len(action.numeric_effects) == 1:
                    return (NumericEffect("increase", FunctionTerm(COST), self.function(term)),)
                case _:
                    raise CannotCompile(f"action `{action.name}` has a sum of functions as its cost")
        return (NumericEffect("increase", FunctionTerm(COST), Number(total)),) if action.numeric_effects else ()

    def rule(self, rule: Derived) -> Derived:
        parameters, guards = self.variables(rule.head.parameters)
        head = Signature(spelt_predicate(rule.head.name), parameters)
        return Derived(head, _and(guards, self.formula(rule.condition)))

    def effect(self, effect: Effect) -> Effect:
        variables, guards = self.variables(effect.variables)
        return Effect(self.atom(effect.atom), effect.positive, _and(guards, self.formula(effect.condition)), variables)

    def variables(self, items: tuple[TypedName, ...]) -> tuple[tuple[TypedName, ...], list[Atom]]:
        pairs = [self.types.plain(item) for item in items]
        return tuple(item for item, _ in pairs), [guard for _, guard in pairs if guard is not None]

    def formula(self, formula: Formula) -> Formula:
        match formula:
            case Atom():
                return self.atom(formula)
            case Not(part=part):
                return Not(self.formula(part))
            case And(parts=parts):
                return And(tuple(self.formula(part) for part in parts))
            case Or(parts=parts):
                return Or(tuple(self.formula(part) for part in parts))
            case Imply(left=left, right=right):
                return Imply(self.formula(left), self.formula(right))
            case Forall(variables=items, part=part):
                variables, guards = self.variables(items)
                inner = self.formula(part)
                if guards:
                    inner = Or((*(Not(guard) for guard in guards), inner))
                return Forall(variables, inner) if variables else inner
            case Exists(variables=items, part=part):
                variables, guards = self.variables(items)
                inner = _and(guards, self.formula(part))
                return Exists(variables, inner) if variables else inner
        raise CannotCompile("it has a numeric condition")

    def atom(self, atom: Atom) -> Atom:
        return Atom(spelt_predicate(atom.predicate), tuple(map(spelt, atom.terms)))

    def function(self, term: FunctionTerm) -> FunctionTerm:
        return FunctionTerm(spelt(term.name), tuple(map(spelt, term.terms)))


def _and(guards: list[Atom], formula: Formula) -> Formula:
    if not guards:
        return formula
    return And(tuple(guards)) if formula == TRUE else And((*guards, formula))
