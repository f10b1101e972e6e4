"""Engines on a Ray cluster of one node; the slow ones only where Ray is installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from groundplan.errors import InputError
from groundplan.pddl.read import read_task
from groundplan.solve.outcome import Fault, Limits, Status
from groundplan.solve.over_ray import RayEngine
from groundplan.solve.pool import SolverPool

LIMITS = Limits(30.0, 30.0, 1024)


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match="pip install ray"):
        RayEngine("local")


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.mark.slow
def test_outcomes_are_those_of_an_engine_here(cluster: object, data_dir: Path) -> None:
    tasks = [
        read_task(path.parent.parent / "domain.pddl", path)
        for path in sorted(data_dir.glob("genplan/gripper/train/*.pddl"))[:4]
    ]
    assert tasks
    with SolverPool("fast-downward", 2, LIMITS) as here:
        expected = list(here.solve_many(tasks))
    with SolverPool(lambda: RayEngine("local"), 2, LIMITS) as there:
        found = list(there.solve_many(tasks))
    timeless = [[replace(item, seconds=0.0, log="") for item in some] for some in (expected, found)]
    assert timeless[0] == timeless[1]
    assert all(item.status is Status.SOLVED for item in found)


@pytest.mark.slow
def test_a_worker_that_dies_is_a_crash_and_the_next_call_is_answered(cluster: object, data_dir: Path) -> None:
    import ray

    path = sorted(data_dir.glob("genplan/gripper/train/*.pddl"))[0]
    task = read_task(path.parent.parent / "domain.pddl", path)
    engine = RayEngine("local")
    assert engine.solve(task, LIMITS).status is Status.SOLVED
    ray.kill(engine._worker)
    died = engine.solve(task, LIMITS)
    assert (died.status, died.fault) == (Status.FAILED, Fault.CRASH)
    assert engine.solve(task, LIMITS).status is Status.SOLVED
    engine.close()
    engine.close()


@pytest.mark.slow
def test_an_engine_that_is_not_there_is_told(cluster: object) -> None:
    with pytest.raises(InputError, match="no engine is called"):
        RayEngine("local", "slow-upward")
