"""Gold miner: get to the gold through rock, with bombs and a laser. A bomb clears one soft rock, and there are always
more; the laser clears any rock again and again, but destroys gold too.

Policy: several simple plans are played through, and the shortest that works is taken:
1. walk to gold that lies free;
2. blast a way with bombs, fetching a new one for every rock;
3. take the laser (blasting a way to it if need be), cut a way to a place beside the gold, put the laser down, fetch a
   bomb, free the gold with it, and pick the gold up. The gold's own place is never shot at.
A robot that starts with a bomb in its arm can only get rid of it by blasting some soft rock.
"""

from collections import deque
from heapq import heappop, heappush
from itertools import pairwise

MOST_GOLD = 4  # With more gold than this, only the nearest is thought about, as long as some plan works.


class Stuck(Exception):
    """This way of doing it does not work here."""


def get_plan(objects, init, goal):
    if goal <= init:
        return []
    mine = Mine(init)
    ends = sorted(fact[1] for fact in goal if fact[0] == "robot-at")
    if len(ends) > 1 or any(fact[0] not in ("holds-gold", "robot-at") and fact not in init for fact in goal):
        raise ValueError("This program gets gold, and goes to one place; it can do nothing else.")
    end = ends[0] if ends else None
    plans = []
    if ("holds-gold",) in goal and mine.arm != "gold":
        for gold in mine.by_distance(mine.gold):
            plans += plans_for(mine, gold, end)
            if len(plans) > MOST_GOLD:
                break
    else:
        plans += working(mine, [walk_there, blast_there, cut_there], end)
    if not plans:
        raise ValueError("Neither bombs nor laser can make the goal true.")
    return min(plans, key=len)


def plans_for(mine, gold, end):
    """The plans that get this gold, and then to the end, if there is one."""
    ways = [walk_there, blast_there]
    for beside in sorted(here for here, heads in mine.arcs.items() if gold in heads and here != gold):
        for rounds in (1, 3):
            ways.append(lambda trial, target, b=beside, r=rounds: cut_beside(trial, target, b, r, end))
    return working(mine, [lambda trial, target, w=way: get_gold(trial, target, w, end) for way in ways], gold)


def working(mine, ways, target):
    plans = []
    for way in ways:
        trial = mine.copy()
        try:
            way(trial, target)
        except Stuck:
            continue
        plans.append(trial.plan)
    return plans


# --- the ways to do it ---


def get_gold(mine, gold, way, end):
    way(mine, gold)
    if mine.arm == "laser":
        mine.put_down_laser()
    if mine.arm == "bomb":
        mine.spend_bomb()
        mine.walk_to(gold)
    mine.do("pick-gold", mine.robot)
    mine.arm = "gold"
    if end:
        mine.walk_to(end)


def walk_there(mine, target):
    mine.walk_to(target)


def blast_there(mine, target):
    """Blast a way with as few bombs as possible."""
    if mine.arm == "laser":
        mine.put_down_laser()
    if target in mine.clear or target in mine.soft:
        mine.blast_way({target})
    mine.walk_to(target)


def cut_there(mine, target):
    mine.get_laser()
    mine.cut_way(target, None, 1)


def cut_beside(mine, gold, beside, rounds, end):
    """With the laser to a place beside the gold; then free the gold with a bomb. Ways are walked `rounds` times."""
    if gold not in mine.clear and gold not in mine.soft:
        raise Stuck  # Only the laser could free it, and would destroy it.
    mine.get_laser()
    if end and end != gold:
        mine.cut_way(end, gold, 2)
    if gold in mine.clear:
        mine.cut_way(beside, gold, 1)
    else:
        mine.cut_way(beside, gold, rounds)
        if not mine.reachable() & mine.bombs:
            mine.cut_way(mine.by_distance(mine.bombs, through_rock=gold)[0], gold, 1)
        mine.put_down_laser()
        mine.get_bomb()
        mine.walk_to(beside)
        mine.detonate(gold)
    mine.walk_to(gold)


# --- the mine ---


class Mine:
    def __init__(self, init):
        self.arcs, self.plan, self.robot, self.arm = {}, [], None, "full"
        self.clear, self.soft, self.hard, self.gold, self.bombs, self.lasers = (set() for _ in range(6))
        sets = {
            "clear": self.clear,
            "soft-rock-at": self.soft,
            "hard-rock-at": self.hard,
            "gold-at": self.gold,
            "bomb-at": self.bombs,
            "laser-at": self.lasers,
        }
        for fact in sorted(init):
            if fact[0] == "connected":
                self.arcs.setdefault(fact[1], []).append(fact[2])
            elif fact[0] == "robot-at":
                self.robot = fact[1]
            elif fact[0] == "arm-empty" or fact[0].startswith("holds-"):
                self.arm = fact[0].split("-")[1]
            elif fact[0] in sets:
                sets[fact[0]].add(fact[1])

    def copy(self):
        other = object.__new__(Mine)
        for name, value in vars(self).items():
            setattr(other, name, value if name == "arcs" or isinstance(value, str) else value.copy())
        return other

    def do(self, action, *arguments):
        self.plan.append(f"({' '.join((action, *arguments))})")

    # --- moving ---

    def ways(self):
        """Where every place that can be walked to is come from."""
        came_from = {self.robot: None}
        queue = deque([self.robot])
        while queue:
            here = queue.popleft()
            for there in self.arcs.get(here, ()):
                if there not in came_from and there in self.clear:
                    came_from[there] = here
                    queue.append(there)
        return came_from

    def reachable(self):
        return self.ways().keys()

    def by_distance(self, places, through_rock=None):
        """The places that can be got to, the nearest first: through all rock, but not through `through_rock`."""
        steps = {self.robot: 0}
        queue = deque([self.robot])
        while queue:
            here = queue.popleft()
            for there in self.arcs.get(here, ()):
                if there not in steps and there != through_rock:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        found = sorted((steps[place], place) for place in places if place in steps)
        if not found and through_rock:
            raise Stuck
        return [place for _, place in found]

    def walk_to(self, *targets):
        """Walk to the nearest of the targets."""
        came_from = self.ways()  # Breadth first: what was found first is nearest.
        for place in came_from:
            if place in targets:
                for there in path_to(place, came_from)[1:]:
                    self.do("move", self.robot, there)
                    self.robot = there
                return
        raise Stuck

    # --- bombs ---

    def get_bomb(self):
        if self.arm == "bomb":
            return
        if self.arm != "empty":
            raise Stuck
        self.walk_to(*self.bombs)
        self.do("pickup-bomb", self.robot)
        self.arm = "bomb"

    def detonate(self, rock):
        self.do("detonate-bomb", self.robot, rock)
        self.arm = "empty"
        self.soft.discard(rock)
        self.clear.add(rock)

    def spend_bomb(self):
        """Get rid of the bomb in the arm: blast the nearest soft rock."""
        for place in self.reachable():
            for rock in self.arcs.get(place, ()):
                if rock in self.soft:
                    self.walk_to(place)
                    self.detonate(rock)
                    return
        raise Stuck

    def blast_way(self, targets):
        """Make one of the targets reachable with as few bombs as possible. Without more bombs, find some first."""
        while not self.reachable() & targets:
            rocks = self.rocks_on_way(targets)
            if not self.reachable() & self.bombs and len(rocks) > 1:
                rocks = self.rocks_on_way(self.bombs)
                if len(rocks) > 1:
                    raise Stuck
            if self.arm == "empty":
                self.get_bomb()
            if self.arm != "bomb":
                raise Stuck
            before, rock = rocks[0]
            self.walk_to(before)
            self.detonate(rock)

    def rocks_on_way(self, targets):
        """The soft rocks on a way with the fewest of them, each with the place before it."""
        came_from, best = {}, {self.robot: (0, 0)}
        heap = [(0, 0, self.robot)]
        while heap:
            rocks, steps, here = heappop(heap)
            if (rocks, steps) > best[here]:
                continue
            if here in targets:
                path = [here]
                while path[-1] in came_from:
                    path.append(came_from[path[-1]])
                path.reverse()
                return [pair for pair in pairwise(path) if pair[1] not in self.clear]
            for there in self.arcs.get(here, ()):
                if there in self.clear or there in self.soft:
                    cost = (rocks + (there not in self.clear), steps + 1)
                    if cost < best.get(there, (len(self.soft) + 1, 0)):
                        best[there] = cost
                        came_from[there] = here
                        heappush(heap, (*cost, there))
        raise Stuck

    # --- laser ---

    def get_laser(self):
        if self.arm == "laser":
            return
        if self.arm == "bomb" and self.reachable() & self.lasers:
            self.spend_bomb()
        else:
            self.blast_way(self.lasers)
        if self.arm == "bomb":
            self.spend_bomb()
        if self.arm != "empty":
            raise Stuck
        self.walk_to(*self.lasers)
        self.do("pickup-laser", self.robot)
        self.lasers.discard(self.robot)
        self.arm = "laser"

    def put_down_laser(self):
        self.do("putdown-laser", self.robot)
        self.lasers.add(self.robot)
        self.arm = "empty"

    def cut_way(self, target, spared, rounds):
        """Go to the target, shooting all rock on the way, but not the spared place. A place costs a step a round."""
        came_from, best = {}, {self.robot: 0}
        heap = [(0, self.robot)]
        while heap:
            cost, here = heappop(heap)
            if here == target:
                break
            if cost > best[here]:
                continue
            for there in self.arcs.get(here, ()):
                total = cost + rounds + (there not in self.clear)
                if there != spared and total < best.get(there, total + 1):
                    best[there] = total
                    came_from[there] = here
                    heappush(heap, (total, there))
        if target not in best:
            raise Stuck
        path = [target]
        while path[-1] != self.robot:
            path.append(came_from[path[-1]])
        for there in path[-2::-1]:
            if there not in self.clear:
                self.do("fire-laser", self.robot, there)
                for rock in (self.soft, self.hard, self.gold):
                    rock.discard(there)
                self.clear.add(there)
            self.do("move", self.robot, there)
            self.robot = there


def path_to(place, came_from):
    path = [place]
    while came_from[path[-1]] is not None:
        path.append(came_from[path[-1]])
    return path[::-1]
