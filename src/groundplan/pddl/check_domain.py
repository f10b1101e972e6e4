"""What a domain must satisfy beyond its syntax: names declared once and used as declared."""

from __future__ import annotations

from collections.abc import Iterable

from groundplan.pddl.ast import TRUE, Action, Atom, Number, NumericEffect, Signature, TypedName
from groundplan.pddl.check_conditions import ConditionChecker
from groundplan.pddl.check_derived import check_derived
from groundplan.pddl.check_names import Scope
from groundplan.pddl.check_types import check_types
from groundplan.pddl.diagnostics import Category, Diagnostic
from groundplan.pddl.features import requirements_used
from groundplan.pddl.findings import Findings
from groundplan.pddl.read_domain import DomainText
from groundplan.pddl.source import Span
from groundplan.pddl.types import TypeHierarchy


def check_domain(text: DomainText) -> list[Diagnostic]:
    """Every finding about a domain that reads as one."""
    findings = Findings(text.domain.source)
    _DomainChecker(text, findings).check()
    return findings.diagnostics


class _DomainChecker:
    def __init__(self, text: DomainText, findings: Findings) -> None:
        self.text = text
        self.domain = text.domain
        self.findings = findings
        self.hierarchy = TypeHierarchy(self.domain.types)
        constants = {item.name: item.types for item in self.domain.constants}
        self.conditions = ConditionChecker(self.domain, self.hierarchy, constants, findings)

    def check(self) -> None:
        check_types(self.text, self.findings)
        self._unique(self.domain.predicates, "predicate")
        self._unique(self.domain.functions, "function")
        self._unique(self.domain.actions, "action")
        self._unique(self.domain.constants, "constant")
        for signature in (*self.domain.predicates, *self.domain.functions):
            self._signature(signature)
        self.conditions.type_names(self.domain.constants)
        for action in self.domain.actions:
            self._action(action)
        check_derived(self.domain, self.findings)
        for rule in self.domain.derived:
            self._derived(rule.head, Scope(rule.head.parameters))
            self.conditions.check(rule.condition, Scope(rule.head.parameters), f"the definition of `{rule.head.name}`")
        self._features()
        self._requirements()

    def _unique(self, items: Iterable[Signature | Action | TypedName], what: str) -> None:
        first: dict[str, Signature | Action | TypedName] = {}
        for item in items:
            if item.name in first:
                self.findings.error(
                    f"duplicate-{what}",
                    Category.OBJECT if what == "constant" else Category.PREDICATE,
                    item.span,
                    f"{what} `{item.name}` is declared a second time",
                    "delete one of the two, or rename it",
                    ("first declared here", first[item.name].span, self.findings.source),
                )
            first.setdefault(item.name, item)

    def _signature(self, signature: Signature) -> None:
        self.conditions.type_names(signature.parameters)
        names = [parameter.name for parameter in signature.parameters]
        for index, parameter in enumerate(signature.parameters):
            if parameter.name in names[:index]:
                self.findings.warn(
                    "duplicate-parameter",
                    Category.PREDICATE,
                    parameter.span,
                    f"`{signature.name}` has two parameters named `{parameter.name}`; both count",
                    "give each its own name",
                )

    def _action(self, action: Action) -> None:
        self.conditions.type_names(action.parameters)
        first: dict[str, TypedName] = {}
        for parameter in action.parameters:
            if parameter.name in first:
                self.findings.error(
                    "duplicate-parameter",
                    Category.PREDICATE,
                    parameter.span,
                    f"action `{action.name}` has two parameters named `{parameter.name}`",
                    "give each its own name",
                    ("the first one", first[parameter.name].span, self.findings.source),
                )
            first.setdefault(parameter.name, parameter)
        scope = Scope(action.parameters)
        where = f"the precondition of `{action.name}`"
        self.conditions.check(action.precondition, scope, where)
        self.conditions.contradictions(action.precondition, where)
        self._effects(action, scope)

    def _effects(self, action: Action, scope: Scope) -> None:
        where = f"the effect of `{action.name}`"
        plain: dict[Atom, bool] = {}
        for effect in action.effects:
            inner = scope.extended(effect.variables)
            self.conditions.type_names(effect.variables)
            self.conditions.check(effect.condition, inner, f"a condition in {where}")
            self.conditions.atom(effect.atom, inner, where, effect=True)
            self._changes_derived(effect.atom, where)
            if effect.variables or effect.condition != TRUE or effect.atom.predicate == "=":
                continue
            if plain.get(effect.atom, effect.positive) != effect.positive:
                self.findings.warn(
                    "contradictory-effect",
                    Category.CONDITION,
                    effect.atom.span,
                    f"`{effect.atom}` is both added and deleted in {where}; adding wins",
                    "delete one of the two unless this is meant",
                )
            plain.setdefault(effect.atom, effect.positive)
        for numeric in action.numeric_effects:
            self._numeric(numeric, scope, where)

    def _changes_derived(self, atom: Atom, where: str) -> None:
        if atom.predicate in self.domain.derived_names:
            self.findings.error(
                "derived-in-effect",
                Category.CONDITION,
                atom.span,
                f"`{atom.predicate}` is a derived predicate; {where} cannot change it",
                "change the facts that it is derived from",
            )

    def _numeric(self, effect: NumericEffect, scope: Scope, where: str) -> None:
        inner = scope.extended(effect.variables)
        self.conditions.check(effect.condition, inner, f"a condition in {where}")
        self.conditions.function(effect.function, inner, where)
        self.conditions.expression(effect.expression, inner, where)
        if isinstance(effect.expression, Number) and effect.function.name == "total-cost":
            check_cost(self.findings, effect.expression.value, effect.expression.span)

    def _derived(self, head: Signature, scope: Scope) -> None:
        self.conditions.type_names(head.parameters)
        spans = tuple(parameter.span for parameter in head.parameters)
        atom = Atom(head.name, tuple(parameter.name for parameter in head.parameters), head.span, spans)
        self.conditions.atom(atom, scope, "the head of a derived predicate", effect=True)

    def _features(self) -> None:
        for feature in self.domain.features:
            report_feature(self.findings, feature.kind, feature.span)

    def _requirements(self) -> None:
        declared = set(self.domain.requirements)
        missing = [name for name in requirements_used(self.domain) if not declared & COVERED_BY[name]]
        if missing and self.text.requirements_span is not None:
            self.findings.warn(
                "missing-requirement",
                Category.PREDICATE,
                self.text.requirements_span,
                f"`:requirements` does not name {', '.join(missing)}, which the domain uses",
                f"write `(:requirements {' '.join((*self.domain.requirements, *missing))})`",
            )


COVERED_BY = {
    ":typing": {":typing", ":adl"},
    ":negative-preconditions": {":negative-preconditions", ":adl"},
    ":disjunctive-preconditions": {":disjunctive-preconditions", ":adl"},
    ":equality": {":equality", ":adl"},
    ":existential-preconditions": {":existential-preconditions", ":quantified-preconditions", ":adl"},
    ":universal-preconditions": {":universal-preconditions", ":quantified-preconditions", ":adl"},
    ":conditional-effects": {":conditional-effects", ":adl"},
    ":derived-predicates": {":derived-predicates", ":domain-axioms"},
    ":action-costs": {":action-costs", ":numeric-fluents", ":fluents"},
}


def check_cost(findings: Findings, value: float, span: Span) -> None:
    """Costs are whole and not negative in every classical planner (Fast Downward reads no others)."""
    if value < 0:
        hint = "add the same amount to all costs until none is negative"
        findings.error("negative-cost", Category.GOAL, span, f"a cost of {value:g} is negative", hint)
    elif value != int(value):
        hint = "multiply all costs by the same number, so that they are whole"
        message = f"a cost of {value:g} is no whole number; not every planner takes it"
        findings.warn("fractional-cost", Category.GOAL, span, message, hint)


def report_feature(findings: Findings, kind: str, span: Span) -> None:
    """Legal PDDL that no classical engine can take: named, never called a syntax error."""
    category = Category.GOAL if kind in _GOAL_FEATURES else Category.CONDITION
    findings.error(
        "unsupported-feature",
        category,
        span,
        f"unsupported feature: {kind}. It is legal PDDL, but the classical engines here have no word for it",
        _FEATURE_HINTS.get(
            kind, "express the task in classical PDDL: facts, actions with instant effects, action costs"
        ),
    )


_GOAL_FEATURES = frozenset(("timed initial literal", "preference", "trajectory constraint", "numeric metric"))
_FEATURE_HINTS = {
    "numeric condition": "model small amounts as objects, for instance levels with a `(next ?a ?b)` fact",
    "numeric effect": "only `(increase (total-cost) n)` is known; model small amounts as objects",
    "object fluent": "write a predicate instead: `(place ?thing ?where)` for `(= (place ?thing) ?where)`",
    "conditional action cost": "give every case an action of its own, each with its own cost",
    "arithmetic in an action cost": "write one number, or one function whose values stand in `:init`",
    "durative action": "write an ordinary `:action`, or one action for the start and one for the end",
    "timed initial literal": "put the fact into `:init` without its time, or let an action bring it about",
}
