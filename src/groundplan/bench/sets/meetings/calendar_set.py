"""The set `natural-plan-calendar`: meetings from a user's copy of NATURAL PLAN, or made from a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from groundplan.bench.sets.drawing import drawn, seeds_of
from groundplan.bench.sets.endings import CORRECT, WRONG, scored, unread
from groundplan.bench.sets.files import folder_in, items_of
from groundplan.bench.sets.meetings.made import made_meeting
from groundplan.bench.sets.meetings.meeting import faults, meeting_from_json
from groundplan.bench.sets.meetings.text import in_words, read_meeting, read_slot
from groundplan.bench.sets.task import Answer, Score, Task
from groundplan.errors import InputError

GROUP = "calendar"
MARKS = ("satisfied", "exact_match")
RULES = """\
What somebody would rather avoid counts as much as what they can not do. Give the answer as one line like this:
Here is the proposed time: Monday, 14:30 - 15:30"""


@dataclass(frozen=True)
class CalendarSet:
    """NATURAL PLAN's calendar scheduling in `data`, or meetings of our own where `data` is None.

    An answer is a day with two times in the answer's text. It is right when it satisfies the constraints; whether it
    is the golden plan, NATURAL PLAN's own measure, is the mark `exact_match`.
    """

    name: str = "natural-plan-calendar"
    data: Path | None = None
    people: int | None = None

    def tasks(self, n: int | None, seed: int) -> Sequence[Task]:
        """See TaskSet. Raises InputError where the data cannot be read."""
        if self.data is not None:
            return drawn(self._read, n, seed, GROUP)
        return tuple(self._made(one) for one in seeds_of(n, seed, GROUP))

    def score(self, task: Task, answer: Answer) -> Score:
        """See TaskSet."""
        return scored(answer, MARKS, lambda: _judged(task, answer))

    @cached_property
    def _read(self) -> tuple[Task, ...]:
        assert self.data is not None
        path, items = items_of(folder_in(self.data, "natural_plan"), "calendar.json", "calendar_scheduling.json")
        try:
            return tuple(_task(item) for item in items)
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}: not NATURAL PLAN's meetings ({error!r})") from error

    def _made(self, seed: int) -> Task:
        text, _, slot = made_meeting(seed, self.people)
        return _task({"id": f"calendar-{seed}", "query": text, "golden_plan": in_words(slot)})


def _task(item: Mapping[str, Any]) -> Task:
    query = item["query"] if "query" in item else item["prompt_0shot"]
    try:
        meeting = read_meeting(query)
    except InputError as error:
        raise InputError(f"{item['id']}: {error}") from error
    text = query.rsplit("TASK:", 1)[-1].removesuffix("SOLUTION:").rstrip().removesuffix("SOLUTION:").strip()
    gold = {"meeting": meeting.as_json(), "plan": item["golden_plan"]}
    return Task(str(item["id"]), GROUP, text, RULES, "", gold)


def _judged(task: Task, answer: Answer) -> Score:
    slot = read_slot(answer.text)
    if slot is None:
        return unread(MARKS, "time: no day with a start and an end")
    wrong = faults(meeting_from_json(task.gold["meeting"]), slot)
    marks = {"satisfied": not wrong, "exact_match": slot == read_slot(task.gold["plan"])}
    return Score(not wrong, WRONG if wrong else CORRECT, marks, wrong[0] if wrong else "")
