"""Spanner: a man walks along one-way links, collects spanners and tightens nuts; a spanner serves one nut.

Places that can be reached from each other form a region; the walk through the regions can never turn back (in the
usual tasks a region is one place, and the regions form a chain). So the walk is laid out before the first step:

1. The regions that must be visited (nuts of the goal, spanners it wants carried, the last place) are put in order.
2. Between one and the next, the way is taken that passes the most useable spanners, and then the shortest.

On the walk, in each region, the nearest thing of use is next: a spanner while more are needed, a nut while an unused
spanner is in hand. Several men: one of them does it all if he can; else each in turn does what he can of it.
The time is linear in the facts for a chain.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from functools import partial

Fact = tuple[str, ...]


def get_plan(objects: set[tuple[str, str]], init: set[Fact], goal: set[Fact]) -> list[str]:
    """The plan, as a list of steps. Raises ValueError where the goal cannot be reached, or no way was found."""
    if goal <= init:
        return []
    task = Task(objects, init, goal)
    for man in task.men:
        plan = one_man_plan(task, man)
        if plan is not None:
            return plan
    plan = shared_plan(task) if len(task.men) > 1 else None
    if plan is None:
        raise ValueError("No walk passes all nuts of the goal with enough useable spanners collected before each.")
    return plan


class Task:
    """What lies where, what the goal wants, and the regions of the map."""

    def __init__(self, objects: set[tuple[str, str]], init: set[Fact], goal: set[Fact]) -> None:
        kind = dict(objects)
        self.links: dict[str, list[str]] = defaultdict(list)
        place_of: dict[str, str] = {}
        for fact in sorted(init):
            if fact[0] == "link":
                self.links[fact[1]].append(fact[2])
            elif fact[0] == "at":
                place_of[fact[1]] = fact[2]
        self.men = sorted(name for name in place_of if kind[name] == "man")
        self.start = {man: place_of[man] for man in self.men}
        self.end = {fact[1]: fact[2] for fact in sorted(goal) if fact[0] == "at" and kind[fact[1]] == "man"}
        self.to_carry = {(fact[1], fact[2]) for fact in goal if fact[0] == "carrying" and fact not in init}
        self.nut_at = {fact[1]: place_of.get(fact[1], "") for fact in goal if fact[0] == "tightened"
                       and fact not in init and ("loose", fact[1]) in init}  # fmt: skip
        kept = {fact[1] for fact in goal if fact[0] == "useable"}
        lying = {name: place for name, place in place_of.items() if kind[name] == "spanner"}
        self.spanner_at = {name: lying[name] for name in sorted(lying) if ("at", name, lying[name]) not in goal}
        self.useable = {fact[1] for fact in init if fact[0] == "useable"} - kept
        self.in_hand = {man: [fact[2] for fact in sorted(init) if fact[:2] == ("carrying", man)] for man in self.men}
        self.region = regions(self.links, {*self.start.values(), *place_of.values()})
        self._refuse_what_cannot_be(init, goal)

    def _refuse_what_cannot_be(self, init: set[Fact], goal: set[Fact]) -> None:
        for fact in sorted(goal - init):
            possible = (
                (fact[0] == "tightened" and self.nut_at.get(fact[1]))
                or (fact[0] == "carrying" and fact[2] in self.spanner_at and fact[1] in self.start)
                or (fact[0] == "at" and fact[1] in self.start)
            )
            if not possible or ("loose", fact[1]) in goal:
                raise ValueError(f"No action brings about ({' '.join(fact)}).")


def one_man_plan(task: Task, man: str) -> list[str] | None:
    """The plan in which one man does everything, if he can."""
    other = [name for name in task.end if name != man and task.end[name] != task.start[name]]
    if other or any(who != man for who, _ in task.to_carry):
        return None
    walk = Walk(task, man, frozenset(task.nut_at), {spanner for _, spanner in task.to_carry}, set(task.spanner_at))
    return walk.plan if walk.walked() else None


def shared_plan(task: Task) -> list[str] | None:
    """Each man in turn takes on the nuts he can, one more at a time, if he can still reach his own goals."""
    nuts, spanners, plan = set(task.nut_at), set(task.spanner_at), []
    for man in task.men:
        own = {spanner for who, spanner in task.to_carry if who == man}
        free = spanners - {spanner for who, spanner in task.to_carry if who != man}
        best = Walk(task, man, frozenset(), own, free)
        if not best.walked():
            return None
        for nut in sorted(nuts):
            more = Walk(task, man, best.nuts_taken_on | {nut}, own, free)
            if more.walked():
                best = more
        nuts -= best.nuts_taken_on
        spanners -= best.picked
        plan += best.plan
    return None if nuts else plan


class Walk:
    """One man's walk: the nuts he takes on, the spanners he must end up with, and those he may pick up."""

    def __init__(self, task: Task, man: str, nuts: frozenset[str], own: set[str], free: set[str]) -> None:
        self.task, self.man, self.here = task, man, task.start[man]
        self.plan: list[str] = []
        self.nuts_taken_on = nuts
        self.picked: set[str] = set()
        self.own = own
        self.nuts_here = by_place({nut: task.nut_at[nut] for nut in nuts})
        self.own_here = by_place({name: task.spanner_at[name] for name in own})
        useful = (free & task.useable) - own
        self.useful_here = by_place({name: task.spanner_at[name] for name in useful})
        self.unused = [name for name in task.in_hand[man] if name in task.useable]
        self.to_pick = len(nuts) - len(self.unused)
        self.nuts_left = len(nuts)

    def walked(self) -> bool:
        """Walk the whole way; whether all came out as wanted."""
        end = self.task.end.get(self.man)
        stops = {*self.nuts_here, *self.own_here, *([end] if end else [])}
        way = self._way_through_regions({self.task.region.get(stop, -1) for stop in stops})
        if way is None:
            return False
        for number, region in enumerate(way):
            if number and not self._go(partial(self._is_in, region)):
                return False
            self._work()
        if end and not self._go(end.__eq__):
            return False
        return not self.nuts_left and self.own <= self.picked

    def _way_through_regions(self, stops: set[int]) -> list[int] | None:
        """The regions to pass, first to last. They are numbered such that links lead to lower numbers only."""
        region_of = self.task.region
        if -1 in stops:
            return None
        after: dict[int, set[int]] = defaultdict(set)
        for place, others in self.task.links.items():
            if place in region_of:
                after[region_of[place]].update(region_of[other] for other in others)
        spanners: dict[int, int] = defaultdict(int)
        for place, names in (*self.useful_here.items(), *self.own_here.items()):
            spanners[region_of[place]] += len(self.task.useable.intersection(names))
        way = [region_of[self.here]]
        for stop in sorted(stops - {way[0]}, reverse=True):
            part = most_spanners(way[-1], stop, after, spanners, self.to_pick + len(self.own))
            if part is None:
                return None
            way += part
        return way

    def _work(self) -> None:
        """Do what is of use in the present region, the nearest first."""
        region = self.task.region[self.here]
        while self._go(lambda place: self._is_in(region, place) and self._is_of_use(place)):
            for name in self.own_here.pop(self.here, ()):
                self._pick(name)
            useful = self.useful_here.get(self.here, [])
            while useful and self.to_pick > 0:
                self._pick(useful.pop(0))
            nuts = self.nuts_here.get(self.here, [])
            while nuts and self.unused:
                self.plan.append(f"(tighten_nut {self.here} {self.unused.pop()} {self.man} {nuts.pop(0)})")
                self.nuts_left -= 1

    def _is_in(self, region: int, place: str) -> bool:
        return self.task.region[place] == region

    def _is_of_use(self, place: str) -> bool:
        if place in self.own_here or (self.to_pick > 0 and self.useful_here.get(place)):
            return True
        return bool(self.unused and self.nuts_here.get(place))

    def _pick(self, spanner: str) -> None:
        self.plan.append(f"(pickup_spanner {self.here} {spanner} {self.man})")
        self.picked.add(spanner)
        if spanner in self.task.useable:
            self.unused.append(spanner)
            self.to_pick -= 1

    def _go(self, wanted: Callable[[str], bool]) -> bool:
        """Walk to the nearest wanted place, if one can be reached without leaving the region before."""
        came_from = {self.here: ""}
        queue = deque([self.here])
        while queue:
            place = queue.popleft()
            if wanted(place):
                stops = [place]
                while came_from[stops[-1]]:
                    stops.append(came_from[stops[-1]])
                for stop in stops[-2::-1]:
                    self.plan.append(f"(walk {self.here} {stop} {self.man})")
                    self.here = stop
                return True
            if self.task.region[place] == self.task.region[self.here]:
                for other in self.task.links.get(place, ()):
                    if other not in came_from:
                        came_from[other] = place
                        queue.append(other)
        return False


def most_spanners(
    start: int, stop: int, after: dict[int, set[int]], spanners: dict[int, int], enough: int
) -> list[int] | None:
    """The way between two regions (the first left out) with the most spanners up to enough, then the shortest."""
    best = {start: (0, 0)}
    came_from: dict[int, int] = {}
    for region in range(start, stop, -1):
        if region in best:
            count, steps = best[region]
            for other in after.get(region, ()):
                value = (min(enough, count + spanners.get(other, 0)), steps - 1)
                if other < region and (other not in best or value > best[other]):
                    best[other], came_from[other] = value, region
    if stop not in best:
        return None
    way = [stop]
    while came_from[way[-1]] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


def regions(links: dict[str, list[str]], places: set[str]) -> dict[str, int]:
    """The number of each place's region (strongly connected component), by Tarjan's method without recursion.

    A region's number is lower than that of every region that leads to it.
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    region: dict[str, int] = {}
    stack: list[str] = []
    count = 0
    for start in sorted({*places, *links}):
        work: list[tuple[str, Iterable[str]]] = [] if start in index else [(start, iter(links.get(start, ())))]
        while work:
            place, rest = work[-1]
            if place not in index:
                index[place] = low[place] = len(index)
                stack.append(place)
            for other in rest:
                if other not in index:
                    work.append((other, iter(links.get(other, ()))))
                    break
                if other not in region:
                    low[place] = min(low[place], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[place])
                if low[place] == index[place]:
                    while place not in region:
                        region[stack.pop()] = count
                    count += 1
    return region


def by_place(place_of: dict[str, str]) -> dict[str, list[str]]:
    """The things at each place."""
    things: dict[str, list[str]] = defaultdict(list)
    for thing in sorted(place_of):
        things[place_of[thing]].append(thing)
    return things
