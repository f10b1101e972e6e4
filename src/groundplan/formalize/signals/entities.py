"""Entity coverage: the things that a text names, and the objects of the task."""

from __future__ import annotations

from collections.abc import Iterator

from groundplan.formalize.signals.checks import evidence
from groundplan.formalize.signals.listings import Listing, companions, listings_in, proper_names
from groundplan.formalize.signals.names import Name
from groundplan.formalize.signals.naming import CONVENTIONS, Family
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.words import glue, is_plural, listed, pieces
from groundplan.formalize.specification import Signal

ENOUGH_KNOWN = 0.8
"""Objects count as named after the text when at least this share of them (and at least three) stand in it."""

_PAIRS = "left/right north/south east/west northern/southern top/bottom upper/lower front/back high/low inner/outer"
_OPPOSITES = {one: other for pair in _PAIRS.split() for one, other in (pair.split("/"), pair.split("/")[::-1])}


def find_missing_entities(reading: Reading) -> Iterator[Signal]:
    """Named things without an object; silent where the task's names have no clear relation to the text."""
    missing: dict[str, list[str]] = {}
    for family in reading.naming.families.values():
        for name in family.missing if _speaks(family) else _by_other_families(reading, family):
            if not reading.is_symbol(name.text):
                missing.setdefault(f"{family.head}/{family.sort}", []).append(name.text)
    for number, listing in enumerate(listings_in(reading)):
        missing.setdefault(f"listing {number}", []).extend(_missing_items(reading, listing))
    missing.setdefault("proper names", []).extend(proper_names(reading))
    missing.setdefault("companions", []).extend(companions(reading))
    seen: set[str] = set()
    for names in missing.values():
        new = [name for name in dict.fromkeys(names) if glue(pieces(name)) not in seen]
        seen.update(glue(pieces(name)) for name in new)
        if new:
            yield Signal(
                "entity-coverage",
                "warning",
                f"the text names {listed(new)}, but the task has no object for {'it' if len(new) == 1 else 'them'}",
                evidence(new),
            )


def find_unknown_objects(reading: Reading) -> Iterator[Signal]:
    """Objects that the text does not know, where most others are named after it."""
    objects = {item.name for item in reading.task.problem.objects}
    known = objects & reading.named
    if not reading.readable or len(known) < 3 or len(known) < ENOUGH_KNOWN * len(objects):
        return
    spoken = {name for place in reading.places for name in place.objects} | _of_counted_kinds(reading)
    unknown = sorted(objects - spoken)
    if unknown:
        yield Signal(
            "unknown-object",
            "info",
            f"the text does not speak of {listed(unknown)}, although it names most other objects",
            evidence(unknown),
        )


def _of_counted_kinds(reading: Reading) -> set[str]:
    """Objects of the kinds that the text speaks of in the plural: it need not name each of them."""
    kinds = reading.kinds
    plurals = {token.low for token in reading.tokens if token.is_word and is_plural(token.low)}
    return {name for word in plurals if (noun := kinds.key(word)) for name in kinds.members[noun]}


def _speaks(family: Family) -> bool:
    """Whether a family is tied to the objects so surely that a name without an object is a finding."""
    if family.sort == "direction":
        return all(name.label in _OPPOSITES and _OPPOSITES[name.label] in family.objects for name in family.missing)
    if family.sort == "ordinal":
        return len(family.objects) > 1
    return family.aligned


def _by_other_families(reading: Reading, family: Family) -> tuple[Name, ...]:
    """All names of a family without any object, where at least two others of its sort follow one convention."""
    if family.aligned or family.sort != "number" or len(family.head) < 2:
        return ()
    others = [other for other in reading.naming.families.values() if other.sort == "number" and other.objects]
    shared = {other.convention for other in others if len(other.objects) == len(other.names)}
    follows = sum(len(other.objects) for other in others if other.convention in shared) > 2
    if len(others) < 2 or len(shared) != 1 or not follows or not shared <= CONVENTIONS.keys():
        return ()
    return tuple(family.names.values())


def _missing_items(reading: Reading, listing: Listing) -> list[str]:
    """The items of a list of names that have no object, where at least half of them have one."""
    known = [item for item in listing.items if reading.speaks_of(item.first, item.last)]
    missing = [item for item in listing.items if item not in known]
    if not known or len(missing) > len(known) or (listing.loose and len(missing) > 1):
        return []
    return [item.text for item in missing if not reading.is_symbol(item.text)]
