"""`check_world` finds every planted fault, and nothing in worlds without one."""

from __future__ import annotations

import pytest
from operator_solutions import task_of
from point_world import DOMAIN, FAULTS, PROBLEM, PointWorld

from groundplan.adapt.worlds.checking import check_world
from groundplan.adapt.worlds.registry import WORLD_NAMES, make_world
from groundplan.pddl import task_from_text

TASK = task_from_text(DOMAIN, PROBLEM)


def test_nothing_is_found_in_a_faultless_world() -> None:
    for seed in range(3):
        assert check_world(PointWorld(), TASK, seed) == []


@pytest.mark.parametrize(("world", "message"), FAULTS, ids=[world.__name__ for world, _ in FAULTS])
def test_a_planted_fault_is_found(world: type[PointWorld], message: str) -> None:
    assert any(message in finding for finding in check_world(world(), TASK))


@pytest.mark.parametrize("name", WORLD_NAMES)
def test_nothing_is_found_in_the_worlds_of_this_package(name: str) -> None:
    assert check_world(make_world(name), task_of(name)) == []


def test_a_world_of_another_scenario_is_noticed() -> None:
    found = check_world(make_world("coffee_box"), task_of("coffee_drawer"))
    assert any("box1 is not an object of the problem" in finding for finding in found)
