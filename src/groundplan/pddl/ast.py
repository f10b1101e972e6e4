"""What a task is: the abstract syntax of PDDL domains and problems, as frozen data.

All names are lower case (PDDL ignores case); variables keep their question mark. Spans point into the source
text, are left out of comparisons, and are NO_SPAN in trees that were built by hand. An always-true condition is
`And(())`, an always-false one `Or(())`.

Effects are kept in a flat form: every literal carries the quantified variables and the condition under which it
takes place, so nested `and`, `forall` and `when` need no further treatment anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from groundplan.pddl.source import NO_SOURCE, NO_SPAN, Source, Span

OBJECT = "object"


@dataclass(frozen=True, slots=True)
class TypedName:
    """A name with its types: a variable, object, constant, or a type with its parents (several: `either`)."""

    name: str
    types: tuple[str, ...] = (OBJECT,)
    span: Span = field(default=NO_SPAN, compare=False, repr=False)
    type_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)


# --- conditions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Atom:
    """`(predicate term ...)`; equality has the predicate `=`. Terms are variables (`?x`) or object names."""

    predicate: str
    terms: tuple[str, ...] = ()
    span: Span = field(default=NO_SPAN, compare=False, repr=False)
    term_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.terms))})"


@dataclass(frozen=True, slots=True)
class Not:
    part: Formula
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Formula, ...] = ()
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Formula, ...] = ()
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Imply:
    left: Formula
    right: Formula
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Forall:
    variables: tuple[TypedName, ...]
    part: Formula
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Exists:
    variables: tuple[TypedName, ...]
    part: Formula
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Numeric condition, `op` one of `=`, `<`, `<=`, `>`, `>=`: read, but beyond every engine here."""

    op: str
    left: Expression
    right: Expression
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


Formula: TypeAlias = Atom | Not | And | Or | Imply | Forall | Exists | Comparison
TRUE = And(())
FALSE = Or(())


# --- numbers --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    value: float
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FunctionTerm:
    name: str
    terms: tuple[str, ...] = ()
    span: Span = field(default=NO_SPAN, compare=False, repr=False)
    term_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.terms))})"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    op: str
    parts: tuple[Expression, ...]
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


Expression: TypeAlias = Number | FunctionTerm | Arithmetic


# --- effects and actions --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Effect:
    """`atom` becomes true (or false), for every binding of `variables` under which `condition` holds before."""

    atom: Atom
    positive: bool = True
    condition: Formula = TRUE
    variables: tuple[TypedName, ...] = ()
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NumericEffect:
    """`(op function expression)`; `op` is increase, decrease, assign, scale-up or scale-down.

    The one kind that classical engines know is an unconditional `increase` of `total-cost`.
    """

    op: str
    function: FunctionTerm
    expression: Expression
    condition: Formula = TRUE
    variables: tuple[TypedName, ...] = ()
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Action:
    """An action schema. `span` is that of its name, `body_span` that of the whole definition."""

    name: str
    parameters: tuple[TypedName, ...] = ()
    precondition: Formula = TRUE
    effects: tuple[Effect, ...] = ()
    numeric_effects: tuple[NumericEffect, ...] = ()
    span: Span = field(default=NO_SPAN, compare=False, repr=False)
    body_span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Signature:
    """A predicate or function with its typed parameters."""

    name: str
    parameters: tuple[TypedName, ...] = ()
    span: Span = field(default=NO_SPAN, compare=False, repr=False)

    @property
    def arity(self) -> int:
        return len(self.parameters)


@dataclass(frozen=True, slots=True)
class Derived:
    """`(:derived head condition)`: `head` holds exactly where `condition` does (least fixpoint)."""

    head: Signature
    condition: Formula
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Feature:
    """Something legal that classical planning has no word for: `kind` names it, `span` shows it."""

    kind: str
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan: a ground action."""

    action: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.action, *self.args))})"


Plan: TypeAlias = tuple[Step, ...]


# --- domain, problem, task ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Domain:
    name: str
    requirements: tuple[str, ...] = ()
    types: tuple[TypedName, ...] = ()
    constants: tuple[TypedName, ...] = ()
    predicates: tuple[Signature, ...] = ()
    functions: tuple[Signature, ...] = ()
    actions: tuple[Action, ...] = ()
    derived: tuple[Derived, ...] = ()
    features: tuple[Feature, ...] = field(default=(), compare=False)
    source: Source = field(default=NO_SOURCE, compare=False, repr=False)

    @cached_property
    def action_by_name(self) -> dict[str, Action]:
        return {action.name: action for action in reversed(self.actions)}

    @cached_property
    def predicate_by_name(self) -> dict[str, Signature]:
        return {predicate.name: predicate for predicate in reversed(self.predicates)}

    @cached_property
    def function_by_name(self) -> dict[str, Signature]:
        return {function.name: function for function in reversed(self.functions)}

    @cached_property
    def fluents(self) -> frozenset[str]:
        """Predicates that some action changes; all others are static (or derived)."""
        return frozenset(effect.atom.predicate for action in self.actions for effect in action.effects)

    @cached_property
    def derived_names(self) -> frozenset[str]:
        return frozenset(rule.head.name for rule in self.derived)


@dataclass(frozen=True, slots=True)
class FunctionValue:
    function: FunctionTerm
    value: float
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Metric:
    direction: Literal["minimize", "maximize"]
    expression: Expression
    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True)
class Problem:
    name: str
    domain_name: str = ""
    requirements: tuple[str, ...] = ()
    objects: tuple[TypedName, ...] = ()
    init: tuple[Atom, ...] = ()
    init_false: tuple[Atom, ...] = ()
    values: tuple[FunctionValue, ...] = ()
    goal: Formula = TRUE
    metric: Metric | None = None
    features: tuple[Feature, ...] = field(default=(), compare=False)
    source: Source = field(default=NO_SOURCE, compare=False, repr=False)
    goal_span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True)
class Task:
    """A domain and a problem that were checked together."""

    domain: Domain
    problem: Problem

    @cached_property
    def objects(self) -> tuple[TypedName, ...]:
        """Constants, then objects; a constant that the problem declares again counts once."""
        seen: dict[str, TypedName] = {}
        for item in (*self.domain.constants, *self.problem.objects):
            seen.setdefault(item.name, item)
        return tuple(seen.values())

    @property
    def minimizes_cost(self) -> bool:
        """Whether plans are measured by total-cost; otherwise by their number of steps."""
        metric = self.problem.metric
        return (
            metric is not None
            and metric.direction == "minimize"
            and isinstance(metric.expression, FunctionTerm)
            and metric.expression.name == "total-cost"
        )


def atoms_in(formula: Formula) -> Iterator[Atom]:
    """Every atom of a condition, equality included, from left to right."""
    match formula:
        case Atom():
            yield formula
        case Not(part=part) | Forall(part=part) | Exists(part=part):
            yield from atoms_in(part)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from atoms_in(part)
        case Imply(left=left, right=right):
            yield from atoms_in(left)
            yield from atoms_in(right)
        case Comparison():
            return


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """The parts of a conjunction, nested ones opened; a condition that is none is its own one part."""
    if isinstance(formula, And):
        for part in formula.parts:
            yield from conjuncts(part)
    else:
        yield formula
