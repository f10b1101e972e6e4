"""Made-up tasks of logistics: packages, a truck in every city, airplanes between them, and where packages shall go."""

from __future__ import annotations

from random import Random

from groundplan.train.texts import naming
from groundplan.train.texts.scene import Fact, Scene

SIZE = (2, 3)
"""How many cities a task has, least and most, if nothing else is asked."""
BOUNDS = (1, 15)
"""Sizes that can be asked for; there are no more names for cities."""
LOCATIONS = (1, 3)
PACKAGES = (1, 4)
AIRPLANES = (1, 2)
LOADED_AT_START = 0.08
"""How often a package lies in a vehicle at the start."""


def scene(rng: Random, size: tuple[int, int]) -> Scene:
    """A task with a number of cities in `size`, whose goal is not true at the start."""
    cities = naming.cities(rng, rng.randint(*size))
    places = naming.places(rng, [rng.randint(*LOCATIONS) for _ in cities])
    while sum(map(len, places)) < 2:  # one place alone leaves nothing to carry anywhere
        places = naming.places(rng, [rng.randint(*LOCATIONS) for _ in cities])
    trucks = naming.counted(rng, len(cities), naming.TRUCKS)
    planes = naming.counted(rng, rng.randint(*AIRPLANES), naming.AIRPLANES)
    packages = naming.counted(rng, rng.randint(*PACKAGES), naming.PACKAGES)
    airports = [rng.choice((next(iter(names)), rng.choice(list(names)))) for names in places]
    everywhere = [place for names in places for place in names]

    init: list[Fact] = [("obj", package) for package in packages]
    init += [("truck", truck) for truck in trucks] + [("airplane", plane) for plane in planes]
    init += [("city", city) for city in cities] + [("location", place) for place in everywhere]
    init += [("airport", airport) for airport in airports]
    init += [("in-city", place, city) for city, names in zip(cities, places, strict=True) for place in names]
    init += [("at", truck, rng.choice(list(names))) for truck, names in zip(trucks, places, strict=True)]
    init += [("at", plane, rng.choice(airports)) for plane in planes]
    vehicles = [*trucks, *planes]
    for package in packages:
        loaded = rng.random() < LOADED_AT_START
        init.append(("in", package, rng.choice(vehicles)) if loaded else ("at", package, rng.choice(everywhere)))
    calls = {**packages, **trucks, **planes, **cities}
    for names in places:
        calls.update(names)
    return Scene("logistics", calls, tuple(init), _goal(rng, list(packages), everywhere, init))


def _goal(rng: Random, packages: list[str], places: list[str], init: list[Fact]) -> tuple[Fact, ...]:
    """Places for some of the packages."""
    while True:
        goal: list[Fact] = [
            ("at", package, rng.choice(places)) for package in rng.sample(packages, rng.randint(1, len(packages)))
        ]
        if not set(goal) <= set(init):
            return tuple(goal)
