"""Which object of the task a name of the text stands for.

Names with the same head and sort form a family ("ball 1", "balls 2 and 3"). A family follows one convention (`ball1`,
`b1`, `1`, `one-ball`, `b0` for ball 1 ...); the convention that fits most of its names is taken. Where none fits, the
objects have abstract names, and nothing is said about that family.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from groundplan.formalize.signals.kinds import Kinds
from groundplan.formalize.signals.names import Name
from groundplan.formalize.signals.words import ORDINALS, glue, pieces, singulars
from groundplan.pddl.ast import Task

Convention = Callable[[str, str], str]


def _shifted(label: str) -> str:
    return str(int(label) - 1) if label.isdecimal() and int(label) > 0 else "?"


def _letter(label: str) -> str:
    return chr(ord("a") + int(label) - 1) if label.isdecimal() and 0 < int(label) <= 26 else "?"


def _place(label: str) -> str:
    return str(ord(label) - ord("a") + 1) if len(label) == 1 and "a" <= label <= "z" else "?"


def _join(*parts: str) -> str:
    return glue(tuple(part for part in parts if part))


STRONG: Mapping[str, Convention] = {
    "head+label": lambda head, label: _join(head, label),
    "label+head": lambda head, label: _join(label, head),
}
WEAK: Mapping[str, Convention] = {
    "label": lambda head, label: label,
    "initial+label": lambda head, label: _join(head[:1], label),
    "two letters+label": lambda head, label: _join(head[:2], label),
    "three letters+label": lambda head, label: _join(head[:3], label),
    "four letters+label": lambda head, label: _join(head[:4], label),
    "consonants+label": lambda head, label: _join(head[:1] + "".join(c for c in head[1:] if c not in "aeiou"), label),
    "head+label from 0": lambda head, label: _join(head, _shifted(label)),
    "initial+label from 0": lambda head, label: _join(head[:1], _shifted(label)),
    "head+letter": lambda head, label: _join(head, _letter(label)),
    "letter": lambda head, label: _letter(label),
    "initial+place of the letter": lambda head, label: _join(head[:1], _place(label)),
    "head+place of the letter": lambda head, label: _join(head, _place(label)),
    "initial of the label": lambda head, label: label[:1],
    "initial of the label+head": lambda head, label: _join(label[:1], head),
    "head+initial of the label": lambda head, label: _join(head, label[:1]),
    "initials": lambda head, label: _join(label[:1], head[:1]),
}
CONVENTIONS: Mapping[str, Convention] = {**STRONG, **WEAK}
_FOR_WORDS = frozenset(name for name in CONVENTIONS if ("label" in name and "from 0" not in name) or name == "initials")
_FOR_LABELS = frozenset(name for name in CONVENTIONS if "initial of" not in name and name != "initials")


@dataclass(frozen=True)
class Family:
    """All names of a text with one head and sort. `objects` maps labels to objects, as far as there are any."""

    head: str
    sort: str
    names: Mapping[str, Name]
    convention: str
    objects: Mapping[str, str]

    @property
    def aligned(self) -> bool:
        return bool(self.convention)

    @property
    def missing(self) -> tuple[Name, ...]:
        return tuple(name for label, name in self.names.items() if label not in self.objects)


@dataclass(frozen=True)
class Naming:
    families: Mapping[tuple[str, str], Family]

    def object_of(self, name: Name) -> str | None:
        family = self.families.get(_key(name))
        return family.objects.get(name.label) if family else None

    def names_beside(self, name: Name) -> Mapping[str, Name]:
        """The family of a name, by labels."""
        family = self.families.get(_key(name))
        return family.names if family else {}


def _key(name: Name) -> tuple[str, str]:
    return ("" if name.sort == "colour" else name.head), name.sort


def naming_of(names: Iterable[Name], task: Task, kinds: Kinds) -> Naming:
    objects: dict[str, list[str]] = {}
    for item in task.objects:
        objects.setdefault(glue(pieces(item.name)), []).append(item.name)
    table: dict[tuple[str, str], dict[str, list[Name]]] = {}
    for name in names:
        table.setdefault(_key(name), {}).setdefault(name.label, []).append(name)
    found = {
        key: _family(key, members, objects, kinds) for key, members in table.items() if not _is_article(key, members)
    }
    return Naming(found)


def _is_article(key: tuple[str, str], members: Mapping[str, list[Name]]) -> bool:
    """Whether a family of letters is nothing but articles and pronouns ("drop a ball")."""
    return key[1] == "letter" and members.keys() <= {"a", "i"}


def _family(
    key: tuple[str, str], members: Mapping[str, list[Name]], objects: Mapping[str, list[str]], kinds: Kinds
) -> Family:
    head, sort = key
    first = {label: names[0] for label, names in members.items()}
    best: tuple[int, str, dict[str, str]] = (0, "", {})
    for convention in _FOR_WORDS if sort in ("colour", "direction") else _FOR_LABELS:
        matched = _matches(CONVENTIONS[convention], members, objects, kinds, sort)
        score = (len(matched), -_ORDER[convention])
        if matched and score > (best[0], -_ORDER.get(best[1], 99)) and _convincing(convention, matched, first, kinds):
            best = (len(matched), convention, matched)
    if sort in ("colour", "direction", "ordinal"):
        by_piece = _by_piece(members, kinds, sort)
        if len(by_piece) > best[0]:
            best = (len(by_piece), "piece", by_piece)
    return Family(head, sort, first, best[1], best[2])


_ORDER = {name: rank for rank, name in enumerate(CONVENTIONS)}


def _matches(
    convention: Convention, members: Mapping[str, list[Name]], objects: Mapping[str, list[str]], kinds: Kinds, sort: str
) -> dict[str, str]:
    matched: dict[str, str] = {}
    for label, names in members.items():
        for head in dict.fromkeys(name.head for name in names):
            fitting = [name for name in objects.get(convention(head, label), ()) if _is_of_kind(name, head, kinds)]
            if len(fitting) == 1:
                matched.setdefault(label, fitting[0])
    return matched if len(set(matched.values())) == len(matched) else {}


def _is_of_kind(name: str, head: str, kinds: Kinds) -> bool:
    """Whether an object can be what the text calls a `head`; a noun that the task does not know says nothing."""
    return head not in kinds.declared or name in kinds.members[head]


def _convincing(convention: str, matched: Mapping[str, str], names: Mapping[str, Name], kinds: Kinds) -> bool:
    """Whether so many names fit that it cannot be chance; a full match of head and label never is."""
    if convention in STRONG or 2 * len(matched) >= len(names):
        return True
    heads = {name.head for name in names.values()} & kinds.declared
    return any(kinds.members[head] <= set(matched.values()) for head in heads)


def _by_piece(members: Mapping[str, list[Name]], kinds: Kinds, sort: str) -> dict[str, str]:
    """Objects that have the word itself as a part of their name: `big-red-ball` for the red ball."""
    found: dict[str, str] = {}
    for label, names in members.items():
        wanted = {label, *(word for word, value in ORDINALS.items() if sort == "ordinal" and str(value) == label)}
        for head in dict.fromkeys(name.head for name in names):
            pool = kinds.members.get(head, kinds.objects)
            fitting = [name for name in pool if wanted & _words_of(name)]
            if len(fitting) == 1:
                found.setdefault(label, fitting[0])
    return found if len(set(found.values())) == len(found) else {}


def _words_of(name: str) -> set[str]:
    parts = pieces(name)
    return {form for part in parts for form in singulars(part)} | set(parts)
