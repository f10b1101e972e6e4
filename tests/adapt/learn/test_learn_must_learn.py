"""PPO with a right shaping learns the toy world's grasp; sparse rewards do not, on the same budget."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from learn_small import lesson, pick_up, trained
from toy_world import GRASP_BALL

from groundplan.adapt.learn.agent import Lesson
from groundplan.adapt.learn.settings import LearningSettings, Method
from groundplan.confine.opening import lacking

pytestmark = pytest.mark.skipif(bool(lacking()), reason="this machine cannot confine")

SETTINGS = LearningSettings(
    horizons=(50,), evaluate_every=5120, episodes=20, rollout=128, batch=256, learning_rate=2e-3
)
BUDGET = 10_240


def test_a_right_shaping_is_learned_from(tmp_path: Path) -> None:
    rows = trained(lesson(settings=SETTINGS), tmp_path, BUDGET // 2, BUDGET)
    assert rows[-1].deterministic >= 0.8
    assert rows[-1].training_success is not None
    assert rows[-1].training_success > (rows[0].training_success or 0.0)
    assert rows[-1].faults == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_right_shaping_is_learned_from_afar_with_every_seed(tmp_path: Path, seed: int) -> None:
    settings = replace(SETTINGS, learning_rate=1e-3, horizons=(100,))
    work = Lesson(pick_up(0.1, 60), Method.GUIDED, 0, settings, seed, (GRASP_BALL,))
    assert max(row.deterministic for row in trained(work, tmp_path, *range(5120, 40_961, 5120))) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("method", [Method.SPARSE, Method.MACHINE])
def test_without_shaping_it_is_not_learned_on_the_same_budget(tmp_path: Path, method: Method) -> None:
    rows = trained(replace(lesson(method, SETTINGS), phase=int(method is Method.SPARSE)), tmp_path, BUDGET)
    assert rows[-1].deterministic <= 0.2


@pytest.mark.slow
def test_a_shaping_of_the_wrong_sign_is_not_learned_from(tmp_path: Path) -> None:
    wrong = GRASP_BALL.replace("(before - after)", "(after - before)")
    rows = trained(lesson(settings=SETTINGS, sources=(wrong,)), tmp_path, BUDGET)
    assert rows[-1].deterministic <= 0.2
