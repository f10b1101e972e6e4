"""What a problem must satisfy beyond its syntax, against its domain."""

from __future__ import annotations

from groundplan.pddl.ast import (
    And,
    Atom,
    Domain,
    Expression,
    Formula,
    FunctionTerm,
    FunctionValue,
    Problem,
    TypedName,
    conjuncts,
)
from groundplan.pddl.check_conditions import ConditionChecker
from groundplan.pddl.check_domain import check_cost, report_feature
from groundplan.pddl.check_names import Scope
from groundplan.pddl.diagnostics import Category, Diagnostic
from groundplan.pddl.findings import Findings
from groundplan.pddl.read_problem import ProblemText
from groundplan.pddl.source import Span
from groundplan.pddl.types import TypeHierarchy


def check_problem(text: ProblemText, domain: Domain) -> list[Diagnostic]:
    """Every finding about a problem that reads as one."""
    findings = Findings(text.problem.source)
    _ProblemChecker(text, domain, findings).check()
    return findings.diagnostics


class _ProblemChecker:
    def __init__(self, text: ProblemText, domain: Domain, findings: Findings) -> None:
        self.text = text
        self.problem: Problem = text.problem
        self.domain = domain
        self.findings = findings
        self.hierarchy = TypeHierarchy(domain.types)
        self.objects: dict[str, tuple[str, ...]] = {}
        for item in (*self.problem.objects, *domain.constants):
            # Declared twice with different types: reported once, where it is declared, not at every use.
            same = self.objects.setdefault(item.name, item.types) == item.types
            self.objects[item.name] = item.types if same else ()
        self.conditions = ConditionChecker(domain, self.hierarchy, self.objects, findings, "object")

    def check(self) -> None:
        self._domain_name()
        self._objects()
        for atom in (*self.problem.init, *self.problem.init_false):
            self._fact(atom)
        self._contradictory_init()
        self._values()
        self._goal()
        self._metric()
        for feature in self.problem.features:
            report_feature(self.findings, feature.kind, feature.span)

    def _domain_name(self) -> None:
        name = self.problem.domain_name
        if name and self.domain.name and name != self.domain.name:
            self.findings.warn(
                "other-domain",
                Category.SYNTAX,
                self.text.domain_span,
                f"the problem is for domain `{name}`, the domain given is `{self.domain.name}`",
                f"write `(:domain {self.domain.name})` if this is the right domain",
            )

    def _objects(self) -> None:
        self.conditions.type_names(self.problem.objects, "the domain's `:types`")
        first: dict[str, TypedName] = {}
        constants = {item.name: item for item in self.domain.constants}
        for item in self.problem.objects:
            if item.name in first:
                self._declared_twice(item, first[item.name], "object")
            elif item.name in constants:
                self._constant_again(item, constants[item.name])
            first.setdefault(item.name, item)

    def _declared_twice(self, item: TypedName, first: TypedName, what: str) -> None:
        source = self.problem.source
        place = source.position(first.span.start)
        written, earlier = source.excerpt(item.span), source.excerpt(first.span)
        case = f" (`{earlier}` and `{written}` are the same name: PDDL ignores case)" if written != earlier else ""
        kinds = (
            f"both times as `{_kinds(item)}`"
            if item.types == first.types
            else f"first as `{_kinds(first)}`, now as `{_kinds(item)}`"
        )
        self.findings.error(
            "duplicate-object",
            Category.OBJECT,
            item.span,
            f"{what} `{item.name}` is declared a second time, {kinds}; first in line {place.line}, "
            f"column {place.column}{case}",
            "delete one of the two, or rename it",
            ("first declared here", first.span, source),
        )

    def _constant_again(self, item: TypedName, constant: TypedName) -> None:
        place = self.domain.source.position(constant.span.start)
        related = ("the constant", constant.span, self.domain.source)
        where = f"in the domain (line {place.line}, column {place.column})"
        if item.types == constant.types:
            self.findings.warn(
                "constant-redeclared",
                Category.OBJECT,
                item.span,
                f"`{item.name}` is a constant {where} and declared here again; it counts once",
                "delete it from `:objects`: constants may be used in the problem as they are",
                related,
            )
        else:
            self.findings.error(
                "duplicate-object",
                Category.OBJECT,
                item.span,
                f"`{item.name}` is a constant of type `{_kinds(constant)}` {where}, here of type `{_kinds(item)}`",
                "delete it from `:objects`, or rename it",
                related,
            )

    def _fact(self, atom: Atom) -> None:
        self.conditions.atom(atom, Scope(), "`:init`", effect=True)
        if atom.predicate in self.domain.derived_names:
            self.findings.error(
                "derived-in-init",
                Category.GOAL,
                atom.span,
                f"`{atom.predicate}` is a derived predicate; `:init` cannot set it",
                "delete it, or list the facts that it is derived from",
            )

    def _values(self) -> None:
        first: dict[FunctionTerm, FunctionValue] = {}
        for value in self.problem.values:
            self.conditions.function(value.function, Scope(), "`:init`")
            earlier = first.setdefault(value.function, value)
            if earlier.value != value.value:
                place = self.findings.source.position(earlier.span.start)
                self.findings.error(
                    "contradictory-init",
                    Category.GOAL,
                    value.span,
                    f"`{value.function}` is {value.value:g} here and {earlier.value:g} in line {place.line}, "
                    f"column {place.column} of `:init`",
                    "delete one of the two",
                )
            if not self.domain.features:
                check_cost(self.findings, value.value, value.span)

    def _contradictory_init(self) -> None:
        if not self.problem.init_false:
            return
        true = {atom: atom for atom in self.problem.init}
        for atom in self.problem.init_false:
            if atom in true:
                place = self.findings.source.position(true[atom].span.start)
                self.findings.error(
                    "contradictory-init",
                    Category.GOAL,
                    atom.span,
                    f"`{atom}` is false here and true in line {place.line}, column {place.column} of `:init`",
                    "delete one of the two; what is not listed is false anyway",
                )

    def _goal(self) -> None:
        goal = self.problem.goal
        self.conditions.check(goal, Scope(), "the goal")
        self.conditions.contradictions(goal, "the goal")
        span = self.problem.goal_span
        if not span.end or any(found.is_error for found in self.findings.diagnostics):
            return
        parts = list(conjuncts(goal))
        if isinstance(goal, And) and not parts and "(" in self.findings.source.excerpt(span)[1:]:
            self.findings.warn(
                "empty-goal",
                Category.GOAL,
                span,
                "the goal asks for nothing: every state satisfies it",
                "say what must hold",
            )
        elif parts and self._holds_at_start(parts):
            self.findings.warn(
                "goal-already-true",
                Category.GOAL,
                span,
                "the goal holds in the initial state: the empty plan solves this problem",
                "if work is asked for, the goal or `:init` is not what was meant",
            )

    def _holds_at_start(self, parts: list[Formula]) -> bool:
        """Whether all parts are plain atoms that `:init` lists; richer goals are left to the simulator."""
        init = set(self.problem.init)
        return all(isinstance(part, Atom) and part in init for part in parts)

    def _metric(self) -> None:
        metric = self.problem.metric
        if metric is not None:
            self.conditions.expression(metric.expression, Scope(), "`:metric`")
            self._never_increased(metric.expression, metric.span)
        elif self._increases_cost() and not (self.problem.features or self.domain.features):
            self.findings.warn(
                "costs-without-metric",
                Category.GOAL,
                self.problem.goal_span,
                "actions have costs but no `:metric` is given: plans are measured by their number of steps",
                "write `(:metric minimize (total-cost))` if costs matter",
            )

    def _never_increased(self, expression: Expression, span: Span) -> None:
        if not isinstance(expression, FunctionTerm) or expression.name != "total-cost":
            return
        if not self._increases_cost():
            self.findings.warn(
                "cost-never-increased",
                Category.GOAL,
                span,
                "no action increases `total-cost`: every plan costs 0 by this metric",
                "write `(increase (total-cost) 1)` into the effects, or drop the metric",
            )

    def _increases_cost(self) -> bool:
        return any(
            effect.function.name == "total-cost" for action in self.domain.actions for effect in action.numeric_effects
        )


def _kinds(item: TypedName) -> str:
    return " or ".join(item.types)
