"""The English of trips: constraints out of a task's text, itineraries out of replies, and itineraries in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from groundplan.bench.sets.trips.trip import Itinerary, Stay, Trip, Window
from groundplan.errors import InputError
from groundplan.models.reply_text import without_thinking

LONGEST = 100_000
"""Characters of a reply that are looked at, from its end."""

_CITY = r"[^\W\d_][^\d_.,:;]*?"
_TOTAL = re.compile(r"You plan to visit (\d+) European cit(?:y|ies) for (\d+) days in total")
_STAY = re.compile(
    rf"(?:You want to spend (?P<d1>\d+) days? in (?P<c1>{_CITY})"
    rf"|You plan to stay in (?P<c2>{_CITY}) for (?P<d2>\d+) days?"
    rf"|You would like to visit (?P<c3>{_CITY}) for (?P<d3>\d+) days?)"
)
_SPAN = r"(?:between|from|during) day (?P<a{0}>\d+) (?:and|to) day (?P<b{0}>\d+)"
_WINDOW = re.compile(
    rf"(?:You .*?(?: in | at )(?P<c1>{_CITY}) {_SPAN.format(1)}(?: to tour together)?"
    rf"|{_SPAN.format(2)}, (?:there is an? .*?|you have to .*?) in (?P<c2>{_CITY}))",
    re.IGNORECASE,
)
_IDLE = re.compile(r"You only take direct flights to commute between cities|Find a trip plan of visiting the cities .*")
_FLIGHTS = re.compile(r"Here are the cities that have direct flights:\s*(.*?)\s*\.\s*(?:\n|$)", re.DOTALL)
_ONE_WAY = re.compile(rf"from ({_CITY}) to ({_CITY})")
_BOTH_WAYS = re.compile(rf"({_CITY}) and ({_CITY})")

_DASH = r"\s*(?:-|–|—|to|through|until|till)\s*(?:day\s*)?"
_DAYS = re.compile(rf"\bdays?\s*(\d{{1,4}})(?:{_DASH}(\d{{1,4}}))?(?!\d)", re.IGNORECASE)
_OPENING = re.compile(
    r"here is (?:the|a|my)[^\n]*?(?:trip plan|itinerary)|\bfinal (?:trip plan|itinerary|plan|answer)\b", re.IGNORECASE
)
_UNKNOWN = re.compile(r"(?:visit(?:ing)?|stay(?:ing)? in|arriv(?:e|ing) in|explor(?:e|ing))\s+([A-Z][\w'-]*)")


def read_trip(text: str) -> Trip:
    """The constraints that a task's text tells. Raises InputError, naming the sentence, where one cannot be read."""
    flights = _FLIGHTS.search(text)
    if flights is None:
        raise InputError("the text has no list of direct flights")
    days, stays, windows = 0, [], []
    for sentence in _sentences(text[: flights.start()] + text[flights.end() :]):
        if found := _TOTAL.fullmatch(sentence):
            days = int(found[2])
        elif found := _STAY.fullmatch(sentence):
            number = next(number for number in "123" if found[f"c{number}"])
            stays.append((found[f"c{number}"], int(found[f"d{number}"])))
        elif found := _WINDOW.fullmatch(sentence):
            number = "1" if found["c1"] else "2"
            windows.append(Window(found[f"c{number}"], int(found[f"a{number}"]), int(found[f"b{number}"])))
        elif not _IDLE.fullmatch(sentence):
            raise InputError(f"cannot read this sentence of a trip: {sentence[:200]!r}")
    if not days or not stays:
        raise InputError("the text tells no number of days, or no city to stay in")
    return Trip(days, tuple(stays), tuple(windows), frozenset(_flights(flights[1])))


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\.(?:\s+|$)|\n+", text) if part.strip()]


def _flights(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for part in re.split(r",\s*", text):
        if one := _ONE_WAY.fullmatch(part):
            found.append((one[1], one[2]))
        elif both := _BOTH_WAYS.fullmatch(part):
            found += [(both[1], both[2]), (both[2], both[1])]
        else:
            raise InputError(f"cannot read this as a flight: {part[:200]!r}")
    return found


def read_itinerary(reply: str, cities: Sequence[str]) -> Itinerary | None:
    """The itinerary of a reply, its last one; None where no line gives days for a city.

    A line gives a stay when it names days ("Day 4-7", "Days 4 to 7", "Day 4") and a city, or a flight when it says
    "from A to B". Never raises, whatever the reply says.
    """
    text = without_thinking(reply[-LONGEST:])
    opened = list(_OPENING.finditer(text))
    for part in (text[opened[-1].end() :] if opened else "", text):
        stays, flights = _lines(part, cities)
        if stays:
            return _last_one(stays, flights)
    return None


def _lines(text: str, cities: Sequence[str]) -> tuple[list[Stay], list[tuple[int, str, str]]]:
    stays: list[Stay] = []
    flights: list[tuple[int, str, str]] = []
    for line in text.splitlines():
        plain = re.sub(r"[*_`#|]", "", line[:500])
        days = _DAYS.search(plain)
        if days is None:
            continue
        first, last = int(days[1]), int(days[2] or days[1])
        rest = plain[: days.start()] + plain[days.end() :]
        leg = _leg(rest, cities)
        if leg is not None and days[2] is None and not re.search(r"\bvisit|\bstay|\bexplor", rest, re.IGNORECASE):
            flights.append((first, *leg))
            continue
        city = _city(rest, leg, cities)
        if city is not None:
            stays.append(Stay(city, first, last))
    return stays, flights


def _leg(text: str, cities: Sequence[str]) -> tuple[str, str] | None:
    found = re.search(r"\bfrom\s+(.+?)\s+to\s+(.+)", text, re.IGNORECASE)
    if found is None:
        return None
    start, end = _named(found[1], cities), _named(found[2], cities)
    return (start[0], end[0]) if start and end else None


def _city(text: str, leg: tuple[str, str] | None, cities: Sequence[str]) -> str | None:
    """The city of a stay: the one after "visit", else where the flight goes, else the first that is named."""
    after = re.search(r"\b(?:visit(?:ing)?|stay(?:ing)?|explor(?:e|ing))\b(.*)", text, re.IGNORECASE)
    named = _named(after[1], cities) if after else []
    if named:
        return named[0]
    unknown = _UNKNOWN.search(text)
    if unknown:
        return unknown[1]
    if leg is not None:
        return leg[1]
    return next(iter(_named(text, cities)), None)


def _named(text: str, cities: Sequence[str]) -> list[str]:
    """The cities of the task that the text names, in order."""
    spelled = {city.lower(): city for city in cities}
    if not spelled:
        return []
    names = sorted(spelled, key=len, reverse=True)
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)"
    return [spelled[found.lower()] for found in re.findall(pattern, text.lower())]


def _last_one(stays: list[Stay], flights: list[tuple[int, str, str]]) -> Itinerary:
    """A reply that tries several times starts again on day 1; flights of earlier tries are left out."""
    starts = [place for place, stay in enumerate(stays) if stay.first == 1 and place]
    if starts:
        kept = stays[starts[-1] :]
        legs = {(one.city, other.city) for one, other in pairwise(kept)}
        return Itinerary(tuple(kept), tuple(flight for flight in flights if flight[1:] in legs))
    return Itinerary(tuple(dict.fromkeys(stays)), tuple(dict.fromkeys(flights)))


def in_words(trip: Trip, itinerary: Itinerary) -> str:
    """The itinerary in the form that NATURAL PLAN's golden plans have."""
    lines = [f"Here is the trip plan for visiting the {len(itinerary.stays)} European cities for {trip.days} days:", ""]
    previous: Stay | None = None
    for stay in itinerary.stays:
        if previous is not None:
            lines.append(f"**Day {stay.first}:** Fly from {previous.city} to {stay.city}.")
        word = "Visit" if previous is not None else f"Arriving in {stay.city} and visit"
        lines.append(f"**Day {stay.first}-{stay.last}:** {word} {stay.city} for {stay.days} days.")
        previous = stay
    return "\n".join(lines)
