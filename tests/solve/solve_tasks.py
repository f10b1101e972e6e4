"""Small tasks of our own, and a solver too simple to be wrong: breadth-first search over the lifted simulator."""

from __future__ import annotations

import itertools

from groundplan.pddl import Plan, Step, Task, task_from_text
from groundplan.pddl.simulate import Simulator

TILES = """(define (domain tiles) (:requirements :strips :typing) (:types tile cell)
  (:predicates (on ?t - tile ?c - cell) (gap ?c - cell) (beside ?a ?b - cell))
  (:action slide :parameters (?t - tile ?a ?b - cell)
    :precondition (and (on ?t ?a) (gap ?b) (beside ?a ?b))
    :effect (and (on ?t ?b) (gap ?a) (not (on ?t ?a)) (not (gap ?b)))))"""


def tiles(size: int, *, swapped: bool = False, turned: bool = False) -> Task:
    """A sliding puzzle. `swapped`: two tiles changed places, which no sliding can do. `turned`: in reverse order."""
    cells = [f"c{row}-{column}" for row in range(size) for column in range(size)]
    names = [f"t{number}" for number in range(size * size - 1)]
    beside = []
    for row, column in itertools.product(range(size), repeat=2):
        for other in ((row + 1, column), (row, column + 1)):
            if max(other) < size:
                pair = (f"c{row}-{column}", f"c{other[0]}-{other[1]}")
                beside += [f"(beside {pair[0]} {pair[1]})", f"(beside {pair[1]} {pair[0]})"]
    init = [f"(on {name} {cell})" for name, cell in zip(names, cells, strict=False)]
    wanted = list(names)
    if swapped:
        wanted[0], wanted[1] = wanted[1], wanted[0]
    if turned:
        wanted.reverse()
    goal = [f"(on {name} {cell})" for name, cell in zip(wanted, cells, strict=False)]
    return task_from_text(
        TILES,
        f"""(define (problem slide) (:domain tiles) (:objects {" ".join(names)} - tile {" ".join(cells)} - cell)
        (:init {" ".join(init)} (gap {cells[-1]}) {" ".join(beside)}) (:goal (and {" ".join(goal)})))""",
    )


FERRY = """(define (domain ferry) (:requirements :strips :typing) (:types car bank)
  (:predicates (at ?c - car ?b - bank) (ferry ?b - bank) (aboard ?c - car) (free))
  (:action sail :parameters (?from ?to - bank) :precondition (ferry ?from)
    :effect (and (ferry ?to) (not (ferry ?from))))
  (:action board :parameters (?c - car ?b - bank) :precondition (and (at ?c ?b) (ferry ?b) (free))
    :effect (and (aboard ?c) (not (at ?c ?b)) (not (free))))
  (:action leave :parameters (?c - car ?b - bank) :precondition (and (aboard ?c) (ferry ?b))
    :effect (and (at ?c ?b) (free) (not (aboard ?c)))))"""


def ferry(cars: int, *, goal_bank: str = "east") -> Task:
    names = [f"car{number}" for number in range(cars)]
    return task_from_text(
        FERRY,
        f"""(define (problem cross-{cars}) (:domain ferry) (:objects {" ".join(names)} - car west east isle - bank)
        (:init (ferry west) (free) {" ".join(f"(at {name} west)" for name in names)})
        (:goal (and {" ".join(f"(at {name} {goal_bank})" for name in names)})))""",
    )


def shortest_plan(task: Task, most_states: int = 20_000) -> Plan | None:
    """A plan with as few steps as possible, or None when there is none at all."""
    simulator = Simulator(task)
    names = [item.name for item in task.objects]
    steps = [
        Step(action.name, args)
        for action in task.domain.actions
        for args in itertools.product(names, repeat=len(action.parameters))
        if all(name in simulator.members(item.types) for name, item in zip(args, action.parameters, strict=True))
    ]
    plans: dict[object, Plan] = {simulator.initial: ()}
    queue = [simulator.initial]
    for state in queue:
        if simulator.is_goal(state):
            return plans[state]
        assert len(plans) < most_states, "too large a task for this search"
        for step in steps:
            if simulator.applicable(state, step):
                continue
            following = simulator.apply(state, step)
            if following not in plans:
                plans[following] = (*plans[state], step)
                queue.append(following)
    return None
