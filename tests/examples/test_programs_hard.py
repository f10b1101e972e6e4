"""The reference programs of the harder domains, on tasks that the generators never write."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from odd_tasks import DRAWN, odd_task

from groundplan.pddl.ast import Step, Task, conjuncts
from groundplan.pddl.validate import validate_plan
from groundplan.solve.engines import make_engine
from groundplan.solve.outcome import Limits, Status

PROGRAMS = Path(__file__).resolve().parents[2] / "examples" / "programs"
HARD = sorted(DRAWN)
Facts = set[tuple[str, ...]]


def program(name: str) -> Callable[[Facts, Facts, Facts], list[str]]:
    spec = importlib.util.spec_from_file_location(f"program_{name}", PROGRAMS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Any = module.get_plan
    return found  # type: ignore[no-any-return]


def inputs(task: Task) -> tuple[Facts, Facts, Facts]:
    objects: Facts = {(item.name, item.types[0]) for item in task.objects}
    init = {(atom.predicate, *atom.terms) for atom in task.problem.init}
    goal = {(atom.predicate, *atom.terms) for atom in conjuncts(task.problem.goal)}  # type: ignore[union-attr]
    return objects, init, goal


def steps(plan: list[str]) -> list[Step]:
    words = [step[1:-1].split() for step in plan]
    return [Step(action, tuple(arguments)) for action, *arguments in words]


def renamed(facts: Facts, names: dict[str, str], position: int) -> Facts:
    return {tuple(names.get(word, word) if at >= position else word for at, word in enumerate(fact)) for fact in facts}


@pytest.mark.parametrize("name", HARD)
@settings(max_examples=50)
@given(seed=st.integers(0, 10**6))
def test_a_program_solves_whatever_can_be_solved(name: str, seed: int) -> None:
    task = odd_task(name, Random(seed))
    outcome = make_engine("builtin").solve(task, Limits(wall_s=5))
    assume(outcome.status in (Status.SOLVED, Status.UNSOLVABLE))
    if outcome.status is Status.UNSOLVABLE:
        with pytest.raises(ValueError, match=r"\w+ .*\.$"):
            program(name)(*inputs(task))
        return
    verdict = validate_plan(task, steps(program(name)(*inputs(task))))
    assert verdict.is_valid, verdict.reasons


@pytest.mark.parametrize("name", HARD)
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), data=st.data())
def test_a_plan_does_not_depend_on_order_nor_its_validity_on_names(name: str, seed: int, data: st.DataObject) -> None:
    task = odd_task(name, Random(seed))
    objects, init, goal = inputs(task)
    try:
        plan = program(name)(objects, init, goal)
    except ValueError:
        assume(False)
    shuffled = [set(data.draw(st.permutations(sorted(facts)))) for facts in (objects, init, goal)]
    assert program(name)(*shuffled) == plan
    own = sorted(item.name for item in task.problem.objects)
    names = dict(zip(own, data.draw(st.permutations([f"x{number}" for number in range(len(own))])), strict=True))
    back = {new: old for old, new in names.items()}
    other: Facts = {(names.get(item, item), kind) for item, kind in objects}
    strange = program(name)(other, renamed(init, names, 1), renamed(goal, names, 1))
    read = [Step(step.action, tuple(back.get(item, item) for item in step.args)) for step in steps(strange)]
    assert validate_plan(task, read).is_valid


@pytest.mark.parametrize("name", HARD)
def test_a_goal_that_holds_needs_no_step(name: str) -> None:
    facts = {("at-robot", "p"), ("at", "p"), ("processed", "p"), ("holds-gold",), ("visited", "p")}
    for fact in facts:
        assert program(name)({("p", "object")}, facts, {fact}) == []


@pytest.mark.parametrize("name", HARD)
def test_a_program_stands_alone(name: str) -> None:
    text = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")
    imported = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= {"collections", "heapq", "itertools"}
    assert text.startswith('"""')
