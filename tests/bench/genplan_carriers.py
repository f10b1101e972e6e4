"""A plain policy for each domain of blocks and carriers: plans that show a generated task of any size to be solvable.

They read the task's facts alone, never names or orders.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise

from genplan_policies import State

from groundplan.pddl.ast import Plan, Task


def blocksworld(task: Task) -> Plan:
    """All blocks on the table, then the goal's towers from the bottom up."""
    state = State(task)
    below = state.pairs("on")
    for (top,) in state.facts["clear"]:
        while top in below:
            state.do("unstack", top, below[top])
            state.do("put-down", top)
            top = below[top]
    wanted = dict(atom.terms for atom in state.goal)
    above = {low: high for high, low in wanted.items()}
    for low in set(above) - set(wanted):
        while low in above:
            state.do("pick-up", above[low])
            state.do("stack", above[low], low)
            low = above[low]
    return tuple(state.steps)


def delivery(task: Task) -> Plan:
    state = State(task)
    (here,) = state.only("at")
    (home,) = state.only("ishomebase")
    for atom, (paper,) in zip(state.goal, state.facts["unpacked"], strict=False):
        if here != home:
            state.do("move", here, home)
        state.do("pick-up", paper, home)
        (here,) = atom.terms
        state.do("move", home, here)
        state.do("deliver", paper, here)
    return tuple(state.steps)


def ferry(task: Task) -> Plan:
    state = State(task)
    at = state.pairs("at")
    (here,) = state.only("at-ferry")
    for car, there in (atom.terms for atom in state.goal):
        if at[car] == there:
            continue
        if here != at[car]:
            state.do("sail", here, at[car])
        state.do("board", car, at[car])
        state.do("sail", at[car], there)
        state.do("debark", car, there)
        here = there
    return tuple(state.steps)


def gripper(task: Task) -> Plan:
    """One ball after another, with one gripper."""
    state = State(task)
    at, (hand,) = state.pairs("at"), state.facts["free"][0]
    (here,) = state.only("at-robby")
    for ball, there in (atom.terms for atom in state.goal):
        if at[ball] == there:
            continue
        if here != at[ball]:
            state.do("move", here, at[ball])
        state.do("pick", ball, at[ball], hand)
        state.do("move", at[ball], there)
        state.do("drop", ball, there, hand)
        here = there
    return tuple(state.steps)


def grippers(task: Task) -> Plan:
    """One robot does it all, with one gripper."""
    state = State(task)
    at, (robot, hand) = state.pairs("at"), state.facts["free"][0]
    (here,) = state.only("at-robby", robot)
    for ball, there in (atom.terms for atom in state.goal):
        if at[ball] == there:
            continue
        if here != at[ball]:
            state.do("move", robot, here, at[ball])
        state.do("pick", robot, ball, at[ball], hand)
        state.do("move", robot, at[ball], there)
        state.do("drop", robot, ball, there, hand)
        here = there
    return tuple(state.steps)


def heavy(task: Task) -> Plan:
    state = State(task)
    heavier = set(state.facts["heavier"])
    items = [item for (item,) in state.facts["unpacked"]]
    items.sort(key=cmp_to_key(lambda one, other: -1 if (one, other) in heavier else 1))
    state.do("pack-first", items[0])
    for bottom, top in pairwise(items):
        state.do("stack", bottom, top)
    return tuple(state.steps)


def logistics(task: Task) -> Plan:
    """One package after another: to the airport, to the airport of its city, to its place."""
    state = State(task)
    at, city = state.pairs("at"), state.pairs("in-city")
    airport = {city[place]: place for (place,) in state.facts["airport"]}
    truck = {city[at[name]]: name for (name,) in state.facts["truck"]}

    def carry(load: str, there: str, vehicle: str, kind: str, move: Callable[[str, str, str], None]) -> None:
        for place in (at[load], there):
            if at[vehicle] != place:
                move(vehicle, at[vehicle], place)
                at[vehicle] = place
            state.do(f"load-{kind}" if place == at[load] else f"unload-{kind}", load, vehicle, place)
        at[load] = there

    def drive(load: str, there: str) -> None:
        if at[load] != there:
            town = city[there]
            carry(load, there, truck[town], "truck", lambda *route: state.do("drive-truck", *route, town))

    for load, there in (atom.terms for atom in state.goal):
        if city[at[load]] != city[there]:
            drive(load, airport[city[at[load]]])
            plane = state.facts["airplane"][0][0]
            carry(load, airport[city[there]], plane, "airplane", lambda *route: state.do("fly-airplane", *route))
        drive(load, there)
    return tuple(state.steps)


def miconic(task: Task) -> Plan:
    state = State(task)
    origin, destination, above = state.pairs("origin"), state.pairs("destin"), set(state.facts["above"])
    lifts = [floor for (floor,) in state.facts["lift-at"]]

    def ride(here: str, there: str) -> None:
        if here != there:
            state.do("up" if (here, there) in above else "down", here, there)

    def joined(one: str, other: str) -> bool:
        return one == other or (one, other) in above or (other, one) in above

    for (person,) in (atom.terms for atom in state.goal):
        lift = next(number for number, floor in enumerate(lifts) if joined(floor, origin[person]))
        ride(lifts[lift], origin[person])
        state.do("board", origin[person], person)
        ride(origin[person], destination[person])
        state.do("depart", destination[person], person)
        lifts[lift] = destination[person]
    return tuple(state.steps)


def spanner(task: Task) -> Plan:
    """Everything on the way is taken along; at the end, a spanner for each nut."""
    state = State(task)
    ahead = state.pairs("link")
    (man,) = [item.name for item in task.objects if item.types == ("man",)]
    useable = state.set("useable")
    lying: defaultdict[str, list[str]] = defaultdict(list)
    for thing, place in state.facts["at"]:
        if thing in useable:
            lying[place].append(thing)
    (here,) = state.only("at", man)
    while True:
        for tool in lying[here]:
            state.do("pickup_spanner", here, tool, man)
        if here not in ahead:
            break
        state.do("walk", here, ahead[here], man)
        here = ahead[here]
    for (nut,), tool in zip((atom.terms for atom in state.goal), sorted(useable), strict=False):
        state.do("tighten_nut", here, tool, man, nut)
    return tuple(state.steps)


CARRIERS: dict[str, Callable[[Task], Plan]] = {
    "blocksworld": blocksworld,
    "delivery": delivery,
    "ferry": ferry,
    "gripper": gripper,
    "grippers": grippers,
    "heavy": heavy,
    "logistics": logistics,
    "miconic": miconic,
    "spanner": spanner,
}
