"""Miconic: bring passengers to their floors with a lift in each building.

Floors between which `above` holds, directly or in steps, form a building. A lift holds any number of passengers, so a
floor need not be visited twice unless passengers come to it after others have left it for good. The lifts therefore
always go to the floor that the fewest passengers still wait to come to: all that wait there board, all that are bound
for it leave. A floor where nobody waits is gone to only when everybody bound for it is aboard. One sweep that way
visits a floor twice only where the passengers' ways form rings.

Passengers may be aboard at the start, and may be bound for another building (whoever boarded one lift can leave any).
The time is linear in the facts but for a logarithmic factor.
"""

from __future__ import annotations

from collections import defaultdict, deque
from heapq import heapify, heappop, heappush
from itertools import pairwise

Fact = tuple[str, ...]


def get_plan(objects: set[tuple[str, str]], init: set[Fact], goal: set[Fact]) -> list[str]:
    """The plan, as a list of steps. Raises ValueError where the goal cannot be reached."""
    if goal <= init:
        return []
    for fact in sorted(goal):
        if fact[0] not in ("served", "boarded", "lift-at") and fact not in init:
            raise ValueError(f"No action brings about ({' '.join(fact)}).")
    lifts = Lifts(init)
    to_serve = arguments(goal, "served") - arguments(init, "served")
    to_board = arguments(goal, "boarded")
    aboard = arguments(init, "boarded")
    serve(lifts, to_serve, aboard, init)
    board_again(lifts, to_board - (aboard - to_serve), init)
    lifts.park(arguments(goal, "lift-at"))
    return lifts.plan


class Lifts:
    """Where the lifts are, which floors each can reach, and the plan so far."""

    def __init__(self, init: set[Fact]) -> None:
        self.plan: list[str] = []
        self.above: dict[str, set[str]] = defaultdict(set)
        self.below: dict[str, set[str]] = defaultdict(set)
        for fact in init:
            if fact[0] == "above":
                self.above[fact[1]].add(fact[2])
                self.below[fact[2]].add(fact[1])
        self.building: dict[str, str] = {}  # floor -> a floor that stands for the building
        self.floors: dict[str, list[str]] = {}  # building -> the floors where its lifts are, mostly one
        for floor in sorted(arguments(init, "lift-at")):
            if floor not in self.building:
                self._explore(floor)
            self.floors[self.building[floor]].append(floor)

    def _explore(self, start: str) -> None:
        self.floors[start] = []
        self.building[start] = start
        queue = [start]
        while queue:
            floor = queue.pop()
            for other in (*self.above.get(floor, ()), *self.below.get(floor, ())):
                if other not in self.building:
                    self.building[other] = start
                    queue.append(other)

    def reaches(self, floor: str) -> bool:
        return floor in self.building

    def go(self, floor: str, number: int = 0) -> None:
        """Bring a lift of the floor's building there: the one of that number, if none is there yet.

        Two lifts on one floor would become one. So where the way leads through floors with other lifts, the last of
        these moves on first, and each moves up to where the next one was.
        """
        lifts = self.floors[self.building[floor]]
        if floor in lifts:
            return
        way = [lifts[number], *self._stops(lifts[number], floor)]
        end = len(way) - 1
        for start in range(len(way) - 2, -1, -1):
            if way[start] in lifts:
                for here, there in pairwise(way[start : end + 1]):
                    self.plan.append(f"({'up' if there in self.above.get(here, ()) else 'down'} {here} {there})")
                end = start
        lifts[number] = floor

    def _stops(self, start: str, end: str) -> list[str]:
        """The floors to go through, mostly only the end: `above` is usually given for all pairs of a building."""
        if end in self.above.get(start, ()) or end in self.below.get(start, ()):
            return [end]
        came_from = {start: ""}
        queue = deque([start])
        while end not in came_from:
            floor = queue.popleft()
            for other in sorted({*self.above.get(floor, ()), *self.below.get(floor, ())}):
                if other not in came_from:
                    came_from[other] = floor
                    queue.append(other)
        stops = [end]
        while came_from[stops[-1]] != start:
            stops.append(came_from[stops[-1]])
        return stops[::-1]

    def park(self, floors: set[str]) -> None:
        """Bring lifts to the floors where the goal wants them."""
        wanted: dict[str, list[str]] = defaultdict(list)
        for floor in sorted(floors):
            if not self.reaches(floor):
                raise ValueError(f"No lift reaches {floor}.")
            wanted[self.building[floor]].append(floor)
        for building, goals in wanted.items():
            lifts = self.floors[building]
            spare = [number for number, floor in enumerate(lifts) if floor not in goals]
            for floor in goals:
                if floor not in lifts:
                    if not spare:
                        raise ValueError(f"There are too few lifts to have one at {floor}.")
                    self.go(floor, spare.pop(0))


def serve(lifts: Lifts, passengers: set[str], aboard: set[str], init: set[Fact]) -> None:
    """Bring the passengers to their floors."""
    origin = floors_of(passengers - aboard, "origin", lifts, init)
    destination = floors_of(passengers, "destin", lifts, init)
    waiting: dict[str, list[str]] = defaultdict(list)
    riding: dict[str, list[str]] = defaultdict(list)
    still_to_come: dict[str, int] = defaultdict(int)
    for passenger in sorted(passengers):
        if passenger in aboard:
            riding[destination[passenger]].append(passenger)
        else:
            waiting[origin[passenger]].append(passenger)
            still_to_come[destination[passenger]] += 1
    queue = [(still_to_come[floor], floor) for floor in {*waiting, *riding}]
    heapify(queue)

    def visit(floor: str) -> None:
        lifts.go(floor)
        for passenger in waiting.pop(floor, ()):
            lifts.plan.append(f"(board {floor} {passenger})")
            bound_for = destination[passenger]
            riding[bound_for].append(passenger)
            still_to_come[bound_for] -= 1
            heappush(queue, (still_to_come[bound_for], bound_for))
        for passenger in riding.pop(floor, ()):
            lifts.plan.append(f"(depart {floor} {passenger})")

    for floors in lifts.floors.values():
        for floor in list(floors):
            visit(floor)
    while queue:
        missing, floor = heappop(queue)
        up_to_date = missing == still_to_come[floor]
        if up_to_date and (floor in waiting or (floor in riding and not missing)):
            visit(floor)


def board_again(lifts: Lifts, passengers: set[str], init: set[Fact]) -> None:
    """Take aboard whom the goal wants aboard in the end."""
    origin = floors_of(passengers, "origin", lifts, init)
    here = [floor for floors in lifts.floors.values() for floor in floors]
    for passenger in sorted(passengers, key=lambda who: (origin[who] not in here, origin[who], who)):
        lifts.go(origin[passenger])
        lifts.plan.append(f"(board {origin[passenger]} {passenger})")


def floors_of(passengers: set[str], predicate: str, lifts: Lifts, init: set[Fact]) -> dict[str, str]:
    """The floor of each passenger: the first that a lift reaches, should there be several."""
    floor_of: dict[str, str] = {}
    for _, passenger, floor in sorted(fact for fact in init if fact[0] == predicate and fact[1] in passengers):
        if lifts.reaches(floor):
            floor_of.setdefault(passenger, floor)
    for passenger in sorted(passengers):
        if passenger not in floor_of:
            raise ValueError(f"{passenger} has no `{predicate}` floor that a lift reaches.")
    return floor_of


def arguments(facts: set[Fact], predicate: str) -> set[str]:
    """The objects that a predicate of one argument holds of."""
    return {fact[1] for fact in facts if fact[0] == predicate}
