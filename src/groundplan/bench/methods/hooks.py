"""Formal models for the sets that are not about PDDL: JSON that the set's own exact solver answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from groundplan.bench.methods.protocol import Checked, Formal
from groundplan.bench.sets.logic.theory import Claim, Theory
from groundplan.bench.sets.meetings import text as meeting_text
from groundplan.bench.sets.meetings.meeting import meeting_from_json, slots
from groundplan.bench.sets.task import Task, TaskSet
from groundplan.bench.sets.trips import text as trip_text
from groundplan.bench.sets.trips.trip import itineraries, trip_from_json
from groundplan.errors import InputError
from groundplan.models.reply_text import without_thinking
from groundplan.pddl.diagnostics import Category

_MOST_CITIES = 10
_MOST_DAYS = 400
"""Beyond these a model's trip is not searched; the benchmark's have 10 cities and 28 days at most."""
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")

_LOGIC = """\
Write the task as JSON and nothing else:
{"facts": [["max", "yumpus", true]], "rules": [["yumpus", "sour", false]], "question": ["max", "sour", true]}
A fact or the question says that somebody is, or is not, of a kind or of a quality; a rule says the same of everything \
of a kind. All words are in lower case and in the singular. Do not draw conclusions: the solver does."""
_TRIP = """\
Write the task as JSON and nothing else:
{"days": 10, "stays": [["Rome", 4], ["Oslo", 7]], "windows": [["Rome", 2, 3]], "flights": [["Oslo", "Rome"]]}
"stays" has the days in each city, "windows" the days (first and last) on which one must be in a city, "flights" each \
direct flight in one direction: one both ways is two of them. Do not plan: the solver does."""
_MEETING = """\
Write the task as JSON and nothing else:
{"people": ["Ann", "Bo"], "minutes": 30, "days": ["Monday"], "opens": "9:00", "closes": "17:00", \
"busy": [["Ann", "Monday", "9:00", "10:30"]], "avoid": [["Bo", "Monday", "after", "15:00"]], "earliest": false}
"avoid" has wishes: [who, day, "before" or "after" or "whole day", time], with time "0:00" for a whole day. "earliest" \
says whether the first time that fits is wanted. Do not choose a time: the solver does."""


@dataclass(frozen=True)
class JsonHooks:
    """A hook for tasks of the groups `prontoqa`, `trip` and `calendar`."""

    def formal_prompt(self, task: Task) -> str:
        return _HOOKS[task.group][0]

    def solve_formal(self, task: Task, reply: str) -> Checked:
        data = _object(reply)
        if data is None:
            return _refused(Category.SYNTAX, "the reply holds no JSON object")
        try:
            answer = _HOOKS[task.group][1](data)
        except (InputError, KeyError, TypeError, ValueError) as error:
            return _refused(Category.PREDICATE, f"the JSON is not of the form wanted: {error}")
        if not answer:
            return _refused(
                Category.SEARCH, "these constraints have no solution; look for one that is wrong or missing"
            )
        return Checked(True, text=answer)


def hook_for(task_set: TaskSet) -> Formal | None:
    """The set's own hook, or the one that is here for it; None where there is neither."""
    if isinstance(task_set, Formal):
        return task_set
    known = task_set.name == "prontoqa" or task_set.name.startswith("natural-plan")
    return JsonHooks() if known else None


def _refused(category: Category, why: str) -> Checked:
    return Checked(False, None, category.value, why)


def _object(reply: str) -> dict[str, Any] | None:
    """The last JSON object of a reply that is not part of another."""
    text = without_thinking(reply)
    decoder, found, place = json.JSONDecoder(strict=False), None, text.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(text, place)
            found = value if isinstance(value, dict) else found
        except (ValueError, RecursionError):
            end = place + 1
        place = text.find("{", end)
    return found


def _logic(data: Mapping[str, Any]) -> str:
    theory = Theory(tuple(map(_claim, data["facts"])), tuple(map(_claim, data["rules"])))
    label = theory.label(_claim(data["question"]))
    return "" if label is None else str(label)


def _claim(item: Any) -> Claim:
    subject, quality, positive = item
    if not isinstance(positive, bool):
        raise ValueError(f"{positive!r} must be true or false")
    return Claim(str(subject).lower(), str(quality).lower(), positive)


def _trip(data: Mapping[str, Any]) -> str:
    trip = trip_from_json(data)
    if len(trip.stays) > _MOST_CITIES or trip.days > _MOST_DAYS:
        raise ValueError(f"more than {_MOST_CITIES} cities or {_MOST_DAYS} days")
    if sum(days for _, days in trip.stays) - len(trip.stays) + 1 != trip.days:
        return ""  # each flight's day counts for two cities: the stays cannot fill the trip, in whatever order
    found = next(iter(itineraries(trip)), None)
    return "" if found is None else trip_text.in_words(trip, found)


def _meeting(data: Mapping[str, Any]) -> str:
    meeting = meeting_from_json(_in_minutes(data))
    if not (0 <= meeting.opens <= meeting.closes <= 24 * 60 and meeting.minutes > 0 and len(meeting.days) <= 31):
        raise ValueError("hours from 0:00 to 24:00, some minutes and at most 31 days are wanted")
    found = next(iter(slots(meeting)), None)
    return "" if found is None else meeting_text.in_words(found)


def _in_minutes(value: Any) -> Any:
    """The data with every "9:30" as minutes after midnight."""
    if isinstance(value, Mapping):
        return {name: _in_minutes(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_in_minutes(item) for item in value]
    found = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) * 60 + int(found[2]) if found else value


_HOOKS: Mapping[str, tuple[str, Callable[[Mapping[str, Any]], str]]] = {
    "prontoqa": (_LOGIC, _logic),
    "trip": (_TRIP, _trip),
    "calendar": (_MEETING, _meeting),
}
