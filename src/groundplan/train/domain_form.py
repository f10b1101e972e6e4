"""What a policy must know of a domain to write problems for it: its predicates, and which objects fit them.

Many domains without types give an object's kind by a static unary predicate (`(room ?x)`). Here such predicates are
*kinds*, as declared types are: they head the groups of the object list, and restrict what a fact can be about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from groundplan.pddl.ast import OBJECT, Action, Atom, Domain, atoms_in


@dataclass(frozen=True, slots=True)
class DomainForm:
    """`kinds` in the order in which they are declared (types first); `predicates` name, for each place of a predicate,
    the kinds of objects that an action could ask for there. An empty set: any object fits."""

    name: str
    kinds: tuple[str, ...]
    unary_kinds: frozenset[str]
    predicates: tuple[tuple[str, tuple[frozenset[str], ...]], ...]
    constants: tuple[tuple[str, str], ...]

    @property
    def signature(self) -> str:
        """The predicates in one line, as a policy's context shows them."""
        return " ".join(f"({' '.join((name, *_places(places)))})" for name, places in self.predicates)


def domain_form(domain: Domain) -> DomainForm:
    """Read off a domain's form. Declared types are kinds with all their subtypes; so are static unary predicates."""
    changed = {effect.atom.predicate for action in domain.actions for effect in action.effects}
    unary = [item.name for item in domain.predicates if item.arity == 1 and item.name not in changed]
    unary = [name for name in unary if any(name in dict(_asked(action)).values() for action in domain.actions)]
    types = [item.name for item in domain.types if item.name != OBJECT]
    below = _below(domain)
    places: dict[str, list[frozenset[str]]] = {
        item.name: [_declared(parameter.types, below) for parameter in item.parameters] for item in domain.predicates
    }
    seen = _seen(domain.actions, frozenset(unary), below)
    for (name, place), kinds in seen.items():
        if name in places and not places[name][place]:
            places[name][place] = kinds
    return DomainForm(
        domain.name or "unnamed",
        (*types, *unary),
        frozenset(unary),
        tuple((item.name, tuple(places[item.name])) for item in domain.predicates),
        tuple((item.name, item.types[0]) for item in domain.constants),
    )


def _places(places: Iterable[frozenset[str]]) -> Iterator[str]:
    letters = iter("xyzuvwabcdefg")
    return (f"?{next(letters, 'o')}" for _ in places)


def _below(domain: Domain) -> dict[str, frozenset[str]]:
    """Each type with all types under it, itself included."""
    parents = {item.name: item.types for item in domain.types}

    def above(name: str) -> set[str]:
        found, open_ = set(), [name]
        while open_:
            if (now := open_.pop()) not in found:
                found.add(now)
                open_ += parents.get(now, ())
        return found

    names = {*parents, OBJECT}
    return {name: frozenset(other for other in names if name in above(other)) for name in names}


def _declared(types: tuple[str, ...], below: dict[str, frozenset[str]]) -> frozenset[str]:
    """Empty where every object fits."""
    if OBJECT in types:
        return frozenset()
    return frozenset().union(*(below.get(name, frozenset({name})) for name in types))


def _seen(
    actions: Iterable[Action], unary: frozenset[str], below: dict[str, frozenset[str]]
) -> dict[tuple[str, int], frozenset[str]]:
    """By predicate and place, the kinds that actions ask for where they use it; nothing where one asks for none."""
    found: dict[tuple[str, int], set[str]] = {}
    free: set[tuple[str, int]] = set()
    for action in actions:
        kinds: dict[str, set[str]] = {}
        for variable, name in _asked(action):
            if name in unary:
                kinds.setdefault(variable, set()).add(name)
        for parameter in action.parameters:
            if declared := _declared(parameter.types, below):
                kinds.setdefault(parameter.name, set()).update(declared)
        for atom in _atoms(action):
            if atom.predicate in unary:
                continue
            for place, term in enumerate(atom.terms):
                if term in kinds:
                    found.setdefault((atom.predicate, place), set()).update(kinds[term])
                else:
                    free.add((atom.predicate, place))
    return {key: frozenset(kinds) for key, kinds in found.items() if key not in free}


def _asked(action: Action) -> Iterator[tuple[str, str]]:
    """The variables of an action with the unary predicates that its precondition asks of them."""
    for atom in atoms_in(action.precondition):
        if len(atom.terms) == 1:
            yield atom.terms[0], atom.predicate


def _atoms(action: Action) -> Iterator[Atom]:
    yield from atoms_in(action.precondition)
    for effect in action.effects:
        yield effect.atom
        yield from atoms_in(effect.condition)
