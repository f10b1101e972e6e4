"""Tasks for the demonstration, and what a large language model replied to them.

The replies were recorded with the `manual` model from a large language model that saw nothing but the prompts; none
was edited or asked for again.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

RECORDED = "2026-12-02"
"""The date of the recording."""


@dataclass(frozen=True, slots=True)
class DemoTask:
    """A text, and the domain where one is given; `name` is that of its file."""

    name: str
    text: str
    domain: str = ""


def demo_tasks() -> tuple[DemoTask, ...]:
    """All tasks, sorted by name."""
    folder = files(__package__)
    texts = sorted(item.name for item in folder.iterdir() if item.name.endswith(".txt"))
    return tuple(_task(name.removesuffix(".txt")) for name in texts)


def _task(name: str) -> DemoTask:
    folder = files(__package__)
    domain = folder / f"{name}.pddl"
    given = domain.read_text(encoding="utf-8") if domain.is_file() else ""
    return DemoTask(name, (folder / f"{name}.txt").read_text(encoding="utf-8"), given)


def recording() -> Path:
    """The file with the recorded replies."""
    with as_file(files(__package__) / "recording.jsonl") as path:
        return path
