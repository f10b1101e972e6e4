"""Disagreement, calibration, ranking and identifiability: the theorems on samples."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.train.theory.calibration import area_under_curve, calibration, judge_bound
from groundplan.train.theory.disagreement import disagreement
from groundplan.train.theory.identify import monolith
from groundplan.train.theory.ranking import ranking

quick = settings(max_examples=80, deadline=None, derandomize=True)
score = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
judged = st.lists(st.tuples(score, st.booleans(), st.booleans()), min_size=1, max_size=30)
grouped = st.lists(st.tuples(st.integers(0, 3), score, st.booleans(), st.booleans()), min_size=5, max_size=25)


def draw(random_: random.Random, n: int, rate: float) -> tuple[list[bool], list[bool]]:
    solved = [random_.random() < 0.6 for _ in range(n)]
    return solved, [b != (random_.random() < rate) for b in solved]


# --- disagreement -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delta", [0.05, 0.3])
@pytest.mark.parametrize("rate", [0.02, 0.2, 0.5])
def test_the_bound_covers_the_true_rate_as_often_as_it_says(rate, delta) -> None:
    random_ = random.Random(1)
    found = [disagreement(*draw(random_, 50, rate), delta) for _ in range(600)]
    assert sum(item.bound >= rate for item in found) / len(found) >= 1 - delta
    assert abs(sum(item.rate for item in found) / len(found) - rate) < 0.02


def test_bounds_of_several_checkpoints_hold_all_at_once() -> None:
    random_ = random.Random(2)
    rates = [0.05, 0.1, 0.2, 0.3, 0.5]
    held = 0
    for _ in range(200):
        bounds = [disagreement(*draw(random_, 40, rate), 0.1, len(rates)).bound for rate in rates]
        held += all(bound >= rate for bound, rate in zip(bounds, rates, strict=True))
    assert held / 200 >= 0.9


@given(judged, st.floats(0.001, 0.9), st.integers(1, 20))
@quick
def test_the_bound_is_the_rate_and_hoeffdings_margin(rows, delta, checkpoints) -> None:
    solved, correct = [row[1] for row in rows], [row[2] for row in rows]
    found = disagreement(solved, correct, delta, checkpoints)
    apart = sum((b, c) in ((True, False), (False, True)) for b, c in zip(solved, correct, strict=True))
    assert found.rate == apart / len(rows)
    margin = math.sqrt(math.log(1 / (delta / checkpoints)) / (2 * len(rows)))
    assert found.bound == pytest.approx(min(1.0, found.rate + margin))
    assert found.bounded == (found.bound < 0.5)


def test_more_candidates_tighten_the_bound_and_more_checkpoints_loosen_it() -> None:
    few, many = disagreement([True] * 10, [True] * 10), disagreement([True] * 1000, [True] * 1000)
    assert 0 < many.bound < few.bound
    assert many.bounded
    assert disagreement([True] * 1000, [True] * 1000, checkpoints=9).bound > many.bound
    assert many.bound == pytest.approx(0.03870, abs=1e-5)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (([], []), "at least one"),
        (([True], []), "1 solver labels but 0"),
        (([True], [True], 0.0), "delta"),
        (([True], [True], 1.0), "delta"),
        (([True], [True], 0.1, 0), "checkpoint"),
    ],
)
def test_no_rate_is_made_up(arguments, told) -> None:
    with pytest.raises(ValueError, match=told):
        disagreement(*arguments)


# --- calibration ------------------------------------------------------------------------------------------------------


@given(judged)
@quick
def test_auc_is_the_count_of_pairs(rows) -> None:
    high, low = [row[0] for row in rows if row[1]], [row[0] for row in rows if not row[1]]
    found = area_under_curve([row[0] for row in rows], [row[1] for row in rows])
    if not high or not low:
        assert found is None
        return
    wins = sum(1.0 if one > other else 0.5 if one == other else 0.0 for one in high for other in low)
    assert found == pytest.approx(wins / (len(high) * len(low)))


@given(st.lists(st.integers(0, 10), min_size=1, max_size=8), st.sampled_from([5, 10, 20]))
@quick
def test_a_calibrated_judge_has_no_calibration_error(levels, bins) -> None:
    scores, labels = [], []
    for level in levels:
        scores += [level / 10] * 10
        labels += [True] * level + [False] * (10 - level)
    found = calibration(scores, labels, bins)
    assert found.ece == pytest.approx(0)
    assert found.brier == pytest.approx(sum(level / 10 * (1 - level / 10) for level in levels) / len(levels))


@given(judged, st.integers(1, 12))
@quick
def test_bins_hold_every_score_once_and_errors_stay_in_range(rows, bins) -> None:
    scores, labels = [row[0] for row in rows], [row[1] for row in rows]
    found = calibration(scores, labels, bins)
    assert sum(item.count for item in found.bins) == found.n == len(rows)
    assert all(item.low - 1e-9 <= item.score <= item.high + 1e-9 for item in found.bins)
    assert sum(item.count * item.rate for item in found.bins) == pytest.approx(sum(labels))
    assert 0 <= found.ece <= 1
    assert 0 <= found.brier <= 1
    assert abs(sum(scores) - sum(labels)) / len(rows) <= found.ece + 1e-9


def test_a_judge_that_is_sure_and_wrong_has_the_largest_errors() -> None:
    found = calibration([1.0, 1.0, 0.0], [False, False, True])
    assert (found.ece, found.brier, found.auc) == (1.0, 1.0, 0.0)


@given(judged)
@quick
def test_the_judges_gap_is_within_its_bound_on_every_sample(rows) -> None:
    scores, solved, correct = ([row[place] for row in rows] for place in range(3))
    found = judge_bound(scores, solved, correct)
    assert found.holds
    assert found.gap == pytest.approx(sum(abs(s - c) for s, c in zip(scores, correct, strict=True)) / len(rows))
    assert found.error <= found.largest + 1e-12


def test_the_bound_is_reached_by_a_sure_judge_of_a_misleading_solver() -> None:
    found = judge_bound([1.0, 1.0, 0.0, 0.0], [True, True, False, False], [False, True, False, False])
    assert found.gap == found.bound == found.eps == found.exceeding == 0.25
    assert found.error == found.largest == 0


@pytest.mark.parametrize(
    ("scores", "labels", "told"),
    [([], [], "at least one"), ([0.5], [], "1 scores but 0"), ([1.5], [True], "sigmoid"), ([math.nan], [True], "nan")],
)
def test_scores_are_checked(scores, labels, told) -> None:
    for measure in (calibration, lambda s, b: judge_bound(s, b, b)):
        with pytest.raises(ValueError, match=told):
            measure(scores, labels)
    with pytest.raises(ValueError, match="bin"):
        calibration([0.5], [True], 0)


# --- ranking ----------------------------------------------------------------------------------------------------------


@given(grouped)
@quick
def test_misranked_pairs_are_at_most_twice_the_disagreement(rows) -> None:
    tasks, scores, solved, correct = ([row[place] for row in rows] for place in range(4))
    found = ranking(tasks, scores, solved, correct)
    assert found.holds
    assert found.misranked <= found.decided <= found.pairs
    assert found.delta == max(abs(s - b) for s, b in zip(scores, solved, strict=True))


@given(grouped, st.floats(0, 0.5))
@quick
def test_misranked_pairs_are_those_of_eq_17(rows, delta) -> None:
    tasks, scores, solved, correct = ([row[place] for row in rows] for place in range(4))
    found = ranking(tasks, scores, solved, correct, delta)
    ordered = [(i, j) for i in range(len(rows)) for j in range(len(rows)) if i != j and tasks[i] == tasks[j]]
    wrong = [(i, j) for i, j in ordered if scores[i] >= scores[j] + 2 * delta and correct[i] < correct[j]]
    assert found.misranked == len(wrong)
    assert found.pairs == len(ordered) / 2
    assert found.eps == pytest.approx(sum(solved[i] != correct[i] for i, _ in ordered) / len(ordered))


def test_without_disagreement_only_the_judges_own_error_misranks() -> None:
    labels = [True, False]
    assert not ranking("xx", [0.4, 0.6], labels, labels, 0.0).holds
    assert ranking("xx", [0.4, 0.6], labels, labels).holds
    assert ranking("xx", [0.4, 0.6], labels, labels).vacuous
    assert ranking("xx", [0.9, 0.2], labels, labels) == ranking("yy", [0.9, 0.2], labels, labels, 0.2)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("xy", [0.1, 0.2], [True] * 2, [True] * 2), "same task"),
        (("x", [0.1, 0.2], [True] * 2, [True] * 2), "labels"),
        (("xx", [0.1, 0.2], [True] * 2, [True] * 2, -0.1), "delta"),
    ],
)
def test_a_ranking_needs_pairs(arguments, told) -> None:
    with pytest.raises(ValueError, match=told):
        ranking(*arguments)


# --- Proposition D.1 --------------------------------------------------------------------------------------------------


@given(st.fractions(0, 1), st.fractions(0, 1), st.integers(0, 8))
@quick
def test_the_final_return_does_not_tell_how_often_the_first_specification_is_correct(alpha, beta, steps) -> None:
    found = monolith(alpha, beta, steps)
    assert found.initial == alpha
    assert found.final_return == 1 - beta * steps == monolith(0, beta, steps).final_return
    assert abs(found.first_label - found.initial) <= found.disagreement


def test_floats_are_taken_exactly_and_wrong_ones_refused() -> None:
    assert monolith(0.1, 0.1, 5).final_return == 1 - 5 * Fraction(0.1)
    assert monolith(0.25, 0.1, 0) == monolith(Fraction(1, 4), 0, 0)
    for wrong in ((1.5, 0.1, 1), (0.5, -0.1, 1), (0.5, 0.1, -1)):
        with pytest.raises(ValueError, match="alpha lies"):
            monolith(*wrong)
