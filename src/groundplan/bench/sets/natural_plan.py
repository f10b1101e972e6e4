"""What the two sets of NATURAL PLAN share: tasks from a user's copy or made from a seed, answers scored two ways.

An answer is right when it satisfies the constraints of the text; whether it is the golden plan, NATURAL PLAN's own
measure, is the mark `exact_match`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from groundplan.bench.sets.drawing import drawn, seeds_of
from groundplan.bench.sets.endings import CORRECT, WRONG, scored, unread
from groundplan.bench.sets.files import folder_in, items_of
from groundplan.bench.sets.task import Answer, Score, Task
from groundplan.errors import InputError

MARKS = ("satisfied", "exact_match")


@dataclass(frozen=True)
class Part:
    """One kind of task. `read` makes a task of an item of the data, whose files may have the names `files`; `made`
    gives such an item for a seed; `judge` gives the constraints that an answer's text breaks and whether it is the
    golden plan, or None where nothing is found in it: `wanted` says what."""

    group: str
    files: tuple[str, ...]
    read: Callable[[Mapping[str, Any]], Task]
    made: Callable[[int], Mapping[str, Any]]
    judge: Callable[[Task, str], tuple[Sequence[str], bool] | None]
    wanted: str


@dataclass(frozen=True)
class NaturalPlanSet:
    """NATURAL PLAN's tasks of one kind in `data`, or our own where `data` is None."""

    name: str
    part: Part
    data: Path | None = None

    def tasks(self, n: int | None, seed: int) -> Sequence[Task]:
        """See TaskSet. Raises InputError where the data cannot be read."""
        if self.data is not None:
            return drawn(self._read, n, seed, self.part.group)
        return tuple(self.part.read(self.part.made(one)) for one in seeds_of(n, seed, self.part.group))

    def score(self, task: Task, answer: Answer) -> Score:
        """See TaskSet."""
        return scored(answer, MARKS, lambda: self._judged(task, answer))

    @cached_property
    def _read(self) -> tuple[Task, ...]:
        assert self.data is not None
        path, items = items_of(folder_in(self.data, "natural_plan"), *self.part.files)
        try:
            return tuple(self.part.read(item) for item in items)
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}: not NATURAL PLAN's tasks of the kind {self.part.group} ({error!r})") from error

    def _judged(self, task: Task, answer: Answer) -> Score:
        found = self.part.judge(task, answer.text)
        if found is None:
            return unread(MARKS, self.part.wanted)
        wrong, exact = found
        marks = {"satisfied": not wrong, "exact_match": exact}
        return Score(not wrong, WRONG if wrong else CORRECT, marks, wrong[0] if wrong else "")


def text_of(item: Mapping[str, Any]) -> str:
    """The task's text, by either name that it has in the copies that people use."""
    text: str = item["query"] if "query" in item else item["prompt_0shot"]
    return text
