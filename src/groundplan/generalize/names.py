"""A renaming: new names for old ones, by namespace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from groundplan.errors import InputError
from groundplan.pddl.ast import OBJECT

Table: TypeAlias = Mapping[str, str]
TOTAL_COST = "total-cost"
EQUALITY = "="


@dataclass(frozen=True)
class Renaming:
    """New names by old names, for each namespace of PDDL; names that are not listed stay as they are.

    The namespaces are separate: `at` may be a type, a predicate and an object at once. A variable has one new name
    wherever it stands. `object`, `=` and `total-cost` belong to the language and cannot be listed. Raises InputError
    where two names of one namespace would become the same.
    """

    domain: Table = field(default_factory=dict)
    problems: Table = field(default_factory=dict)
    types: Table = field(default_factory=dict)
    predicates: Table = field(default_factory=dict)
    functions: Table = field(default_factory=dict)
    actions: Table = field(default_factory=dict)
    variables: Table = field(default_factory=dict)
    objects: Table = field(default_factory=dict)

    def __post_init__(self) -> None:
        for space, table in self.spaces():
            back: dict[str, str] = {}
            for old, new in table.items():
                if back.setdefault(new, old) != old:
                    raise InputError(
                        f"{space}: `{back[new]}` and `{old}` would both be called `{new}`; give each its own"
                    )
        for space, fixed in (("types", OBJECT), ("predicates", EQUALITY), ("functions", TOTAL_COST)):
            table = getattr(self, space)
            if fixed in table or fixed in table.values():
                raise InputError(f"{space}: `{fixed}` belongs to the language and names nothing else; leave it out")

    def spaces(self) -> Iterator[tuple[str, Table]]:
        """Each namespace with its table."""
        for item in fields(self):
            yield item.name, getattr(self, item.name)

    @property
    def inverse(self) -> Renaming:
        """The renaming that leads back."""
        return Renaming(**{space: {new: old for old, new in table.items()} for space, table in self.spaces()})

    def as_json(self) -> dict[str, dict[str, str]]:
        """Old to new, by namespace; `renaming_from_json` reads it, and so does `costume` as a table."""
        return {space: dict(table) for space, table in self.spaces()}


SPACES = tuple(item.name for item in fields(Renaming))


def renaming_from_json(data: Any) -> Renaming:
    """The renaming that `as_json` wrote. Raises InputError when it is no such thing."""
    if not isinstance(data, Mapping) or not set(data) <= set(SPACES):
        raise InputError(f"these are no names of a renaming: an object with the keys {', '.join(SPACES)} is wanted")
    for space, table in data.items():
        if not isinstance(table, Mapping) or not all(isinstance(name, str) for pair in table.items() for name in pair):
            raise InputError(f"{space}: an object from old names to new names is wanted")
    return Renaming(**{space: dict(table) for space, table in data.items()})
