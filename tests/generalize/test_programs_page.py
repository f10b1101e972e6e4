"""The page on programs: its example runs, and its table lists every kind."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from groundplan.generalize.judge import judge_plan
from groundplan.generalize.kinds import Kind, NamedTask
from groundplan.generalize.plan_value import plan_from_value
from groundplan.generalize.values import values_of
from groundplan.pddl.read import task_from_text

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def get_plan(*arguments: Any) -> Any:
    space: dict[str, Any] = {}
    exec(blocks("python")[1], space)
    return space["get_plan"](*map(set, arguments))


def test_the_worked_example_gives_the_plan_that_is_shown() -> None:
    task = NamedTask("two-cups", task_from_text(*blocks("pddl")))
    values = values_of(task.task)
    plan = plan_from_value(get_plan(values.objects, values.init, values.goal)).plan
    assert plan is not None
    assert judge_plan(task, values, plan).solved
    assert "\n".join(map(str, plan)) in PAGE


def test_the_table_lists_every_kind() -> None:
    listed = re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE)
    kinds = [name for name in listed if name not in ("objects", "init", "goal")]
    assert sorted(kinds) == sorted(kind.value for kind in Kind)
