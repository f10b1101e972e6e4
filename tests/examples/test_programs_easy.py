"""The reference programs of domains that need no search: right on every small task, however odd its start and goal."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_easy_tasks import DRAWN, Fact, odd_easy_task

from groundplan.bench.genplan.generator import generate
from groundplan.pddl.ast import And, Atom, Step, Task
from groundplan.pddl.validate import validate_plan
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Limits, Status

PROGRAMS = Path(__file__).parents[2] / "examples" / "programs"
Program = Callable[[set[tuple[str, str]], set[Fact], set[Fact]], list[str]]


@cache
def program(name: str) -> Program:
    found: Program = runpy.run_path(str(PROGRAMS / f"{name}.py"))["get_plan"]
    return found


def plan_of(name: str, task: Task, rename: Callable[[str], str] = str, back: Callable[[str], str] = str) -> list[Step]:
    """What the program answers for the task with other names, in the task's own names."""
    goal = task.problem.goal
    parts = goal.parts if isinstance(goal, And) else (goal,)
    objects = {(rename(item.name), item.types[0]) for item in task.objects}
    init = {(fact.predicate, *map(rename, fact.terms)) for fact in task.problem.init}
    wanted = {(fact.predicate, *map(rename, fact.terms)) for fact in parts if isinstance(fact, Atom)}
    steps = []
    for line in program(name)(objects, init, wanted):
        action, *args = line.strip("()").split()
        steps.append(Step(action, tuple(map(back, args))))
    return steps


def scrambled(rng: Random, task: Task) -> tuple[Callable[[str], str], Callable[[str], str]]:
    """Other names for the objects, in another order of the alphabet, and the way back."""
    names = [item.name for item in task.objects]
    others = {name: f"o{number}" for name, number in zip(names, rng.sample(range(10, 1000), len(names)), strict=True)}
    back = {other: name for name, other in others.items()}
    return others.__getitem__, back.__getitem__


@pytest.mark.parametrize("name", sorted(DRAWN))
@settings(max_examples=40)
@given(number=st.integers(0, 2**32))
def test_odd_tasks_are_solved_if_they_can_be(name: str, number: int) -> None:
    task = odd_easy_task(name, Random(number))
    engine = BuiltinEngine()
    outcome = engine.solve(task, Limits(wall_s=5, cpu_s=5))
    engine.close()
    rename, back = scrambled(Random(number), task)
    try:
        plan, refusal = plan_of(name, task, rename, back), ""
    except ValueError as error:
        plan, refusal = [], str(error)
    if refusal:
        assert outcome.status is not Status.SOLVED, f"refused ({refusal}), but there is {outcome.plan}"
        assert refusal.endswith(".")
    else:
        verdict = validate_plan(task, plan)
        assert verdict.is_valid, verdict.reasons
        assert outcome.status is not Status.UNSOLVABLE


@pytest.mark.parametrize("name", sorted(DRAWN))
def test_odd_tasks_come_in_both_kinds(name: str) -> None:
    """The property above is worth something only if many tasks can be solved, and by a plan of some steps."""
    answered, refused = 0, 0
    for number in range(60):
        try:
            answered += bool(plan_of(name, odd_easy_task(name, Random(number))))
        except ValueError:
            refused += 1
    assert answered >= 15
    assert refused >= 1


@pytest.mark.parametrize("name", sorted(DRAWN))
def test_generated_tasks_are_solved_under_any_names(name: str) -> None:
    for number in range(3):
        task = generate(name, "large", number)
        assert validate_plan(task, plan_of(name, task)).is_valid
        assert validate_plan(task, plan_of(name, task, *scrambled(Random(number), task))).is_valid


def test_blocks_in_place_are_left_alone() -> None:
    on = {("on", "a", "b"), ("ontable", "b"), ("clear", "a"), ("ontable", "c"), ("clear", "c"), ("handempty",)}
    blocks = {(name, "object") for name in "abc"}
    assert program("blocksworld")(blocks, on, {("on", "a", "b"), ("on", "c", "a")}) == ["(pick-up c)", "(stack c a)"]
    assert program("blocksworld")(blocks, on, {("clear", "b")}) == ["(unstack a b)"]


def test_gripper_carries_two_balls_at_a_time() -> None:
    init: set[Fact] = {("room", "r"), ("room", "s"), ("at-robby", "r"), ("gripper", "g"), ("gripper", "h")}
    init |= (
        {("free", "g"), ("free", "h")} | {("ball", ball) for ball in "abcd"} | {("at", ball, "r") for ball in "abcd"}
    )
    objects = {(name, "object") for name in ("r", "s", "g", "h", *"abcd")}
    plan = program("gripper")(objects, init, {("at", ball, "s") for ball in "abcd"})
    assert sum(step.startswith("(move") for step in plan) == 3


def test_miconic_makes_one_sweep() -> None:
    floors = [f"f{number}" for number in range(6)]
    init: set[Fact] = {("above", low, high) for low in floors for high in floors if low < high} | {("lift-at", "f5")}
    init |= {("origin", "p", "f0"), ("destin", "p", "f2"), ("origin", "q", "f2"), ("destin", "q", "f4")}
    objects = {*((floor, "floor") for floor in floors), ("p", "passenger"), ("q", "passenger")}
    plan = program("miconic")(objects, init, {("served", "p"), ("served", "q")})
    assert [step for step in plan if step.startswith(("(up", "(down"))] == ["(down f5 f0)", "(up f0 f2)", "(up f2 f4)"]


def test_spanner_takes_the_branch_with_enough_spanners() -> None:
    links = {("link", "shed", "left"), ("link", "shed", "right"), ("link", "left", "gate"), ("link", "right", "gate")}
    init = links | {("at", "bob", "shed"), ("at", "s1", "left"), ("at", "s2", "right"), ("at", "s3", "right")}
    init |= {("useable", "s1"), ("useable", "s2"), ("useable", "s3")}
    init |= {("at", "n1", "gate"), ("at", "n2", "gate"), ("loose", "n1"), ("loose", "n2")}
    objects = {*((place, "location") for place in ("shed", "left", "right", "gate")), ("bob", "man")}
    objects |= {("s1", "spanner"), ("s2", "spanner"), ("s3", "spanner"), ("n1", "nut"), ("n2", "nut")}
    plan = program("spanner")(objects, init, {("tightened", "n1"), ("tightened", "n2")})
    assert plan[0] == "(walk shed right bob)"
    assert len(plan) == 6
