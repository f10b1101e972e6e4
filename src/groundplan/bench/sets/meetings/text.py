"""The English of meetings: constraints out of a task's text, times out of replies, and a time in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundplan.bench.sets.meetings.meeting import AFTER, BEFORE, WHOLE, Avoid, Busy, Meeting, Part, Slot
from groundplan.errors import InputError
from groundplan.models.reply_text import without_thinking

LONGEST = 100_000
"""Characters of a reply that are looked at, from its end."""

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAY = rf"(?:{'|'.join(DAYS)})"
_NAME = r"[^\W\d_][\w'’.-]*(?: [A-Z][\w'’.-]*)*?"
_TIME = r"\d{1,2}:\d{2}"
_HEAD = re.compile(
    rf"You need to schedule a meeting for (?P<people>.+?) for (?P<long>.+?) between the work hours of "
    rf"(?P<opens>{_TIME}) to (?P<closes>{_TIME}) on (?:either )?(?P<days>{_DAY}(?:(?:, | or |, or ){_DAY})*)\s*\.",
)
_LENGTHS = {"half an hour": 30, "an hour": 60, "one hour": 60, "one hour and a half": 90, "an hour and a half": 90}
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?) (minutes?|hours?)")
_FREE = re.compile(
    rf"({_NAME})(?:\s*has no meetings the whole|'s calendar is wide open the entire| is free the entire) (?:day|week)"
)
_BUSY = re.compile(rf"({_NAME}) (?:is busy|has meetings|has blocked their calendar) on (.+)", re.DOTALL)
_SPANS = re.compile(rf"({_DAY}) during ({_TIME} to {_TIME}(?:, {_TIME} to {_TIME})*)")
_WHEN = rf"({_DAY})(?: (before|after) ({_TIME}))?"
_WISH = re.compile(
    rf"({_NAME}) (?:would like to avoid more meetings|(?:do|does) not want to meet|can ?not meet"
    rf"|would rather not meet) on {_WHEN}"
)
_MORE = re.compile(_WHEN)
_EARLIEST = re.compile(r".*\bearli?e?st availability")  # the data has "earlist"
_IDLE = re.compile(
    r"Here are the existing schedules for everyone during the days?|Find a time that works for everyone's schedule and "
    r"constraints|SOLUTION|TASK"
)

_HOUR = r"(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*([ap]\.?m\b\.?)?"
_SLOT = re.compile(
    rf"\b({_DAY})s?\b[^\d\n]{{0,40}}?{_HOUR}\s*(?:-|–|—|to|until|till|and)\s*{_HOUR}(?![\d:])", re.IGNORECASE
)
_PROPOSED = re.compile(r"proposed time|final answer|\bsolution\s*:", re.IGNORECASE)


def read_meeting(text: str) -> Meeting:
    """The constraints that a task's text tells. Raises InputError, naming the sentence, where one cannot be read.

    Examples before the last "TASK:" are passed over.
    """
    task = text.rsplit("TASK:", 1)[-1]
    head = _HEAD.search(task)
    if head is None:
        raise InputError(f"the text does not say who meets for how long and when: {task[:200]!r}")
    people = tuple(re.split(r", and |, | and ", head["people"]))
    busy: list[Busy] = []
    avoid: list[Avoid] = []
    is_earliest = False
    for sentence in _sentences(task[head.end() :]):
        if found := _FREE.fullmatch(sentence):
            _known(found[1], people, sentence)
        elif found := _BUSY.fullmatch(sentence):
            busy += _busy(_known(found[1], people, sentence), found[2])
        elif found := _WISH.fullmatch(sentence):
            avoid.append(_avoid(found[1], *found.groups()[1:]))
        elif (found := _MORE.fullmatch(sentence)) and avoid:
            avoid.append(_avoid(avoid[-1].who, *found.groups()))
        elif _EARLIEST.fullmatch(sentence):
            is_earliest = True
        elif not _IDLE.fullmatch(sentence):
            raise InputError(f"cannot read this sentence of a meeting: {sentence[:200]!r}")
    days = tuple(re.findall(_DAY, head["days"]))
    opens, closes = _minutes(head["opens"]), _minutes(head["closes"])
    return Meeting(people, _length(head["long"]), days, opens, closes, tuple(busy), tuple(avoid), is_earliest)


def _sentences(text: str) -> Iterator[str]:
    for part in re.split(r"[.;:](?:\s+|$)|\n+", text):
        if part.strip():
            yield part.strip()


def _known(name: str, people: tuple[str, ...], sentence: str) -> str:
    if name not in people:
        raise InputError(f"{name!r} is none of those who meet: {sentence[:200]!r}")
    return name


def _busy(who: str, text: str) -> Iterator[Busy]:
    rest = _SPANS.sub("", text).strip(" ,;.")
    if rest:
        raise InputError(f"cannot read these times of {who}: {rest[:200]!r}")
    for day, spans in _SPANS.findall(text):
        for start, end in re.findall(rf"({_TIME}) to ({_TIME})", spans):
            yield Busy(who, day, _minutes(start), _minutes(end))


def _avoid(who: str, day: str, part: str | None, time: str | None) -> Avoid:
    side: Part = BEFORE if part == BEFORE else AFTER if part == AFTER else WHOLE
    return Avoid(who, day, side, _minutes(time) if time else 0)


def _minutes(time: str) -> int:
    hour, minute = time.split(":")
    return int(hour) * 60 + int(minute)


def _length(words: str) -> int:
    if words in _LENGTHS:
        return _LENGTHS[words]
    found = _AMOUNT.fullmatch(words)
    if found is None:
        raise InputError(f"cannot read how long the meeting is: {words[:100]!r}")
    return round(float(found[1]) * (60 if found[2].startswith("hour") else 1))


def read_slot(reply: str) -> Slot | None:
    """The time that a reply proposes, its last one; None where it names no day with two times.

    Times may be written as 14:30, 2:30 PM or 9 am. Never raises, whatever the reply says.
    """
    text = re.sub(r"[*_`]", "", without_thinking(reply[-LONGEST:]))
    proposed = list(_PROPOSED.finditer(text))
    found = list(_SLOT.finditer(text[proposed[-1].end() :])) if proposed else []
    found = found[:1] or list(_SLOT.finditer(text))[-1:]
    if not found:
        return None
    day, h1, m1, half1, h2, m2, half2 = found[0].groups()
    if not (m1 or half1 or m2 or half2):
        return None  # "Monday 9 to 5" may be anything
    start, end = _clocked(h1, m1, half1 or half2), _clocked(h2, m2, half2)
    if start > end and half2 and not half1:
        start = _clocked(h1, m1, "am")
    return Slot(day.capitalize(), start, end)


def _clocked(hour: str, minute: str | None, half: str | None) -> int:
    hours = int(hour)
    if half:
        hours = hours % 12 + (12 if half.lower().startswith("p") else 0)
    return hours * 60 + int(minute or 0)


def in_words(slot: Slot) -> str:
    """The time in the form that NATURAL PLAN's golden plans have."""
    return f"Here is the proposed time: {slot}"
