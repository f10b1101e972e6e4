"""Which candidate is dropped, when a training ends, and the statistics over seeds."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.adapt.learn.elimination import best_of, best_row, is_settled, recent, worst
from groundplan.adapt.learn.evaluation import Evaluation
from groundplan.adapt.learn.settings import PRESETS, LearningSettings, preset
from groundplan.adapt.learn.statistics import compare, scores_of, summary
from groundplan.errors import InputError


def curve(*deterministic: float, stochastic: float = 0.0) -> list[Evaluation]:
    return [
        Evaluation(20_000 * (n + 1), rate, stochastic, 20, rate, 0, None, None, 0.0, 0, 1.0)
        for n, rate in enumerate(deterministic)
    ]


rates = st.lists(st.integers(0, 20).map(lambda n: n / 20), min_size=1, max_size=9)


@given(st.dictionaries(st.integers(0, 5), rates, min_size=1))
def test_the_worst_has_the_lowest_recent_mean_and_the_best_the_best_row(some: dict[int, list[float]]) -> None:
    curves = {number: curve(*values) for number, values in some.items()}
    dropped = worst(curves, 5)
    assert all(recent(curves[dropped], 5) <= recent(other, 5) for other in curves.values())
    won = best_of(curves, 5)
    assert max(max(values) for values in some.values()) == max(some[won])


def test_only_the_window_counts_and_ties_go_to_the_stochastic_rate_then_the_first() -> None:
    assert recent(curve(1, 1, 1, 0, 0, 0, 0, 0), 5) == 0
    assert worst({0: curve(1, 1, 1, 0, 0, 0, 0, 0), 1: curve(0, 0, 0, 0, 0, 0, 0, 0.1)}, 5) == 0
    assert worst({0: curve(0.5, stochastic=0.2), 1: curve(0.5, stochastic=0.9)}, 5) == 0
    assert worst({0: curve(0.5), 1: curve(0.5)}, 5) == 1
    assert best_of({0: curve(0.5), 1: curve(0.5)}, 5) == 0


def test_settled_is_high_and_steady_over_a_full_window() -> None:
    rules = LearningSettings()
    assert not is_settled(curve(1, 1, 1, 1), rules)
    assert is_settled(curve(0, 1, 1, 1, 1, 0.9), rules)
    assert not is_settled(curve(0.8, 0.8, 0.8, 0.8, 0.8), rules)
    assert not is_settled(curve(1, 1, 1, 1, 0.6), rules)  # its mean is 0.92, its spread 0.16


def test_the_best_row_is_the_earliest_of_equals() -> None:
    rows = curve(0.2, 0.7, 0.7)
    assert best_row(rows) is rows[1]
    assert best_row([]) is None


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "printed"),
    [(10, 0, 0, "0.0010"), (9, 0, 1, "0.0020"), (9, 1, 0, "0.0107"), (5, 1, 4, "0.1094")],
)
def test_the_sign_test_gives_the_papers_four_p_values(wins: int, losses: int, ties: int, printed: str) -> None:
    ours = [0.9] * wins + [0.1] * losses + [0.5] * ties
    found = compare(ours, [0.5] * 10)
    assert (found.wins, found.losses, found.ties) == (wins, losses, ties)
    assert f"{found.sign_p:.4f}" == printed


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=10))
def test_the_sign_test_is_the_binomial_tail(pairs: list[tuple[int, int]]) -> None:
    found = compare([a / 20 for a, _ in pairs], [b / 20 for _, b in pairs])
    n = found.wins + found.losses
    tail = sum(math.comb(n, k) for k in range(found.wins, n + 1)) / 2**n
    assert found.sign_p == pytest.approx(tail)
    assert 0 <= found.wilcoxon_p <= 1


def test_wilcoxon_counts_how_much_and_not_only_how_often() -> None:
    found = compare([0.6, 0.6, 0.6, 0.0], [0.5, 0.48, 0.46, 0.9])
    assert found.sign_p == pytest.approx(5 / 16)
    assert found.wilcoxon_p == pytest.approx(0.4375)  # ranks 1, 2, 3 against 4: 7 of 16 sign patterns give 6 or more
    assert compare([0.9] * 10, [0.1 + n / 100 for n in range(10)]).wilcoxon_p == pytest.approx(1 / 1024)


def test_scores_and_their_error() -> None:
    found = scores_of(curve(0.2, 0.9, 0.4))
    assert (found.best, found.final) == (0.9, 0.4)
    assert summary([0.0, 1.0, 0.5]).error == pytest.approx(0.5 / math.sqrt(3))
    assert math.isnan(summary([0.5]).error)
    for wrong in (lambda: summary([]), lambda: scores_of([]), lambda: compare([1.0], []), lambda: compare([], [])):
        with pytest.raises(ValueError):
            wrong()


def test_the_paper_preset_has_the_papers_figures() -> None:
    paper = preset("paper")
    assert [paper.horizon(phase) for phase in range(4)] == [100, 150, 200, 200]
    assert (paper.evaluate_every, paper.episodes, paper.eliminate_every, paper.most_steps) == (
        20_000, 20, 200_000, 1_000_000,
    )  # fmt: skip
    assert set(PRESETS) == {"paper", "standard", "smoke"}
    with pytest.raises(InputError, match="there are paper"):
        preset("fast")
    with pytest.raises(InputError, match="episodes"):
        LearningSettings(episodes=0)
