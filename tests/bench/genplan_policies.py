"""A plain policy for each domain with maps or machines: plans that show a generated task of any size to be solvable.

They read the task's facts alone, never names or orders. Beluga has none: its generator knows a plan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable
from functools import partial
from itertools import pairwise

from groundplan.pddl.ast import Atom, Plan, Step, Task, conjuncts

Terms = tuple[str, ...]


class State:
    """Facts by predicate, the goal, and the plan so far; the policies keep the facts that they change up to date."""

    def __init__(self, task: Task) -> None:
        self.facts: defaultdict[str, list[Terms]] = defaultdict(list)
        for atom in task.problem.init:
            self.facts[atom.predicate].append(atom.terms)
        self.goal = [part for part in conjuncts(task.problem.goal) if isinstance(part, Atom)]
        self.steps: list[Step] = []

    def only(self, predicate: str, *first: str) -> Terms:
        """What follows `first` in the one fact that begins so."""
        found = [terms[len(first) :] for terms in self.facts[predicate] if terms[: len(first)] == first]
        assert len(found) == 1, (predicate, first, found)
        return found[0]

    def pairs(self, predicate: str) -> dict[str, str]:
        return {terms[0]: terms[1] for terms in self.facts[predicate]}

    def map(self, predicate: str, *first: str) -> defaultdict[str, list[str]]:
        beside: defaultdict[str, list[str]] = defaultdict(list)
        for terms in self.facts[predicate]:
            if terms[: len(first)] == first:
                beside[terms[-2]].append(terms[-1])
        return beside

    def set(self, predicate: str) -> set[str]:
        return {terms[0] for terms in self.facts[predicate]}

    def do(self, action: str, *args: str) -> None:
        self.steps.append(Step(action, args))


def route(start: str, ends: Container[str], beside: dict[str, list[str]], inside: Callable[[str], bool]) -> list[str]:
    """The shortest way to one of `ends`, start and end included; only cells that pass `inside` are entered."""
    before: dict[str, str | None] = {start: None}
    queue = [start]
    for place in queue:
        if place in ends:
            way = []
            here: str | None = place
            while here is not None:
                way.append(here)
                here = before[here]
            return way[::-1]
        for other in beside[place]:
            if other not in before and inside(other):
                before[other] = place
                queue.append(other)
    raise AssertionError("no way")


def anywhere(_: str) -> bool:
    return True


def walk(state: State, way: list[str], step: Callable[[str, str], Iterable[str]]) -> str:
    for here, there in pairwise(way):
        state.do(*step(here, there))
    return way[-1]


def visitall(task: Task) -> Plan:
    state = State(task)
    beside = state.map("connected")
    (here,) = state.only("at-robot")
    left = {atom.terms[0] for atom in state.goal} - {here}
    while left:
        way = route(here, left, beside, anywhere)
        here = walk(state, way, lambda one, other: ("move", one, other))
        left.difference_update(way)
    return tuple(state.steps)


def hiking(task: Task) -> Plan:
    state = State(task)
    hills = state.set("ishill")
    (goal,) = state.goal
    way = route(state.only("at")[0], goal.terms, state.map("ontrail"), anywhere)
    walk(state, way, lambda one, other: ("climb" if other in hills else "walk", one, other))
    return tuple(state.steps)


def goldminer(task: Task) -> Plan:
    state = State(task)
    beside, clear = state.map("connected"), state.set("clear")
    (store,), (gold,) = state.only("laser-at"), state.only("gold-at")

    def move(one: str, other: str) -> Terms:
        return ("move", one, other)

    walk(state, route(state.only("robot-at")[0], {store}, beside, clear.__contains__), move)
    state.do("pickup-laser", store)
    way = route(store, set(beside[gold]), beside, lambda cell: cell != gold)
    for here, there in pairwise(way):
        if there not in clear:
            state.do("fire-laser", here, there)
        state.do("move", here, there)
    state.do("putdown-laser", way[-1])
    walk(state, way[::-1], move)
    state.do("pickup-bomb", store)
    walk(state, way, move)
    state.do("detonate-bomb", way[-1], gold)
    state.do("move", way[-1], gold)
    state.do("pick-gold", gold)
    return tuple(state.steps)


def minigrid(task: Task) -> Plan:
    state = State(task)
    beside, opened = state.map("conn"), state.set("open")
    locks, shapes = state.pairs("lock-shape"), state.pairs("key-shape")
    keys: dict[str, str | None] = {**state.pairs("at")}
    (goal,) = state.goal
    (here,) = state.only("at-robot")
    held: str | None = None

    def can_go(place: str) -> bool:
        try:
            return bool(route(here, {place}, beside, opened.__contains__))
        except AssertionError:
            return False

    def go(place: str) -> str:
        way = route(here, {place}, beside, opened.__contains__)
        return walk(state, way, lambda one, other: ("move", one, other))

    while not can_go(goal.terms[0]):
        near = [key for key, place in keys.items() if place is None or can_go(place)]
        door, side, key = next(
            (door, side, key)
            for door, shape in locks.items()
            if door not in opened
            for side in beside[door]
            if side in opened and can_go(side)
            for key in near
            if shapes[key] == shape
        )
        if key != held:
            here = go(str(keys[key]))
            if held is None:
                state.do("pickup", here, key)
            else:
                state.do("pickup-and-loose", here, key, held)
                keys[held] = here
            held, keys[key] = key, None
        here = go(side)
        state.do("unlock", side, door, key, locks[door])
        opened.add(door)
    go(goal.terms[0])
    return tuple(state.steps)


def satellite(task: Task) -> Plan:
    state = State(task)
    pointing = state.pairs("pointing")
    on: dict[str, str] = {}

    def turn(craft: str, direction: str) -> None:
        if pointing[craft] != direction:
            state.do("turn_to", craft, direction, pointing[craft])
            pointing[craft] = direction

    for atom in sorted(state.goal, key=lambda atom: atom.predicate):
        if atom.predicate == "pointing":
            turn(*atom.terms)
            continue
        direction, mode = atom.terms
        tool = next(tool for tool, supported in state.facts["supports"] if supported == mode)
        (craft,) = state.only("on_board", tool)
        if on.get(craft) != tool:
            if craft in on:
                state.do("switch_off", on[craft], craft)
            state.do("switch_on", tool, craft)
            on[craft] = tool
            turn(craft, next(aim for owner, aim in state.facts["calibration_target"] if owner == tool))
            state.do("calibrate", craft, tool, pointing[craft])
        turn(craft, direction)
        state.do("take_image", craft, direction, tool, mode)
    return tuple(state.steps)


def transport(task: Task) -> Plan:
    state = State(task)
    beside, where = state.map("road"), state.pairs("at")
    truck, room = state.facts["capacity"][0]
    less = next(low for low, high in state.facts["capacity-predecessor"] if high == room)
    here = where[truck]

    def drive(place: str) -> str:
        return walk(state, route(here, {place}, beside, anywhere), lambda one, other: ("drive", truck, one, other))

    for atom in state.goal:
        package, there = atom.terms
        here = drive(where[package])
        state.do("pick-up", truck, here, package, less, room)
        here = drive(there)
        state.do("drop", truck, here, package, less, room)
    return tuple(state.steps)


def rovers(task: Task) -> Plan:
    state = State(task)
    at, target = state.pairs("at"), state.pairs("calibration_target")
    seen_from: defaultdict[str, set[str]] = defaultdict(set)
    for objective, place in state.facts["visible_from"]:
        seen_from[objective].add(place)
    ((lander, base),) = state.facts["at_lander"]
    ears = set(state.map("visible")[base])

    def drive(rover: str, ends: set[str]) -> str:
        way = route(at[rover], ends, state.map("can_traverse", rover), anywhere)
        at[rover] = walk(state, way, lambda one, other: ("navigate", rover, one, other))
        return at[rover]

    def sample(rover: str, kind: str, place: str) -> None:
        (store,) = [store for store, owner in state.facts["store_of"] if owner == rover]
        drive(rover, {place})
        state.do(f"sample_{kind}", rover, store, place)
        state.do("drop", rover, store)
        state.do(f"communicate_{kind}_data", rover, lander, place, drive(rover, ears), base)

    def image(rover: str, camera: str, objective: str, mode: str) -> None:
        state.do("calibrate", rover, camera, target[camera], drive(rover, seen_from[target[camera]]))
        state.do("take_image", rover, drive(rover, seen_from[objective]), objective, camera, mode)
        state.do("communicate_image_data", rover, lander, objective, mode, drive(rover, ears), base)

    for atom in state.goal:
        kind = atom.predicate.split("_")[1]
        if kind == "image":
            objective, mode = atom.terms
            tries = [
                (rover, partial(image, rover, camera, objective, mode))
                for camera, rover in state.facts["on_board"]
                if (camera, mode) in state.facts["supports"]
            ]
        else:
            able = sorted(state.set(f"equipped_for_{kind}_analysis"))
            tries = [(rover, partial(sample, rover, kind, atom.terms[0])) for rover in able]
        for rover, attempt in tries:
            done, place = len(state.steps), at[rover]
            try:
                attempt()
                break
            except AssertionError:
                del state.steps[done:]
                at[rover] = place
        else:
            raise AssertionError(f"no rover for {atom}")
    return tuple(state.steps)


POLICIES: dict[str, Callable[[Task], Plan]] = {
    "goldminer": goldminer,
    "hiking": hiking,
    "minigrid": minigrid,
    "rovers": rovers,
    "satellite": satellite,
    "transport": transport,
    "visitall": visitall,
}
