"""The set `natural-plan-trip`: trips from a user's copy of NATURAL PLAN, or made from a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from groundplan.bench.sets.drawing import drawn, seeds_of
from groundplan.bench.sets.endings import CORRECT, WRONG, scored, unread
from groundplan.bench.sets.files import folder_in, items_of
from groundplan.bench.sets.task import Answer, Score, Task
from groundplan.bench.sets.trips.made import made_trip
from groundplan.bench.sets.trips.text import in_words, read_itinerary, read_trip
from groundplan.bench.sets.trips.trip import faults, trip_from_json
from groundplan.errors import InputError

GROUP = "trip"
MARKS = ("satisfied", "exact_match")
RULES = """\
The day of a flight counts for both cities, so that each stay begins on the day on which the one before it ends. An \
event with days means that the stay in its city covers all of them. "A and B" is a flight both ways, "from A to B" \
only this way. Give the plan as lines like these:
**Day 1-3:** Arriving in X and visit X for 3 days.
**Day 3:** Fly from X to Y.
**Day 3-7:** Visit Y for 5 days."""


@dataclass(frozen=True)
class TripSet:
    """NATURAL PLAN's trip planning in `data`, or trips of our own where `data` is None.

    An answer is an itinerary in the answer's text. It is right when it satisfies the constraints; whether it is the
    golden plan to the day, NATURAL PLAN's own measure, is the mark `exact_match`.
    """

    name: str = "natural-plan-trip"
    data: Path | None = None
    cities: int | None = None

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
        path, items = items_of(folder_in(self.data, "natural_plan"), "trip.json", "trip_planning.json")
        try:
            return tuple(_task(item) for item in items)
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}: not NATURAL PLAN's trips ({error!r})") from error

    def _made(self, seed: int) -> Task:
        text, trip, itinerary = made_trip(seed, self.cities)
        return _task({"id": f"trip-{seed}", "query": text, "golden_plan": in_words(trip, itinerary)})


def _task(item: Mapping[str, Any]) -> Task:
    text = item["query"] if "query" in item else item["prompt_0shot"]
    try:
        trip = read_trip(text)
    except InputError as error:
        raise InputError(f"{item['id']}: {error}") from error
    return Task(str(item["id"]), GROUP, text, RULES, "", {"trip": trip.as_json(), "plan": item["golden_plan"]})


def _judged(task: Task, answer: Answer) -> Score:
    trip = trip_from_json(task.gold["trip"])
    found = read_itinerary(answer.text, trip.cities)
    if found is None:
        return unread(MARKS, "itinerary: no line names days and a city")
    wrong = faults(trip, found)
    gold = read_itinerary(task.gold["plan"], trip.cities)
    marks = {"satisfied": not wrong, "exact_match": gold is not None and found.stays == gold.stays}
    return Score(not wrong, WRONG if wrong else CORRECT, marks, wrong[0] if wrong else "")
