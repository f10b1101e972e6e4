"""Foreign JSON is bounded before it is built."""

from __future__ import annotations

import json
import sys
import time

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from groundplan.confine.strict_json import DEEPEST, TooLarge, dump, load

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@seed(1)
@settings(max_examples=200, deadline=None)
@given(JSON)
def test_round_trip(value: object) -> None:
    assert load(dump(value), 1e9) == value
    assert json.loads(dump(value)) == value


@seed(2)
@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=60) | st.text('[]{}",:\\ua1e-', max_size=60).map(str.encode))
def test_any_bytes_are_a_value_or_a_value_error(data: bytes) -> None:
    try:
        value = load(data, 1e9)
    except ValueError:
        return
    assert load(dump(value)) == value


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":2}',
        "NaN",
        "[-Infinity]",
        "9" * 5000,
        "[" * 201 + "]" * 201,
        '{"":' * 201 + "1" + "}" * 201,
        "[1",
        "",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(ValueError):
        load(text.encode(), 1e9)


def test_brackets_in_texts_do_not_count() -> None:
    value = ["[" * 1000, '"[\\"[' * 1000, "]" * 10]
    assert load(dump(value), 1e4) == value


def test_depth_is_bounded_whatever_the_recursion_limit() -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        for text in (b"[" * 300_000, b'[1,{"a":' * 300_000, b'["\\"",' * 300_000):
            with pytest.raises(ValueError, match="deep"):
                load(text, 1e9)
    finally:
        sys.setrecursionlimit(before)
    assert load(b"[" * DEEPEST + b"]" * DEEPEST, 1e9)


def test_too_many_items() -> None:
    with pytest.raises(TooLarge):
        load(b"[" + b"[]," * 1000 + b"[]]", 10_000)
    with pytest.raises(TooLarge):
        load(b"[" + b"1," * 2000 + b"1]", 10_000)


@pytest.mark.parametrize(
    "text", [b'"' + b'\\"' * 2_000_000, b"[" * 4_000_000, b'"' * 1_000_001, b'["' + b"\\\\" * 2_000_000]
)
def test_hostile_texts_take_linear_time(text: bytes) -> None:
    started = time.monotonic()
    with pytest.raises(ValueError):
        load(text, 1e12)
    assert time.monotonic() - started < 5
