"""Logistics: packages by truck inside cities and by airplane between them."""

from __future__ import annotations

import random

from groundplan.bench.genplan.destinations import destinations
from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.shuffled import fact, numbered, require, shuffled_problem
from groundplan.errors import InputError
from groundplan.pddl.ast import Problem

_INSIDE = 0.25
"""The share of packages whose wanted place lies in the city where they are, for certain."""


def make(rng: random.Random, *, cities: int, locations: int, packages: int, planes: int, trucks: int) -> Problem:
    """`locations` are those of one city, its airport among them. Trucks beyond one a city are in random cities.

    Every package has a wanted place; some are there already. Solvable: each city has a truck, and there is an airplane
    (with one city, none is needed).
    """
    require("logistics", 1, cities=cities, locations=locations, packages=packages)
    require("logistics", 0 if cities == 1 else 1, planes=planes)
    if trucks < cities:
        raise InputError(f"logistics: `trucks` must be at least `cities` ({cities}), one for each; it is {trucks}")
    if cities * locations < 2:
        raise InputError("logistics: with one location there is nowhere to go; take more cities or locations")
    towns = numbered(rng, "city", cities)
    places = numbered(rng, "location", cities * locations)
    inside = {town: places[index * locations : (index + 1) * locations] for index, town in enumerate(towns)}
    city_of = {place: town for town, own in inside.items() for place in own}
    airports = [own[0] for own in inside.values()]
    loads = numbered(rng, "package", packages)
    flyers = numbered(rng, "plane", planes)
    vans = numbered(rng, "truck", trucks)
    start = {load: rng.choice(places) for load in loads}
    wanted = destinations(rng, start, places)
    for load in loads:
        near = [place for place in inside[city_of[start[load]]] if place != start[load]]
        if near and wanted[load] != start[load] and rng.random() < _INSIDE:
            wanted[load] = rng.choice(near)
    homes = towns + rng.choices(towns, k=trucks - cities)
    where = start | {flyer: rng.choice(airports) for flyer in flyers}
    where |= {van: rng.choice(inside[town]) for van, town in zip(vans, homes, strict=True)}
    kinds = {"obj": loads, "truck": vans, "airplane": flyers, "city": towns, "location": places, "airport": airports}
    facts = [fact(kind, name) for kind, names in kinds.items() for name in names]
    facts += [fact("in-city", place, town) for place, town in city_of.items()]
    facts += [fact("at", thing, place) for thing, place in where.items()]
    goal = [fact("at", load, place) for load, place in wanted.items()]
    return shuffled_problem(rng, "logistics-strips", {"object": [*towns, *places, *loads, *flyers, *vans]}, facts, goal)


def _a_truck_for_each_city(drawn: dict[str, int]) -> dict[str, int]:
    return {**drawn, "trucks": max(drawn["trucks"], drawn["cities"])}


GENERATOR = Generator(
    make,
    {
        "small": {"cities": (2, 2), "locations": (1, 3), "packages": (1, 3), "planes": (1, 2), "trucks": (2, 3)},
        "large": {"cities": (3, 12), "locations": (2, 6), "packages": (6, 40), "planes": (1, 4), "trucks": (4, 20)},
        "huge": {
            "cities": (40, 60),
            "locations": (6, 10),
            "packages": (250, 400),
            "planes": (5, 15),
            "trucks": (40, 90),
        },
    },
    _a_truck_for_each_city,
)
