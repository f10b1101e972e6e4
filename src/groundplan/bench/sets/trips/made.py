"""Trips made from a seed, with the text that tells them."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from groundplan.bench.sets.trips.trip import Itinerary, Stay, Trip, Window

CITIES = tuple(
    "Antwerp Bologna Bilbao Cork Cologne Gdansk Ghent Graz Lille Linz Ljubljana Malaga Malmo Marseille Odense Palermo "
    "Rotterdam Sofia Tartu Turku Utrecht Verona Wroclaw Zadar".split()
)
CITY_COUNT = (3, 10)
"""Cities of a trip, least and most, as NATURAL PLAN has them."""

_STAYS = (
    "You want to spend {days} days in {city}.",
    "You plan to stay in {city} for {days} days.",
    "You would like to visit {city} for {days} days.",
)
_WINDOWS = (
    "You have to attend a workshop in {city} between day {start} and day {end}.",
    "You are going to attend a wedding in {city} between day {start} and day {end}.",
    "You plan to visit relatives in {city} between day {start} and day {end}.",
    "You want to meet a friend in {city} between day {start} and day {end}.",
    "During day {start} and day {end}, you have to attend a conference in {city}.",
    "From day {start} to day {end}, there is a concert you want to attend in {city}.",
)


def made_trip(seed: int, cities: int | None = None) -> tuple[str, Trip, Itinerary]:
    """The text of a trip, its constraints, and an itinerary that satisfies them; the same for the same arguments.

    Raises ValueError for more cities than there are names.
    """
    rng = Random(f"trip {seed} {cities}")
    count = cities if cities is not None else rng.randint(*CITY_COUNT)
    if not 2 <= count <= len(CITIES):
        raise ValueError(f"cities of a trip: 2 to {len(CITIES)}, not {count}")
    stays: list[Stay] = []
    for city in rng.sample(CITIES, count):
        first = stays[-1].last if stays else 1
        stays.append(Stay(city, first, first + rng.randint(2, 7) - 1))
    legs = [(one.city, other.city) for one, other in pairwise(stays)]
    names = [stay.city for stay in stays]
    pairs: list[tuple[str, str, bool]] = [(*leg, rng.random() < 0.85) for leg in legs]
    known = {frozenset(leg) for leg in legs}
    for start in names:
        for end in names:
            if start < end and frozenset((start, end)) not in known and rng.random() < 0.35:
                pairs.append((start, end, True))
    rng.shuffle(pairs)
    windows = tuple(
        Window(stay.city, stay.first, stay.last) for stay in rng.sample(stays, rng.randint(1, (count + 1) // 2))
    )
    flights = frozenset(
        leg for start, end, both in pairs for leg in ([(start, end), (end, start)] if both else [(start, end)])
    )
    order = rng.sample(stays, count)
    trip = Trip(stays[-1].last, tuple((stay.city, stay.days) for stay in order), windows, flights)
    return _told(rng, trip, pairs), trip, Itinerary(tuple(stays))


def _told(rng: Random, trip: Trip, pairs: list[tuple[str, str, bool]]) -> str:
    sentences = [
        f"You plan to visit {len(trip.stays)} European cities for {trip.days} days in total.",
        "You only take direct flights to commute between cities.",
    ]
    for city, days in trip.stays:
        sentences.append(rng.choice(_STAYS).format(city=city, days=days))
        sentences += [
            rng.choice(_WINDOWS).format(city=city, start=window.start, end=window.end)
            for window in trip.windows
            if window.city == city
        ]
    flights = ", ".join(f"{start} and {end}" if both else f"from {start} to {end}" for start, end, both in pairs)
    last = f"Find a trip plan of visiting the cities for {trip.days} days by taking direct flights to commute"
    return f"{' '.join(sentences)}\n\nHere are the cities that have direct flights:\n{flights}.\n\n{last} between them."
