"""A trip's constraints, itineraries, what is wrong with one, and the search for all that are right.

The day of a flight counts for both cities, so that stays overlap by one day. A window ("a workshop in Venice between
day 5 and day 10") means that the stay covers all of it: so the golden plans of NATURAL PLAN have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from groundplan.errors import InputError


@dataclass(frozen=True, slots=True)
class Window:
    """The stay in `city` covers the days `start` to `end`."""

    city: str
    start: int
    end: int


@dataclass(frozen=True)
class Trip:
    """`stays` has the days for each city, `flights` the direct ones, each in one direction."""

    days: int
    stays: tuple[tuple[str, int], ...]
    windows: tuple[Window, ...] = ()
    flights: frozenset[tuple[str, str]] = frozenset()

    @cached_property
    def cities(self) -> tuple[str, ...]:
        return tuple(city for city, _ in self.stays)

    @cached_property
    def length(self) -> Mapping[str, int]:
        """The days of each city's stay."""
        return dict(self.stays)

    def as_json(self) -> dict[str, Any]:
        return {
            "days": self.days,
            "stays": [list(stay) for stay in self.stays],
            "windows": [[window.city, window.start, window.end] for window in self.windows],
            "flights": sorted(map(list, self.flights)),
        }


def trip_from_json(data: Any) -> Trip:
    """The trip of `Trip.as_json`. Raises InputError for anything else."""
    try:
        return Trip(
            int(data["days"]),
            tuple((str(city), int(days)) for city, days in data["stays"]),
            tuple(Window(str(city), int(start), int(end)) for city, start, end in data["windows"]),
            frozenset((str(start), str(end)) for start, end in data["flights"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"not a trip: days, stays, windows and flights are wanted ({error!r})") from error


@dataclass(frozen=True, slots=True)
class Stay:
    """The days `first` to `last` in a city."""

    city: str
    first: int
    last: int

    @property
    def days(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Itinerary:
    """Stays in order. `flights` (day, from, to) are those that a text names itself; it may leave them out."""

    stays: tuple[Stay, ...]
    flights: tuple[tuple[int, str, str], ...] = ()


def faults(trip: Trip, itinerary: Itinerary) -> list[str]:
    """Everything that is wrong with an itinerary, in words; empty where all constraints are satisfied."""
    return [*_of_cities(trip, itinerary), *_of_days(trip, itinerary), *_of_flights(trip, itinerary)]


def _of_cities(trip: Trip, itinerary: Itinerary) -> Iterator[str]:
    visited = [stay.city for stay in itinerary.stays]
    for city in trip.cities:
        if visited.count(city) != 1:
            yield f"{city} is left out" if city not in visited else f"{city} is visited {visited.count(city)} times"
    for city in dict.fromkeys(visited):
        if city not in trip.length:
            yield f"{city} is none of the cities to visit"


def _of_days(trip: Trip, itinerary: Itinerary) -> Iterator[str]:
    stays = itinerary.stays
    for stay in stays:
        wanted = trip.length.get(stay.city, stay.days)
        if stay.days != wanted:
            yield f"{stay.city} gets {stay.days} days (day {stay.first}-{stay.last}), not {wanted}"
    if stays and stays[0].first != 1:
        yield f"the trip starts on day {stays[0].first}, not on day 1"
    if stays and stays[-1].last != trip.days:
        yield f"the trip ends on day {stays[-1].last}, not on day {trip.days}"
    for one, other in pairwise(stays):
        if one.last != other.first:
            yield f"{one.city} ends on day {one.last}, but {other.city} begins on day {other.first}"
    for window in trip.windows:
        for stay in stays:
            if stay.city == window.city and not (stay.first <= window.start and window.end <= stay.last):
                yield (
                    f"{stay.city} is visited on day {stay.first}-{stay.last}, "
                    f"which does not cover day {window.start}-{window.end}"
                )


def _of_flights(trip: Trip, itinerary: Itinerary) -> Iterator[str]:
    legs = [(one.last, one.city, other.city) for one, other in pairwise(itinerary.stays)]
    for _, start, end in legs:
        if (start, end) not in trip.flights:
            yield f"there is no direct flight from {start} to {end}"
    for flight in itinerary.flights:
        if flight not in legs:
            day, start, end = flight
            yield f"the flight from {start} to {end} on day {day} does not go with the stays"


def itineraries(trip: Trip) -> Iterator[Itinerary]:
    """All itineraries that satisfy the constraints, by an exact depth-first search over the orders of the cities."""
    windows: dict[str, list[Window]] = {}
    for window in trip.windows:
        windows.setdefault(window.city, []).append(window)
    if len(trip.length) < len(trip.stays) or not set(windows) <= set(trip.length):
        return

    def fits(stay: Stay) -> bool:
        return all(stay.first <= item.start and item.end <= stay.last for item in windows.get(stay.city, ()))

    def extended(done: tuple[Stay, ...], left: frozenset[str]) -> Iterator[Itinerary]:
        if not left:
            if done[-1].last == trip.days:
                yield Itinerary(done)
            return
        day = done[-1].last if done else 1
        if any(item.start < day for city in left for item in windows.get(city, ())):
            return  # it is too late for somebody's window
        for city in trip.cities:
            if city not in left or (done and (done[-1].city, city) not in trip.flights):
                continue
            stay = Stay(city, day, day + trip.length[city] - 1)
            if stay.last <= trip.days and fits(stay):
                yield from extended((*done, stay), left - {city})

    if trip.stays:
        yield from extended((), frozenset(trip.cities))
