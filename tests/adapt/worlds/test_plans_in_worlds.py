"""The expected plan of each scenario, carried out: every operator does in the world what its PDDL says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from operator_solutions import NEW_OPERATORS, PLANS, Literal, carry_out, effects_of, task_of

from groundplan.adapt.facts import Facts
from groundplan.adapt.worlds.registry import WORLD_NAMES, make_world, scenario
from groundplan.adapt.worlds.world import World
from groundplan.pddl import Task, read_task
from groundplan.pddl.ast import atoms_in
from groundplan.pddl.compare import Equivalence, compare_tasks

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "novelty"


def facts_of(task: Task) -> Facts:
    return frozenset((atom.predicate, *atom.terms) for atom in task.problem.init)


def run_plan(world: World, seed: int) -> None:
    """Every fact is as predicted after every operator, not only those that it changes."""
    task = task_of(world.name)
    world.reset(seed)
    expected = facts_of(task)
    assert world.facts() == expected
    for operator, objects in PLANS[world.name]:
        trace = carry_out(world, operator, objects)
        effects = effects_of(task, operator, objects)
        expected = (expected - {fact for _, fact in effects}) | {fact for positive, fact in effects if positive}
        assert world.facts() == expected, f"{operator} with seed {seed}, after {len(trace)} steps"
        if operator in NEW_OPERATORS:
            check_order(trace, effects)
    assert {(atom.predicate, *atom.terms) for atom in atoms_in(task.problem.goal)} <= world.facts()


def check_order(trace: list[Facts], effects: Sequence[Literal]) -> None:
    """Sub-goals come about one after the other, and stay."""
    since = []
    for positive, fact in effects:
        held = [(fact in facts) == positive for facts in trace]
        assert not held[0]
        first = held.index(True)
        assert all(held[first:]), fact
        since.append(first)
    assert since == sorted(since)


@pytest.mark.parametrize("name", WORLD_NAMES)
def test_plan_reaches_the_goal_step_by_step(name: str) -> None:
    world = make_world(name)
    for seed in (0, 1):
        run_plan(world, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLD_NAMES)
def test_plan_reaches_the_goal_with_many_seeds(name: str) -> None:
    world = make_world(name)
    for seed in range(100, 150):
        run_plan(world, seed)


@pytest.mark.parametrize("name", WORLD_NAMES)
def test_initial_facts_are_the_scenarios(name: str) -> None:
    world, tasks = make_world(name), [task_of(name)]
    if SHARED.is_dir():
        tasks.append(read_task(SHARED / name / "domain.pddl", SHARED / name / "problem.pddl"))
    for seed in range(20):
        world.reset(seed)
        for task in tasks:
            assert world.facts() == facts_of(task)
    for task in tasks:
        assert dict(world.objects) == {item.name: item.types[0] for item in task.problem.objects}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the scenarios' other writing is not here")
@pytest.mark.parametrize("name", WORLD_NAMES)
def test_our_pddl_is_the_same_task(name: str) -> None:
    other = read_task(SHARED / name / "domain.pddl", SHARED / name / "problem.pddl")
    assert compare_tasks(other, task_of(name)).verdict is Equivalence.PROVED


@pytest.mark.parametrize("name", WORLD_NAMES)
def test_every_predicate_has_a_detector(name: str) -> None:
    """Each predicate of the domain is true somewhere along the plan."""
    world, task = make_world(name), task_of(name)
    world.reset(3)
    seen = set(world.facts())
    for operator, objects in PLANS[name]:
        for facts in carry_out(world, operator, objects):
            seen |= facts
    assert {fact[0] for fact in seen} == set(task.domain.predicate_by_name)


def test_scenarios_are_files() -> None:
    for name in WORLD_NAMES:
        assert scenario(name).domain.is_file()
        assert scenario(name).problem.is_file()
