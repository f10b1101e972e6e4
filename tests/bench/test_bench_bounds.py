"""Rates and bounds: the order between them, coverage by exact sums and by simulation, and known values."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.bench import (
    Rate,
    binomial_cdf,
    checkpoint_bounds,
    clopper_pearson_upper,
    hoeffding_upper,
    uniform_bound,
    upper_bound,
)
from groundplan.errors import InputError

deltas = st.sampled_from((0.2, 0.05, 0.01, 1e-6))
rates = st.integers(0, 300).flatmap(lambda n: st.integers(0, n).map(lambda hits: Rate(hits, n)))
methods = st.sampled_from(("hoeffding", "clopper-pearson"))


@given(rates, deltas)
def test_the_bounds_are_in_order(rate, delta):
    exact, simple = upper_bound(rate, delta, "clopper-pearson"), upper_bound(rate, delta)
    assert (rate.value or 0.0) <= exact <= simple + 1e-9
    assert simple <= 1.0


@given(rates, methods)
def test_more_safety_and_less_data_cost_something(rate, method):
    assert upper_bound(rate, 0.01, method) >= upper_bound(rate, 0.05, method)
    assert upper_bound(Rate(2 * rate.hits, 2 * rate.n), 0.05, method) <= upper_bound(rate, 0.05, method) + 1e-9


@given(st.lists(rates, min_size=1, max_size=5), deltas, methods)
def test_the_uniform_bound_is_above_each_single_one(checkpoints, delta, method):
    bound = uniform_bound(checkpoints, delta, method)
    assert bound == max(checkpoint_bounds(checkpoints, delta, method))
    assert all(bound >= upper_bound(rate, delta, method) for rate in checkpoints)


def test_with_one_n_the_uniform_bound_is_that_of_the_paper():
    checkpoints = [Rate(hits, 80) for hits in (3, 9, 5)]
    assert uniform_bound(checkpoints, 0.05) == pytest.approx(9 / 80 + math.sqrt(math.log(3 / 0.05) / 160))


@given(st.integers(1, 60), st.integers(0, 60), st.floats(0.001, 0.999))
def test_the_binomial_tail_is_the_sum(n, hits, p):
    total = math.fsum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(min(hits, n) + 1))
    assert binomial_cdf(hits, n, p) == pytest.approx(total, abs=1e-12)


@given(st.integers(1, 60), st.floats(0.001, 0.999), deltas)
def test_clopper_pearson_covers(n, p, delta):
    """The chance of a sample whose bound lies below p is at most delta, by summing over all samples."""
    misses = (k for k in range(n + 1) if clopper_pearson_upper(k, n, delta) < p)
    assert math.fsum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in misses) <= delta + 1e-9


@given(st.integers(1, 5000), deltas)
def test_clopper_pearson_has_a_closed_form_at_the_ends(n, delta):
    assert clopper_pearson_upper(0, n, delta) == pytest.approx(1 - delta ** (1 / n))
    assert clopper_pearson_upper(n - 1, n, delta) == pytest.approx((1 - delta) ** (1 / n))
    assert clopper_pearson_upper(n, n, delta) == 1.0


@given(st.integers(1, 400), st.data(), deltas)
def test_clopper_pearson_is_where_the_tail_is_delta(n, data, delta):
    hits = data.draw(st.integers(0, n - 1))
    assert binomial_cdf(hits, n, clopper_pearson_upper(hits, n, delta)) == pytest.approx(delta, rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.02, 0.3])
def test_hoeffding_covers_in_a_simulation(epsilon):
    """2,000 samples of 60 with a fixed seed: the bound holds in at least 1 - delta of them."""
    draw, n, delta, rounds = random.Random(7), 60, 0.1, 2000
    held = sum(
        hoeffding_upper(sum(draw.random() < epsilon for _ in range(n)) / n, n, delta) >= epsilon for _ in range(rounds)
    )
    assert held / rounds >= 1 - delta


def test_the_uniform_bound_covers_all_checkpoints_in_a_simulation():
    """At the rates where one exact bound at delta misses 8 times in 100, the uniform one over six still holds."""
    draw, n, delta, rounds = random.Random(11), 40, 0.1, 300
    epsilons = [0.06, 0.1, 0.15, 0.2, 0.3, 0.4]
    held = {"uniform": 0, "single": 0}
    for _ in range(rounds):
        sample = [Rate(sum(draw.random() < epsilon for _ in range(n)), n) for epsilon in epsilons]
        uniform = checkpoint_bounds(sample, delta, "clopper-pearson")
        single = [upper_bound(rate, delta, "clopper-pearson") for rate in sample]
        held["uniform"] += all(bound >= epsilon for bound, epsilon in zip(uniform, epsilons, strict=True))
        held["single"] += all(bound >= epsilon for bound, epsilon in zip(single, epsilons, strict=True))
    assert held["uniform"] / rounds >= 1 - delta
    assert held["single"] / rounds < 1 - delta  # so the correction is needed


@given(rates, st.sampled_from((0.5, 0.8, 0.95, 0.999)))
def test_wilson_holds_the_rate_and_mirrors(rate, confidence):
    low, high = rate.wilson(confidence)
    assert 0 <= low <= high <= 1
    if rate.value is not None:
        assert low - 1e-12 <= rate.value <= high + 1e-12
    mirrored = Rate(rate.n - rate.hits, rate.n).wilson(confidence)
    assert mirrored == pytest.approx((1 - high, 1 - low))


def test_known_values():
    assert Rate(0, 10).wilson() == pytest.approx((0, 0.277533), abs=1e-6)
    assert Rate(81, 263).wilson() == pytest.approx((0.255289, 0.366178), abs=1e-4)  # Newcombe 1998: 0.2553, 0.3662
    assert Rate(30, 100).standard_error == pytest.approx(0.0458258, abs=1e-6)
    assert hoeffding_upper(0.06, 100, 0.05) == pytest.approx(0.06 + 0.122387, abs=1e-6)
    assert clopper_pearson_upper(5, 100, 0.05) == pytest.approx(0.1022534, abs=1e-6)  # Beta(6, 95) at 0.95


def test_nothing_measured_bounds_nothing():
    assert (Rate(0, 0).value, Rate(0, 0).standard_error, Rate(0, 0).wilson()) == (None, None, (0.0, 1.0))
    assert hoeffding_upper(0.0, 0) == clopper_pearson_upper(0, 0) == 1.0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Rate(3, 2),
        lambda: Rate(1, 2).wilson(1.0),
        lambda: hoeffding_upper(1.2, 10),
        lambda: hoeffding_upper(0.2, -1),
        lambda: hoeffding_upper(0.2, 10, 0.0),
        lambda: clopper_pearson_upper(3, 2),
        lambda: clopper_pearson_upper(1, 2, 1.0),
        lambda: uniform_bound([]),
    ],
)
def test_what_is_no_sample_is_refused(wrong):
    with pytest.raises(InputError):
        wrong()
