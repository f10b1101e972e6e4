"""Success, drift, gap and repair: identities between the scores, and nothing lost from the counts."""

from __future__ import annotations

import pytest
from candidate_samples import pools
from hypothesis import given
from hypothesis import strategies as st

from groundplan.bench import (
    Candidate,
    Failure,
    LeftOut,
    Rate,
    cumulative_success,
    disagreement,
    disagreement_by_task,
    drift,
    episodes,
    faithful_success,
    finals,
    gap,
    marginal_gains,
    mean_solver_calls,
    remaining_diagnostics,
    solvability,
)
from groundplan.errors import InputError
from groundplan.pddl.diagnostics import Category


@given(pools())
def test_every_episode_is_counted_or_reported(pool):
    for rate in (solvability(pool), faithful_success(pool), gap(pool), disagreement(finals(pool))):
        assert rate.n + rate.left_out.total == len(episodes(pool))
        assert rate.extraction == sum(c.failure is Failure.EXTRACTION for c in finals(pool))
    solved = sum(c.solver_label is not False for c in finals(pool))
    assert drift(pool).n + drift(pool).left_out.total == solved


@given(pools(complete=True, min_size=1))
def test_the_scores_fit_together(pool):
    s, k, d, g = solvability(pool), faithful_success(pool), drift(pool), gap(pool)
    assert g.value == pytest.approx(s.value - k.value)  # Eq. 79
    assert d.hits == g.hits  # Eq. 76: Drift = Gap / Solvability
    assert d.n == s.hits
    assert disagreement(finals(pool)).value == pytest.approx(g.value)  # Eq. 39


@given(pools(complete=True, min_size=1), st.booleans())
def test_the_gap_never_exceeds_the_disagreement(pool, checked_apart):
    solved = sum(c.solver_label for c in pool) / len(pool)
    correct = sum(c.faithful if checked_apart else c.correct_label for c in pool) / len(pool)
    assert abs(solved - correct) <= disagreement(pool, checked_apart=checked_apart).value + 1e-12  # Eq. 38


@given(pools())
def test_a_slope_never_climbs(pool):
    """Leaving out what the checker could not decide must not make faithful success look better than solvability."""
    s, k = solvability(pool), faithful_success(pool)
    if k.value is not None:
        assert k.value <= s.value + 1e-12


@given(pools(), st.none() | st.integers(0, 6))
def test_cumulative_success_climbs_to_solvability(pool, horizon):
    curve = cumulative_success(pool, horizon)
    assert {rate.n for rate in curve} == {solvability(pool).n}
    assert [rate.hits for rate in curve] == sorted(rate.hits for rate in curve)
    if horizon is None:
        assert curve[-1].hits == solvability(pool).hits
    if curve[0].n:
        gains = marginal_gains(curve)
        assert len(gains) == len(curve) - 1
        assert all(gain >= 0 for gain in gains)
        assert curve[0].value + sum(gains) == pytest.approx(curve[-1].value)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=20))
def test_solver_calls_follow_from_the_curve(solved_at):
    """With one call a step and every budget used up, calls = 1 + sum of 1 - CSR(h) over all h but the last."""
    pool = [
        Candidate(f"p{task}", step == solves, None, None, step)
        for task, solves in enumerate(solved_at)
        for step in range(min(solves, 5) + 1)
    ]
    curve = cumulative_success(pool, 5)
    assert mean_solver_calls(pool).value == pytest.approx(1 + sum(1 - rate.value for rate in curve[:-1]))


def test_calls_after_the_first_success_and_of_empty_replies_do_not_count():
    pool = [
        Candidate("p", None, None, None, 0, failure=Failure.EXTRACTION),
        Candidate("p", False, None, None, 1, solver_calls=2),
        Candidate("p", True, None, None, 2),
        Candidate("p", True, None, None, 3),
        Candidate("q", None, None, None, 0, failure=Failure.TOOL),
    ]
    calls = mean_solver_calls(pool)
    assert (calls.value, calls.n, calls.standard_error, calls.left_out) == (3.0, 1, None, LeftOut(tool=1))


@given(pools(), st.none() | st.integers(0, 6))
def test_the_heatmap_loses_nobody(pool, horizon):
    remaining = remaining_diagnostics(pool, horizon)
    curve = cumulative_success(pool, horizon)
    assert list(remaining.rows[:6]) == [category.value for category in Category]
    for unsolved, rate in zip(remaining.unsolved, curve, strict=True):
        assert unsolved == len(episodes(pool)) - rate.hits
    assert all(any(row) for row in remaining.counts[6:])


def test_failures_have_rows_of_their_own():
    pool = [
        Candidate("p", False, None, None, 0, diagnostic=Category.SYNTAX),
        Candidate("p", False, None, None, 1, diagnostic=Category.GOAL),
        Candidate("q", None, None, None, 0, failure=Failure.EXTRACTION),
        Candidate("q", True, None, None, 1),
        Candidate("r", None, None, None, 0, failure=Failure.TOOL),
        Candidate("s", False, None, None, 0),
    ]
    remaining = remaining_diagnostics(pool)
    rows = dict(zip(remaining.rows, remaining.counts, strict=True))
    assert rows["syntax/parse"] == (1, 0)
    assert rows["goal/constraint"] == (0, 1)
    assert rows["tool failure"] == (1, 1)
    assert rows["extraction failure"] == (1, 0)
    assert rows["no diagnostic"] == (1, 1)
    assert remaining.unsolved == (4, 3)


def test_the_three_kinds_of_failure_in_one_sample():
    pool = [
        Candidate("right", True, True, None),
        Candidate("wrong", False, None, None),
        Candidate("drifted", True, False, None),
        Candidate("undecided", True, None, None),
        Candidate("empty", None, None, None, failure=Failure.EXTRACTION),
        Candidate("crash", None, None, None, failure=Failure.TOOL),
    ]
    assert solvability(pool) == Rate(3, 5, 1, LeftOut(tool=1))
    assert faithful_success(pool) == Rate(1, 4, 1, LeftOut(tool=1, unlabelled=1))
    assert drift(pool) == Rate(1, 2, 0, LeftOut(tool=1, unlabelled=1))
    assert gap(pool) == Rate(1, 4, 1, LeftOut(tool=1, unlabelled=1))
    assert faithful_success(pool).reach == (1 / 6, 3 / 6)


@given(pools())
def test_the_reach_holds_whatever_the_missing_turn_out_to_be(pool):
    for rate in (solvability(pool), faithful_success(pool)):
        low, high = rate.reach
        assert 0 <= low <= high <= 1
        if rate.value is not None:
            assert low <= rate.value <= high


def test_tasks_weigh_the_same_in_the_disagreement_by_task():
    one = Candidate("p", True, True, None)
    pool = [Candidate("q", True, False, None, sample=n) for n in range(3)] + [one]
    assert disagreement(pool).value == 0.75
    by_task = disagreement_by_task(pool)
    assert (by_task.value, by_task.n) == (0.5, 2)


@given(pools(complete=True, min_size=1).map(finals))
def test_with_one_candidate_a_task_both_disagreements_agree(returned):
    single = list({(c.domain, c.task): c for c in returned}.values())
    assert disagreement_by_task(single).value == pytest.approx(disagreement(single).value)
    assert disagreement_by_task(single).n == len(single)


def test_what_the_checker_says_of_unsolved_candidates():
    late = Candidate("p", False, True, None)  # right, but the planner ran out of time
    unknown = Candidate("q", False, None, None)
    assert disagreement([late, unknown]) == Rate(0, 2)
    assert disagreement([late, unknown], checked_apart=True) == Rate(1, 1, 0, LeftOut(unlabelled=1))


def test_a_horizon_below_zero_is_refused():
    with pytest.raises(InputError, match="horizon must be 0 or more"):
        cumulative_success([], -1)
