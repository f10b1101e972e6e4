"""Costumes by a table: what is accepted, and that every mistake is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundplan.errors import InputError
from groundplan.generalize.costume_table import read_costume_table
from groundplan.generalize.renaming import anonymised, apply, costume, random_costume
from groundplan.pddl import domain_from_text, task_from_text
from own_tasks import GREENHOUSE, HARBOUR

DOMAIN = domain_from_text(GREENHOUSE[0])
PROBLEM = task_from_text(*GREENHOUSE).problem
ALL: dict[str, Any] = {
    "greenhouse": "hospital",
    "thing": "person",
    "plant": "patient",
    "bench": "bed",
    "on": "lies-in",
    "wet": "healed",
    "free": "empty",
    "move": "carry",
    "water": "treat",
    "sink": "theatre",
}


def test_a_complete_table() -> None:
    renamed = apply(costume(DOMAIN, ALL, complete=True), DOMAIN)
    assert [item.name for item in renamed.actions] == ["carry", "treat"]
    assert [item.name for item in renamed.types] == ["person", "patient", "bed"]
    assert renamed.actions[1].precondition.terms == ("?p", "theatre")  # type: ignore[union-attr]


def test_case_does_not_matter_and_a_namespace_comes_first() -> None:
    renaming = costume(DOMAIN, {"WET": "Damp", "predicates": {"wet": "HEALED"}, "variables": {"?P": "?Who"}})
    assert (renaming.predicates, renaming.variables) == ({"wet": "healed"}, {"?p": "?who"})


def test_objects_of_problems() -> None:
    renaming = costume(DOMAIN, {"fern": "anna"}, [PROBLEM])
    assert [item.name for item in apply(renaming, PROBLEM).objects][:2] == ["anna", "ivy"]
    with pytest.raises(InputError, match="`fern` is no name of the domain"):
        costume(DOMAIN, {"fern": "anna"})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"wett": "x"}, "did you mean `wet`"),
        ({"predicates": {"move": "x"}}, "`move` is no name of the domain's predicates"),
        ({"predicate": {"wet": "x"}}, "did you mean `predicates`"),
        ({"object": "x"}, "belongs to the language"),
        ({"=": "x"}, "belongs to the language"),
        ({"wet": "on"}, "keeps it"),
        ({"wet": "x", "on": "x"}, "would both be called `x`"),
        ({"wet": "x", "on": "on", "free": "on"}, "would both be called `on`"),
        ({"wet": "two words"}, "is no name"),
        ({"wet": "?x"}, "is no name"),
        ({"wet": ""}, "is no name"),
        ({"wet": "nass\u00e9"}, "is no name"),
        ({"plant": "object"}, "is no name"),
        ({"wet": "and"}, "is no name"),
        ({"?p": "who"}, "question mark"),
        ({"wet": "x", "WET": "y"}, "two new names"),
    ],
)
def test_mistakes_are_named(table: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        costume(DOMAIN, table)


def test_complete_names_what_is_missing() -> None:
    for name in ALL:
        part = {old: new for old, new in ALL.items() if old != name}
        with pytest.raises(InputError, match=f"no new name for `{name}`"):
            costume(DOMAIN, part, complete=True)


def test_files(tmp_path: Path) -> None:
    toml, data = tmp_path / "table.toml", tmp_path / "table.json"
    toml.write_text('wet = "healed"\n[variables]\n"?p" = "?who"\n')
    data.write_text(json.dumps({"wet": "healed", "variables": {"?p": "?who"}}))
    assert read_costume_table(toml) == read_costume_table(data)
    for name, text in (
        ("a.toml", "wet healed"),
        ("b.json", "{"),
        ("c.json", '{"wet": 3}'),
        ("d.json", "[]"),
        ("e.json", '{"wet": "a", "wet": "b"}'),
        ("f.toml", "wet = [1]"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(InputError, match=name):
            read_costume_table(tmp_path / name)


def test_names_that_were_written_are_a_table_again() -> None:
    task = task_from_text(*HARBOUR)
    for renaming in (anonymised(task.domain, [task.problem]), random_costume(task.domain, 1, [task.problem])):
        assert costume(task.domain, renaming.as_json(), [task.problem], complete=True) == renaming
