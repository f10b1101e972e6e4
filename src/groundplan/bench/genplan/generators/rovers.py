"""Rovers: what some rover can get at and send to the lander is what may be wanted."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundplan.bench.genplan.generator import Generator
from groundplan.bench.genplan.maps import pairs, road_map
from groundplan.bench.genplan.shuffled import fact, numbered, require, share, shuffled_problem
from groundplan.errors import InputError
from groundplan.pddl.ast import Atom, Problem

_DRAWS = 200
_MODES = 3
_SEEN = 5
"""Waypoints that a waypoint sees on average, as far as there are so many."""


@dataclass(frozen=True)
class Rover:
    """A rover: where it starts, which pairs of waypoints it can cross between, where it gets, what it can do."""

    name: str
    start: str
    paths: list[tuple[str, str]]
    range: frozenset[str]
    soil: bool
    rock: bool
    imaging: bool


@dataclass(frozen=True)
class Camera:
    name: str
    rover: Rover
    target: str
    modes: list[str]


@dataclass(frozen=True)
class Site:
    visible: dict[str, list[str]]
    lander_at: str
    soil: list[str]
    rock: list[str]
    seen_from: dict[str, list[str]]
    rovers: list[Rover]
    cameras: list[Camera]


def make(
    rng: random.Random, *, rovers: int, waypoints: int, cameras: int, objectives: int, goal_percent: int
) -> Problem:
    """Wanted is a share of all the data that can be sent.

    Solvable: for each goal some rover has the equipment and can get to the place and to a waypoint that sees the
    lander's; a sample is never wanted twice, stores can be emptied, and all paths run both ways.
    """
    require("rovers", 1, rovers=rovers, cameras=cameras, objectives=objectives)
    require("rovers", 2, waypoints=waypoints)
    require("rovers", 1, 100, goal_percent=goal_percent)
    modes = numbered(rng, "mode", _MODES)
    for _ in range(_DRAWS):
        site = _site(rng, rovers, waypoints, cameras, numbered(rng, "objective", objectives), modes)
        possible = possible_goals(site)
        if possible:
            return _problem(rng, site, modes, rng.sample(possible, share(goal_percent, len(possible))))
    raise InputError("rovers: no data can be sent to the lander; take more rovers, waypoints or cameras")


def possible_goals(site: Site) -> list[Atom]:
    """All goals that some rover can reach, in a fixed order."""
    senders = [rover for rover in site.rovers if rover.range.intersection(site.visible[site.lander_at])]
    soil = [place for place in site.soil if any(rover.soil and place in rover.range for rover in senders)]
    rock = [place for place in site.rock if any(rover.rock and place in rover.range for rover in senders)]
    images: dict[tuple[str, str], None] = {}
    for camera in site.cameras:
        if camera.rover in senders and camera.rover.range.intersection(site.seen_from[camera.target]):
            for objective, places in site.seen_from.items():
                if camera.rover.range.intersection(places):
                    images |= dict.fromkeys((objective, mode) for mode in camera.modes)
    goals = [fact("communicated_soil_data", place) for place in soil]
    goals += [fact("communicated_rock_data", place) for place in rock]
    return goals + [fact("communicated_image_data", *image) for image in images]


def _site(
    rng: random.Random, rovers: int, waypoints: int, cameras: int, objectives: Sequence[str], modes: Sequence[str]
) -> Site:
    places = numbered(rng, "waypoint", waypoints)
    visible = road_map(rng, places, _SEEN)
    imaging = set(rng.sample(range(rovers), rng.randint(1, min(rovers, cameras))))
    soil = set(rng.sample(range(rovers), rng.randint(0, rovers)))
    rock = set(rng.sample(range(rovers), rng.randint(0, rovers)))
    crew = []
    for number, name in enumerate(numbered(rng, "rover", rovers)):
        start = rng.choice(places)
        paths = _paths(rng, start, visible, waypoints - rng.randint(0, (waypoints + 1) // 4))
        idle = number not in imaging and number not in soil and number not in rock
        reached = frozenset({start}.union(place for _, place in paths))
        crew.append(Rover(name, start, paths, reached, idle or number in soil, number in rock, number in imaging))
    eyes = [rover for rover in crew if rover.imaging]
    eyes += [rng.choice(eyes) for _ in range(cameras - len(eyes))]
    mounted = [
        Camera(name, rover, rng.choice(objectives), rng.sample(modes, rng.randint(1, len(modes))))
        for name, rover in zip(numbered(rng, "camera", cameras), eyes, strict=True)
    ]
    seen_from = {one: rng.sample(places, rng.randint(1, max(1, 2 * waypoints // 3))) for one in objectives}
    soil_at, rock_at = ([place for place in places if rng.random() < 0.5] for _ in range(2))
    return Site(visible, rng.choice(places), soil_at, rock_at, seen_from, crew, mounted)


def _paths(rng: random.Random, start: str, visible: dict[str, list[str]], size: int) -> list[tuple[str, str]]:
    """A random tree of `size` waypoints around the start, both ways."""
    border = [(start, place) for place in visible[start]]
    inside = {start}
    paths = []
    while border and len(inside) < size:
        here, there = border.pop(rng.randrange(len(border)))
        if there not in inside:
            inside.add(there)
            paths += [(here, there), (there, here)]
            border += [(there, place) for place in visible[there]]
    return paths


def _problem(rng: random.Random, site: Site, modes: Sequence[str], goal: Sequence[Atom]) -> Problem:
    landers = numbered(rng, "lander", 1)
    stores = numbered(rng, "store", len(site.rovers))
    facts = [fact("at_lander", landers[0], site.lander_at), fact("channel_free", landers[0])]
    facts += [fact("visible", *pair) for pair in pairs(site.visible)]
    facts += [fact("at_soil_sample", place) for place in site.soil]
    facts += [fact("at_rock_sample", place) for place in site.rock]
    facts += [fact("visible_from", *pair) for pair in pairs(site.seen_from)]
    for rover, store in zip(site.rovers, stores, strict=True):
        facts += _rover_facts(rover, store)
    for camera in site.cameras:
        facts += [fact("on_board", camera.name, camera.rover.name)]
        facts += [fact("calibration_target", camera.name, camera.target)]
        facts += [fact("supports", camera.name, mode) for mode in camera.modes]
    objects: dict[str, Iterable[str]] = {
        "rover": [rover.name for rover in site.rovers],
        "waypoint": site.visible,
        "store": stores,
        "camera": [camera.name for camera in site.cameras],
        "mode": modes,
        "lander": landers,
        "objective": site.seen_from,
    }
    return shuffled_problem(rng, "rover", objects, facts, goal)


def _rover_facts(rover: Rover, store: str) -> list[Atom]:
    facts = [fact("at", rover.name, rover.start), fact("available", rover.name)]
    facts += [fact("store_of", store, rover.name), fact("empty", store)]
    facts += [fact("can_traverse", rover.name, *path) for path in rover.paths]
    equipment = {"soil_analysis": rover.soil, "rock_analysis": rover.rock, "imaging": rover.imaging}
    return facts + [fact(f"equipped_for_{kind}", rover.name) for kind, there in equipment.items() if there]


GENERATOR = Generator(
    make,
    {
        "small": {
            "rovers": (1, 2),
            "waypoints": (3, 4),
            "cameras": (1, 3),
            "objectives": (1, 3),
            "goal_percent": (20, 60),
        },
        "large": {
            "rovers": (2, 8),
            "waypoints": (6, 25),
            "cameras": (3, 9),
            "objectives": (3, 8),
            "goal_percent": (40, 100),
        },
        "huge": {
            "rovers": (12, 20),
            "waypoints": (90, 130),
            "cameras": (20, 30),
            "objectives": (20, 30),
            "goal_percent": (40, 100),
        },
    },
)
