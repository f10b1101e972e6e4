"""The trips of NATURAL PLAN: an answer is an itinerary, read out of the answer's text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundplan.bench.sets.natural_plan import Part, text_of
from groundplan.bench.sets.task import Task
from groundplan.bench.sets.trips.made import made_trip
from groundplan.bench.sets.trips.text import in_words, read_itinerary, read_trip
from groundplan.bench.sets.trips.trip import faults, trip_from_json
from groundplan.errors import InputError

RULES = """\
The day of a flight counts for both cities, so that each stay begins on the day on which the one before it ends. An \
event with days means that the stay in its city covers all of them. "A and B" is a flight both ways, "from A to B" \
only this way. Give the plan as lines like these:
**Day 1-3:** Arriving in X and visit X for 3 days.
**Day 3:** Fly from X to Y.
**Day 3-7:** Visit Y for 5 days."""


def _task(item: Mapping[str, Any]) -> Task:
    text = text_of(item)
    try:
        trip = read_trip(text)
    except InputError as error:
        raise InputError(f"{item['id']}: {error}") from error
    return Task(str(item["id"]), TRIP.group, text, RULES, "", {"trip": trip.as_json(), "plan": item["golden_plan"]})


def _made(seed: int) -> Mapping[str, Any]:
    text, trip, itinerary = made_trip(seed)
    return {"id": f"trip-{seed}", "query": text, "golden_plan": in_words(trip, itinerary)}


def _judge(task: Task, text: str) -> tuple[Sequence[str], bool] | None:
    trip = trip_from_json(task.gold["trip"])
    found = read_itinerary(text, trip.cities)
    if found is None:
        return None
    gold = read_itinerary(task.gold["plan"], trip.cities)
    return faults(trip, found), gold is not None and found.stays == gold.stays


TRIP = Part(
    "trip", ("trip.json", "trip_planning.json"), _task, _made, _judge, "itinerary: no line names days and a city"
)
