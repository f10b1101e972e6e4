"""Logistics: bring packages to places, with trucks inside cities and airplanes between airports.

Places that share a city form an area; a truck never leaves its own. Each package goes in legs: a truck to an airport of
its area, an airplane, a truck to its place, as far as each is needed. The legs are batched into three rounds: trucks,
airplanes, trucks again. One vehicle makes a whole round of an area (or of the air), as loads are unlimited, but a
vehicle with packages aboard at the start also sees to these. A package that stays in its area goes in the first round,
or in the last if trucks drive there anyway, and it waits in the truck if its place is a stop of the last round.

In a round the next stop is where the fewest packages still have to be brought to, as it is likely to be visited only
once that way. Goals that want packages in vehicles, and vehicles at places, are seen to at the end.
The time is linear in the facts but for a logarithmic factor.
"""

from __future__ import annotations

from collections import defaultdict, deque
from heapq import heapify, heappop, heappush
from typing import NamedTuple

Fact = tuple[str, ...]
AIR = ""  # the "area" of airplanes; no object has an empty name


class Leg(NamedTuple):
    """A package's way in one area. `vehicle` is that which it is in already ("" for none, then it is at `start`)."""

    package: str
    area: str
    start: str
    end: str
    vehicle: str = ""


class Rounds:
    """The legs of the three rounds, by area; those of packages that stay in an area are yet to be put in one."""

    def __init__(self) -> None:
        self.first: dict[str, list[Leg]] = defaultdict(list)
        self.air: list[Leg] = []
        self.last: dict[str, list[Leg]] = defaultdict(list)
        self.inside: dict[str, list[Leg]] = defaultdict(list)


def get_plan(objects: set[tuple[str, str]], init: set[Fact], goal: set[Fact]) -> list[str]:
    """The plan, as a list of steps. Raises ValueError where the goal cannot be reached."""
    if goal <= init:
        return []
    world = World(init)
    target, vehicle_for, last_place = read_goal(world, init, goal)
    rounds = Rounds()
    meeting = {package: meeting_place(world, package, vehicle) for package, vehicle in sorted(vehicle_for.items())}
    for package, place in sorted({**target, **meeting}.items()):
        sort_legs(rounds, legs_of(world, package, place))
    drive_all_rounds(world, rounds)
    for package in sorted(meeting, key=lambda name: (vehicle_for[name], meeting[name], name)):
        world.go(vehicle_for[package], meeting[package])
        world.load(package, vehicle_for[package])
    for vehicle, place in sorted(last_place.items()):
        world.go(vehicle, place)
    return world.plan


class World:
    """The map, where everything is, and the plan so far."""

    def __init__(self, init: set[Fact]) -> None:
        self.plan: list[str] = []
        kinds: dict[str, set[str]] = defaultdict(set)
        for fact in init:
            if len(fact) == 2:
                kinds[fact[0]].add(fact[1])
        self.packages, self.locations, self.airports = kinds["obj"], kinds["location"], kinds["airport"]
        self.place_of = {fact[1]: fact[2] for fact in sorted(init) if fact[0] == "at"}
        self.inside = {fact[1]: fact[2] for fact in sorted(init) if fact[0] == "in"}
        self.trucks = kinds["truck"] & self.place_of.keys()
        self.planes = (kinds["airplane"] & self.place_of.keys()) - self.trucks
        self.cities_of: dict[str, set[str]] = defaultdict(set)
        self.places_of: dict[str, set[str]] = defaultdict(set)
        for fact in init:
            if fact[0] == "in-city" and fact[1] in self.locations and fact[2] in kinds["city"]:
                self.cities_of[fact[1]].add(fact[2])
                self.places_of[fact[2]].add(fact[1])
        self.area_of: dict[str, str] = {}
        for place in sorted({*self.locations, *self.airports, *self.place_of.values()}):
            if place not in self.area_of:
                self._explore(place)
        self.hub_of: dict[str, str] = {}  # the airport of each area that its trucks use
        for airport in sorted(self.airports & self.locations):
            self.hub_of.setdefault(self.area_of[airport], airport)
        self.vehicles: dict[str, list[str]] = defaultdict(list)
        for truck in sorted(self.trucks):
            self.vehicles[self.area_of[self.place_of[truck]]].append(truck)
        self.vehicles[AIR] = sorted(plane for plane in self.planes if self.place_of[plane] in self.airports)

    def _explore(self, start: str) -> None:
        self.area_of[start] = start
        queue = [start]
        seen_cities: set[str] = set()
        while queue:
            for city in self.cities_of.get(queue.pop(), set()) - seen_cities:
                seen_cities.add(city)
                for place in self.places_of[city]:
                    if place not in self.area_of:
                        self.area_of[place] = start
                        queue.append(place)

    def can_fly(self, plane: str) -> bool:
        return plane in self.planes and self.place_of[plane] in self.airports

    def go(self, vehicle: str, place: str) -> None:
        here = self.place_of[vehicle]
        if place == here:
            return
        if vehicle in self.planes:
            if here not in self.airports or place not in self.airports:
                raise ValueError(f"{vehicle} cannot fly from {here} to {place}.")
            self.plan.append(f"(fly-airplane {vehicle} {here} {place})")
        else:
            if self.area_of[here] != self.area_of.get(place):
                raise ValueError(f"{vehicle} cannot drive from {here} to {place}.")
            for stop in self._stops(here, place):
                city = min(self.cities_of[here] & self.cities_of[stop])
                self.plan.append(f"(drive-truck {vehicle} {here} {stop} {city})")
                here = stop
        self.place_of[vehicle] = place

    def _stops(self, start: str, end: str) -> list[str]:
        """The places to drive through, mostly only the end: an area with more than one city is an odd one."""
        if self.cities_of[start] & self.cities_of[end]:
            return [end]
        came_from = {start: ""}
        queue = deque([start])
        while end not in came_from:
            place = queue.popleft()
            for city in sorted(self.cities_of[place]):
                for other in sorted(self.places_of[city]):
                    if other not in came_from:
                        came_from[other] = place
                        queue.append(other)
        stops = [end]
        while came_from[stops[-1]] != start:
            stops.append(came_from[stops[-1]])
        return stops[::-1]

    def load(self, package: str, vehicle: str) -> None:
        self._handle("load", package, vehicle)
        del self.place_of[package]
        self.inside[package] = vehicle

    def unload(self, package: str) -> None:
        vehicle = self.inside[package]
        self._handle("unload", package, vehicle)
        del self.inside[package]
        self.place_of[package] = self.place_of[vehicle]

    def _handle(self, action: str, package: str, vehicle: str) -> None:
        place = self.place_of[vehicle]
        if package not in self.packages or place not in self.locations:
            raise ValueError(f"{package} cannot be moved between {vehicle} and {place}.")
        kind = "truck" if vehicle in self.trucks else "airplane"
        self.plan.append(f"({action}-{kind} {package} {vehicle} {place})")


def legs_of(world: World, package: str, end: str) -> list[Leg]:
    """The legs of a package's way to a place."""
    vehicle = world.inside.get(package, "")
    if not vehicle:
        if package not in world.place_of:
            raise ValueError(f"{package} is nowhere, so that it cannot be brought to {end}.")
        return route(world, package, world.place_of[package], end)
    here = world.place_of[vehicle]
    if vehicle in world.planes:
        if not world.can_fly(vehicle):
            world.unload(package)
            return route(world, package, here, end)
        stop = end if end in world.airports else hub(world, world.area_of.get(end, ""))
        return [Leg(package, AIR, "", stop, vehicle), *route(world, package, stop, end)]
    area = world.area_of[here]
    stop = end if world.area_of.get(end) == area else hub(world, area)
    return [Leg(package, area, "", stop, vehicle), *route(world, package, stop, end)]


def route(world: World, package: str, start: str, end: str) -> list[Leg]:
    """The legs from place to place."""
    if start == end:
        return []
    area, end_area = world.area_of[start], world.area_of.get(end, AIR)
    if area == end_area and world.vehicles.get(area):
        return [Leg(package, area, start, end)]
    departure = start if start in world.airports else hub(world, area)
    arrival = end if end in world.airports else hub(world, end_area)
    legs = [
        Leg(package, area, start, departure),
        Leg(package, AIR, departure, arrival),
        Leg(package, end_area, arrival, end),
    ]
    legs = [leg for leg in legs if leg.start != leg.end]
    for leg in legs:
        if not world.vehicles.get(leg.area):
            raise ValueError(f"Nothing can carry {leg.package} from {leg.start} to {leg.end}.")
    return legs


def hub(world: World, area: str) -> str:
    if area not in world.hub_of:
        raise ValueError(f"There is no airport where one is needed, near {area or 'a place of the goal'}.")
    return world.hub_of[area]


def sort_legs(rounds: Rounds, legs: list[Leg]) -> None:
    flights = [number for number, leg in enumerate(legs) if leg.area == AIR]
    for number, leg in enumerate(legs):
        if not flights:
            rounds.inside[leg.area].append(leg)
        elif number < flights[0]:
            rounds.first[leg.area].append(leg)
        elif number > flights[0]:
            rounds.last[leg.area].append(leg)
        else:
            rounds.air.append(leg)


def drive_all_rounds(world: World, rounds: Rounds) -> None:
    """Trucks, airplanes, trucks."""
    departures = {leg.end for legs in rounds.first.values() for leg in legs}
    for area, legs in sorted(rounds.inside.items()):
        visited = {leg.start for leg in rounds.first[area]}
        for leg in legs:
            early = leg.vehicle or leg.start in visited or not rounds.last.get(area)
            (rounds.first if early else rounds.last)[area].append(leg)
    rest: dict[str, list[Leg]] = {}
    for area, legs in sorted(rounds.first.items()):
        postponed = {leg.end for leg in rounds.last.get(area, ())} - departures
        rest[area] = tours(world, area, legs, postponed)
    tours(world, AIR, rounds.air, set())
    for area, legs in sorted(rounds.last.items()):
        tours(world, area, [*rest.get(area, ()), *legs], set())


def tours(world: World, area: str, legs: list[Leg], postponed: set[str]) -> list[Leg]:
    """Make a round: one vehicle for all packages that wait, and for its own load; others only for their load.

    Packages for the places `postponed` may stay in the vehicle; their legs are returned.
    """
    of_vehicle: dict[str, list[Leg]] = defaultdict(list)
    for leg in legs:
        of_vehicle[leg.vehicle].append(leg)
    waiting = of_vehicle.pop("", [])
    if waiting:
        starts = {leg.start for leg in waiting}
        main = min(world.vehicles[area], key=lambda name: (name not in of_vehicle, world.place_of[name] not in starts))
        of_vehicle[main] = of_vehicle.get(main, []) + waiting
    return [leg for vehicle, own in sorted(of_vehicle.items()) for leg in tour(world, vehicle, own, postponed)]


def tour(world: World, vehicle: str, legs: list[Leg], postponed: set[str]) -> list[Leg]:
    """One vehicle's round (see the strategy above)."""
    waiting: dict[str, list[Leg]] = defaultdict(list)
    riding: dict[str, list[Leg]] = defaultdict(list)
    to_come: dict[str, int] = defaultdict(int)
    for leg in legs:
        if leg.vehicle:
            riding[leg.end].append(leg)
        else:
            waiting[leg.start].append(leg)
            to_come[leg.end] += 1
    queue = [(to_come[place], place) for place in {*waiting, *riding}]
    heapify(queue)

    def visit(place: str) -> None:
        world.go(vehicle, place)
        for leg in riding.pop(place, ()):
            world.unload(leg.package)
        for leg in waiting.pop(place, ()):
            world.load(leg.package, vehicle)
            riding[leg.end].append(leg)
            to_come[leg.end] -= 1
            heappush(queue, (to_come[leg.end], leg.end))

    visit(world.place_of[vehicle])
    while queue:
        missing, place = heappop(queue)
        must_stop = place in waiting or (place in riding and not missing and place not in postponed)
        if missing == to_come[place] and must_stop:
            visit(place)
    return [Leg(leg.package, leg.area, "", leg.end, vehicle) for own in riding.values() for leg in own]


def meeting_place(world: World, package: str, vehicle: str) -> str:
    """Where a package gets into the vehicle where the goal wants it: where it is, if the vehicle can come there."""
    other = world.inside.get(package, package)
    if other not in world.place_of:
        raise ValueError(f"{package} is nowhere, so that it cannot get into {vehicle}.")
    here = world.place_of[other]
    if vehicle in world.planes:
        if not world.can_fly(vehicle):
            return world.place_of[vehicle]
        return here if here in world.airports else hub(world, world.area_of[here])
    area = world.area_of[world.place_of[vehicle]]
    if world.area_of[here] == area:
        return here
    return hub(world, area)


def read_goal(world: World, init: set[Fact], goal: set[Fact]) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """The packages' places, the vehicles that packages shall be in, and the vehicles' last places."""
    target: dict[str, str] = {}
    vehicle_for: dict[str, str] = {}
    last_place: dict[str, str] = {}
    movable = world.trucks | world.planes
    for fact in sorted(goal):
        if fact[0] not in ("at", "in"):
            if fact not in init:
                raise ValueError(f"No action brings about ({' '.join(fact)}).")
            continue
        if fact[0] == "in":
            wanted = vehicle_for
        else:
            wanted = last_place if fact[1] in movable else target
        if any(fact[1] in known for known in (target, vehicle_for, last_place)):
            raise ValueError(f"The goal wants {fact[1]} in two places.")
        if fact[0] == "in" and fact[2] not in movable:
            raise ValueError(f"Nothing can get into {fact[2]}.")
        wanted[fact[1]] = fact[2]
    vehicle_for = {name: vehicle for name, vehicle in vehicle_for.items() if ("in", name, vehicle) not in init}
    return target, vehicle_for, last_place
