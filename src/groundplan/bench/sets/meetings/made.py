"""Meetings made from a seed, with the text that tells them."""

from __future__ import annotations

from random import Random

from groundplan.bench.sets.meetings.meeting import (
    AFTER,
    BEFORE,
    WHOLE,
    Avoid,
    Busy,
    Meeting,
    Part,
    Slot,
    clock,
    earliest,
    slots,
)

PEOPLE = tuple("Ada Bela Chen Dmitri Elif Farid Greta Hugo Ines Jonas Kofi Lotte Mira Nils Olga Pavel".split())
PEOPLE_COUNT = (2, 7)
OPENS, CLOSES = 9 * 60, 17 * 60
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_BUSY = ("is busy on", "has meetings on", "has blocked their calendar on")
_FREE = ("{} is free the entire {}.", "{}'s calendar is wide open the entire {}.", "{} has no meetings the whole {}.")
_WISHES = ("would like to avoid more meetings on", "does not want to meet on", "can not meet on",
           "would rather not meet on")  # fmt: skip


def made_meeting(seed: int, people: int | None = None) -> tuple[str, Meeting, Slot]:
    """The text of a meeting, its constraints, and a time that satisfies them; the same for the same arguments.

    Raises ValueError for fewer than two people, or for more than there are names.
    """
    rng = Random(f"meeting {seed} {people}")
    count = people if people is not None else rng.randint(*PEOPLE_COUNT)
    if not 2 <= count <= len(PEOPLE):
        raise ValueError(f"people of a meeting: 2 to {len(PEOPLE)}, not {count}")
    days = _DAYS[: rng.choice((1, 1, 2, 3, 5))]
    minutes = rng.choice((30, 60))
    start = rng.randrange(OPENS, CLOSES - minutes + 1, 30)
    kept = Slot(rng.choice(days), start, start + minutes)
    names = tuple(rng.sample(PEOPLE, count))
    busy = tuple(item for who in names for day in days for item in _day(rng, who, day, kept, len(days) * count))
    wishes = tuple(_wishes(rng, names, days, kept))
    meeting = Meeting(names, minutes, days, OPENS, CLOSES, busy, wishes, rng.random() < 0.2)
    found = earliest(meeting) if meeting.earliest else next(slots(meeting), None)
    assert found is not None, "the time that was kept free is free"
    return _told(rng, meeting), meeting, found


def _day(rng: Random, who: str, day: str, kept: Slot, crowd: int) -> list[Busy]:
    """Half hours and more in which somebody is busy, never at the time that is kept."""
    share = rng.choice((0.0, 0.2, 0.35, 0.5)) if crowd > 2 else rng.choice((0.35, 0.5, 0.6))
    taken: list[Busy] = []
    for start in range(OPENS, CLOSES, 30):
        end = start + 30
        free = day == kept.day and start < kept.end and kept.start < end
        if free or rng.random() >= share:
            continue
        if taken and taken[-1].end == start:
            taken[-1] = Busy(who, day, taken[-1].start, end)
        else:
            taken.append(Busy(who, day, start, end))
    return taken


def _wishes(rng: Random, names: tuple[str, ...], days: tuple[str, ...], kept: Slot) -> list[Avoid]:
    who = rng.choice(names)
    found: list[Avoid] = []
    for day in days:
        if rng.random() > 0.4:
            continue
        if day != kept.day and rng.random() < 0.5:
            found.append(Avoid(who, day, WHOLE))
            continue
        part: Part = rng.choice((BEFORE, AFTER))
        if day == kept.day:
            latest, soonest = kept.start, kept.end
        else:
            latest, soonest = CLOSES - 60, OPENS + 60
        time = rng.randrange(OPENS, latest + 1, 30) if part == BEFORE else rng.randrange(soonest, CLOSES + 1, 30)
        found.append(Avoid(who, day, part, time))
    return found


def _told(rng: Random, meeting: Meeting) -> str:
    people = f"{', '.join(meeting.people[:-1])} and {meeting.people[-1]}"
    length = "half an hour" if meeting.minutes == 30 else "one hour"
    days = meeting.days[0]
    if len(meeting.days) > 1:
        days = f"either {', '.join(meeting.days[:-1])} or {meeting.days[-1]}"
    hours = f"{clock(meeting.opens)} to {clock(meeting.closes)}"
    span = "day" if len(meeting.days) == 1 else "days"
    lines = [
        f"You need to schedule a meeting for {people} for {length} between the work hours of {hours} on {days}.",
        "",
        f"Here are the existing schedules for everyone during the {span}:",
        *(_schedule(rng, meeting, who) for who in meeting.people),
        "",
    ]
    last = [_wish_words(rng, meeting)] if meeting.avoid else []
    if meeting.earliest:
        last.append("The group would like to meet at their earliest availability.")
    last.append("Find a time that works for everyone's schedule and constraints.")
    return "\n".join([*lines, " ".join(last)])


def _schedule(rng: Random, meeting: Meeting, who: str) -> str:
    days = []
    for day in meeting.days:
        spans = [
            f"{clock(item.start)} to {clock(item.end)}" for item in meeting.busy if (item.who, item.day) == (who, day)
        ]
        if spans:
            days.append(f"{day} during {', '.join(spans)}")
    if not days:
        return rng.choice(_FREE).format(who, "day" if len(meeting.days) == 1 else "week")
    return f"{who} {rng.choice(_BUSY)} {', '.join(days)};"


def _wish_words(rng: Random, meeting: Meeting) -> str:
    parts = [wish.day if wish.part == WHOLE else f"{wish.day} {wish.part} {clock(wish.time)}" for wish in meeting.avoid]
    return f"{meeting.avoid[0].who} {rng.choice(_WISHES)} {'. '.join(parts)}."
