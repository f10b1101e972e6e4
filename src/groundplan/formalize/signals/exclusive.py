"""Sets of predicates of which at most one atom about a thing can become true: `(at x ?)` and `(in x ?)`, say.

A small form of the invariant synthesis of Helmert (2009, "Concise finite-domain representations for PDDL planning
tasks", section 5): a candidate set is extended by what unbalanced actions delete, until no action makes it heavier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from groundplan.formalize.signals.formulas import plain_literals
from groundplan.pddl.ast import TRUE, Action, Atom, Domain

MOST_CANDIDATES = 60


@dataclass(frozen=True, slots=True)
class Member:
    """All atoms of `predicate` that have the thing at place `key`; None for atoms that are about one thing anyway."""

    predicate: str
    key: int | None


Members: TypeAlias = tuple[Member, ...]


def exclusive_set(domain: Domain, first: Member) -> Members:
    """A set with `first` that no action makes heavier; empty where none is found."""
    waiting: list[Members] = [(first,)]
    seen = 0
    while waiting and seen < MOST_CANDIDATES:
        members = waiting.pop(0)
        seen += 1
        extensions: list[Members] | None = None
        for action in domain.actions:
            problem = _unbalanced(action, members)
            if problem is None:
                continue
            extensions = [(*members, other) for other in problem if other not in members]
            break
        if extensions is None:
            return members
        waiting += [found for found in extensions if len(found) <= 4]
    return ()


def _unbalanced(action: Action, members: Members) -> list[Member] | None:
    """None where an action keeps the weight of a set; else the members that might balance it."""
    touched = [effect for effect in action.effects if _key(effect.atom, members) is not False]
    if any(effect.condition != TRUE or effect.variables for effect in touched):
        return []
    added: dict[str, list[Atom]] = {}
    for effect in touched:
        if effect.positive:
            added.setdefault(str(_key(effect.atom, members)), []).append(effect.atom)
    needed = {atom for atom, positive in plain_literals(action.precondition) or [] if positive}
    removed = [e.atom for e in action.effects if not e.positive and e.condition == TRUE and not e.variables]
    removed = [atom for atom in removed if atom in needed]
    for thing, atoms in added.items():
        new = [atom for atom in atoms if atom not in needed]
        if len(new) > 1:
            return []
        if new and not any(str(_key(atom, members)) == thing for atom in removed):
            return _balancing(removed, new[0], members)
    return None


def _balancing(removed: list[Atom], added: Atom, members: Members) -> list[Member]:
    """What an action deletes about the thing that it adds an atom about."""
    thing = _key(added, members)
    if thing is None:
        return []
    return [
        Member(atom.predicate, place)
        for atom in removed
        for place, term in enumerate(atom.terms)
        if term == thing and all(atom.predicate != member.predicate for member in members)
    ]


def _key(atom: Atom, members: Members) -> str | bool | None:
    """The thing that an atom of the set is about (None where there is just one); False for all other atoms."""
    for member in members:
        if member.predicate == atom.predicate:
            return None if member.key is None else atom.terms[member.key] if member.key < len(atom.terms) else False
    return False
