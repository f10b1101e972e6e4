"""ProntoQA, NATURAL PLAN and Planetarium: constraints from English, answers read and judged, data re-derived."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.bench.sets import Answer, Ending, Score, Task, TaskSet, task_set
from groundplan.bench.sets.logic.labels import read_label
from groundplan.bench.sets.logic.prontoqa import derived_label
from groundplan.bench.sets.logic.theory import read_theory
from groundplan.bench.sets.meetings import calendar_set
from groundplan.bench.sets.meetings.made import made_meeting
from groundplan.bench.sets.meetings.meeting import Slot, clock, earliest, meeting_from_json, slots
from groundplan.bench.sets.meetings.text import in_words as slot_in_words
from groundplan.bench.sets.meetings.text import read_meeting, read_slot
from groundplan.bench.sets.pairs import relations
from groundplan.bench.sets.trips.made import made_trip
from groundplan.bench.sets.trips.text import in_words, read_itinerary, read_trip
from groundplan.bench.sets.trips.trip import Itinerary, Trip, faults, itineraries, trip_from_json
from groundplan.errors import InputError

SEEDS = st.integers(0, 10**6)
TEXT_SETS = ("prontoqa", "natural-plan-trip", "natural-plan-calendar")


def said(text: str) -> Answer:
    return Answer(Ending.ANSWERED, text)


def gold_of(task: Task) -> str:
    return str(task.gold["plan"]) if "plan" in task.gold else str(task.gold["label"])


@pytest.mark.parametrize("name", TEXT_SETS)
def test_made_tasks_score_their_own_gold_and_come_again(name: str) -> None:
    tasks = task_set(name).tasks(40, 5)
    assert tasks == task_set(name).tasks(40, 5)
    assert tasks[:10] == task_set(name).tasks(10, 5)
    for task in tasks:
        score = task_set(name).score(task, said(gold_of(task)))
        assert score == Score(True, "correct", dict.fromkeys(score.marks, True))


@pytest.mark.parametrize("name", TEXT_SETS)
def test_what_is_no_answer_lands_in_its_column(name: str) -> None:
    task = task_set(name).tasks(1, 0)[0]
    for answer, column, correct in (
        (said("I would rather talk about the weather."), "extraction", False),
        (said(""), "extraction", False),
        (Answer(Ending.EXTRACTION), "extraction", False),
        (Answer(Ending.TOOL, gold_of(task)), "tool", None),
        (Answer(Ending.BUDGET), "budget", False),
    ):
        score = task_set(name).score(task, answer)
        assert (score.column, score.correct) == (column, correct)
        assert score.why


def test_a_dead_checker_is_a_tool_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def dead(*_: Any) -> Any:
        raise RuntimeError("broken")

    task = task_set("natural-plan-calendar").tasks(1, 0)[0]
    monkeypatch.setattr(calendar_set, "faults", dead)
    assert task_set("natural-plan-calendar").score(task, said(gold_of(task))).column == "tool"


BITS = "Day Days 1-4 5 – to from fly visit Monday, 9:00 14:30 - 15:30 pm answer: True False A B) \n ** 99:99 {".split(
    " "
)
JUNK = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(BITS), max_size=25).map(" ".join))


@pytest.mark.parametrize("name", TEXT_SETS)
@settings(max_examples=60)
@given(text=JUNK)
def test_scores_are_total_and_pure_over_junk(name: str, text: str) -> None:
    chosen: TaskSet = task_set(name)
    task = chosen.tasks(1, 0)[0]
    score = chosen.score(task, said(text))
    assert score == chosen.score(task, said(text))
    assert score.column in ("correct", "wrong", "extraction"), score.why


# --- ProntoQA ---------------------------------------------------------------------------------------------------------


@given(seed=SEEDS)
def test_labels_of_made_statements_are_derived(seed: int) -> None:
    task = task_set("prontoqa").tasks(1, seed)[0]
    assert derived_label(task) is task.gold["label"]
    wrong = task_set("prontoqa").score(task, said(f"The answer is {not task.gold['label']}."))
    assert (wrong.correct, wrong.column) == (False, "wrong")


def test_what_does_not_follow_has_no_label() -> None:
    context = "Every cat is a carnivore. Carnivores are not herbivores. Max is a cat."
    for statement, label in (("Max is a carnivore.", True), ("Max is a herbivore.", False), ("Max is blue.", None)):
        theory, asked = read_theory(context, f"Is the following statement true or false? {statement}")
        assert theory.label(asked) is label
    with pytest.raises(InputError, match="cannot read"):
        read_theory("Cats, as a rule, purr.", "True or false? Max is a cat.")


@pytest.mark.parametrize(
    ("reply", "label"),
    [("A", True), ("B) False", False), ("**True**", True), ("So the answer is B.", False), (r"\boxed{A}", True),
     ('{"answer": "B"}', False), ("It follows that the statement is not true.", False), ("true or false?", None),
     ("The answer is a mystery.", None), ("A) False", False), ("First false.\nNo: the answer is True", True)],
)  # fmt: skip
def test_labels_are_read_in_many_spellings(reply: str, label: bool | None) -> None:
    assert read_label(reply) is label


def test_all_prontoqa_labels_are_derived(data_dir: Path) -> None:
    tasks = task_set("prontoqa", data_dir).tasks(None, 0)
    assert len(tasks) == 100
    assert [task.id for task in tasks if derived_label(task) is not task.gold["label"]] == []


# --- trips ------------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(seed=SEEDS)
def test_a_made_trip_is_read_back_solved_and_its_words_are_read_back(seed: int) -> None:
    text, trip, itinerary = made_trip(seed)
    read = read_trip(text)
    assert (read.length, read.flights, set(read.windows)) == (trip.length, trip.flights, set(trip.windows))
    assert trip_from_json(json.loads(json.dumps(read.as_json()))) == read
    assert faults(trip, itinerary) == []
    found = read_itinerary(in_words(trip, itinerary), trip.cities)
    assert found is not None
    assert found.stays == itinerary.stays
    solutions = list(itineraries(trip))
    assert itinerary in solutions
    assert all(faults(trip, solution) == [] for solution in solutions)


def trip_mistakes(trip: Trip, good: Itinerary) -> dict[str, Itinerary]:
    stays = list(good.stays)
    closed = next(
        (place for place in range(len(stays) - 1) if (stays[place + 1].city, stays[place].city) not in trip.flights),
        None,
    )
    found = {
        "is left out": Itinerary(tuple(stays[:-1])),
        "not on day 1": Itinerary(tuple(replace(stay, first=stay.first + 1, last=stay.last + 1) for stay in stays)),
        "gets": Itinerary((*stays[:-1], replace(stays[-1], last=stays[-1].last + 1))),
        "is none of the cities": Itinerary((replace(stays[0], city="Atlantis"), *stays[1:])),
        "does not go with the stays": replace(good, flights=((1, stays[-1].city, stays[0].city),)),
        "is visited 2 times": Itinerary((*stays, stays[0])),
    }
    if closed is not None:
        found["no direct flight"] = Itinerary(tuple(reversed(stays)))
    return found


def test_planted_mistakes_of_trips_are_named() -> None:
    seen = set()
    for seed in range(60):
        _, trip, good = made_trip(seed)
        for name, itinerary in trip_mistakes(trip, good).items():
            assert any(name in fault for fault in faults(trip, itinerary)), name
            seen.add(name)
    assert len(seen) == 7


def test_a_one_way_flight_goes_one_way() -> None:
    trip = read_trip(
        "You plan to visit 2 European cities for 5 days in total. You want to spend 3 days in Oslo. You plan to stay "
        "in San Marino for 3 days.\n\nHere are the cities that have direct flights:\nfrom Oslo to San Marino.\n"
    )
    assert trip.flights == {("Oslo", "San Marino")}
    assert [[stay.city for stay in found.stays] for found in itineraries(trip)] == [["Oslo", "San Marino"]]
    back = read_itinerary("Day 1-3: San Marino\nDay 3-5: Oslo", trip.cities)
    assert back is not None
    assert faults(trip, back) == ["there is no direct flight from San Marino to Oslo"]
    with pytest.raises(InputError, match="cannot read this sentence"):
        read_trip("You may fly.\n\nHere are the cities that have direct flights:\nOslo and Rome.\n")


def test_all_golden_trips(data_dir: Path) -> None:
    labels = {item["id"]: item for item in json.loads((data_dir / "natural_plan" / "trip.json").read_text("utf-8"))}
    chosen = task_set("natural-plan-trip", data_dir)
    tasks = chosen.tasks(None, 0)
    assert len(tasks) == 100
    for task in tasks:
        score = chosen.score(task, said(task.gold["plan"]))
        assert score.marks == {"satisfied": True, "exact_match": True}, (task.id, score.why)
        trip, label = trip_from_json(task.gold["trip"]), labels[task.id]
        assert (trip.days, trip.length) == (label["constraints"]["total_days"], label["constraints"]["stay_days"])
        assert trip.flights == {tuple(flight) for flight in label["constraints"]["flights"]}
        assert sum(1 for _ in itineraries(trip)) == label["num_valid_itineraries"]


def test_planted_wrong_answers_to_golden_trips(data_dir: Path) -> None:
    chosen = task_set("natural-plan-trip", data_dir)
    for task in chosen.tasks(20, 1):
        trip = trip_from_json(task.gold["trip"])
        good = read_itinerary(task.gold["plan"], trip.cities)
        assert good is not None
        for name, itinerary in trip_mistakes(trip, good).items():
            if itinerary.flights:
                continue  # words give the flights of the stays
            score = chosen.score(task, said(in_words(trip, itinerary)))
            assert (name, score.correct, score.column) == (name, False, "wrong")
            assert not score.marks["exact_match"]


# --- meetings ---------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(seed=SEEDS)
def test_a_made_meeting_is_read_back_solved_and_its_words_are_read_back(seed: int) -> None:
    text, meeting, slot = made_meeting(seed)
    assert read_meeting(text) == meeting
    assert meeting_from_json(json.loads(json.dumps(meeting.as_json()))) == meeting
    assert calendar_set.faults(meeting, slot) == []
    assert read_slot(slot_in_words(slot)) == slot
    assert slot in list(slots(meeting))
    free = [Slot(day, start, start + meeting.minutes) for day in meeting.days for start in range(0, 24 * 60, 30)]
    assert [one for one in free if not calendar_set.faults(meeting, one)] == list(slots(meeting))
    assert earliest(meeting) == next(iter(slots(replace(meeting, earliest=False))))


@settings(max_examples=40)
@given(seed=SEEDS)
def test_planted_mistakes_of_meetings_are_named(seed: int) -> None:
    _, meeting, slot = made_meeting(seed)
    mistakes = {
        "none of the days": replace(slot, day="Sunday"),
        "minutes, not": replace(slot, end=slot.end + 15),
        "work hours": Slot(slot.day, 8 * 60, 8 * 60 + meeting.minutes),
    }
    for busy in meeting.busy[:3]:
        mistakes[f"{busy.who} is busy on {busy.day} from {clock(busy.start)}"] = Slot(
            busy.day, busy.start, busy.start + meeting.minutes
        )
    for wish in meeting.avoid:
        start = wish.time - 30 if wish.part == "before" else max(wish.time, 9 * 60)
        mistakes[f"{wish.who} wants no meeting on {wish.day}"] = Slot(wish.day, start, start + meeting.minutes)
    for name, wrong in mistakes.items():
        assert any(name in fault for fault in calendar_set.faults(meeting, wrong)), name


@pytest.mark.parametrize(
    "reply",
    ["Here is the proposed time: Monday, 14:30 - 15:30", "**Monday**, 14:30–15:30", "Monday from 2:30 PM to 3:30 PM",
     "Monday 2:30 - 3:30 pm", "Not Monday, 9:00 - 10:00, since Ann is busy.\nSOLUTION: Monday, 14:30 to 15:30"],
)  # fmt: skip
def test_times_are_read_in_many_spellings(reply: str) -> None:
    assert read_slot(reply) == Slot("Monday", 14 * 60 + 30, 15 * 60 + 30)


def test_all_golden_meetings(data_dir: Path) -> None:
    labels = {item["id"]: item for item in json.loads((data_dir / "natural_plan" / "calendar.json").read_text("utf-8"))}
    chosen = task_set("natural-plan-calendar", data_dir)
    tasks = chosen.tasks(None, 0)
    assert len(tasks) == 100
    for task in tasks:
        score = chosen.score(task, said(task.gold["plan"]))
        assert score.marks == {"satisfied": True, "exact_match": True}, (task.id, score.why)
        meeting = meeting_from_json(task.gold["meeting"])
        assert list(map(str, slots(meeting))) == labels[task.id]["valid_solutions"]
        for busy in meeting.busy[:2]:
            overlap = Slot(busy.day, busy.start, busy.start + meeting.minutes)
            assert chosen.score(task, said(slot_in_words(overlap))).column == "wrong"
        other = replace(slots_first(task), day="Saturday")
        assert chosen.score(task, said(slot_in_words(other))).column == "wrong"


def slots_first(task: Task) -> Slot:
    return next(iter(slots(meeting_from_json(task.gold["meeting"]))))


def test_another_valid_time_is_right_and_no_exact_match(data_dir: Path) -> None:
    chosen = task_set("natural-plan-calendar", data_dir)
    others = 0
    for task in chosen.tasks(None, 0):
        gold = read_slot(task.gold["plan"])
        for slot in slots(meeting_from_json(task.gold["meeting"])):
            if slot != gold:
                others += 1
                score = chosen.score(task, said(slot_in_words(slot)))
                assert score.correct is True
                assert score.marks["exact_match"] is False
    assert others


# --- Planetarium ------------------------------------------------------------------------------------------------------


def test_the_six_pairs_on_which_the_relations_differ(data_dir: Path) -> None:
    chosen = task_set("planetarium", data_dir)
    tasks = chosen.tasks(None, 0)
    assert len(tasks) == 336
    odd = [
        task
        for task in tasks
        if task.gold["same_names"] != task.gold["up_to_renaming"] and task.gold["mutation"] != "rename_objects"
    ]
    found = relations([*odd, *chosen.tasks(5, 0)])
    assert sorted(one.id for one in found[:6] if one.differ) == sorted(task.id for task in odd)
    assert len(odd) == 6
    for one in found:
        assert (one.ours, one.theirs) == (one.ours_labelled, one.theirs_labelled)
    for task in odd:
        yes, no = (chosen.score(task, said(word)) for word in ("Yes.", "No, they differ."))
        assert yes.correct is task.gold["same_names"]
        assert no.correct is not yes.correct
        assert yes.marks["same_names"] != yes.marks["up_to_renaming"]
    assert chosen.score(odd[0], said("Perhaps.")).column == "extraction"


def test_planetarium_has_no_tasks_of_its_own() -> None:
    with pytest.raises(InputError, match=r"pairs\.json"):
        task_set("planetarium").tasks(1, 0)
