"""Reading a user's copy of public tasks: PlanBench's texts with their reference problems."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from groundplan.errors import InputError
from groundplan.train.texts.written import WrittenTask

_MARKED = re.compile(r"([a-z]+)([0-9-]*)")


def read_planbench(folder: Path | str, domain: str) -> list[WrittenTask]:
    """The tasks in `folder`/`domain`/tasks.json; objects get the names that the texts give them (a: `red`).

    Raises InputError for a folder that lacks them.
    """
    base = Path(folder) / domain
    try:
        data = json.loads((base / "tasks.json").read_text(encoding="utf-8"))
        pddl = (base / "domain.pddl").read_text(encoding="utf-8")
        names = data["nl_names"].get("objects", {})
        return [_task(base, domain, pddl, names, item) for item in data["tasks"]]
    except OSError as error:
        raise InputError(
            f"{error.filename}: cannot be read ({error.strerror}); --data wants PlanBench's folder"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{base / 'tasks.json'}: not PlanBench's tasks ({error!r})") from error


def _task(base: Path, domain: str, pddl: str, names: dict[str, str], item: dict[str, Any]) -> WrittenTask:
    problem = (base / item["problem_file"]).read_text(encoding="utf-8")
    objects = re.search(r"\(:objects([^()]*)\)", problem, re.IGNORECASE)
    if objects is None:
        raise ValueError(f"{item['problem_file']} has no objects")
    renamed = {name.lower(): _in_text(name.lower(), names) for name in objects[1].split()}
    told = re.sub(r"(?<=[\s(])[\w-]+(?=[\s)])", lambda found: renamed.get(found[0].lower(), found[0]), problem)
    return WrittenTask(f"{domain}-{item['instance_id']}", domain, pddl, item["query_nl"], told, "planbench")


def _in_text(name: str, names: dict[str, str]) -> str:
    """`red` for a block told as "red block"; `location_1_0` for `l1-0` told as "location_{}_{}"."""
    if name in names:
        return names[name].split()[0]
    marked = _MARKED.fullmatch(name)
    if marked and marked[1] in names and "{}" in names[marked[1]]:
        return names[marked[1]].format(*marked[2].split("-"))
    return name
