"""Small random tasks with odd starts: what the domains allow, beyond what their generators write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import TypeAlias

from groundplan.bench.genplan.generator import benchmark_domain
from groundplan.pddl.ast import And, Atom, Problem, Task, TypedName

Fact: TypeAlias = tuple[str, ...]


def odd_task(name: str, rng: Random) -> Task:
    """A small task of the domain, solvable or not."""
    objects, init, goal = DRAWN[name](rng)
    typed = tuple(TypedName(item, (kind,)) for kind, items in objects.items() for item in items)
    goals = sorted(set(goal)) or [init[0]]
    problem = Problem(
        name="odd",
        domain_name=benchmark_domain(name).name,
        objects=typed,
        init=tuple(Atom(fact[0], fact[1:]) for fact in sorted(set(init))),
        goal=And(tuple(Atom(fact[0], fact[1:]) for fact in goals)),
    )
    return Task(benchmark_domain(name), problem)


Drawn: TypeAlias = tuple[Mapping[str, Sequence[str]], list[Fact], list[Fact]]


def _names(stem: str, count: int) -> list[str]:
    return [f"{stem}{number}" for number in range(count)]


def _some(rng: Random, items: Iterable[Fact], share: float) -> list[Fact]:
    return [item for item in items if rng.random() < share]


def _arcs(rng: Random, nodes: Sequence[str], one_way: float = 0.3) -> list[tuple[str, str]]:
    """Random arcs, mostly enough to reach everything; in some maps, a few of them have no way back."""
    directed = rng.random() < one_way
    arcs: set[tuple[str, str]] = set()
    for number, node in enumerate(nodes[1:], start=1):
        others = [nodes[rng.randrange(number)] for _ in range(rng.choice((1, 1, 2)))]
        for other in others:
            pair = (node, other) if rng.random() < 0.5 else (other, node)
            arcs.add(pair)
            if not directed or rng.random() < 0.5:
                arcs.add(pair[::-1])
    return sorted(arcs)


def _visitall(rng: Random) -> Drawn:
    places = _names("p", rng.randint(1, 7))
    robot = rng.choice(places)
    init: list[Fact] = [("connected", *arc) for arc in _arcs(rng, places)] + [("at-robot", robot)]
    init += _some(rng, [("visited", place) for place in places], 0.2)
    goal = _some(rng, [("visited", place) for place in places], rng.choice((0.3, 1.0)))
    if rng.random() < 0.3 or not goal:
        goal.append(("at-robot", rng.choice(places)))
    return {"place": places}, init, goal


def _hiking(rng: Random) -> Drawn:
    places = _names("p", rng.randint(1, 9))
    init: list[Fact] = [("at", rng.choice(places))] + [("adjacent", *arc) for arc in _arcs(rng, places)]
    init += _some(rng, [("iswater", place) for place in places], 0.2)
    init += _some(rng, [("ishill", place) for place in places], 0.3)
    init += [("ontrail", *arc) for arc in _arcs(rng, places)]
    return {"loc": places}, init, [("at", rng.choice(places))]


def _transport(rng: Random) -> Drawn:
    places, packages = _names("p", rng.randint(1, 5)), _names("box", rng.randint(1, 4))
    trucks, numbers = _names("truck", rng.randint(1, 2)), _names("n", 4)
    init: list[Fact] = [("capacity-predecessor", *pair) for pair in pairwise(numbers)]
    init += [("road", *arc) for arc in _arcs(rng, places)]
    room = {truck: rng.randint(0, 3) for truck in trucks}
    for package in packages:
        truck = rng.choice(trucks)
        if room[truck] and rng.random() < 0.3:
            room[truck] -= 1
            init.append(("in", package, truck))
        else:
            init.append(("at", package, rng.choice(places)))
    init += [("at", truck, rng.choice(places)) for truck in trucks]
    init += [("capacity", truck, numbers[room[truck]]) for truck in trucks]
    goal = _some(rng, [("at", package, rng.choice(places)) for package in packages], 0.8)
    goal += _some(rng, [("at", truck, rng.choice(places)) for truck in trucks], 0.15)
    inside = rng.choice(packages)
    if rng.random() < 0.1 and all(fact[1] != inside for fact in goal):
        goal.append(("in", inside, rng.choice(trucks)))
    return {"location": places, "package": packages, "vehicle": trucks, "capacity-number": numbers}, init, goal


def _satellite(rng: Random) -> Drawn:
    satellites, instruments = _names("sat", rng.randint(1, 2)), _names("ins", rng.randint(1, 3))
    modes, directions = _names("mode", rng.randint(1, 3)), _names("dir", rng.randint(2, 4))
    init: list[Fact] = [("pointing", satellite, rng.choice(directions)) for satellite in satellites]
    board = {instrument: rng.choice(satellites) for instrument in instruments}
    powered = {satellite: rng.random() < 0.9 for satellite in satellites}
    for instrument, satellite in board.items():
        init.append(("on_board", instrument, satellite))
        init += [("supports", instrument, mode) for mode in modes if rng.random() < 0.6]
        init += [("calibration_target", instrument, d) for d in directions if rng.random() < 0.35]
        if powered[satellite] and rng.random() < 0.4:
            powered[satellite] = False
            init.append(("power_on", instrument))
        init += _some(rng, [("calibrated", instrument)], 0.3)
    init += [("power_avail", satellite) for satellite in satellites if powered[satellite]]
    goal = _some(rng, [("have_image", d, m) for d in directions for m in modes], 0.35)
    goal += _some(rng, [("pointing", satellite, rng.choice(directions)) for satellite in satellites], 0.3)
    goal += _some(rng, [("calibrated", rng.choice(instruments))], 0.15)
    goal += _some(rng, [("power_on", rng.choice(instruments)), ("power_avail", rng.choice(satellites))], 0.1)
    return {"satellite": satellites, "instrument": instruments, "mode": modes, "direction": directions}, init, goal


def _rovers(rng: Random) -> Drawn:
    rovers, points = _names("rov", rng.randint(1, 2)), _names("w", rng.randint(1, 5))
    cameras, modes, aims = _names("cam", rng.randint(0, 2)), _names("mode", 2), _names("aim", rng.randint(1, 2))
    stores = [f"{rover}store" for rover in rovers]
    init: list[Fact] = [("visible", *arc) for arc in _arcs(rng, points, 0.1)]
    init.append(("at_lander", "base", rng.choice(points)))
    init += _some(rng, [("channel_free", "base")], 0.95) + _some(rng, [("visible", p, p) for p in points], 0.3)
    for rover, store in zip(rovers, stores, strict=True):
        arcs = [fact[1:] for fact in init if fact[0] == "visible"]
        init += _some(rng, [("can_traverse", rover, *arc) for arc in arcs], rng.choice((0.7, 1.0)))
        init += [("at", rover, rng.choice(points)), ("store_of", store, rover), (rng.choice(("full", "empty")), store)]
        init += _some(rng, [("available", rover)], 0.95)
        equipment = [(f"equipped_for_{what}", rover) for what in ("soil_analysis", "rock_analysis", "imaging")]
        init += _some(rng, equipment, 0.8)
        init += _some(rng, [("have_soil_analysis", rover, rng.choice(points))], 0.1)
        init += _some(rng, [("have_image", rover, aims[0], modes[0])], 0.1)
    for camera in cameras:
        rover = rng.choice(rovers)
        init += [("on_board", camera, rover), *_some(rng, [("supports", camera, mode) for mode in modes], 0.8)]
        init += _some(rng, [("calibration_target", camera, aim) for aim in aims], 0.6)
        init += _some(rng, [("calibrated", camera, rover)], 0.2)
    init += _some(rng, [("visible_from", aim, point) for aim in aims for point in points], 0.5)
    for kind in ("soil", "rock"):
        init += _some(rng, [(f"at_{kind}_sample", point) for point in points], 0.6)
    wanted: list[Fact] = [(f"communicated_{kind}_data", point) for kind in ("soil", "rock") for point in points]
    goal = _some(rng, wanted, 0.1)
    goal += _some(rng, [("communicated_image_data", aim, mode) for aim in aims for mode in modes], 0.1)
    goal += _some(rng, [("at", rovers[0], rng.choice(points)), ("empty", stores[0])], 0.1)
    goal += _some(rng, [("have_rock_analysis", rovers[0], rng.choice(points))], 0.05)
    objects = {"rover": rovers, "waypoint": points, "camera": cameras, "mode": modes, "objective": aims}
    return {**objects, "store": stores, "lander": ["base"]}, init, goal


def _goldminer(rng: Random) -> Drawn:
    rows, columns = rng.randint(1, 3), rng.randint(1, 4)
    name = {(row, column): f"c{row}{column}" for row in range(rows) for column in range(columns)}
    init: list[Fact] = []
    for (row, column), cell in name.items():
        beside = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
        init += [("connected", cell, name[other]) for other in beside if other in name]
        kind = rng.choice(("clear", "clear", "soft-rock-at", "soft-rock-at", "hard-rock-at"))
        init.append((kind, cell))
    cells = sorted(name.values())
    robot = rng.choice(cells)
    init += [("robot-at", robot), ("clear", robot)]
    init += [("gold-at", rng.choice(cells)) for _ in range(rng.choice((1, 1, 2)))]
    init += [("bomb-at", rng.choice(cells)) for _ in range(rng.choice((0, 1, 1, 2)))]
    init += [("laser-at", rng.choice(cells)) for _ in range(rng.choice((0, 1, 1)))]
    init.append((rng.choice(("arm-empty", "arm-empty", "arm-empty", "holds-bomb", "holds-laser", "holds-gold")),))
    goal: list[Fact] = [("holds-gold",)] if rng.random() < 0.9 else [("robot-at", rng.choice(cells))]
    return {"loc": cells}, init, goal


def _minigrid(rng: Random) -> Drawn:
    cells, keys, shapes = _names("p", rng.randint(2, 8)), _names("key", rng.randint(0, 3)), _names("shape", 2)
    arcs = _arcs(rng, cells, one_way=0.15)
    init: list[Fact] = [("conn", *arc) for arc in arcs]
    robot = rng.choice(cells)
    for cell in cells:
        locked = rng.random() < 0.45
        init += [("place", cell), ("locked" if locked else "open", cell)]
        init += [("lock-shape", cell, rng.choice(shapes))] if locked else []
    held = rng.choice(keys) if keys and rng.random() < 0.3 else None
    for key in keys:
        init += [("key", key), ("key-shape", key, rng.choice(shapes))]
        init.append(("holding", key) if key == held else ("at", key, rng.choice(cells)))
    init += [("shape", shape) for shape in shapes] + [("at-robot", robot)] + ([] if held else [("arm-empty",)])
    goal: list[Fact] = [("at-robot", rng.choice(cells))]
    if all(arc[::-1] in arcs for arc in arcs) and ("open", robot) in init and rng.random() < 0.35:
        goal = _some(rng, [("at-robot", rng.choice(cells)), ("open", rng.choice(cells)), ("arm-empty",)], 0.5)
        goal += [("at", key, rng.choice(cells)) for key in keys[:1]] + [("holding", key) for key in keys[1:2]]
        goal = [fact for fact in goal if fact[0] != "arm-empty" or not keys[1:2]]
    return {"object": [*cells, *keys, *shapes]}, init, goal


def _beluga(rng: Random) -> Drawn:
    parts, racks, lines = _names("part", rng.randint(1, 4)), _names("rack", rng.randint(2, 3)), _names("line", 2)
    capacity, number = rng.randint(4, 9), {0: "n00", **{level: f"n{level}" for level in range(1, 10)}}
    sizes = {part: rng.randint(1, 4) for part in parts}
    init: list[Fact] = [("size", part, number[size]) for part, size in sizes.items()]
    for level in range(capacity + 1):
        init += [
            ("fit-n-sum", number[level], number[size], number[level + size]) for size in range(1, capacity - level + 1)
        ]
    rows: dict[str, list[str]] = {rack: [] for rack in racks}
    waiting, on_truck = list(parts), {"left": "", "right": ""}
    rng.shuffle(waiting)
    for rack in racks:
        while waiting and rng.random() < 0.3 and sum(sizes[part] for part in (*rows[rack], waiting[-1])) <= capacity:
            rows[rack].append(waiting.pop())
    for truck in on_truck:
        if waiting and rng.random() < 0.15:
            on_truck[truck] = waiting.pop()
        init.append(("on-truck", on_truck[truck], truck) if on_truck[truck] else ("empty", truck))
    for rack, row in rows.items():
        init += [("level", rack, number[sum(sizes[part] for part in row)])] + [("on-rack", rack, part) for part in row]
        init += [("rack-succ", *pair) for pair in pairwise(row)]
        init += [("no-rack-pre", row[0]), ("no-rack-succ", row[-1])] if row else [("unused", rack)]
    for part in set(parts) - {part for row in rows.values() for part in row}:
        init += [("on-rack", "noner", part), ("no-rack-pre", part), ("no-rack-succ", part)]
    init += [("next-to-unload", *pair) for pair in pairwise([*waiting, "nonep"])]
    init.append(("ready-to-unload", [*waiting, "nonep"][0]))
    order = rng.sample(parts, len(parts))
    called = order.pop() if rng.random() < 0.15 else "nonep"
    cut = rng.choice((0, 0, 0, rng.randint(0, len(order))))
    for line, row in zip(lines, (order[:cut], order[cut:]), strict=True):
        init += [("p-line-next", line, [*row, "nonep"][0])]
        init += [("p-line-succ", *pair) for pair in pairwise([*row, "nonep", "nonep"])]
    init.append(("needed-next", called))
    goal = _some(rng, [("processed", part) for part in parts], rng.choice((0.5, 1.0)))
    objects = {"part": parts, "rack": racks, "production-line": lines, "num": list(number.values())[1:]}
    return {**objects, "beluga-truck": ["left"], "fab-truck": ["right"]}, init, goal


DRAWN: Mapping[str, Callable[[Random], Drawn]] = {
    "beluga": _beluga,
    "goldminer": _goldminer,
    "hiking": _hiking,
    "minigrid": _minigrid,
    "rovers": _rovers,
    "satellite": _satellite,
    "transport": _transport,
    "visitall": _visitall,
}
