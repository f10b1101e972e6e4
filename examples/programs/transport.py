"""Transport: trucks of limited capacity carry packages over a road network.

Policy: again and again the truck nearest to a useful stop drives there. Useful are the destination of a package it
carries, and a place where a package waits while the truck has room. At every place on its way a truck first drops what
belongs there, then loads what waits, so that packages travel in batches; packages that are wanted nowhere are put down
for that. Where roads are one-way, a truck finishes
its strongly connected part of the network before it leaves it, and leaves for the part that lies first on the way.
At the end, packages wanted inside a vehicle are fetched, and trucks with a wanted position go there.
"""

from collections import deque
from heapq import heappop, heappush


def get_plan(objects, init, goal):
    if goal <= init:
        return []
    subjects = [fact[1] for fact in goal if fact[0] in ("at", "in")]
    if len(subjects) > len(set(subjects)) or any(fact[0] not in ("at", "in") for fact in goal - init):
        raise ValueError("The goal wants a thing in two places, or something that driving and loading cannot do.")
    world = World(init, goal)
    world.deliver()
    world.fetch_cargo_to_keep()
    world.park()
    return world.plan


class World:
    def __init__(self, init, goal):
        self.plan = []
        self.roads, self.lower, self.upper = {}, {}, {}
        self.capacity = {}  # vehicle -> the capacity numbers it went through, the present one last
        self.position = {}  # vehicle -> place
        self.cargo = {}  # vehicle -> packages inside
        self.waiting = {}  # place -> packages there that still have to be moved
        self.place_of = {}  # package -> place, unless it is inside a vehicle
        at = {}
        for fact in sorted(init):
            name, rest = fact[0], fact[1:]
            if name == "road":
                self.roads.setdefault(rest[0], []).append(rest[1])
            elif name == "capacity-predecessor":
                self.lower.setdefault(rest[1], []).append(rest[0])
                self.upper.setdefault(rest[0], []).append(rest[1])
            elif name == "capacity":
                self.capacity[rest[0]] = [rest[1]]
            elif name == "in":
                self.cargo.setdefault(rest[1], []).append(rest[0])
            elif name == "at":
                at[rest[0]] = rest[1]
        for thing, place in at.items():
            (self.position if thing in self.capacity else self.place_of)[thing] = place
        self.trucks = sorted(self.position)
        for truck in self.trucks:
            self.cargo.setdefault(truck, [])
        self.depth = {}
        self.distances = {}
        self.wishes(goal, at)
        self.number_parts()

    def wishes(self, goal, at):
        """Read the goal: destinations, parking places, packages to keep inside a vehicle."""
        self.destination, self.parking, self.keeper = {}, {}, {}
        for fact in sorted(goal):
            if fact[0] == "at" and fact[1] in self.capacity:
                self.parking[fact[1]] = fact[2]
            elif fact[0] == "at":
                self.destination[fact[1]] = fact[2]
            elif fact[0] == "in":
                self.keeper[fact[1]] = fact[2]
        for package, target in sorted(self.destination.items()):
            place = self.place_of.get(package)
            if place is not None and place != target:
                self.waiting.setdefault(place, []).append(package)

    def number_parts(self):
        """Number the strongly connected parts of the network: one-way roads lead from greater to smaller numbers."""
        self.part = {}
        self.homeward = {}  # vehicle with a parking place -> the places from where that can be reached
        if all(here in self.roads.get(there, ()) for here, heads in self.roads.items() for there in heads):
            return  # Every road can be driven back: no part is ever left.
        self.part = components(self.roads)
        if len(set(self.part.values())) == 1:
            self.part = {}
            return
        for truck, place in self.parking.items():
            self.homeward[truck] = {here for here in self.part if place in self.distances_from(here)} | {place}

    # --- driving and loading ---

    def room(self, truck):
        """How many more packages the truck can take."""
        number = self.capacity[truck][-1]
        return self.slots(number, frozenset())

    def slots(self, number, above):
        if number not in self.depth:
            below = [n for n in self.lower.get(number, ()) if n not in above and n != number]
            self.depth[number] = max((1 + self.slots(n, above | {number}) for n in below), default=0)
        return self.depth[number]

    def load(self, truck, package):
        place, numbers = self.position[truck], self.capacity[truck]
        lower = max(self.lower[numbers[-1]], key=lambda n: (self.slots(n, frozenset()), n))
        self.plan.append(f"(pick-up {truck} {place} {package} {lower} {numbers[-1]})")
        numbers.append(lower)
        self.cargo[truck].append(package)
        del self.place_of[package]

    def unload(self, truck, package):
        place, numbers = self.position[truck], self.capacity[truck]
        now = numbers.pop()
        if not numbers:
            if now not in self.upper:
                raise ValueError(f"{truck} cannot drop {package}: no capacity number is above {now}.")
            numbers.append(self.upper[now][0])
        self.plan.append(f"(drop {truck} {place} {package} {now} {numbers[-1]})")
        self.cargo[truck].remove(package)
        self.place_of[package] = place
        if self.destination.get(package, place) != place:
            self.waiting.setdefault(place, []).append(package)

    def serve(self, truck):
        """Drop what belongs here, then load what waits here, as far as there is room."""
        place = self.position[truck]
        for package in [p for p in self.cargo[truck] if self.destination.get(p) == place]:
            self.unload(truck, package)
        queue = self.loadable(place)
        if not queue:
            return
        idle = self.idle_cargo(truck)
        while idle and self.room(truck) < len(queue):
            self.unload(truck, idle.pop())
        if self.room(truck) < len(queue):
            far = self.distances_from(place)
            queue.sort(key=lambda p: (far.get(self.destination[p], len(far)), self.destination[p], p))
        taken = queue[: self.room(truck)]
        for package in taken:
            self.load(truck, package)
        left = [package for package in self.waiting.pop(place) if package not in taken]
        if left:
            self.waiting[place] = left

    def loadable(self, place):
        """What may be loaded here. Work inside a part of a one-way network is done before anything leaves the part."""
        queue = list(self.waiting.get(place, ()))
        part = self.part.get(place)
        if queue and part is not None and part in self.busy_parts():
            return [package for package in queue if self.part.get(self.destination[package]) == part]
        return queue

    def busy_parts(self):
        """The parts of a one-way network in which a package waits to be brought to another place of the part."""
        return {
            self.part[place]
            for place, queue in self.waiting.items()
            if place in self.part and any(self.part.get(self.destination[p]) == self.part[place] for p in queue)
        }

    def idle_cargo(self, truck):
        """Packages in the truck that need not be brought anywhere; those wanted inside this truck come first."""
        idle = [package for package in self.cargo[truck] if package not in self.destination]
        return sorted(idle, key=lambda package: (self.keeper.get(package) != truck, package))

    def can_take(self, truck):
        """Whether the truck has room, or can make room by putting down a package that nobody waits for."""
        return self.room(truck) > 0 or any(package not in self.destination for package in self.cargo[truck])

    def drive(self, truck, path):
        """Drive along the path, serving every place on it."""
        self.serve(truck)
        for there in path[1:]:
            self.plan.append(f"(drive {truck} {self.position[truck]} {there})")
            self.position[truck] = there
            self.serve(truck)

    def distances_from(self, place):
        if place not in self.distances:
            self.distances[place] = came_from = {place: 0}
            queue = deque([place])
            while queue:
                here = queue.popleft()
                for there in self.roads.get(here, ()):
                    if there not in came_from:
                        came_from[there] = came_from[here] + 1
                        queue.append(there)
        return self.distances[place]

    # --- the three phases ---

    def deliver(self):
        for truck in self.trucks:
            self.serve(truck)
        heap = self.proposals()
        while heap:
            _, _, truck, path = heappop(heap)
            if self.is_useful(truck, path[-1]):
                self.drive(truck, path)
            self.propose(heap, truck)
            if not heap and self.part:
                heap = self.proposals()  # What had to wait for other work may be loaded by now.
        late = sorted(p for p, target in self.destination.items() if self.place_of.get(p) != target)
        if late:
            raise ValueError(f"No truck can bring {', '.join(late[:3])} to where it is wanted.")

    def proposals(self):
        heap = []
        for truck in self.trucks:
            self.propose(heap, truck)
        return heap

    def propose(self, heap, truck):
        """Put the truck's next trip on the heap, if there is any: near ones first."""
        path = self.next_trip(truck)
        if path:
            leaves = self.part.get(path[0]) != self.part.get(path[-1])
            heappush(heap, (leaves, len(path), truck, path))

    def is_useful(self, truck, place):
        if any(self.destination.get(package) == place for package in self.cargo[truck]):
            return True
        return self.can_take(truck) and bool(self.loadable(place))

    def next_trip(self, truck):
        """A shortest path to the nearest useful stop; see above for one-way roads. None if there is no such stop."""
        start = self.position[truck]
        wanted = {self.destination[p] for p in self.cargo[truck] if p in self.destination}
        if self.can_take(truck):
            wanted |= {place for place in self.waiting if self.loadable(place)} if self.part else self.waiting.keys()
        if truck in self.homeward:
            wanted &= self.homeward[truck]
        if not wanted:
            return None
        came_from = {start: None}
        queue = deque([start])
        best = None
        while queue:
            here = queue.popleft()
            if here in wanted and (best is None or self.part[here] > self.part[best]):
                best = here
                if self.part.get(here) == self.part.get(start):
                    break
            for there in self.roads.get(here, ()):
                if there not in came_from:
                    came_from[there] = here
                    queue.append(there)
        return best and path_to(best, came_from)

    def fetch_cargo_to_keep(self):
        for package, keeper in sorted(self.keeper.items()):
            for truck in self.trucks:
                if truck != keeper and package in self.cargo[truck]:
                    self.unload(truck, package)
            if package not in self.cargo.get(keeper, ()):
                self.travel(keeper, self.place_of[package])
                if not self.room(keeper):
                    idle = [p for p in self.cargo[keeper] if self.keeper.get(p) != keeper]
                    if not idle:
                        raise ValueError(f"{keeper} has no room for {package}.")
                    self.unload(keeper, idle[0])
                self.load(keeper, package)

    def park(self):
        for truck, place in sorted(self.parking.items()):
            self.travel(truck, place)

    def travel(self, truck, place):
        start = self.position[truck]
        came_from = {start: None}
        queue = deque([start])
        while queue and place not in came_from:
            here = queue.popleft()
            for there in self.roads.get(here, ()):
                if there not in came_from:
                    came_from[there] = here
                    queue.append(there)
        if place not in came_from:
            raise ValueError(f"No road leads {truck} from {start} to {place}.")
        for there in path_to(place, came_from)[1:]:
            self.plan.append(f"(drive {truck} {self.position[truck]} {there})")
            self.position[truck] = there


def path_to(place, came_from):
    path = [place]
    while came_from[path[-1]] is not None:
        path.append(came_from[path[-1]])
    return path[::-1]


def components(arcs):
    """The strongly connected component of each node (Tarjan); arcs lead to components of no greater number."""
    index, low, number = {}, {}, {}
    stack, count = [], 0
    for root in sorted(set(arcs) | {there for heads in arcs.values() for there in heads}):
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        work = [(root, iter(arcs.get(root, ())))]
        while work:
            here, heads = work[-1]
            for there in heads:
                if there not in index:
                    index[there] = low[there] = len(index)
                    stack.append(there)
                    work.append((there, iter(arcs.get(there, ()))))
                    break
                if there not in number:
                    low[here] = min(low[here], index[there])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[here])
                if low[here] == index[here]:
                    while here not in number:
                        number[stack.pop()] = count
                    count += 1
    return number
