"""Coverage where the objects have abstract names: then it can only be counted what the text states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundplan.formalize.signals.checks import evidence
from groundplan.formalize.signals.missing import property_of
from groundplan.formalize.signals.names import Name
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.relations import Group, Statement
from groundplan.formalize.specification import Signal
from groundplan.pddl.ast import Atom


def fewer_than_stated(
    reading: Reading, statements: Sequence[Statement], atoms: Sequence[Atom], check: str, where: str
) -> Iterator[Signal]:
    """Fewer things, related pairs or properties among the atoms than the statements have.

    `atoms` must be all that holds or is asked for: a plain conjunction. Statements about things that are known to be
    this or that object are left to the other checks.
    """
    abstract = [s for s in statements if not s.vague and not s.negative and not any(p.objects for p in s.places)]
    things: dict[str, str] = {}
    pairs: dict[tuple[str, ...], str] = {}
    properties: dict[str, dict[str, str]] = {}
    for statement in abstract:
        one, other = _names(reading, statement.subject), _names(reading, statement.object)
        things.update({_key(name): name.text for name in (*one, *other)})
        said = reading.words(statement.subject[0].first, statement.last)
        if len(one) == len(other) == 1 and one != other:
            pairs[_key(one[0]), _key(other[0])] = said
        elif not other and (predicate := property_of(reading, statement)):
            properties.setdefault(predicate, {}).update({_key(name): said for name in one})
    objects = {term for atom in atoms for term in atom.terms}
    related = sum(len(set(atom.terms)) > 1 for atom in atoms)
    if len(things) > len(objects):
        message = f"the text speaks of {len(things)} things there, the {where} of {len(objects)}"
        yield Signal(check, "warning", message, evidence(list(things.values())))
    elif len(pairs) > related:
        message = f"the text relates {len(pairs)} pairs of things, the {where} {related}"
        yield Signal(check, "warning", message, evidence(list(pairs.values())))
    for predicate, stated in properties.items():
        count = sum(atom.predicate == predicate for atom in atoms)
        if len(stated) > count:
            message = f"the text says of {len(stated)} things what ({predicate} ?) says, the {where} of {count}"
            yield Signal(check, "warning", message, evidence([*stated.values(), predicate]))


def _names(reading: Reading, group: Group) -> list[Name]:
    """The names of a group that have others of their family: a single "height 1" names nothing."""
    names = [name for place in group for name in place.unknown]
    return [name for name in names if len(reading.naming.names_beside(name)) > 1]


def _key(name: Name) -> str:
    return name.label if name.sort == "colour" else f"{name.head} {name.label}"
