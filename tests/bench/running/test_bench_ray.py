"""The same bytes over a Ray cluster of one node; skipped where Ray is not installed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "methods"))
sys.path.insert(0, str(Path(__file__).parent))
from bench_child import NAMES
from bench_fakes import LampSet, by_prompt, snapshot, work

from groundplan.bench.methods.registry import METHODS
from groundplan.bench.running import ray_cluster
from groundplan.bench.running.ray_cluster import require_ray, spread_over_ray
from groundplan.bench.running.runner import run_bench
from groundplan.bench.running.unit import Work
from groundplan.errors import InputError
from groundplan.runs.budget import REPLY, Budget
from groundplan.runs.log import read_events


def make_work() -> Work:
    return work([METHODS[name] for name in NAMES], by_prompt(3))


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    ray = pytest.importorskip("ray")
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "methods")]
    os.environ.setdefault("RAY_raylet_start_wait_time_s", "180")  # a busy machine takes long to start a node
    environment = {"env_vars": {"PYTHONPATH": ":".join(paths)}}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=environment)
    yield ray
    ray.shutdown()


@pytest.mark.slow
def test_a_cluster_changes_no_byte(tmp_path: Path, cluster: object) -> None:
    tasks = LampSet().tasks(3, 0)
    run_bench(make_work(), tasks, tmp_path / "here", label="m")
    spread = spread_over_ray("local", make_work, 2)
    run_bench(make_work(), tasks, tmp_path / "there", label="m", spread=spread)
    assert snapshot(tmp_path / "here") == snapshot(tmp_path / "there")
    keys = [
        {event.payload["key"] for event in read_events(tmp_path / name / "events.jsonl") if event.kind == REPLY}
        for name in ("here", "there")
    ]
    assert keys[0] == keys[1], "every reply came home"


@pytest.mark.slow
def test_a_budget_ends_it_and_it_goes_on(tmp_path: Path, cluster: object) -> None:
    tasks = LampSet().tasks(3, 0)
    spread = spread_over_ray("local", make_work, 2)
    part = run_bench(make_work(), tasks, tmp_path / "run", label="m", spread=spread, budget=Budget(calls=5))
    assert part.stopped
    run_bench(make_work(), tasks, tmp_path / "run", label="m", spread=spread)
    run_bench(make_work(), tasks, tmp_path / "other", label="m")
    assert snapshot(tmp_path / "run") == snapshot(tmp_path / "other")


def test_without_ray_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(ray_cluster.importlib, "import_module", missing)
    with pytest.raises(InputError, match="pip install ray"):
        require_ray()
