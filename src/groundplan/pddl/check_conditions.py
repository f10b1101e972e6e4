"""Checking conditions, atoms and expressions against what is declared."""

from __future__ import annotations

from groundplan.pddl.ast import (
    And,
    Arithmetic,
    Atom,
    Comparison,
    Exists,
    Expression,
    Forall,
    Formula,
    FunctionTerm,
    Imply,
    Not,
    Or,
    TypedName,
    conjuncts,
)
from groundplan.pddl.check_names import NameChecker, Scope, count, declaration
from groundplan.pddl.diagnostics import Category
from groundplan.pddl.foreign import FOREIGN_WORDS


class ConditionChecker(NameChecker):
    """Checks conditions over one domain."""

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

    def atom(self, atom: Atom, scope: Scope, where: str, *, effect: bool = False) -> None:
        """Predicate declared, arity right, terms known, types fitting. `effect`: types must fit without doubt."""
        if atom.predicate == "=":
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
                f"`{atom.predicate}` takes {count(signature.arity)}, here it has {len(atom.terms)}, in {where}",
                f"declared as `{declaration(signature.name, signature.parameters)}`",
                ("declared here", signature.span, self.domain.source),
            )
        wrong = self.wrong_types(atom.terms, atom.term_spans, signature.parameters, scope, where)
        if wrong:
            self.report_types(atom.predicate, wrong, where, effect)

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
            self.undeclared("unknown-predicate", Category.PREDICATE, atom.predicate, atom.span, message, known)
        for term, span in zip(atom.terms, atom.term_spans, strict=False):
            self.term(term, span, scope, where)

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
                f"function `{term.name}` takes {count(signature.arity)}, here it has {len(term.terms)}, in {where}",
                f"declared as `{declaration(signature.name, signature.parameters)}`",
            )
        parameters = signature.parameters if signature is not None else ()
        wrong = self.wrong_types(term.terms, term.term_spans, parameters, scope, where)
        if wrong:
            self.report_types(term.name, wrong, where, False)

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
            self.undeclared("unknown-function", Category.PREDICATE, term.name, term.span, message, known)

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
