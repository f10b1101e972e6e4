"""Saying causes in a sentence each, for people and for language models that repair PDDL."""

from __future__ import annotations

from dataclasses import dataclass

from groundplan.pddl.ast import Atom, FunctionTerm, Task, TypedName
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity, listing
from groundplan.pddl.explain_chain import Link
from groundplan.pddl.ground_rules import World
from groundplan.pddl.reach import Cause, CauseKind
from groundplan.pddl.source import NO_SPAN, Source, Span
from groundplan.pddl.types import hierarchy_of


def literal(atom: Atom, positive: bool) -> str:
    return f"`{atom}`" if positive else f"`(not {atom})`"


def taken(cause: Cause) -> str:
    """The action or rule, with its objects as far as they are known, or matter."""
    way = cause.way
    is_pattern = cause.alone and cause.kind is CauseKind.MISSING and not cause.turned
    values = way.given if is_pattern else cause.values
    terms = tuple(values.get(parameter.name, parameter.name) for parameter in way.parameters)
    return f"`{Atom(way.name, terms)}`" if way.is_action else f"the rule for `{Atom(way.name, terms)}`"


def pattern_of(cause: Cause) -> Atom:
    """The condition with the objects that the wanted effect fixes; all known objects where the others decide."""
    assert cause.atom is not None
    if not cause.alone or cause.condition is None:
        return cause.atom
    given = cause.way.given
    return Atom(cause.atom.predicate, tuple(given.get(term, term) for term in cause.condition.terms))


def subject(cause: Cause) -> tuple[str, ...]:
    """What a cause is about: causes about the same need to be said once."""
    if cause.parameter is not None:
        return (cause.kind, *cause.parameter.types, cause.values.get(cause.parameter.name, ""))
    if cause.atom is None or cause.kind is CauseKind.CONFLICT:
        return (cause.kind, cause.way.name)
    return (cause.kind, str(pattern_of(cause)) if cause.kind is CauseKind.MISSING else str(cause.atom))


def loose_supertypes(task: Task, wanted: TypedName) -> tuple[TypedName, ...]:
    """The objects declared with a type above a wanted one, so that they may only have been declared too loosely."""
    hierarchy = hierarchy_of(task.domain)
    above = {name for kind in wanted.types for name in hierarchy.above(kind)} - set(wanted.types)
    return tuple(item for item in task.objects if any(kind in above for kind in item.types))


@dataclass(frozen=True)
class Sentences:
    """Diagnostics for the causes of one task."""

    world: World

    def of(self, link: Link, cause: Cause) -> Diagnostic:
        match cause.kind:
            case CauseKind.NO_OBJECT | CauseKind.WRONG_TYPE:
                return self._types(cause)
            case CauseKind.MISSING:
                return self._missing(link, cause)
            case CauseKind.BLOCKING:
                return self._blocking(link, cause)
            case _:
                return self._conflict(link, cause)

    def no_way(self, link: Link) -> Diagnostic:
        """For a fact that nothing in the domain can bring about."""
        wanted = literal(link.atom, link.target.positive)
        verb = "adds" if link.target.positive else "deletes"
        state = "not in `:init`" if link.target.positive else "in `:init`"
        message = f"{wanted} can never hold: `{link.atom}` is {state}, and no action {verb} it"
        if self.world.task.domain.predicate_by_name.get(link.atom.predicate) is None:
            message += f"; `{link.atom.predicate}` is not even declared"
        hint = f"add `{link.atom}` to `:init`, or an effect that adds it" if link.target.positive else ""
        return self._domain("no-achiever", message, link.atom.span, hint, self.world.task.problem.source)

    def needed(self, link: Link) -> Diagnostic:
        """For a fact on the way from the goal to the causes."""
        cause = link.needed_by
        assert cause is not None
        verb = "become true" if link.target.positive else "become false"
        message = f"{taken(cause)} needs {literal(link.atom, link.target.positive)}, but `{link.atom}` can never {verb}"
        span = cause.condition.span if cause.condition else NO_SPAN
        found = self._domain("unreachable-fact", message, span)
        return Diagnostic(found.code, found.category, Severity.INFO, message, span, found.source)

    def circular(self, links: tuple[Link, ...]) -> Diagnostic:
        atoms = list(dict.fromkeys(str(link.atom) for link in links))
        if len(atoms) == 1:
            message = f"`{atoms[0]}` can only come about by steps that need it already, and it does not hold at first"
        else:
            message = f"none of {listing(atoms)} can come about before another of them does, and none holds at first"
        hint = "one of them may be missing in `:init`"
        return self._domain("circular", message, links[0].atom.span, hint, self.world.task.problem.source)

    def _types(self, cause: Cause) -> Diagnostic:
        parameter = cause.parameter
        assert parameter is not None
        kind = " or ".join(f"`{name}`" for name in parameter.types)
        source = self.world.task.domain.source
        if cause.kind is CauseKind.WRONG_TYPE:
            name = cause.values[parameter.name]
            declared = " or ".join(f"`{kind}`" for kind in self._declared(name))
            message = f"{taken(cause)} is no instance: `{parameter.name}` must be a {kind}, `{name}` is a {declared}"
            return self._domain("wrong-type", message, parameter.span, "", source)
        message = f"`{cause.way.name}` has no instance: no object has type {kind} (`{parameter.name}`)"
        loose = loose_supertypes(self.world.task, parameter)
        if loose:
            names = [item.name for item in loose]
            kinds = " or ".join(f"`{kind}`" for kind in dict.fromkeys(kind for item in loose for kind in item.types))
            message += f"; {listing(names)} {'is' if len(names) == 1 else 'are'} only declared as {kinds}"
            hint = f"declare `{names[0]}` as {kind} if that is what it is" if len(names) == 1 else ""
            hint = hint or f"declare those of them as {kind} that are"
        else:
            hint = f"declare an object of type {kind}"
        return self._domain("no-object-of-type", message, parameter.span, hint, source)

    def _declared(self, name: str) -> tuple[str, ...]:
        return next((item.types for item in self.world.task.objects if item.name == name), ("object",))

    def _missing(self, link: Link, cause: Cause) -> Diagnostic:
        atom, condition = cause.atom, cause.condition
        assert atom is not None
        span = condition.span if condition else NO_SPAN
        if atom.predicate.startswith("value "):
            term = FunctionTerm(atom.predicate.removeprefix("value "), atom.terms)
            message = f"{taken(cause)} cannot be taken: `:init` gives no value for its cost `{term}`"
            return self._domain("no-value", message, span, f"add `(= {term} <number>)` to `:init`")
        shown = atom if cause.turned else pattern_of(cause)
        role = f"{taken(cause)} would {'add' if link.target.positive else 'delete'} `{link.atom}`, but it needs"
        rows = self.world.rows(atom.predicate)
        adds = f"no action adds `{atom.predicate}`"
        if not rows:
            message = f"{role} `{shown}`: `:init` has no `{atom.predicate}` fact at all, and {adds}"
        elif cause.turned is not None:
            message = f"{role} `{shown}`: `:init` has only the other way round, `{cause.turned}`, and {adds}"
        elif absent := [term for term in _objects(shown) if not any(term in row for row in rows)]:
            message = f"{role} `{shown}`: {listing(absent)} is in no `{atom.predicate}` fact of `:init`, and {adds}"
        else:
            message = f"{role} `{shown}`: `:init` has no such fact, and {adds}"
        hint = f"add `{atom}` to `:init` if it should hold"
        if any(term.startswith("?") for term in atom.terms):
            hint = f"add a fact `{shown}` to `:init`"
        place = (self._span_of(cause.turned), self.world.task.problem.source)
        notes = (("the other way round", *place),) if cause.turned else ()
        return self._domain("never-true", message, span, hint, None, notes)

    def _blocking(self, link: Link, cause: Cause) -> Diagnostic:
        atom = cause.atom
        assert atom is not None
        verb = "add" if link.target.positive else "delete"
        message = (
            f"{taken(cause)} would {verb} `{link.atom}`, but it needs `(not {atom})`: "
            f"`{atom}` holds initially, and no action deletes it"
        )
        condition = cause.condition.span if cause.condition else NO_SPAN
        notes = (("the condition", condition, self.world.task.domain.source),) if condition != NO_SPAN else ()
        hint = f"an action that deletes `{atom}` is missing, or the fact should not be in `:init`"
        return self._domain("static-blocks", message, self._span_of(atom), hint, self.world.task.problem.source, notes)

    def _conflict(self, link: Link, cause: Cause) -> Diagnostic:
        verb = "add" if link.target.positive else "delete"
        message = f"{taken(cause)} would {verb} `{link.atom}`, but no objects meet all of its conditions together"
        span = NO_SPAN
        if cause.atom is not None and cause.condition is not None:
            message += f": those that allow the others have no {literal(cause.atom, cause.needed)}"
            span = cause.condition.span
        return self._domain("never-together", message, span)

    def _span_of(self, atom: Atom | None) -> Span:
        """Where `:init` has a fact."""
        return next((fact.span for fact in self.world.task.problem.init if fact == atom), NO_SPAN)

    def _domain(
        self,
        code: str,
        message: str,
        span: Span,
        hint: str = "",
        source: Source | None = None,
        related: tuple[tuple[str, Span, Source], ...] = (),
    ) -> Diagnostic:
        place = self.world.task.domain.source if source is None else source
        return Diagnostic(code, Category.SEARCH, Severity.ERROR, message, span, place, hint, related)


def _objects(atom: Atom) -> list[str]:
    return [term for term in atom.terms if not term.startswith("?")]
