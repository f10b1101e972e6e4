"""Which nouns a task has objects for: its types, its static unary predicates, and the prefixes of its names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from groundplan.formalize.signals.words import FUNCTION_WORDS, pieces, singulars
from groundplan.pddl.ast import OBJECT, Task
from groundplan.pddl.types import objects_by_type

MOST_OBJECTS = 20_000
"""Tasks with more objects are not compared with texts: nobody writes such a text."""


@dataclass(frozen=True)
class Kinds:
    """`members` maps a noun to the objects it speaks of; `declared` are the nouns that the task itself uses.

    A noun that stands only in the names (`ball` of `ball1`, `block` of `red_block`) is a kind, but not declared.
    """

    members: dict[str, frozenset[str]]
    declared: frozenset[str]
    objects: frozenset[str] = frozenset()
    plural_of: dict[str, str | None] = field(default_factory=dict)

    def key(self, word: str) -> str | None:
        """The noun of the task that a word of the text is a form of: `parcel` for `parcels`."""
        found = self.plural_of.get(word, "")
        if found == "":
            found = next((form for form in singulars(word) if form in self.members), None)
            self.plural_of[word] = found
        return found

    @cached_property
    def nouns_of(self) -> dict[str, frozenset[str]]:
        """The nouns of every object."""
        table: dict[str, set[str]] = {}
        for noun, members in self.members.items():
            for name in members:
                table.setdefault(name, set()).add(noun)
        return {name: frozenset(nouns) for name, nouns in table.items()}

    @cached_property
    def single_sorted(self) -> bool:
        """Whether the task tells no two kinds of object apart."""
        return all(self.members[noun] == self.objects for noun in self.declared)


def kinds_of(task: Task) -> Kinds:
    declared: dict[str, set[str]] = {}
    _add_types(task, declared)
    _add_unary_predicates(task, declared)
    members = {noun: set(names) for noun, names in declared.items()}
    for noun, names in _from_names(item.name for item in task.objects).items():
        members.setdefault(noun, names)
    everything = frozenset(item.name for item in task.objects)
    return Kinds({noun: frozenset(names) for noun, names in members.items()}, frozenset(declared), everything)


def _add_types(task: Task, table: dict[str, set[str]]) -> None:
    types = {name: set(members) for name, members in objects_by_type(task).items() if name != OBJECT}
    for name, members in types.items():
        table.setdefault(_noun(name), set()).update(members)
    for name, members in types.items():
        if (last := pieces(name)[-1:]) and last[0] not in types and len(last[0]) > 2 and last[0].isalpha():
            table.setdefault(_singular_key(last[0]), set()).update(members)


def _add_unary_predicates(task: Task, table: dict[str, set[str]]) -> None:
    fluents = task.domain.fluents | task.domain.derived_names
    unary = {item.name for item in task.domain.predicates if item.arity == 1} - fluents
    for atom in task.problem.init:
        if atom.predicate in unary and len(atom.terms) == 1:
            table.setdefault(_noun(atom.predicate), set()).add(atom.terms[0])


def _from_names(names: Iterable[str]) -> dict[str, set[str]]:
    """`ball` of ball1 and ball2, `room` of rooma and roomb, `block` of red_block and blue_block."""
    found: dict[str, set[str]] = {}
    lettered: dict[str, set[str]] = {}
    for name in names:
        parts = pieces(name)
        if not parts:
            continue
        head = parts[0]
        if len(parts) > 1 and head.isalpha() and len(head) > 2 and parts[1][0].isdecimal():
            found.setdefault(head, set()).add(name)
        if len(parts) > 1 and parts[-1].isalpha() and len(parts[-1]) > 2:
            lettered.setdefault(parts[-1], set()).add(name)
        if len(parts) == 2 and len(parts[1]) == 1 and len(head) > 2:
            lettered.setdefault(head, set()).add(name)
        if len(parts) == 1 and len(head) > 3 and head[-1] in "abcdefgh":
            lettered.setdefault(head[:-1], set()).add(name)
    for noun, members in lettered.items():
        if len(members) > 1:
            found.setdefault(noun, members)
    return {noun: members for noun, members in found.items() if noun not in FUNCTION_WORDS}


def _noun(name: str) -> str:
    """The noun of a type or predicate name, in the singular where the name is a plural (`blocks`)."""
    return _singular_key("-".join(pieces(name)) or name)


def _singular_key(word: str) -> str:
    forms = singulars(word)
    return forms[1] if len(forms) > 1 else word
