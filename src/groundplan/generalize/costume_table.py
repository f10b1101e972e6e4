"""A costume made by hand: a table of old and new names, checked against the domain."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from groundplan.errors import InputError
from groundplan.generalize.names import EQUALITY, SPACES, TOTAL_COST, Renaming
from groundplan.generalize.names_of import NamesOf, refuse_clashes
from groundplan.generalize.pddl_words import is_plain_name
from groundplan.pddl.ast import OBJECT, Domain, Problem
from groundplan.pddl.diagnostics import did_you_mean, listing
from groundplan.pddl.source import read_source

CostumeTable: TypeAlias = Mapping[str, str | Mapping[str, str]]

_FIXED = (OBJECT, EQUALITY, TOTAL_COST, "either")
_WANTED = ("domain", "types", "predicates", "functions", "actions", "constants")


def costume(
    domain: Domain, table: CostumeTable, problems: Iterable[Problem] = (), *, complete: bool = False
) -> Renaming:
    """The renaming of a table `old = new`. A name that several namespaces share is changed in all of them.

    A table within the table (`[types]`, `[predicates]`, `[functions]`, `[actions]`, `[variables]`, `[objects]`,
    `[domain]`, `[problems]`) holds for one namespace only and comes first. Objects may be named where `problems` are
    given. With `complete`, every name of the domain but those of variables must be listed; else what is not listed
    keeps its name.

    Raises InputError for names that nothing has, names that are no PDDL names, names that clash, and, with
    `complete`, names that are missing.
    """
    problems = tuple(problems)
    names = NamesOf(domain, problems)
    tables: dict[str, dict[str, str]] = {space: {} for space in SPACES}
    for old, new in table.items():
        if isinstance(new, str):
            _for_all_spaces(old, new, names, tables)
    for space, part in table.items():
        if not isinstance(part, str):
            _for_one_space(space, part, names, tables)
    for space, found in tables.items():
        for old, new in found.items():
            _refuse_bad_name(space, old, new)
    if complete:
        _refuse_missing(domain, tables)
    renaming = Renaming(**tables)
    refuse_clashes(renaming, names)
    return renaming


def read_costume_table(path: str | Path) -> CostumeTable:
    """A table from a TOML or JSON file. Raises InputError when it cannot be read, or is none."""
    source = read_source(path)
    is_json = str(path).lower().endswith(".json") or source.text.lstrip().startswith("{")
    try:
        data = json.loads(source.text, object_pairs_hook=_once) if is_json else tomllib.loads(source.text)
    except ValueError as error:
        hint = "" if is_json else '; quote names that are not plain: "?x" = "?y"'
        raise InputError(f"{source.name}: this is no {'JSON' if is_json else 'TOML'} table ({error}){hint}") from None
    if not isinstance(data, Mapping):
        raise InputError(f"{source.name}: a table of old and new names is wanted")
    for key, value in data.items():
        parts = value.values() if isinstance(value, Mapping) else (value,)
        if not all(isinstance(part, str) for part in parts):
            raise InputError(f'{source.name}: `{key}`: names are wanted, as in `old = "new"`')
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON would keep the last of two equal keys without a word."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"`{key}` stands there twice")
        found[key] = value
    return found


def _for_all_spaces(old: str, new: str, names: NamesOf, tables: dict[str, dict[str, str]]) -> None:
    name, hit = old.lower(), False
    for space in SPACES:
        if name in names.tables[space]:
            _put(tables[space], space, name, new.lower())
            hit = True
    if not hit:
        _refuse_unknown(name, "domain", [known for space in SPACES for known in names[space]])


def _for_one_space(space: str, part: Mapping[str, str], names: NamesOf, tables: dict[str, dict[str, str]]) -> None:
    if space not in SPACES:
        hint = did_you_mean(space, SPACES) or f"there are {listing(SPACES, 8)}"
        raise InputError(f"no namespace is called `{space}`: {hint}")
    own: dict[str, str] = {}
    for old, new in part.items():
        if old.lower() not in names.tables[space]:
            _refuse_unknown(old.lower(), f"domain's {space}", list(names[space]))
        _put(own, space, old.lower(), new.lower())
    tables[space].update(own)


def _put(table: dict[str, str], space: str, old: str, new: str) -> None:
    if table.setdefault(old, new) != new:
        raise InputError(f"{space}: `{old}` has two new names, `{table[old]}` and `{new}` (upper case counts as lower)")


def _refuse_unknown(name: str, where: str, known: list[str]) -> None:
    if name in _FIXED:
        raise InputError(f"`{name}` belongs to the language and keeps its name; leave it out")
    hint = did_you_mean(name, known) or (f"there are {listing(known)}" if known else "it has none")
    raise InputError(f"`{name}` is no name of the {where}: {hint}")


def _refuse_bad_name(space: str, old: str, new: str) -> None:
    if new == old:
        return
    bare = new.removeprefix("?") if space == "variables" else new
    if (space == "variables" and not new.startswith("?")) or not is_plain_name(bare):
        mark = "a question mark, " if space == "variables" else ""
        raise InputError(
            f"{space}: `{new}`, the new name of `{old}`, is no name: {mark}a letter, then letters, digits, `-` and "
            "`_` are wanted, and no word of PDDL itself"
        )


def _refuse_missing(domain: Domain, tables: Mapping[str, Mapping[str, str]]) -> None:
    names = NamesOf(domain)
    for kind in _WANTED:
        space = "objects" if kind == "constants" else kind
        missing = [name for name in names[space] if name not in tables[space]]
        if missing:
            raise InputError(f"the table has no new name for {listing(missing)} ({kind}); list it, if only as itself")
