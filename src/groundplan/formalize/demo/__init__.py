"""Tasks for the demonstration, and what a large language model replied to them.

The replies were recorded with the `manual` model from a large language model that saw nothing but the prompts; none
was edited or asked for again.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from groundplan.formalize import prompts
from groundplan.formalize.specification import MAX_REPAIRS, Specification
from groundplan.models.exchange import Exchange
from groundplan.models.replay import read_recording

RECORDED = "2026-12-02"
"""The date of the recording."""


@dataclass(frozen=True, slots=True)
class DemoTask:
    """A text, and the domain where one is given; `name` is that of its file.

    `judged` says whether the Judge's reply was recorded too, `repairs` how many Editor repairs were asked for at most.
    """

    name: str
    text: str
    domain: str = ""
    judged: bool = False
    repairs: int = MAX_REPAIRS


_REPAIRS = {"robot_battery": 1}
"""Recorded with fewer repairs than usual: this text has no solution, and the Editor says so in its first reply."""


def demo_tasks() -> tuple[DemoTask, ...]:
    """All tasks, sorted by name."""
    folder = files(__package__)
    texts = sorted(item.name for item in folder.iterdir() if item.name.endswith(".txt"))
    judged = [recorded.exchange.messages for recorded in read_recording(recording()) if _is_judge(recorded.exchange)]
    questions = "\n".join(messages[-1].content for messages in judged)
    return tuple(_task(name.removesuffix(".txt"), questions) for name in texts)


def _is_judge(exchange: Exchange) -> bool:
    return exchange.messages[0].content == prompts.judge("", Specification())[0].content


def _task(name: str, judged: str) -> DemoTask:
    folder = files(__package__)
    domain = folder / f"{name}.pddl"
    given = domain.read_text(encoding="utf-8") if domain.is_file() else ""
    text = (folder / f"{name}.txt").read_text(encoding="utf-8")
    return DemoTask(name, text, given, text.strip() in judged, _REPAIRS.get(name, MAX_REPAIRS))


def recording() -> Path:
    """The file with the recorded replies."""
    with as_file(files(__package__) / "recording.jsonl") as path:
        return path
