"""How long validating a plan takes: python benchmarks/validate_speed.py [--runs N]

Makes its own seeded tasks (a blocksworld with hundreds of blocks, a delivery round with typed trucks and planes) with
valid plans of 20 and 2,000 steps, and prints the median milliseconds of wall time for: the plan's text to a verdict,
with the task already parsed; and of that, reading the text. Tools that are installed (kairos-planner,
unified-planning) are timed in the same run, on the same texts, in turn with ours.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from groundplan.pddl import Source, task_from_text
from groundplan.pddl.plan import read_plan
from groundplan.pddl.validate import validate_text

BLOCKS = """(define (domain blocks) (:requirements :strips)
  (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x))
  (:action pick-up :parameters (?x) :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
  (:action put-down :parameters (?x) :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
  (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y)))))
"""

DELIVERY = """(define (domain delivery) (:requirements :strips :typing :action-costs)
  (:types city place thing - object airport - place parcel vehicle - thing truck plane - vehicle)
  (:predicates (at ?t - thing ?p - place) (in ?p - parcel ?v - vehicle) (within ?p - place ?c - city))
  (:functions (total-cost) - number)
  (:action load :parameters (?p - parcel ?v - vehicle ?l - place) :precondition (and (at ?v ?l) (at ?p ?l))
    :effect (and (not (at ?p ?l)) (in ?p ?v) (increase (total-cost) 1)))
  (:action unload :parameters (?p - parcel ?v - vehicle ?l - place) :precondition (and (at ?v ?l) (in ?p ?v))
    :effect (and (not (in ?p ?v)) (at ?p ?l) (increase (total-cost) 1)))
  (:action drive :parameters (?t - truck ?a ?b - place ?c - city)
    :precondition (and (at ?t ?a) (within ?a ?c) (within ?b ?c))
    :effect (and (not (at ?t ?a)) (at ?t ?b) (increase (total-cost) 3)))
  (:action fly :parameters (?p - plane ?a ?b - airport) :precondition (at ?p ?a)
    :effect (and (not (at ?p ?a)) (at ?p ?b) (increase (total-cost) 9))))
"""


def blocks(steps: int, seed: int = 1) -> tuple[str, str, str]:
    """Domain, problem and plan: seeded moves of blocks; the goal is where they end."""
    rng = random.Random(seed)
    names = [f"b{index}" for index in range(max(5, steps // 4))]
    below: dict[str, str | None] = {}
    tops: list[str] = []
    for name in names:
        spot = rng.randrange(len(tops) + 1) if tops else 0
        below[name] = None if spot == len(tops) else tops[spot]
        tops[spot : spot + 1] = [name]
    init = _towers(below, tops)
    plan: list[str] = []
    while len(plan) < steps:
        block = rng.choice(tops)
        under = below[block]
        target = rng.choice([None, *(top for top in rng.sample(tops, min(4, len(tops))) if top not in (block, under))])
        if target == under:
            continue
        tops.remove(block)
        plan.append(f"(pick-up {block})" if under is None else f"(unstack {block} {under})")
        tops += [under] if under else []
        plan.append(f"(put-down {block})" if target is None else f"(stack {block} {target})")
        if target:
            tops.remove(target)
        below[block] = target
        tops.append(block)
    goal = " ".join(f"(on {block} {under})" for block, under in below.items() if under)
    problem = f"(define (problem p) (:domain blocks) (:objects {' '.join(names)}) (:init {init}) (:goal (and {goal})))"
    return BLOCKS, problem, "\n".join(plan) + "\n"


def _towers(below: dict[str, str | None], tops: list[str]) -> str:
    facts = [f"(on {block} {under})" if under else f"(ontable {block})" for block, under in below.items()]
    return " ".join(["(handempty)", *facts, *(f"(clear {top})" for top in tops)])


def delivery(steps: int, seed: int = 2) -> tuple[str, str, str]:
    """Domain, problem and plan: one truck a city and one plane bring parcels round, ten steps a parcel."""
    rng = random.Random(seed)
    cities, parcels = max(2, steps // 200), max(1, steps // 10)
    init, goal, plan = [], [], []
    truck = {city: f"depot{city}" for city in range(cities)}
    plane = "airport0"
    for city in range(cities):
        init += [f"(at t{city} depot{city})", f"(within depot{city} c{city})", f"(within airport{city} c{city})"]
    init.append(f"(at jet {plane})")
    for parcel in range(parcels):
        here, there = rng.sample(range(cities), 2)
        init.append(f"(at p{parcel} depot{here})")
        goal.append(f"(at p{parcel} depot{there})")
        for city, start in ((here, f"depot{here}"), (there, f"airport{there}")):
            if truck[city] != start:
                plan.append(f"(drive t{city} {truck[city]} {start} c{city})")
            end = f"airport{city}" if start.startswith("depot") else f"depot{city}"
            plan += [
                f"(load p{parcel} t{city} {start})",
                f"(drive t{city} {start} {end} c{city})",
                f"(unload p{parcel} t{city} {end})",
            ]
            truck[city] = end
            if city == here:
                plan += [f"(fly jet {plane} airport{here})"] if plane != f"airport{here}" else []
                plan.append(f"(load p{parcel} jet airport{here})")
                plan += [f"(fly jet airport{here} airport{there})", f"(unload p{parcel} jet airport{there})"]
                plane = f"airport{there}"
    kinds = [("c", "city"), ("depot", "place"), ("airport", "airport"), ("t", "truck")]
    objects = [f"{' '.join(f'{name}{city}' for city in range(cities))} - {kind}" for name, kind in kinds]
    objects += ["jet - plane", f"{' '.join(f'p{parcel}' for parcel in range(parcels))} - parcel"]
    problem = (
        f"(define (problem p) (:domain delivery) (:objects {' '.join(objects)}) (:init {' '.join(init)}"
        f" (= (total-cost) 0)) (:goal (and {' '.join(goal)})) (:metric minimize (total-cost)))"
    )
    return DELIVERY, problem, "\n".join(plan) + "\n"


def ours(domain: str, problem: str, plan: str) -> Callable[[], bool]:
    task, source = task_from_text(domain, problem), Source(plan)
    return lambda: validate_text(task, source).is_valid


def reading(domain: str, problem: str, plan: str) -> Callable[[], bool]:
    source = Source(plan)
    return lambda: bool(read_plan(source).words)


def kairos(domain: str, problem: str, plan: str) -> Callable[[], bool]:
    import kairos as library

    task = library.parse_problem(problem, library.parse_domain(domain))
    return lambda: bool(library.validate(task, library.parse_plan(plan)).status == library.ValidationStatus.VALID)


def unified_planning(domain: str, problem: str, plan: str) -> Callable[[], bool]:
    from unified_planning.engines import SequentialPlanValidator
    from unified_planning.io import PDDLReader

    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("domain", domain), ("problem", problem)):
            Path(folder, name).write_text(text)
        reader = PDDLReader()
        task = reader.parse_problem(str(Path(folder, "domain")), str(Path(folder, "problem")))

    def judge() -> bool:
        steps = PDDLReader().parse_plan_string(task, plan)
        return bool(SequentialPlanValidator().validate(task, steps).status.name == "VALID")

    return judge


def judges() -> Iterator[tuple[str, Callable[[str, str, str], Callable[[], bool]], bool]]:
    """Name, maker, and whether it is too slow for all the runs."""
    yield "groundplan", ours, False
    yield "  of that: reading", reading, False
    if importlib.util.find_spec("kairos"):
        yield "kairos-planner", kairos, False
    if importlib.util.find_spec("unified_planning"):
        yield "unified-planning", unified_planning, True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=31, help="timed runs of each (default 31)")
    runs = parser.parse_args().runs
    print(f"{'median ms (fastest)':22}" + "".join(f"{name:>22}" for name, _, _ in judges()))
    for make in (blocks, delivery):
        for steps in (20, 2000):
            texts = make(steps)
            makers = [(maker(*texts), min(runs, 3) if slow else runs) for _, maker, slow in judges()]
            assert all(judge() for judge, _ in makers), "every tool must call the plan valid"
            times: list[list[float]] = [[] for _ in makers]
            for turn in range(runs):
                for (judge, wanted), found in zip(makers, times, strict=True):
                    if turn < wanted:
                        start = time.perf_counter()
                        judge()
                        found.append((time.perf_counter() - start) * 1e3)
            count = texts[2].count("\n")
            cells = "".join(f"{f'{statistics.median(found):.3f} ({min(found):.3f})':>22}" for found in times)
            print(f"{f'{make.__name__}, {count} steps':22}{cells}")


if __name__ == "__main__":
    main()
