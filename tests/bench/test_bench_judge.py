"""The Judge: calibration, separation and ranking, against brute force and against the theorems of section C."""

from __future__ import annotations

import random
import statistics
from dataclasses import replace
from itertools import pairwise, product

import pytest
from candidate_samples import pools, scores
from hypothesis import given
from hypothesis import strategies as st

from groundplan.bench import (
    Auc,
    Candidate,
    Failure,
    Group,
    LeftOut,
    Scored,
    auc,
    auc_bootstrap_error,
    brier,
    calibration,
    disagreement,
    group_of,
    hanley_mcneil,
    judge_auc,
    judge_error,
    margin_ranking,
    score_groups,
    scored,
)
from groundplan.errors import InputError

labelled = st.lists(st.tuples(scores, st.booleans()), max_size=40).map(
    lambda rows: Scored(tuple(score for score, _ in rows), tuple(label for _, label in rows))
)
binnings = st.sampled_from(("width", "mass"))
many_scores = st.lists(scores, min_size=1, max_size=15)


@given(many_scores, many_scores)
def test_auc_is_the_share_of_pairs(positive, negative):
    wins = sum((p > n) + (p == n) / 2 for p, n in product(positive, negative))
    assert auc(positive, negative) == pytest.approx(wins / (len(positive) * len(negative)))
    assert auc(negative, positive) == pytest.approx(1 - auc(positive, negative))


@given(many_scores, many_scores, st.integers(1, 4))
def test_auc_sees_the_order_alone(positive, negative, power):
    def bent(values):
        return [(20 * value) ** power - 7 for value in values]

    assert auc(bent(positive), bent(negative)) == auc(positive, negative)


@given(pools())
def test_the_auc_is_taken_among_the_solved(pool):
    found = judge_auc(pool)
    positive = [c.score for c in pool if c.solved and c.faithful and c.score is not None]
    negative = [c.score for c in pool if c.solved and c.faithful is False and c.score is not None]
    assert found.value == auc(positive, negative)
    assert (found.faithful, found.unfaithful) == (len(positive), len(negative))
    in_question = sum(c.solver_label is not False for c in pool)
    assert found.faithful + found.unfaithful + found.left_out.total == in_question


def test_an_empty_class_has_no_auc():
    faithful = Candidate("p", True, True, 0.5)
    assert judge_auc([faithful]) == Auc(None, None, 1, 0)
    assert auc_bootstrap_error([faithful]) is None
    assert auc_bootstrap_error([]) is None


@pytest.mark.parametrize(("positives", "negatives"), [(6, 60), (60, 6)])
def test_hanley_and_mcneils_error_is_the_spread_of_exponential_scores(positives, negatives):
    """For exponential scores, the model behind the formula, the AUC is 1 / (1 + ratio of the rates), here 0.8."""
    draw = random.Random(5)
    values = [
        auc([draw.expovariate(0.25) for _ in range(positives)], [draw.expovariate(1.0) for _ in range(negatives)])
        for _ in range(1500)
    ]
    assert statistics.fmean(values) == pytest.approx(0.8, abs=0.01)
    assert hanley_mcneil(0.8, positives, negatives) == pytest.approx(statistics.stdev(values), rel=0.06)


def test_the_bootstrap_sees_that_copies_are_no_new_evidence():
    tasks = [(f"p{n}", n % 2 == 0, score) for n, score in enumerate((0.9, 0.3, 0.8, 0.6, 0.4, 0.5, 0.7, 0.2, 0.6, 0.7))]
    once = [Candidate(task, True, faithful, score) for task, faithful, score in tasks]
    copies = [replace(one, sample=sample) for one in once for sample in range(20)]
    assert judge_auc(copies).standard_error < judge_auc(once).standard_error / 3
    assert auc_bootstrap_error(copies) == auc_bootstrap_error(once)
    assert auc_bootstrap_error(once) == pytest.approx(judge_auc(once).standard_error, rel=0.5)


@given(labelled, st.integers(1, 12), binnings)
def test_the_calibration_error_is_a_share(data, bins, binning):
    found = calibration(data, bins, binning)
    if not data.scores:
        assert (found.ece, found.bins) == (None, ())
        return
    assert 0 <= found.ece <= judge_error(data) + 1e-9
    assert len(found.bins) <= bins
    assert sum(bin_.n for bin_ in found.bins) == len(data.scores)
    assert sum(bin_.rate.hits for bin_ in found.bins) == sum(data.labels)
    assert all(bin_.low - 1e-9 <= bin_.mean_score <= bin_.high + 1e-9 for bin_ in found.bins)
    edges = [edge for bin_ in found.bins for edge in (bin_.low, bin_.high)]
    assert edges == sorted(edges)


@given(labelled, st.integers(1, 12), binnings, st.randoms(use_true_random=False))
def test_the_order_of_the_sample_does_not_matter(data, bins, binning, draw):
    rows = list(zip(data.scores, data.labels, strict=True))
    draw.shuffle(rows)
    shuffled = Scored(tuple(score for score, _ in rows), tuple(label for _, label in rows))
    assert calibration(shuffled, bins, binning) == calibration(data, bins, binning)


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(1, 3)), min_size=1, max_size=6), binnings)
def test_a_calibrated_judge_has_no_error(parts, binning):
    """Scores of k / 10, each for 10 m specifications of which k m are solved."""
    rows = [(k / 10, position < k * m) for k, m in parts for position in range(10 * m)]
    data = Scored(tuple(score for score, _ in rows), tuple(label for _, label in rows))
    assert calibration(data, 10, binning).ece == pytest.approx(0, abs=1e-12)


@given(st.integers(2, 10), st.integers(1, 8))
def test_equal_mass_is_equal_where_scores_differ(bins, per_bin):
    n = bins * per_bin
    data = Scored(tuple(k / n for k in range(n)), (True,) * n)
    assert [bin_.n for bin_ in calibration(data, bins, "mass").bins] == [per_bin] * bins


def test_equal_scores_go_together_to_where_their_middle_lies():
    data = Scored((0.5, 0.5, 0.1, 0.5), (True,) * 4)
    assert [(bin_.low, bin_.n) for bin_ in calibration(data, 2, "mass").bins] == [(0.1, 1), (0.5, 3)]


def test_the_edges_of_equal_width_bins():
    data = Scored((0.0, 0.1, 0.3, 0.7, 1.0), (False,) * 5)
    assert [(bin_.low, bin_.high) for bin_ in calibration(data).bins] == [
        (0.0, 0.1),
        (0.1, 0.2),
        (0.3, 0.4),
        (0.7, 0.8),
        (0.9, 1.0),
    ]


@given(labelled)
def test_brier_lies_between_the_squares(data):
    if data.scores:
        assert brier(data) <= judge_error(data) ** 2 + 1e-12
        assert brier(Scored(tuple(map(float, data.labels)), data.labels)) == 0
        assert brier(Scored((0.5,) * len(data.labels), data.labels)) == 0.25
    else:
        assert brier(data) is None
        assert judge_error(data) is None


@given(pools(), st.sampled_from(("solved", "faithful")))
def test_every_candidate_is_scored_or_reported(pool, target):
    data = scored(pool, target)
    assert len(data.scores) + data.left_out.total == len(pool)
    assert data.left_out.extraction == sum(c.failure is Failure.EXTRACTION for c in pool)


@given(pools(complete=True, min_size=1), st.booleans())
def test_the_score_is_near_correctness(pool, checked_apart):
    """Theorem C.2 on the sample itself: Eq. 15, and Eq. 16."""
    error, epsilon = judge_error(scored(pool)), disagreement(pool, checked_apart=checked_apart).value
    off = [abs(c.score - (c.faithful if checked_apart else c.correct_label)) for c in pool]
    assert sum(off) / len(off) <= epsilon + error + 1e-9
    assert sum(far > error for far in off) / len(off) <= epsilon + 1e-9


@given(pools(), st.booleans())
def test_a_margin_of_twice_the_error_seldom_misleads(pool, checked_apart):
    """Theorem C.3 on the sample itself."""
    found = margin_ranking(pool, checked_apart=checked_apart)
    if found.frequency is None:
        assert (found.bound, found.decided, found.tasks, found.pairs) == (None, None, 0, 0)
    else:
        assert found.frequency <= min(found.bound, found.decided) + 1e-9


@given(pools(complete=True), scores)
def test_margin_ranking_is_the_share_of_pairs(pool, delta):
    tasks = {(c.domain, c.task): [d for d in pool if (d.domain, d.task) == (c.domain, c.task)] for c in pool}
    shares = []
    for group in tasks.values():
        pairs = [(a, b) for a in group for b in group if a is not b]
        wrong = [a.score >= b.score + 2 * delta and a.correct_label < b.correct_label for a, b in pairs]
        shares += [sum(wrong) / len(wrong)] if wrong else []
    found = margin_ranking(pool, delta)
    assert found.tasks == len(shares)
    assert found.frequency == (pytest.approx(statistics.fmean(shares)) if shares else None)


def test_a_judge_that_loves_what_merely_solves():
    pool = [Candidate("p", True, False, 1.0, 0), Candidate("p", True, True, 0.9, 1), Candidate("q", True, True, 0.5)]
    found = margin_ranking(pool, 0.05)
    assert (found.frequency, found.bound, found.decided, found.pairs) == (0.5, 1.0, 0.5, 2)
    assert margin_ranking(pool).frequency == 0.0  # the largest error is 0.1: the margin is not reached


@given(pools())
def test_the_groups_part_the_pool(pool):
    found = score_groups(pool)
    assert sum(part.n for part in found.scores) + found.left_out.total == len(pool)
    for part in found.scores:
        members = [c.score for c in pool if group_of(c) is part.group and c.score is not None]
        assert part.scored == len(members)
        if members:
            first, middle, third = part.quartiles
            assert min(members) <= first <= middle <= third <= max(members)
            assert (part.mean, middle) == pytest.approx((statistics.fmean(members), statistics.median(members)))


def test_who_belongs_where():
    assert group_of(Candidate("p", False, True, 0.5)) is Group.UNSOLVED
    assert group_of(Candidate("p", True, False, 0.5)) is Group.DRIFTED
    assert group_of(Candidate("p", True, True, 0.5)) is Group.FAITHFUL
    apart = [
        Candidate("p", True, None, 0.5),
        Candidate("p", None, None, 0.5, failure=Failure.TOOL),
        Candidate("p", False, None, 0.5, failure=Failure.EXTRACTION),
    ]
    assert [group_of(one) for one in apart] == [None] * 3
    assert score_groups(apart).left_out == LeftOut(tool=1, extraction=1, unlabelled=1)


def test_bins_are_told_apart_by_their_labels():
    found = calibration(Scored((0.2, 0.25, 0.9), (False, True, True)), 2)
    assert [(bin_.n, bin_.rate.hits) for bin_ in found.bins] == [(2, 1), (1, 1)]
    assert found.ece == pytest.approx((2 * 0.275 + 0.1) / 3)
    assert all(left.high <= right.low for left, right in pairwise(found.bins))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Scored((0.5,), ()),
        lambda: Scored((1.5,), (True,)),
        lambda: calibration(Scored((), ()), 0),
        lambda: margin_ranking([], -0.1),
    ],
)
def test_what_is_no_score_is_refused(wrong):
    with pytest.raises(InputError):
        wrong()
