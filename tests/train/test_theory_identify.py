"""Proposition D.1 by construction: a saturated repair hides how good the first specification is."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.train.theory.identify import monolith

quick = settings(max_examples=80, deadline=None, derandomize=True)


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
