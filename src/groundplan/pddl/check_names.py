"""Checking names: terms, types and what is close to a name that is not declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from groundplan.pddl.ast import OBJECT, Domain, TypedName
from groundplan.pddl.diagnostics import Category, listing
from groundplan.pddl.findings import Findings
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


class NameChecker:
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
            self.undeclared(code, Category.OBJECT, term, span, message, self.objects)
        return None

    def undeclared(
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

    def report_types(self, name: str, wrong: list[_Mismatch], where: str, effect: bool) -> None:
        """One finding an atom, with all its terms of a wrong type; a name declared without any type is told of once."""
        harmless = all(
            item.term.startswith("?") and not effect and self._overlap(item.types, item.wanted.types) for item in wrong
        )
        code = "type-too-wide" if harmless else "type-mismatch"
        place = where.rpartition(" of ")[2] if wrong[0].term.startswith("?") else ""
        wrong = [
            item for item in wrong if item.types != (OBJECT,) or self.findings.is_first(code, f"{item.term} {place}")
        ]
        if not wrong:
            return
        first = wrong[0]
        message = "; ".join(
            f"`{item.term}` is of type {_or(item.types)}, {_or(item.wanted.types)} is wanted" for item in wrong
        )
        message = f"wrong type in `({name} ...)`: {message}; in {where}"
        signature = self.domain.predicate_by_name.get(name) or self.domain.function_by_name[name]
        hint = f"declared as `{declaration(name, signature.parameters)}`"
        if harmless:
            message += "; only some of its objects can ever fit"
            hint = f"give `{first.term}` the type `{first.wanted.types[0]}`"
        elif first.types == (OBJECT,):
            hint = f"declare `{first.term}` with its type: `{first.term} - {first.wanted.types[0]}`"
        related = ("declared here", first.wanted.span, self.domain.source)
        report = self.findings.warn if harmless else self.findings.error
        report(code, Category.OBJECT, first.span, message, hint, related)

    def wrong_types(
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
            unknown = not wanted or any(name not in self.types for name in (*types, *wanted))
            fits = unknown or self.hierarchy.fits(types, wanted)
            self._fitting[types, wanted] = fits
        return fits

    def _overlap(self, types: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        overlap = self._overlapping.get((types, wanted))
        if overlap is None:
            overlap = self._overlapping[types, wanted] = self.hierarchy.overlaps(types, wanted)
        return overlap


def _or(types: tuple[str, ...]) -> str:
    return " or ".join(f"`{name}`" for name in types)


def count(arity: int) -> str:
    return "no arguments" if arity == 0 else "1 argument" if arity == 1 else f"{arity} arguments"


def declaration(name: str, parameters: tuple[TypedName, ...]) -> str:
    words = [name]
    for parameter in parameters:
        words.append(parameter.name)
        if parameter.types != (OBJECT,):
            kinds = parameter.types[0] if len(parameter.types) == 1 else f"(either {' '.join(parameter.types)})"
            words.append(f"- {kinds}")
    return f"({' '.join(words)})"
