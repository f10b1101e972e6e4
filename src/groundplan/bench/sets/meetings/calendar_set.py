"""The meetings of NATURAL PLAN: an answer is a day with two times, read out of the answer's text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundplan.bench.sets.meetings.made import made_meeting
from groundplan.bench.sets.meetings.meeting import faults, meeting_from_json
from groundplan.bench.sets.meetings.text import in_words, read_meeting, read_slot
from groundplan.bench.sets.natural_plan import Part, text_of
from groundplan.bench.sets.task import Task
from groundplan.errors import InputError

RULES = """\
What somebody would rather avoid counts as much as what they can not do. Give the answer as one line like this:
Here is the proposed time: Monday, 14:30 - 15:30"""


def _task(item: Mapping[str, Any]) -> Task:
    query = text_of(item)
    try:
        meeting = read_meeting(query)
    except InputError as error:
        raise InputError(f"{item['id']}: {error}") from error
    text = query.rsplit("TASK:", 1)[-1].rstrip().removesuffix("SOLUTION:").strip()
    gold = {"meeting": meeting.as_json(), "plan": item["golden_plan"]}
    return Task(str(item["id"]), CALENDAR.group, text, RULES, "", gold)


def _made(seed: int) -> Mapping[str, Any]:
    text, _, slot = made_meeting(seed)
    return {"id": f"calendar-{seed}", "query": text, "golden_plan": in_words(slot)}


def _judge(task: Task, text: str) -> tuple[Sequence[str], bool] | None:
    slot = read_slot(text)
    if slot is None:
        return None
    return faults(meeting_from_json(task.gold["meeting"]), slot), slot == read_slot(task.gold["plan"])


CALENDAR = Part(
    "calendar",
    ("calendar.json", "calendar_scheduling.json"),
    _task,
    _made,
    _judge,
    "time: no day with a start and an end",
)
