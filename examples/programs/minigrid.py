"""Minigrid: walk through rooms whose doors are locked; a key of the door's shape opens it, and one key fits in the arm.

Policy: find out what has to be opened: a cheapest way to the target, where a locked door costs a way to its key as
well, keys behind other doors included. Then open the first door that can be opened now: fetch the nearest fitting key
(swapping it for the one in the arm), walk to the door, unlock. Think again until the target can be walked to. Opening
a door never does harm, so no choice can be wrong. Where few doors matter, a small A* over the order of keys and doors
looks for something shorter.

Wanted doors are opened first, then keys are brought to where they are wanted, then the robot goes to its place.
"""

from collections import deque
from heapq import heappop, heappush

MOST_STATES = 400  # States that the search for a shorter plan may look at.


def get_plan(objects, init, goal):
    missing = sorted(goal - init)
    if not missing:
        return []
    for fact in missing:
        if fact[0] not in ("at-robot", "at", "holding", "arm-empty", "open"):
            raise ValueError(f"Nothing makes ({' '.join(fact)}) true.")
    house = House(init, goal)
    if len(goal) == 1 and missing[0][0] == "at-robot":
        return way_to(house, missing[0][1])
    try:
        trial = house.copy()
        trial.make_true(sorted(goal))
    except ValueError:
        if house.robot in house.open:
            raise
        trial = house  # A locked cell that is left cannot be entered again: try with opening it first.
        trial.open_own_cell()
        trial.make_true(sorted(goal))
    return trial.plan


def way_to(house, target):
    """The policy's plan, or a shorter one that the search finds."""
    trial = house.copy()
    try:
        trial.reach(target)
        trial.walk_to(target)
    except ValueError:
        two_way = all(here in house.arcs.get(there, ()) for here, heads in house.arcs.items() for there in heads)
        if two_way and house.robot in house.open:
            raise
        trial = None  # Where a way does not lead back, the policy may have gone wrong, but not the search.
    plan = shortest(house, target, trial and trial.plan) or (trial and trial.plan)
    if plan is None:
        raise ValueError(f"No way to {target} was found.")
    return plan


class House:
    def __init__(self, init, goal):
        self.plan = []
        self.arcs, self.locks, self.shapes, self.place = {}, {}, {}, {}
        self.open, locked, holding = set(), set(), []
        self.robot, self.can_hold = None, False
        for fact in sorted(init):
            name, rest = fact[0], fact[1:]
            if name == "conn":
                self.arcs.setdefault(rest[0], []).append(rest[1])
            elif name == "lock-shape":
                self.locks.setdefault(rest[0], []).append(rest[1])
            elif name == "key-shape":
                self.shapes.setdefault(rest[0], []).append(rest[1])
            elif name == "at":
                self.place[rest[0]] = rest[1]
            elif name == "open":
                self.open.add(rest[0])
            elif name == "locked":
                locked.add(rest[0])
            elif name == "holding":
                holding.append(rest[0])
            elif name == "at-robot":
                self.robot = rest[0]
        self.held = holding[0] if holding else None
        self.can_hold = bool(holding) or ("arm-empty",) in init
        stay_locked = {fact[1] for fact in goal if fact[0] == "locked"}
        # Only doors that may be opened count as doors; anything else that is not open is a wall.
        self.locks = {door: shapes for door, shapes in self.locks.items() if door in locked - stay_locked}
        self.back = {}
        for here, heads in self.arcs.items():
            for there in heads:
                self.back.setdefault(there, []).append(here)

    def copy(self):
        other = object.__new__(House)
        vars(other).update(vars(self))
        other.plan, other.open, other.place = list(self.plan), set(self.open), dict(self.place)
        return other

    def make_true(self, goal):
        """Make a goal of several kinds of facts true."""
        wanted = {
            kind: [fact[1:] for fact in goal if fact[0] == kind] for kind in ("open", "at", "holding", "at-robot")
        }
        for (cell,) in wanted["open"]:
            if cell not in self.open:
                if cell not in self.locks:
                    raise ValueError(f"{cell} cannot be opened.")
                self.step_off(cell)
                self.reach(cell)
        for key, cell in wanted["at"]:
            if self.place.get(key) != cell:
                self.reach(self.place.get(key, self.robot))
                self.reach(cell)
        for (key,) in wanted["holding"]:
            self.reach(self.place.get(key, self.robot))
        for (cell,) in wanted["at-robot"]:
            self.reach(cell)
        for key, cell in sorted(wanted["at"], key=lambda move: (move[0] != self.held, move)):
            if self.place.get(key) != cell:
                self.fetch(key)
                self.walk_to(cell)
                self.put_down()
        for (key,) in wanted["holding"]:
            self.fetch(key)
        if ("arm-empty",) in goal and self.held is not None:
            self.put_down()
        for (cell,) in wanted["at-robot"]:
            self.walk_to(cell)

    # --- steps ---

    def do(self, action, *arguments):
        self.plan.append(f"({' '.join((action, *arguments))})")

    def walk(self, path):
        for there in path[1:]:
            self.do("move", self.robot, there)
            self.robot = there

    def walk_to(self, *cells):
        """Walk to the nearest of these cells."""
        came_from = spread(self.arcs, self.open, self.robot)
        for cell in came_from:
            if cell in cells:
                self.walk(path_to(cell, came_from))
                return
        raise ValueError(f"No open way leads from {self.robot} to {cells[0]}.")

    def fetch(self, key):
        if self.held == key:
            return
        if key not in self.place or not self.can_hold:
            raise ValueError(f"{key} cannot be picked up.")
        self.walk_to(self.place[key])
        self.take(key)

    def take(self, key):
        if self.held is None:
            self.do("pickup", self.robot, key)
        else:
            self.do("pickup-and-loose", self.robot, key, self.held)
            self.place[self.held] = self.robot
        del self.place[key]
        self.held = key

    def put_down(self):
        self.do("putdown", self.robot, self.held)
        self.place[self.held] = self.robot
        self.held = None

    def unlock(self, door):
        shape = next(shape for shape in self.locks[door] if shape in self.shapes.get(self.held, ()))
        self.do("unlock", self.robot, door, self.held, shape)
        self.open.add(door)

    def fits(self, key, door):
        return any(shape in self.locks[door] for shape in self.shapes.get(key, ()))

    # --- which door next ---

    def reach(self, target):
        """Open doors until the target can be walked to, or, if it is a door itself, is open."""
        while True:
            door = self.first_door(target)
            if door is None:
                return
            self.open_door(door)
            if door == target:
                return

    def first_door(self, target):
        """A door that can be opened now and that a cheapest way to the target needs; None if it needs none."""
        cost, came_from, key_for = self.think()
        while True:
            if target not in cost:
                raise ValueError(f"No key that can be got opens the way to {target}.")
            path = path_to(target, came_from)
            door = next((cell for cell in path[1:] if cell not in self.open), None)
            if door is None or key_for[door] == self.held:
                return door
            key_path = path_to(self.place[key_for[door]], came_from)
            if all(cell in self.open for cell in key_path[1:]):
                return door
            target = key_path[-1]

    def think(self):
        """The cost of every cell, where it is come from, and a key for every door, as if all doors shut again."""
        keys_at = {}
        for key in sorted(self.place):
            keys_at.setdefault(self.place[key], []).append(key)
        cost, came_from, key_for = {}, {}, {}
        key_cost = {}  # shape -> (cost, key)
        waiting = {}  # shape -> [(cost, place, door)], doors for which no key was found yet
        if self.held is not None:
            key_cost = dict.fromkeys(self.shapes.get(self.held, ()), (0, self.held))
        heap = [(0, self.robot, "", "")]
        while heap:
            here_cost, here, before, key = heappop(heap)
            if here in cost:
                continue
            cost[here] = here_cost
            came_from[here] = before or None
            if key:
                key_for[here] = key
            for found in keys_at.get(here, ()) if self.can_hold else ():
                for shape in self.shapes.get(found, ()):
                    if shape not in key_cost:
                        key_cost[shape] = (here_cost + 1, found)
                        for at_cost, place, door in waiting.pop(shape, ()):
                            heappush(heap, (at_cost + here_cost + 3, door, place, found))
            for there in self.arcs.get(here, ()):
                if there in cost:
                    continue
                if there in self.open:
                    heappush(heap, (here_cost + 1, there, here, ""))
                for shape in () if there in self.open else self.locks.get(there, ()):
                    if shape in key_cost:
                        extra, found = key_cost[shape]
                        heappush(heap, (here_cost + extra + 2, there, here, found))
                    else:
                        waiting.setdefault(shape, []).append((here_cost, here, there))
        return cost, came_from, key_for

    def open_own_cell(self):
        """A robot that starts on a locked cell opens it, if it can, to be able to come back to what lies there."""
        cell = self.robot
        if cell in self.open or cell not in self.locks:
            return
        fitting = [key for key, place in sorted(self.place.items()) if place == cell and self.fits(key, cell)]
        for beside in sorted(self.arcs.get(cell, ())):
            trial = self.copy()
            try:
                if fitting and self.can_hold and (self.held is None or not self.fits(self.held, cell)):
                    trial.take(fitting[0])
                trial.reach(beside)
                trial.walk_to(beside)
                trial.reach(cell)
            except ValueError:
                continue
            vars(self).update(vars(trial))
            return

    def step_off(self, cell):
        """Leave a cell that is to be unlocked, which is done from beside it."""
        if self.robot == cell and cell not in self.open:
            cost = self.think()[0]
            beside = [there for there in self.arcs.get(cell, ()) if there in cost and there != cell]
            if not beside:
                raise ValueError(f"Nothing beside {cell} can be entered.")
            nearest = min(beside, key=lambda there: (cost[there], there))
            self.reach(nearest)
            self.walk_to(nearest)

    def open_door(self, door):
        """Fetch the key that makes the shortest way to the door, go there and unlock."""
        ahead = spread(self.arcs, self.open, self.robot)
        behind = steps_in(spread(self.back, self.open | {self.robot}, door))
        if self.held is None or not self.fits(self.held, door):
            steps = steps_in(ahead)
            found = [
                (steps[place] + behind[place], place, key)
                for key, place in self.place.items()
                if place in steps and place in behind and self.fits(key, door)
            ]
            if not found:
                raise ValueError(f"No key for {door} can be brought there.")
            _, place, key = min(found)
            self.walk(path_to(place, ahead))
            self.take(key)
        self.walk_to(*(here for here in self.back[door]))
        self.unlock(door)


# --- a shorter plan, for small tasks ---


def shortest(house, target, known):
    """A* over fetching keys and opening doors; None if it finds nothing shorter than the known plan (or None)."""
    everything = house.open | house.locks.keys()
    ideal = steps_in(spread(house.back, everything | {house.robot}, target))
    limit = len(known) if known is not None else None
    most = MOST_STATES if known is not None else 100 * MOST_STATES
    heap, seen, count = [(ideal.get(house.robot, 0), 0, house)], set(), 0
    while heap and count < most:
        estimate, _, state = heappop(heap)
        if limit is not None and estimate >= limit:
            return None
        identity = (state.robot, state.held, frozenset(state.open), tuple(sorted(state.place.items())))
        if identity in seen:
            continue
        seen.add(identity)
        if state.robot == target:
            return state.plan
        for following in successors(state, target):
            if following.robot in ideal:
                count += 1
                heappush(heap, (len(following.plan) + ideal[following.robot], count, following))
    return None


def successors(state, target):
    """The states after fetching one key, opening one door, or walking to the target."""
    came_from = spread(state.arcs, state.open, state.robot)
    if target in came_from:
        yield walked(state, target, came_from)
        return
    for key in sorted(state.place) if state.can_hold else ():
        if state.place[key] in came_from:
            following = walked(state, state.place[key], came_from)
            following.take(key)
            yield following
    for here in came_from if state.held is not None else ():
        for door in state.arcs.get(here, ()):
            if door in state.locks and door not in state.open and state.fits(state.held, door):
                following = walked(state, here, came_from)
                following.unlock(door)
                yield following


def walked(state, cell, came_from):
    following = state.copy()
    following.walk(path_to(cell, came_from))
    return following


def spread(arcs, open_cells, start):
    """Breadth-first over open cells: where each is come from, nearest first. The start need not be open."""
    came_from = {start: None}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in arcs.get(here, ()):
            if there not in came_from and there in open_cells:
                came_from[there] = here
                queue.append(there)
    return came_from


def steps_in(came_from):
    """The number of steps to every cell of a breadth-first tree."""
    steps = {}
    for here, before in came_from.items():
        steps[here] = 0 if before is None else steps[before] + 1
    return steps


def path_to(cell, came_from):
    path = [cell]
    while came_from[path[-1]] is not None:
        path.append(came_from[path[-1]])
    return path[::-1]
