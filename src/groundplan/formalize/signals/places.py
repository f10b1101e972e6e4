"""Things in two places at once: actions that forget to delete the old place, and initial states that have two."""

from __future__ import annotations

from collections.abc import Iterator

from groundplan.formalize.signals.checks import evidence
from groundplan.formalize.signals.exclusive import Member, exclusive_set
from groundplan.formalize.signals.formulas import plain_literals
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.words import is_plural, listed, pieces, singulars
from groundplan.formalize.specification import Signal
from groundplan.pddl.ast import TRUE, Action, Atom, Domain, Effect

_PLACE_WORDS = frozenset("at in on inside atop location located loc position pos place".split())
_PILES_UP = frozenset(
    "visited seen been known explored scanned delivered served reached connected path road link".split()
)


def find_never_deleted(reading: Reading) -> Iterator[Signal]:
    """Facts that actions make true and none makes false; a warning where that leaves a thing in its old place."""
    domain = reading.task.domain
    added = {effect.atom.predicate for action in domain.actions for effect in action.effects if effect.positive}
    deleted = {effect.atom.predicate for action in domain.actions for effect in action.effects if not effect.positive}
    kept = sorted(added - deleted)
    left_behind = [item for item in _moves_without_delete(domain) if item[2].atom.predicate in kept]
    for action, before, effect in left_behind:
        yield _two_values("never-deleted", action, before, effect)
    rest = [name for name in kept if name not in {effect.atom.predicate for _, _, effect in left_behind}]
    if rest:
        yield Signal(
            "never-deleted",
            "info",
            f"actions make {listed(rest)} true and no action makes {'it' if len(rest) == 1 else 'them'} false again",
            evidence(rest),
        )


def find_two_places(reading: Reading) -> Iterator[Signal]:
    """Actions that put a thing in a second place, and initial states in which one thing is in two places."""
    domain = reading.task.domain
    deleted = {effect.atom.predicate for action in domain.actions for effect in action.effects if not effect.positive}
    for action, before, effect in _moves_without_delete(domain):
        if effect.atom.predicate in deleted:
            yield _two_values("two-places", action, before, effect)
    for signature in domain.predicates:
        if signature.name not in domain.fluents or not _is_place(signature.name) or not 1 <= signature.arity <= 2:
            continue
        members = exclusive_set(domain, Member(signature.name, 0 if signature.arity == 2 else None))
        if members and (signature.arity == 2 or _is_single(reading, signature.name)):
            yield from _doubled(reading, signature.name, members)


def _two_values(name: str, action: Action, before: Atom, effect: Effect) -> Signal:
    message = f"{action.name} adds {effect.atom} and leaves {before} true: the same thing can then be in two places"
    return Signal(name, "warning", message, (action.name, str(effect.atom), str(before)))


def _moves_without_delete(domain: Domain) -> Iterator[tuple[Action, Atom, Effect]]:
    """Actions that need `(at x a)`, add `(at x b)` and delete no `(at x ...)`."""
    for action in domain.actions:
        literals = plain_literals(action.precondition) or []
        needed = [atom for atom, positive in literals if positive and _is_place(atom.predicate)]
        for effect in action.effects:
            if not effect.positive or effect.condition != TRUE or effect.variables:
                continue
            for before in needed:
                if _is_other_place(before, effect.atom) and not _deletes(action, before):
                    yield action, before, effect
                    break


def _is_other_place(before: Atom, after: Atom) -> bool:
    if before.predicate != after.predicate or not 1 <= len(after.terms) <= 2 or len(before.terms) != len(after.terms):
        return False
    return before.terms[:-1] == after.terms[:-1] and before.terms[-1] != after.terms[-1]


def _deletes(action: Action, before: Atom) -> bool:
    """Whether an action deletes some atom with the same thing in the first place, at least under a condition."""
    return any(
        not effect.positive
        and effect.atom.predicate == before.predicate
        and (effect.atom.terms[:-1] == before.terms[:-1] or bool(effect.variables))
        for effect in action.effects
    )


def _is_place(predicate: str) -> bool:
    words = set(pieces(predicate))
    return bool(words & _PLACE_WORDS) and not words & _PILES_UP


def _is_single(reading: Reading, predicate: str) -> bool:
    """Whether the text speaks of the thing in a predicate's name (robot in `robot-at`) in the singular only."""
    nouns = [word for word in pieces(predicate) if word not in _PLACE_WORDS and len(word) > 2]
    words = {token.low for token in reading.tokens if token.is_word}
    plurals = {form for word in words if is_plural(word) for form in singulars(word)[1:]}
    return any(noun in words and noun not in plurals for noun in nouns)


def _doubled(reading: Reading, predicate: str, members: tuple[Member, ...]) -> Iterator[Signal]:
    """Things of which more than one atom of an exclusive set holds at the start."""
    places = {member.predicate: member.key for member in members}
    held: dict[str, list[Atom]] = {}
    for atom in reading.task.problem.init:
        if atom.predicate in places:
            key = places[atom.predicate]
            held.setdefault("" if key is None else atom.terms[key], []).append(atom)
    doubled = {thing: atoms for thing, atoms in held.items() if len(set(atoms)) > 1}
    doubled = {t: atoms for t, atoms in doubled.items() if any(a.predicate == predicate for a in atoms)}
    if doubled:
        atoms = [str(atom) for found in doubled.values() for atom in found]
        things = [thing for thing in doubled if thing] or [predicate]
        are = "is" if len(things) == 1 else "are"
        message = f"at the start {listed(things)} {are} in two places at once: {listed(atoms)}"
        yield Signal("two-places", "warning", message, evidence([*atoms, *things]))
