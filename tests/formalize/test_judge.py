"""Reading the Judge's reply: a score where one is given, never a guess."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.formalize.roles import read_judgement


@given(st.floats(0, 1), st.lists(st.text(max_size=20), max_size=3), st.sampled_from(["", "Well, ", "```json\n"]))
def test_json_is_read(score: float, reasons: list[str], before: str) -> None:
    found = read_judgement(before + json.dumps({"score": score, "reasons": reasons}) + " That is all.")
    assert (found.score, found.reasons) == (score, tuple(reasons))


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("score: 0.75", 0.75),
        ("**Score**: 1", 1.0),
        ("I say score = .5 at most", 0.5),
        ('{"score": 1.7}', None),
        ('{"score": true}', None),
        ('{"score": "high"}', None),
        ("scores are for music", None),
        ("", None),
        ("0.9", None),
    ],
)
def test_prose(text: str, score: float | None) -> None:
    assert read_judgement(text).score == score


@given(st.text(max_size=200))
def test_any_text_is_survived(text: str) -> None:
    found = read_judgement(text)
    assert found.score is None or 0 <= found.score <= 1
