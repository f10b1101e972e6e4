"""Small random tasks with odd starts and odd goals, solvable or not, for the domains that need no search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import TypeAlias

from groundplan.bench.genplan.generator import benchmark_domain
from groundplan.pddl.ast import And, Atom, Problem, Task, TypedName

Fact: TypeAlias = tuple[str, ...]
Drawn: TypeAlias = tuple[Mapping[str, Sequence[str]], list[Fact], list[Fact]]
"""The objects by type, the start, and the goal."""


def odd_easy_task(name: str, rng: Random) -> Task:
    objects, init, goal = DRAWN[name](rng)
    domain = benchmark_domain(name)
    problem = Problem(
        name="odd",
        domain_name=domain.name,
        objects=tuple(TypedName(item, (kind,)) for kind, items in objects.items() for item in items),
        init=tuple(Atom(fact[0], fact[1:]) for fact in sorted(set(init))),
        goal=And(tuple(Atom(fact[0], fact[1:]) for fact in sorted(set(goal)) or init[:1])),
    )
    return Task(domain, problem)


def _names(stem: str, count: int) -> list[str]:
    return [f"{stem}{number}" for number in range(count)]


def _towers(rng: Random, blocks: Sequence[str]) -> tuple[list[Fact], list[Fact]]:
    """Where the blocks stand, and what is clear."""
    at: list[Fact] = []
    tops: list[str] = []
    for block in rng.sample(blocks, len(blocks)):
        if tops and rng.random() < 0.65:
            number = rng.randrange(len(tops))
            at.append(("on", block, tops[number]))
            tops[number] = block
        else:
            at.append(("ontable", block))
            tops.append(block)
    return at, [("clear", block) for block in tops]


def _hand(rng: Random, blocks: Sequence[str], share: float) -> list[Fact]:
    if rng.random() < share:
        held = rng.choice(blocks)
        at, clear = _towers(rng, [block for block in blocks if block != held])
        return [*at, *clear, ("holding", held)]
    at, clear = _towers(rng, blocks)
    return [*at, *clear, ("handempty",)]


def _blocksworld(rng: Random) -> Drawn:
    blocks = _names("b", rng.randint(1, 6))
    share = rng.choice((0.3, 0.6, 1.0))
    goal = [fact for fact in _hand(rng, blocks, 0.25) if rng.random() < share]
    if rng.random() < 0.1:
        goal.append(("on", rng.choice(blocks), rng.choice(blocks)))
    return {"object": blocks}, _hand(rng, blocks, 0.3), goal


def _delivery(rng: Random) -> Drawn:
    places, papers = _names("l", rng.randint(1, 4)), _names("p", rng.randint(0, 4))
    init: list[Fact] = [("at", rng.choice(places))]
    init += [("ishomebase", rng.choice(places)) for _ in range(rng.choice((0, 1, 1, 2)))]
    init += [("safe", place) for place in places if rng.random() < 0.75]
    init += [("wantspaper", place) for place in places if rng.random() < 0.6]
    init += [("satisfied", place) for place in places if rng.random() < 0.1]
    init += [(rng.choice(("unpacked", "unpacked", "carrying")), paper) for paper in papers]
    goal: list[Fact] = [("satisfied", place) for place in places if rng.random() < 0.6]
    goal += [(rng.choice(("unpacked", "carrying")), paper) for paper in papers if rng.random() < 0.15]
    goal += [(kind, rng.choice(places)) for kind in ("at", "wantspaper") if rng.random() < 0.2]
    return {"loc": places, "paper": papers}, init, goal


def _ferry(rng: Random) -> Drawn:
    places, cars = _names("l", rng.randint(1, 4)), _names("c", rng.randint(1, 4))
    share = rng.choice((0.4, 1.0, 1.0))
    init: list[Fact] = [("location", place) for place in places] + [("car", car) for car in cars]
    init += [("not-eq", one, other) for one in places for other in places if one != other and rng.random() < share]

    def state(aboard_share: float) -> list[Fact]:
        aboard = rng.choice(cars) if rng.random() < aboard_share else ""
        ashore: list[Fact] = [("at", car, rng.choice(places)) for car in cars if car != aboard]
        return [*ashore, ("on", aboard) if aboard else ("empty-ferry",), ("at-ferry", rng.choice(places))]

    goal = [fact for fact in state(0.25) if rng.random() < (0.9 if fact[0] == "at" else 0.3)]
    return {"object": places + cars}, init + state(0.4), goal


def _gripper(rng: Random) -> Drawn:
    rooms, balls, grippers = _names("r", rng.randint(1, 4)), _names("b", rng.randint(1, 5)), _names("g", 2)
    grippers = grippers[: rng.choice((0, 1, 2, 2))]
    init: list[Fact] = [("room", room) for room in rooms] + [("ball", ball) for ball in balls]
    init += [("gripper", gripper) for gripper in grippers]

    def state(held_share: float) -> list[Fact]:
        held = {gripper: ball for gripper, ball in zip(grippers, balls, strict=False) if rng.random() < held_share}
        facts: list[Fact] = [("at", ball, rng.choice(rooms)) for ball in balls if ball not in held.values()]
        facts += [("carry", held[name], name) if name in held else ("free", name) for name in grippers]
        rng.shuffle(balls)
        return [*facts, ("at-robby", rng.choice(rooms))]

    start = state(0.3)
    goal = [fact for fact in state(0.2) if rng.random() < (0.8 if fact[0] == "at" else 0.3)]
    return {"object": rooms + balls + grippers}, init + start, goal


def _grippers(rng: Random) -> Drawn:
    rooms, balls, robots = _names("r", rng.randint(1, 3)), _names("b", rng.randint(1, 4)), _names("robot", 2)
    grippers = _names("g", rng.randint(1, 2))
    robots = robots[: rng.randint(1, 2)]
    hands = [(robot, gripper) for robot in robots for gripper in grippers if rng.random() < 0.75]

    def state(held_share: float) -> list[Fact]:
        rng.shuffle(balls)
        held = {hand: ball for hand, ball in zip(hands, balls, strict=False) if rng.random() < held_share}
        facts: list[Fact] = [("at", ball, rng.choice(rooms)) for ball in balls if ball not in held.values()]
        facts += [("carry", hand[0], held[hand], hand[1]) if hand in held else ("free", *hand) for hand in hands]
        return facts + [("at-robby", robot, rng.choice(rooms)) for robot in robots]

    start = state(0.3)
    goal = [fact for fact in state(0.2) if rng.random() < (0.8 if fact[0] == "at" else 0.25)]
    return {"room": rooms, "object": balls, "robot": robots, "gripper": grippers}, start, goal


def _heavy(rng: Random) -> Drawn:
    items = _names("i", rng.randint(1, 6))
    share = rng.choice((0.5, 0.8, 1.0))
    forwards = rng.choice((0.8, 1.0, 1.0))
    pairs = [(one, other) for number, one in enumerate(items) for other in items[number + 1 :]]
    init: list[Fact] = [("heavier", *(pair if rng.random() < forwards else pair[::-1])) for pair in pairs
                        if rng.random() < share]  # fmt: skip
    packed = rng.sample(items, rng.choice((0, 0, 0, 1, min(2, len(items)))))
    init += [("packed", item) for item in packed]
    init.append(("nothing-above", packed[-1]) if packed else ("box-empty",))
    init += [("unpacked", item) for item in items if item not in packed]
    goal: list[Fact] = [("packed", item) for item in items if rng.random() < share]
    goal += [(rng.choice(("nothing-above", "unpacked")), item) for item in items if rng.random() < 0.1]
    return {"object": items}, init, goal


def _logistics(rng: Random) -> Drawn:
    cities = _names("city", rng.randint(1, 3))
    places = [f"{city}-{number}" for city in cities for number in range(rng.randint(1, 3))]
    trucks, planes, packages = _names("t", rng.randint(0, 3)), _names("p", rng.randint(0, 2)), _names("o", 3)
    packages = packages[: rng.randint(1, 3)]
    airports = [place for place in places if place.endswith("-0") or rng.random() < 0.15]
    init: list[Fact] = [("in-city", place, place.split("-")[0]) for place in places]
    if rng.random() < 0.15:
        init.append(("in-city", rng.choice(places), rng.choice(cities)))
    for kind, items in (("city", cities), ("location", places), ("airport", airports), ("truck", trucks)):
        init += [(kind, item) for item in items]
    init += [("airplane", plane) for plane in planes] + [("obj", package) for package in packages]

    def state() -> list[Fact]:
        facts: list[Fact] = [("at", truck, rng.choice(places)) for truck in trucks]
        facts += [("at", plane, rng.choice(airports if rng.random() < 0.9 else places)) for plane in planes]
        for package in packages:
            riding = trucks + planes and rng.random() < 0.3
            facts.append(
                ("in", package, rng.choice(trucks + planes)) if riding else ("at", package, rng.choice(places))
            )
        return facts

    goal = [fact for fact in state() if rng.random() < (0.9 if fact[1] in packages else 0.15)]
    return {"object": [*cities, *places, *trucks, *planes, *packages]}, init + state(), goal


def _miconic(rng: Random) -> Drawn:
    buildings = [_names(f"f{number}_", rng.randint(1, 4)) for number in range(rng.randint(1, 2))]
    floors = [floor for building in buildings for floor in building]
    passengers = _names("p", rng.randint(1, 4))
    init: list[Fact] = []
    for building in buildings:
        only_next = rng.random() < 0.2
        for number, floor in enumerate(building):
            init += [("above", floor, other) for other in building[number + 1 : number + 2 if only_next else None]]
        init += [("lift-at", rng.choice(building)) for _ in range(rng.choice((0, 1, 1, 1, 1, 2)))]
    for passenger in passengers:
        home = rng.choice(buildings) if rng.random() < 0.8 else floors
        init += [("origin", passenger, rng.choice(home)), ("destin", passenger, rng.choice(home))]
        init += [(kind, passenger) for kind in ("served", "boarded") if rng.random() < 0.15]
    goal: list[Fact] = [("served", passenger) for passenger in passengers if rng.random() < 0.8]
    goal += [("boarded", passenger) for passenger in passengers if rng.random() < 0.1]
    goal += [("lift-at", rng.choice(floors)) for _ in range(rng.choice((0, 0, 1, 2)))]
    return {"passenger": passengers, "floor": floors}, init, goal


def _spanner(rng: Random) -> Drawn:
    places, spanners, nuts = _names("l", rng.randint(1, 6)), _names("s", rng.randint(0, 4)), _names("n", 3)
    nuts = nuts[: rng.randint(1, 3)]
    init: list[Fact] = [("link", *pair) for pair in pairwise(places)]
    init += [("link", rng.choice(places), rng.choice(places)) for _ in range(rng.choice((0, 0, 1, 3)))]
    init.append(("at", "man", places[0] if rng.random() < 0.7 else rng.choice(places)))
    init += [("at", nut, rng.choice(places)) for nut in nuts]
    init += [("loose" if rng.random() < 0.85 else "tightened", nut) for nut in nuts]
    for spanner in spanners:
        init.append(("carrying", "man", spanner) if rng.random() < 0.2 else ("at", spanner, rng.choice(places)))
        init += [("useable", spanner)] if rng.random() < 0.85 else []
    goal: list[Fact] = [("tightened", nut) for nut in nuts if rng.random() < 0.8]
    goal += [("carrying", "man", spanner) for spanner in spanners if rng.random() < 0.1]
    goal += [("useable", spanner) for spanner in spanners if rng.random() < 0.1]
    goal += [("at", "man", rng.choice(places))] if rng.random() < 0.3 else []
    return {"location": places, "man": ["man"], "nut": nuts, "spanner": spanners}, init, goal


DRAWN: Mapping[str, Callable[[Random], Drawn]] = {
    "blocksworld": _blocksworld,
    "delivery": _delivery,
    "ferry": _ferry,
    "gripper": _gripper,
    "grippers": _grippers,
    "heavy": _heavy,
    "logistics": _logistics,
    "miconic": _miconic,
    "spanner": _spanner,
}
