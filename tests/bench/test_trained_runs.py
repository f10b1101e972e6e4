"""Statistics of the evaluations of a real training run on a tiny model."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from groundplan.bench.trained import along_training, evaluations
from groundplan.errors import InputError
from groundplan.runs.run import Run
from groundplan.solve.builtin import BuiltinEngine
from groundplan.train.loop import train
from groundplan.train.settings import settings_from


def test_every_evaluation_has_its_statistics(tmp_path) -> None:
    settings = settings_from(
        model="tiny",
        policy={"role_rank": 1},
        tasks={"size": [2, 2], "held_out": 3},
        decoding={"max_tokens": 40},
        batch=2,
        samples=2,
        cycles=1,
        updates=1,
        max_repairs=1,
    )
    with Run.open(tmp_path / "run", settings={}) as run:
        train(settings, run, BuiltinEngine())
    found = evaluations(tmp_path / "run")
    assert list(found) == ["cycle-0", "cycle-1"]
    for name, figures in along_training(tmp_path / "run").items():
        counts = figures["counts"]
        assert counts["tasks"] == counts["episodes"] == 3
        assert counts["candidates"] == len(found[name])
        assert figures["disagreement"]["delta"] == pytest.approx(0.025)
    assert all(item.score is not None for item in found["cycle-0"] if item.step == 0)


def test_a_run_without_evaluations_is_told(tmp_path) -> None:
    with Run.open(tmp_path / "run", settings={}), pytest.raises(InputError, match="no evaluation"):
        evaluations(tmp_path / "run")
