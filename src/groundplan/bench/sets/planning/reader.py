"""Reading a user's copy of PlanBench: texts, references, the names that the texts give, the words for actions.

A domain's folder holds tasks.json, domain.pddl and the problem files that tasks.json names. The objects of a reference
problem get the names that its text gives them (a: "red block" is `red`; l0-1: `location_0_1`), since whoever
formalises a text can know no others; the file's own names are kept beside them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groundplan.bench.sets.files import json_of, text_of
from groundplan.bench.sets.task import Task
from groundplan.errors import InputError

_MARKED = re.compile(r"([a-z]+)([0-9-]*)")
_OBJECTS = re.compile(r"\(:objects([^()]*)\)", re.IGNORECASE)


def read_domain(folder: Path, domain: str, group: str) -> list[Task]:
    """All tasks in `folder`/`domain`, in the file's order; `group` is what they are counted under.

    Raises InputError for a folder that lacks them.
    """
    base = folder / domain
    data = json_of(base / "tasks.json")
    pddl = text_of(base / "domain.pddl")
    try:
        names = data["nl_names"]
        shared = {
            "domain": pddl,
            "actions": dict(names.get("actions", {})),
            "example": data.get("one_shot_example") or {},
        }
        phrases = _phrases(names.get("objects", {}))
        return [_task(base, group, data["domain_nl"], shared, phrases, item) for item in data["tasks"]]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{base / 'tasks.json'}: not PlanBench's tasks ({error!r})") from error


def _task(
    base: Path, group: str, rules: str, shared: Mapping[str, Any], phrases: Mapping[str, str], item: dict[str, Any]
) -> Task:
    problem = text_of(base / item["problem_file"])
    objects = _OBJECTS.search(problem)
    if objects is None:
        raise ValueError(f"{item['problem_file']} has no objects")
    own = [name.lower() for name in objects[1].split()]
    told = {name: _told(name, phrases) for name in own}
    if len(set(told.values())) < len(told):
        raise ValueError(f"{item['problem_file']}: two objects are told by the same name")
    gold = {
        **shared,
        "problem": _renamed(problem, told),
        "names": told,
        "phrases": {told[name]: phrases.get(name, told[name]) for name in own},
        "plan": [_renamed(step, told) for step in item["reference_plan"]],
        "file": str(item["problem_file"]),
    }
    return Task(f"{group}-{item['instance_id']}", group, item["query_nl"], rules, shared["domain"], gold)


def _phrases(objects: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): phrase for name, phrase in objects.items()}


def _told(name: str, phrases: Mapping[str, str]) -> str:
    """`red` for a block told as "red block", `a` for "object a", `location_1_0` for `l1-0` as "location_{}_{}"."""
    if name in phrases:
        counts = Counter(word for phrase in phrases.values() for word in set(phrase.split()))
        words = [word for word in phrases[name].split() if counts[word] == 1]
        return "-".join(words).lower() or name
    marked = _MARKED.fullmatch(name)
    if marked and "{}" in phrases.get(marked[1], ""):
        return phrases[marked[1]].format(*marked[2].split("-"))
    return name


def _renamed(text: str, told: Mapping[str, str]) -> str:
    return re.sub(r"(?<=[\s(])[\w-]+(?=[\s)])", lambda found: told.get(found[0].lower(), found[0]), text)
