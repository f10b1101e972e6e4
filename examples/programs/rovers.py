"""Rovers: sample soil and rock, take images, and send all data to a lander.

Policy: a job is one wanted datum. Again and again the rover that can do some job with the least extra way does it:
the way to the sample, or over a calibration target of a camera to a place that sees the objective, plus the detour to
a place from where a lander is visible. Data are sent as soon as a rover comes by such a place, so that one stop serves
many data. A full store is emptied before the next sample; emptying it does not lose the data.

Where some ways are one-way (or a camera can be used only once), a bad order can end in a dead end. There the same
choices are tried best first, never leaving a job that no rover can do any more, and taken back if they do not work out.
"""

from collections import deque
from heapq import heapify, heappop, heappush
from itertools import pairwise

MOST_TRIES = 5000  # Choices tried in tasks with dead ends, before giving up.


def get_plan(objects, init, goal):
    missing = sorted(goal - init)
    if not missing:
        return []
    mission = Mission(init, goal, missing)
    if mission.can_get_stuck():
        mission.tries = MOST_TRIES
        if not mission.try_jobs():
            raise ValueError("No order of the jobs was found in which the rovers can do all of them.")
    else:
        mission.do_jobs()
        mission.finish()
    return mission.plan


class Mission:
    def __init__(self, init, goal, missing):
        facts = {}
        for fact in sorted(init):
            facts.setdefault(fact[0], []).append(fact[1:])
        self.facts = facts
        self.plan = []
        self.read_rovers()
        self.read_ways()
        self.read_sights()
        self.read_goal(goal, missing)

    def read_rovers(self):
        facts = self.facts
        self.at = dict(facts.get("at", ()))
        self.rovers = sorted(self.at)
        self.equipped = {
            kind: {rover for (rover,) in facts.get(f"equipped_for_{word}", ())}
            for kind, word in (("soil", "soil_analysis"), ("rock", "rock_analysis"), ("image", "imaging"))
        }
        self.full = {store for (store,) in facts.get("full", ())}
        usable = self.full | {store for (store,) in facts.get("empty", ())}
        self.stores, self.cameras = {}, {}
        for store, rover in facts.get("store_of", ()):
            if store in usable:
                self.stores.setdefault(rover, []).append(store)
        for camera, rover in facts.get("on_board", ()):
            self.cameras.setdefault(rover, []).append(camera)
        self.modes = set(facts.get("supports", ()))
        self.calibrated = set(facts.get("calibrated", ()))
        self.samples = {(kind, place) for kind in ("soil", "rock") for (place,) in facts.get(f"at_{kind}_sample", ())}
        self.data = {(rover, "image", *rest) for rover, *rest in facts.get("have_image", ())}
        for kind in ("soil", "rock"):
            self.data |= {(rover, kind, place) for rover, place in facts.get(f"have_{kind}_analysis", ())}
        self.pending = {rover: [] for rover in self.rovers}  # data to send, by rover

    def read_ways(self):
        """The ways of each rover, forwards and backwards; a rover that is not available cannot move or send."""
        available = {rover for (rover,) in self.facts.get("available", ())}
        visible = set(self.facts.get("visible", ()))
        self.ways = {rover: {} for rover in self.rovers}
        back = {rover: {} for rover in self.rovers}
        for rover, here, there in self.facts.get("can_traverse", ()):
            if rover in available and rover in self.at and (here, there) in visible:
                self.ways[rover].setdefault(here, []).append(there)
                back[rover].setdefault(there, []).append(here)
        free = {lander for (lander,) in self.facts.get("channel_free", ())}
        landers = sorted((place, lander) for lander, place in self.facts.get("at_lander", ()) if lander in free)
        self.lander_seen = {}  # place -> (lander, its place)
        for place, lander in landers:
            for here, there in visible:
                if there == place:
                    self.lander_seen.setdefault(here, (lander, place))
        senders = dict.fromkeys(self.lander_seen, 0)
        self.to_sender = {  # rover -> place -> steps to the nearest place from where it can send
            rover: spread(back[rover], senders)[0] if rover in available else {} for rover in self.rovers
        }

    def read_sights(self):
        self.seen_from, targets = {}, {}
        for objective, place in self.facts.get("visible_from", ()):
            self.seen_from.setdefault(objective, []).append(place)
        for camera, objective in self.facts.get("calibration_target", ()):
            for place in self.seen_from.get(objective, ()):
                targets.setdefault(camera, {}).setdefault(place, objective)
        self.calibration = targets  # camera -> place -> the target seen from there

    def read_goal(self, goal, missing):
        """Jobs: a datum -> (whether it has to be sent, the rovers that may get it or None for any)."""
        self.jobs, self.last = {}, []  # `last` is what has to hold when all jobs are done
        keepers = {}
        for fact in missing:
            kind = fact[0].split("_")[1] if fact[0].startswith(("have_", "communicated_")) else None
            if kind is None:
                if fact[0] not in ("at", "empty", "calibrated"):
                    raise ValueError(f"This program cannot make ({' '.join(fact)}) true.")
            elif fact[0].startswith("have_"):
                keepers.setdefault((kind, *fact[2:]), []).append(fact[1])
            else:
                self.jobs[(kind, *fact[1:])] = (True, None)
        for datum, rovers in keepers.items():
            for extra in rovers[1:] if datum[0] == "image" else ():
                self.jobs[(*datum, extra)] = (False, extra)  # A second rover has to take the same image.
            self.jobs[datum] = (datum in self.jobs, rovers[0])
        for kind in ("empty", "calibrated", "at"):  # Also those that hold at the start: work can undo them.
            self.last += sorted(fact for fact in goal if fact[0] == kind)
        self.parking = {fact[1]: fact[2] for fact in goal if fact[0] == "at"}

    def can_get_stuck(self):
        """Whether some way does not lead back, or some calibrated camera cannot be calibrated again."""
        if any(camera not in self.calibration for camera, _ in self.calibrated):
            return True
        return any(
            here not in ways.get(there, ())
            for ways in self.ways.values()
            for here, heads in ways.items()
            for there in heads
        )

    # --- what a rover can do next ---

    def options(self, rover):
        """The jobs that this rover can do from where it is: (extra steps, job, camera, path), one for each end."""
        start = self.at[rover]
        reach = spread(self.ways[rover], {start: 0})
        waits = self.to_sender[rover].get(start, 0) if self.pending[rover] else 0
        lenses = {}
        for job in self.jobs:
            sent, keeper = self.jobs[job]
            if keeper not in (None, rover):
                continue
            for steps, place, camera in self.ends(rover, job, reach, lenses):
                to_sender = self.to_sender[rover].get(place)
                if to_sender is None:
                    if sent or self.pending[rover]:
                        continue
                    to_sender = 0
                detour = to_sender if sent or self.pending[rover] else 0
                yield steps + detour - waits, job, camera, place, reach if camera is None else lenses[camera]

    def ends(self, rover, job, reach, lenses):
        """(steps, place, camera) for every place where this rover can get the datum."""
        kind, subject = job[:2]
        if (rover, *job[: 3 if kind == "image" else 2]) in self.data:
            yield 0, self.at[rover], None
        elif kind != "image":
            if subject in reach[0] and job in self.samples and rover in self.equipped[kind] and rover in self.stores:
                yield reach[0][subject] + 1, subject, None
        elif rover in self.equipped["image"]:
            for camera in self.cameras.get(rover, ()):
                if (camera, job[2]) in self.modes:
                    if camera not in lenses:
                        lenses[camera] = self.reach_calibrated(rover, camera, reach)
                    steps = lenses[camera][0]
                    for place in self.seen_from.get(subject, ()):
                        if place in steps:
                            yield steps[place] + 1, place, camera

    def reach_calibrated(self, rover, camera, reach):
        """Like `reach`, but with the camera calibrated on the way."""
        if (camera, rover) in self.calibrated:
            return reach
        spots = {place: reach[0][place] + 1 for place in self.calibration.get(camera, ()) if place in reach[0]}
        steps, came_from = spread(self.ways[rover], spots)
        return steps, came_from, reach

    # --- doing jobs ---

    def do_jobs(self):
        """The plain policy: always the cheapest job next."""
        heap = []
        for rover in self.rovers:
            self.propose(heap, rover)
        while heap:
            _, rover, job, camera, place, reach = heappop(heap)
            if job in self.jobs:
                self.do(rover, job, camera, place, reach)
            self.propose(heap, rover)
        if self.jobs:
            raise ValueError(f"No rover can get the datum ({' '.join(min(self.jobs))}) and send it.")

    def propose(self, heap, rover):
        best = min(self.options(rover), key=lambda option: (option[0], option[1], option[3]), default=None)
        if best:
            heappush(heap, (best[0], rover, *best[1:]))

    def do(self, rover, job, camera, place, reach):
        kind, subject = job[:2]
        sent, _ = self.jobs.pop(job)
        datum = (rover, *job[: 3 if kind == "image" else 2])
        if datum not in self.data:
            self.data.add(datum)
            if kind == "image":
                self.go_calibrated(rover, camera, place, reach)
                self.calibrated.discard((camera, rover))
                self.plan.append(f"(take_image {rover} {place} {subject} {camera} {job[2]})")
            else:
                self.go(rover, place, reach[1])
                self.samples.discard(job)
                self.plan.append(f"(sample_{kind} {rover} {self.free_store(rover)} {place})")
        if sent:
            self.pending[rover].append(datum[1:])
        self.send(rover)

    def free_store(self, rover):
        """An empty store of the rover, emptied if need be; it counts as full from now on."""
        store = min(self.stores[rover], key=lambda store: (store in self.full, store))
        if store in self.full:
            self.plan.append(f"(drop {rover} {store})")
        self.full.add(store)
        return store

    def go_calibrated(self, rover, camera, place, reach):
        if len(reach) == 3:
            path = path_to(place, reach[1])
            self.calibrate(rover, camera, path[0], reach[2])
            self.walk(rover, path)
        else:
            self.go(rover, place, reach[1])

    def calibrate(self, rover, camera, place, reach):
        self.go(rover, place, reach[1])
        self.plan.append(f"(calibrate {rover} {camera} {self.calibration[camera][place]} {place})")
        self.calibrated.add((camera, rover))

    def go(self, rover, place, came_from):
        self.walk(rover, path_to(place, came_from))

    def walk(self, rover, path):
        """Walk along the path, which begins where the rover is, and send whatever can be sent on the way."""
        self.send(rover)
        for here, there in pairwise(path):
            self.plan.append(f"(navigate {rover} {here} {there})")
            self.at[rover] = there
            self.send(rover)

    def send(self, rover):
        here = self.at[rover]
        if not self.pending[rover] or here not in self.lander_seen or here not in self.to_sender[rover]:
            return
        lander, place = self.lander_seen[here]
        for kind, *rest in self.pending[rover]:
            name = "image" if kind == "image" else kind
            self.plan.append(f"(communicate_{name}_data {rover} {lander} {' '.join(rest)} {here} {place})")
        self.pending[rover] = []

    def finish(self):
        """Send what is left, empty stores, calibrate, and park, where the goal wants it."""
        for rover in self.rovers:
            if self.pending[rover]:
                steps, came_from = spread(self.ways[rover], {self.at[rover]: 0})
                spots = [place for place in self.lander_seen if place in steps]
                parking = self.parking.get(rover)
                self.go(rover, min(spots, key=lambda place: (steps[place], place != parking, place)), came_from)
        for fact in self.last:
            self.make_true(fact)
        if any(self.at[fact[1]] != fact[2] for fact in self.last if fact[0] == "at"):
            raise ValueError("A rover cannot end in two places.")

    def make_true(self, fact):
        if fact[0] == "empty":
            rover = next((rover for rover in self.rovers if fact[1] in self.stores.get(rover, ())), None)
            if rover is None:
                raise ValueError(f"Nobody can empty {fact[1]}.")
            if fact[1] in self.full:
                self.plan.append(f"(drop {rover} {fact[1]})")
                self.full.discard(fact[1])
            return
        rover = fact[-1] if fact[0] == "calibrated" else fact[1]
        reach = spread(self.ways[rover], {self.at[rover]: 0})
        spots = [fact[2]] if fact[0] == "at" else self.calibration.get(fact[1], ())
        spots = [place for place in spots if place in reach[0]]
        if not spots:
            raise ValueError(f"{rover} cannot make ({' '.join(fact)}) true.")
        spot = min(spots, key=lambda place: (reach[0][place], place))
        if fact[0] == "at":
            self.go(rover, spot, reach[1])
        elif fact[1:] not in self.calibrated:
            self.calibrate(rover, fact[1], spot, reach)

    # --- tasks with dead ends ---

    def try_jobs(self):
        """Depth-first over the choices, cheapest first; whether all jobs could be done."""
        if not self.jobs:
            before = self.snapshot()
            try:
                self.finish()
            except ValueError:
                self.restore(before)
                return False
            return True
        choices = [(cost, rover, *rest) for rover in self.rovers for cost, *rest in self.options(rover)]
        if {choice[2] for choice in choices} != self.jobs.keys():
            return False
        choices.sort(key=lambda choice: (choice[0], choice[1], choice[2], choice[4]))
        for _, rover, job, camera, place, reach in choices:
            if self.tries <= 0:
                return False
            self.tries -= 1
            before = self.snapshot()
            self.do(rover, job, camera, place, reach)
            if self.try_jobs():
                return True
            self.restore(before)
        return False

    def snapshot(self):
        return (
            dict(self.at),
            set(self.full),
            set(self.calibrated),
            set(self.samples),
            set(self.data),
            {rover: list(data) for rover, data in self.pending.items()},
            dict(self.jobs),
            len(self.plan),
        )

    def restore(self, before):
        self.at, self.full, self.calibrated, self.samples, self.data, self.pending, self.jobs, length = before
        del self.plan[length:]


def spread(ways, starts):
    """Least steps from the starts (place -> steps made so far) to every place, and where each is come from."""
    if len(starts) > 1 and any(starts.values()):
        return spread_uneven(ways, starts)
    steps, came_from = dict(starts), dict.fromkeys(starts)
    queue = deque(sorted(starts))
    while queue:
        here = queue.popleft()
        for there in ways.get(here, ()):
            if there not in steps:
                steps[there] = steps[here] + 1
                came_from[there] = here
                queue.append(there)
    return steps, came_from


def spread_uneven(ways, starts):
    steps, came_from = dict(starts), dict.fromkeys(starts)
    heap = [(made, place) for place, made in starts.items()]
    heapify(heap)
    while heap:
        made, here = heappop(heap)
        if made > steps[here]:
            continue
        for there in ways.get(here, ()):
            if made + 1 < steps.get(there, made + 2):
                steps[there] = made + 1
                came_from[there] = here
                heappush(heap, (made + 1, there))
    return steps, came_from


def path_to(place, came_from):
    path = [place]
    while came_from[path[-1]] is not None:
        path.append(came_from[path[-1]])
    return path[::-1]
