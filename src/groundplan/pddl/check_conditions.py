"""Checking conditions, atoms and expressions against what is declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from groundplan.pddl.ast import (
    OBJECT,
    And,
    Arithmetic,
    Atom,
    Comparison,
    Domain,
    Exists,
    Expression,
    Forall,
    Formula,
    FunctionTerm,
    Imply,
    Not,
    Or,
    TypedName,
)
from groundplan.pddl.diagnostics import Category, listing
from groundplan.pddl.findings import Findings
from groundplan.pddl.foreign import FOREIGN_WORDS
from groundplan.pddl.source import Span
from groundplan.pddl.types import TypeHierarchy

_SECTION_OF = {
    "unknown-predicate": ":predicates",
    "unknown-object": ":objects",
    "unknown-constant": ":constants",
    "unknown-function": ":functions",
}


@dataclass(frozen=True)
class Scope:
    """The variables that may be used, innermost last."""

    variables: tuple[TypedName, ...] = ()

    def types_of(self, name: str) -> tuple[str, ...] | None:
        for variable in reversed(self.variables):
            if variable.name == name:
                return variable.types
        return None

    def extended(self, variables: Sequence[TypedName]) -> Scope:
        return Scope((*self.variables, *variables)) if variables else self


@dataclass(frozen=True)
class _Mismatch:
    term: str
    types: tuple[str, ...]
    wanted: TypedName
    span: Span


class ConditionChecker:
    """Checks over one domain; `objects` maps every usable object or constant to its types."""

    def __init__(
        self,
        domain: Domain,
        hierarchy: TypeHierarchy,
        objects: Mapping[str, tuple[str, ...]],
        findings: Findings,
        object_word: str = "constant",
    ) -> None:
        self.domain = domain
        self.hierarchy = hierarchy
        self.objects = objects
        self.findings = findings
        self.object_word = object_word
        self.types = hierarchy.names
        self._fitting: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}
        self._overlapping: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = {}

    def check(self, formula: Formula, scope: Scope, where: str) -> None:
        match formula:
            case Atom():
                self.atom(formula, scope, where)
            case Not(part=part):
                self.check(part, scope, where)
            case And(parts=parts) | Or(parts=parts):
                for part in parts:
                    self.check(part, scope, where)
            case Imply(left=left, right=right):
                self.check(left, scope, where)
                self.check(right, scope, where)
            case Forall(variables=variables, part=part) | Exists(variables=variables, part=part):
                self._quantified(variables, scope, where)
                self.check(part, scope.extended(variables), where)
            case Comparison(left=left_number, right=right_number):
                self.expression(left_number, scope, where)
                self.expression(right_number, scope, where)

    def _quantified(self, variables: tuple[TypedName, ...], scope: Scope, where: str) -> None:
        self.type_names(variables)
        for index, variable in enumerate(variables):
            if any(other.name == variable.name for other in variables[:index]):
                self.findings.error(
                    "duplicate-parameter",
                    Category.PREDICATE,
                    variable.span,
                    f"two quantified variables named `{variable.name}` in {where}",
                    "give each its own name",
                )
            elif scope.types_of(variable.name) is not None:
                self.findings.warn(
                    "shadowed-variable",
                    Category.PREDICATE,
                    variable.span,
                    f"`{variable.name}` hides a variable of the same name, in {where}",
                    "give the inner one another name",
                )

    def type_names(self, items: Iterable[TypedName], section: str = "`:types`") -> None:
        """Every type named in a typed list must be declared; one that is not is reported once."""
        for item in items:
            for name, span in zip(item.types, item.type_spans, strict=False):
                if name in self.types:
                    continue
                hint = self.findings.meant(name, self.types, "type")
                if hint or self.findings.is_first("unknown-type", name):
                    hint = hint or f"declare it in {section}, or use one of {listing(sorted(self.types))}"
                    self.findings.error("unknown-type", Category.OBJECT, span, f"type `{name}` is not declared", hint)

    def atom(self, atom: Atom, scope: Scope, where: str, *, effect: bool = False) -> None:
        """Predicate declared, arity right, terms known, types fitting. `effect`: types must fit without doubt."""
        if atom.predicate == "=" and "=" not in self.domain.predicate_by_name:
            for term, span in zip(atom.terms, atom.term_spans, strict=False):
                self.term(term, span, scope, where)
            return
        signature = self.domain.predicate_by_name.get(atom.predicate)
        if signature is None:
            self._unknown_predicate(atom, scope, where)
            return
        if len(atom.terms) != signature.arity:
            self.findings.error(
                "wrong-arity",
                Category.PREDICATE,
                atom.span,
                f"`{atom.predicate}` takes {_count(signature.arity)}, here it has {len(atom.terms)}, in {where}",
                f"declared as `{_declaration(signature.name, signature.parameters)}`",
                ("declared here", signature.span, self.domain.source),
            )
        wrong = self._wrong_types(atom.terms, atom.term_spans, signature.parameters, scope, where)
        if wrong:
            self._report_types(atom.predicate, wrong, where, effect)

    def _wrong_types(
        self,
        terms: tuple[str, ...],
        spans: tuple[Span, ...],
        parameters: tuple[TypedName, ...],
        scope: Scope,
        where: str,
    ) -> list[_Mismatch]:
        """The terms that do not fit their parameters; unknown ones are reported here."""
        wrong: list[_Mismatch] = []
        for index, (term, span) in enumerate(zip(terms, spans, strict=False)):
            types = self.objects.get(term)
            if types is None:
                types = self.term(term, span, scope, where)
            if types is None or index >= len(parameters):
                continue
            wanted = parameters[index].types
            if types != wanted and not self._fits(types, wanted):
                wrong.append(_Mismatch(term, types, parameters[index], span))
        return wrong

    def _fits(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        """Whether types fit, or are unknown (that is reported where they stand)."""
        fits = self._fitting.get((types, wanted))
        if fits is None:
            fits = self.hierarchy.fits(types, wanted) or any(name not in self.types for name in (*types, *wanted))
            self._fitting[types, wanted] = fits
        return fits

    def _overlap(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        overlap = self._overlapping.get((types, wanted))
        if overlap is None:
            overlap = self._overlapping[types, wanted] = self.hierarchy.overlaps(types, wanted)
        return overlap

    def _unknown_predicate(self, atom: Atom, scope: Scope, where: str) -> None:
        if atom.predicate in self.types:
            self.findings.error(
                "type-as-predicate",
                Category.PREDICATE,
                atom.span,
                f"`{atom.predicate}` is a type, not a predicate, in {where}",
                "parameters and objects are typed where they are declared: drop this condition",
            )
        elif atom.predicate not in FOREIGN_WORDS:  # those were reported with a better hint while reading
            message = f"predicate `{atom.predicate}` is not declared, in {where}"
            known = {predicate.name: predicate for predicate in self.domain.predicates}
            self._undeclared("unknown-predicate", Category.PREDICATE, atom.predicate, atom.span, message, known)
        for term, span in zip(atom.terms, atom.term_spans, strict=False):
            self.term(term, span, scope, where)

    def term(self, term: str, span: Span, scope: Scope, where: str) -> tuple[str, ...] | None:
        """The types of a variable or object; None (with an error) when it is unknown."""
        if term.startswith("?"):
            types = scope.types_of(term)
            if types is None:
                self._unbound(term, span, scope, where)
            return types
        if term in self.objects:
            return self.objects[term]
        variable = "?" + term
        what = "object" if self.object_word == "object" else "parameter and no constant"
        message = f"`{term}` is no {what}, in {where}"
        code = f"unknown-{self.object_word}"
        if scope.types_of(variable) is not None:
            hint = f"did you mean the variable `{variable}`?"
            self.findings.error(code, Category.OBJECT, span, message, hint)
        else:
            self._undeclared(code, Category.OBJECT, term, span, message, self.objects)
        return None

    def _undeclared(
        self, code: str, category: Category, name: str, span: Span, message: str, known: Mapping[str, object]
    ) -> None:
        """A misspelt name is reported wherever it stands, one that only lacks its declaration once."""
        hint = self.findings.meant(name, known, code)
        if not hint and not self.findings.is_first(code, name):
            return
        section = _SECTION_OF[code]
        others = f", or use one of {listing(list(known))}" if known else ""
        self.findings.error(code, category, span, message, hint or f"declare it in `{section}`{others}")

    def _unbound(self, term: str, span: Span, scope: Scope, where: str) -> None:
        if self.object_word == "object" and not scope.variables:
            code, message = "variable-not-allowed", f"variable `{term}` in {where}, which speaks of objects only"
            hint = "write the name of an object"
        else:
            code, message = "unbound-variable", f"variable `{term}` is bound nowhere, in {where}"
            names = [variable.name for variable in scope.variables]
            glued = next((name for name in names if name.startswith(term + "-")), "")
            hint = f"write `{term} - {glued[len(term) + 1 :]}` where `{glued}` is declared" if glued else ""
            meant = self.findings.meant(term, names, where)
            if not meant and not self.findings.is_first(code, f"{term} {where.rpartition(' of ')[2]}"):
                return  # one missing parameter, not one for every use
            hint = hint or meant or "add it to `:parameters`, or quantify it"
        self.findings.error(code, Category.PREDICATE, span, message, hint)

    def _report_types(self, name: str, wrong: list[_Mismatch], where: str, effect: bool) -> None:
        """One finding an atom, with all its terms of a wrong type."""
        message = "; ".join(
            f"`{item.term}` is of type {_or(item.types)}, {_or(item.wanted.types)} is wanted" for item in wrong
        )
        message = f"wrong type in `({name} ...)`: {message}; in {where}"
        first = wrong[0]
        related = ("declared here", first.wanted.span, self.domain.source)
        harmless = all(
            item.term.startswith("?") and not effect and self._overlap(item.types, item.wanted.types) for item in wrong
        )
        if harmless:
            message += "; only some of its objects can ever fit"
            hint = f"give `{first.term}` the type `{first.wanted.types[0]}`"
            self.findings.warn("type-too-wide", Category.OBJECT, first.span, message, hint, related)
            return
        signature = self.domain.predicate_by_name.get(name) or self.domain.function_by_name[name]
        hint = f"declared as `{_declaration(name, signature.parameters)}`"
        self.findings.error("type-mismatch", Category.OBJECT, first.span, message, hint, related)

    def function(self, term: FunctionTerm, scope: Scope, where: str) -> None:
        signature = self.domain.function_by_name.get(term.name)
        if signature is None and term.name == "is-violated":
            return  # its argument is the name of a preference
        if signature is None:
            self._unknown_function(term, where)
        elif len(term.terms) != signature.arity:
            self.findings.error(
                "wrong-arity",
                Category.PREDICATE,
                term.span,
                f"function `{term.name}` takes {_count(signature.arity)}, here it has {len(term.terms)}, in {where}",
                f"declared as `{_declaration(signature.name, signature.parameters)}`",
            )
        parameters = signature.parameters if signature is not None else ()
        wrong = self._wrong_types(term.terms, term.term_spans, parameters, scope, where)
        if wrong:
            self._report_types(term.name, wrong, where, False)

    def _unknown_function(self, term: FunctionTerm, where: str) -> None:
        if term.name == "total-cost":
            self.findings.warn(
                "undeclared-total-cost",
                Category.PREDICATE,
                term.span,
                f"`total-cost` has no declaration in `:functions`, in {where}",
                "write `(:functions (total-cost) - number)` in the domain, and let actions increase it; "
                "without that every plan costs 0 by this metric",
            )
        elif term.name == "total-time":
            return  # built in
        else:
            message = f"function `{term.name}` is not declared, in {where}"
            known = {function.name: function for function in self.domain.functions}
            self._undeclared("unknown-function", Category.PREDICATE, term.name, term.span, message, known)

    def expression(self, expression: Expression, scope: Scope, where: str) -> None:
        match expression:
            case FunctionTerm():
                self.function(expression, scope, where)
            case Arithmetic(parts=parts):
                for part in parts:
                    self.expression(part, scope, where)
            case _:
                return

    def contradictions(self, formula: Formula, where: str) -> None:
        """Warn of a conjunction that asks for an atom and for its contrary."""
        literals: dict[Atom, bool] = {}
        for part in conjuncts(formula):
            positive = not isinstance(part, Not)
            atom = part.part if isinstance(part, Not) else part
            if not isinstance(atom, Atom):
                continue
            if literals.get(atom, positive) != positive:
                self.findings.warn(
                    "contradictory-condition",
                    Category.CONDITION,
                    atom.span,
                    f"`{atom}` must be true and false at once, in {where}; it can never hold",
                    "delete one of the two",
                )
            literals.setdefault(atom, positive)


def conjuncts(formula: Formula) -> list[Formula]:
    """The parts of a conjunction, nested ones included; a condition that is none has itself as its one part."""
    if not isinstance(formula, And):
        return [formula]
    return [inner for part in formula.parts for inner in conjuncts(part)]


def _or(types: tuple[str, ...]) -> str:
    return " or ".join(f"`{name}`" for name in types)


def _count(arity: int) -> str:
    return "no arguments" if arity == 0 else "1 argument" if arity == 1 else f"{arity} arguments"


def _declaration(name: str, parameters: tuple[TypedName, ...]) -> str:
    words = [name]
    for parameter in parameters:
        words.append(parameter.name)
        if parameter.types != (OBJECT,):
            kinds = parameter.types[0] if len(parameter.types) == 1 else f"(either {' '.join(parameter.types)})"
            words.append(f"- {kinds}")
    return f"({' '.join(words)})"
