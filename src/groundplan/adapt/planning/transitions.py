"""What a world was seen to do: the facts before and after an action was tried, and whether it succeeded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from groundplan.adapt.facts import Fact, Facts
from groundplan.errors import InputError
from groundplan.pddl.ast import OBJECT, Domain, TypedName
from groundplan.pddl.diagnostics import did_you_mean
from groundplan.pddl.source import Source
from groundplan.pddl.types import hierarchy_of


@dataclass(frozen=True, slots=True)
class Transition:
    """One try: `action` is (name, object, ...), `before` and `after` are all facts true then.

    The action need not name all objects that it involves: a `place` of a robot may be recorded with the robot alone.
    """

    before: Facts
    action: Fact
    success: bool
    after: Facts

    @property
    def objects(self) -> frozenset[str]:
        return frozenset(name for fact in (*self.before, *self.after, self.action) for name in fact[1:])


def read_transitions(source: Source, domain: Domain) -> tuple[Transition, ...]:
    """Read one JSON object a line: `{"action": ["place", "r"], "success": true, "before": [[...]], "after": [[...]]}`.

    Blank lines are passed over. Raises InputError, naming the line, for anything else, and for facts that the domain
    does not know.
    """
    found = []
    for number, line in enumerate(source.text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(_transition(json.loads(line), domain))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{source.name}:{number}: not a transition: {error}") from error
    return tuple(found)


def _transition(data: object, domain: Domain) -> Transition:
    if not isinstance(data, Mapping):
        raise ValueError("a JSON object is wanted")
    missing = [name for name in ("action", "success", "before", "after") if name not in data]
    if missing:
        raise ValueError(f"`{missing[0]}` is missing")
    if not isinstance(data["success"], bool):
        raise ValueError("`success` must be true or false")
    action = _words(data["action"], "action")
    return Transition(
        _facts(data["before"], "before", domain), action, data["success"], _facts(data["after"], "after", domain)
    )


def _facts(data: object, name: str, domain: Domain) -> Facts:
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise ValueError(f"`{name}` must be a list of facts")
    facts = frozenset(_words(item, name) for item in data)
    for fact in facts:
        known = domain.predicate_by_name.get(fact[0])
        if known is None:
            hint = did_you_mean(fact[0], domain.predicate_by_name)
            raise ValueError(f"predicate `{fact[0]}` is not declared in the domain{f' ({hint})' if hint else ''}")
        if known.arity != len(fact) - 1:
            raise ValueError(f"`{fact[0]}` takes {known.arity} argument(s), `({' '.join(fact)})` has {len(fact) - 1}")
    return facts


def _words(data: object, name: str) -> Fact:
    if isinstance(data, str):
        data = data.strip().strip("()").split()
    if not isinstance(data, Sequence) or not data or not all(isinstance(item, str) and item for item in data):
        raise ValueError(f'in `{name}`: a list of words is wanted, like ["on", "a", "b"]')
    return tuple(item.lower() for item in data)


def objects_of(
    domain: Domain, transitions: Iterable[Transition], declared: Iterable[TypedName] = ()
) -> tuple[TypedName, ...]:
    """The objects of some transitions with their types: as declared, else every type that fits what is said of them.

    A jar is whatever stands where a predicate wants a jar. An object of which nothing is said may be of any type.
    """
    known = {item.name: item for item in (*domain.constants, *declared)}
    wanted: dict[str, list[tuple[str, ...]]] = {}
    for transition in transitions:
        for name in transition.objects:
            wanted.setdefault(name, [])
        for fact in transition.before | transition.after:
            for name, parameter in zip(fact[1:], domain.predicate_by_name[fact[0]].parameters, strict=True):
                wanted[name].append(parameter.types)
    hierarchy = hierarchy_of(domain)
    kinds = sorted(hierarchy.names)
    found = list(known.values())
    for name in sorted(wanted.keys() - known.keys()):
        fitting = tuple(k for k in kinds if all(hierarchy.fits((k,), types) for types in wanted[name]))
        found.append(TypedName(name, fitting or (OBJECT,)))
    return tuple(found)
