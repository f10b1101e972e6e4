"""Ferry: bring cars to their places with a ferry that takes one car at a time.

Each car that is not at its place needs one trip. To sail empty as rarely as possible, trips are joined: where a car has
been put ashore, the next one is taken that waits there, if possible one that goes to where others wait. When none
waits, the ferry sails to a place that more cars leave than reach (a joined trip must start there), then to any place
with cars that wait. A car that is aboard at the start goes first. The time is linear in the facts.
"""

from __future__ import annotations

from collections import defaultdict, deque

Fact = tuple[str, ...]


def get_plan(objects: set[tuple[str, str]], init: set[Fact], goal: set[Fact]) -> list[str]:
    """The plan, as a list of steps. Raises ValueError where the goal cannot be reached."""
    if goal <= init:
        return []
    target, to_board, last_place = read_goal(init, goal)
    ferry = Ferry(init)
    jobs = {car for car, place in target.items() if ferry.place_of.get(car) != place and car != ferry.aboard}
    if ferry.aboard in target:
        ferry.sail(target[ferry.aboard])
        ferry.debark()
    elif ferry.aboard and (jobs or ("empty-ferry",) in goal or to_board not in ("", ferry.aboard)):
        ferry.debark()
    carry_all(ferry, target, jobs)
    if to_board and ferry.aboard != to_board:
        ferry.fetch(to_board)
    if last_place:
        ferry.sail(last_place)
    return ferry.plan


class Ferry:
    """The ferry, the cars' places and the plan so far."""

    def __init__(self, init: set[Fact]) -> None:
        self.plan: list[str] = []
        self.cars = {fact[1] for fact in init if fact[0] == "car"}
        self.locations = {fact[1] for fact in init if fact[0] == "location"}
        self.place_of = {car: place for _, car, place in sorted(fact for fact in init if fact[0] == "at")}
        here = sorted(fact[1] for fact in init if fact[0] == "at-ferry")
        if not here:
            raise ValueError("There is no ferry: the start has no fact `at-ferry`.")
        self.here = here[0]
        aboard = sorted(fact[1] for fact in init if fact[0] == "on")
        self.aboard = aboard[0] if aboard else ""
        if len(aboard) + (("empty-ferry",) in init) != 1:
            raise ValueError("The ferry is neither empty nor has it one car aboard.")
        self.routes: dict[str, set[str]] = defaultdict(set)
        for fact in init:
            if fact[0] == "not-eq" and fact[1] in self.locations and fact[2] in self.locations:
                self.routes[fact[1]].add(fact[2])

    def sail(self, place: str) -> None:
        """Sail to a place: at once where a fact `not-eq` allows it, else by way of other places."""
        stops = [place] if self.here == place or place in self.routes[self.here] else self._stops_to(place)
        for stop in stops:
            if stop != self.here:
                self.plan.append(f"(sail {self.here} {stop})")
                self.here = stop

    def _stops_to(self, place: str) -> list[str]:
        came_from = {self.here: ""}
        queue = deque([self.here])
        while queue and place not in came_from:
            stop = queue.popleft()
            for after in sorted(self.routes[stop]):
                if after not in came_from:
                    came_from[after] = stop
                    queue.append(after)
        if place not in came_from:
            raise ValueError(f"The ferry cannot sail from {self.here} to {place}.")
        stops = [place]
        while came_from[stops[-1]]:
            stops.append(came_from[stops[-1]])
        return stops[::-1]

    def fetch(self, car: str) -> None:
        if car not in self.cars or self.place_of.get(car) not in self.locations:
            raise ValueError(f"{car} is no car that can be taken aboard.")
        self.sail(self.place_of.pop(car))
        self.plan.append(f"(board {car} {self.here})")
        self.aboard = car

    def debark(self) -> None:
        if self.aboard not in self.cars or self.here not in self.locations:
            raise ValueError(f"{self.aboard} cannot be put ashore at {self.here}.")
        self.plan.append(f"(debark {self.aboard} {self.here})")
        self.place_of[self.aboard] = self.here
        self.aboard = ""


def carry_all(ferry: Ferry, target: dict[str, str], jobs: set[str]) -> None:
    """Bring all cars of `jobs` to their targets, in joined trips."""
    waiting: dict[str, dict[str, list[str]]] = defaultdict(dict)  # place -> target -> cars
    surplus: dict[str, int] = defaultdict(int)  # place -> cars that leave, less cars that come
    for car in sorted(jobs, reverse=True):
        if car not in ferry.place_of:
            raise ValueError(f"{car} is nowhere, so that it cannot be brought to {target[car]}.")
        place = ferry.place_of[car]
        waiting[place].setdefault(target[car], []).append(car)
        surplus[place] += 1
        surplus[target[car]] -= 1
    if waiting.get(ferry.here):
        surplus[ferry.here] -= 1
    first = [place for place in sorted(waiting) for _ in range(surplus[place])]
    for start in [ferry.here, *first, *sorted(waiting)]:
        place = start
        while waiting.get(place):
            goes_on = (to for to in waiting[place] if waiting.get(to))
            to = next(goes_on, None) or next(iter(waiting[place]))
            ferry.fetch(waiting[place][to].pop())
            if not waiting[place][to]:
                del waiting[place][to]
            ferry.sail(to)
            ferry.debark()
            place = to


def read_goal(init: set[Fact], goal: set[Fact]) -> tuple[dict[str, str], str, str]:
    """The target of each car, the car to be aboard in the end, and the ferry's last place ("" for any)."""
    target: dict[str, str] = {}
    single = {"on": "", "at-ferry": ""}
    for fact in sorted(goal):
        if fact[0] == "at":
            if fact[1] in target:
                raise ValueError(f"The goal wants {fact[1]} in two places.")
            target[fact[1]] = fact[2]
        elif fact[0] in single:
            if single[fact[0]]:
                raise ValueError(f"The goal wants `{fact[0]}` of both {single[fact[0]]} and {fact[1]}.")
            single[fact[0]] = fact[1]
        elif fact[0] != "empty-ferry" and fact not in init:
            raise ValueError(f"No action brings about ({' '.join(fact)}).")
    if single["on"] and (single["on"] in target or ("empty-ferry",) in goal):
        raise ValueError(f"The goal wants {single['on']} aboard and something that goes against it.")
    return target, single["on"], single["at-ferry"]
