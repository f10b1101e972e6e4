"""A meeting's constraints, what is wrong with a time for it, and the search for all times that are right.

Times are minutes after midnight. "Would rather not" and the like count as much as "can not": so the golden plans of
NATURAL PLAN have it. `earliest` leaves one time, the first that all other constraints allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from groundplan.errors import InputError

STEP = 30
"""Minutes between the starts that `slots` tries."""
Part = Literal["before", "after", "whole day"]
BEFORE: Final = "before"
AFTER: Final = "after"
WHOLE: Final = "whole day"


@dataclass(frozen=True, slots=True)
class Slot:
    """A time for the meeting."""

    day: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.day}, {clock(self.start)} - {clock(self.end)}"


@dataclass(frozen=True, slots=True)
class Busy:
    """`who` has no time then."""

    who: str
    day: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Avoid:
    """`who` wants no meeting on that day, or none before, or after, a time of it."""

    who: str
    day: str
    part: Part = WHOLE
    time: int = 0

    def forbids(self, slot: Slot) -> bool:
        if slot.day != self.day:
            return False
        return self.part == WHOLE or (slot.start < self.time if self.part == BEFORE else slot.end > self.time)


@dataclass(frozen=True)
class Meeting:
    """Who meets for how many minutes, on one of which days, between which hours, and what is in the way."""

    people: tuple[str, ...]
    minutes: int
    days: tuple[str, ...]
    opens: int
    closes: int
    busy: tuple[Busy, ...] = ()
    avoid: tuple[Avoid, ...] = ()
    earliest: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "people": list(self.people),
            "minutes": self.minutes,
            "days": list(self.days),
            "opens": self.opens,
            "closes": self.closes,
            "busy": [[item.who, item.day, item.start, item.end] for item in self.busy],
            "avoid": [[item.who, item.day, item.part, item.time] for item in self.avoid],
            "earliest": self.earliest,
        }


def meeting_from_json(data: Any) -> Meeting:
    """The meeting of `Meeting.as_json`. Raises InputError for anything else."""
    try:
        return Meeting(
            tuple(map(str, data["people"])),
            int(data["minutes"]),
            tuple(map(str, data["days"])),
            int(data["opens"]),
            int(data["closes"]),
            tuple(Busy(str(who), str(day), int(start), int(end)) for who, day, start, end in data["busy"]),
            tuple(Avoid(str(who), str(day), _part(part), int(time)) for who, day, part, time in data["avoid"]),
            bool(data["earliest"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"not a meeting: see Meeting.as_json for the keys ({error!r})") from error


def _part(word: Any) -> Part:
    if word in (BEFORE, AFTER, WHOLE):
        return word  # type: ignore[no-any-return]
    raise ValueError(f"{BEFORE}, {AFTER} or {WHOLE!r} is wanted, not {word!r}")


def clock(minutes: int) -> str:
    """570 as `9:30`."""
    return f"{minutes // 60}:{minutes % 60:02d}"


def faults(meeting: Meeting, slot: Slot) -> list[str]:
    """Everything that is wrong with a time, in words; empty where all constraints are satisfied."""
    found = list(_hard_faults(meeting, slot))
    if not found and meeting.earliest:
        first = earliest(meeting)
        if first is not None and first != slot:
            found.append(f"it is not the earliest time: {first} is")
    return found


def _hard_faults(meeting: Meeting, slot: Slot) -> Iterator[str]:
    if slot.day not in meeting.days:
        yield f"{slot.day} is none of the days ({', '.join(meeting.days)})"
    if slot.end - slot.start != meeting.minutes:
        yield f"{clock(slot.start)} - {clock(slot.end)} is {slot.end - slot.start} minutes, not {meeting.minutes}"
    if slot.start < meeting.opens or slot.end > meeting.closes:
        yield f"it is not within the work hours, {clock(meeting.opens)} to {clock(meeting.closes)}"
    for item in meeting.busy:
        if item.day == slot.day and item.start < slot.end and slot.start < item.end:
            yield f"{item.who} is busy on {item.day} from {clock(item.start)} to {clock(item.end)}"
    for wish in meeting.avoid:
        if wish.forbids(slot):
            when = "" if wish.part == WHOLE else f" {wish.part} {clock(wish.time)}"
            yield f"{wish.who} wants no meeting on {wish.day}{when}"


def slots(meeting: Meeting, step: int = STEP) -> Iterator[Slot]:
    """All times that satisfy the constraints and start at a multiple of `step` minutes after the work begins.

    The days in their order, the earliest first. Where the earliest is asked for it is the only one.
    """
    if meeting.earliest:
        first = earliest(meeting)
        yield from () if first is None else (first,)
        return
    for day in meeting.days:
        for start in range(meeting.opens, meeting.closes - meeting.minutes + 1, step):
            slot = Slot(day, start, start + meeting.minutes)
            if not any(_hard_faults(meeting, slot)):
                yield slot


def earliest(meeting: Meeting) -> Slot | None:
    """The first time, to the minute, that the other constraints allow: where the work begins or something ends."""
    ends = {meeting.opens, *(item.end for item in meeting.busy)}
    ends |= {wish.time for wish in meeting.avoid if wish.part == BEFORE}
    for day in meeting.days:
        for start in sorted(ends):
            slot = Slot(day, start, start + meeting.minutes)
            if not any(_hard_faults(meeting, slot)):
                return slot
    return None
