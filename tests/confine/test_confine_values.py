"""Plain data travel exactly, both ways."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from groundplan.confine.outcome import Ending, Opaque
from groundplan.confine.tagged import Encoder, TooMuch, decode, ordered_set

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=6)
HASHABLE = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 200), 1 << 200) | st.floats(allow_nan=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
    max_leaves=6,
)
VALUES = st.recursive(
    HASHABLE,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.sets(HASHABLE, max_size=4)
        | st.dictionaries(HASHABLE, inner, max_size=3)
    ),
    max_leaves=12,
)


def typed(value: object) -> object:
    """The value with all its types, so that 1, 1.0 and True, or 0.0 and -0.0, differ."""
    if isinstance(value, list | tuple):
        return type(value).__name__, [typed(item) for item in value]
    if isinstance(value, set | frozenset):
        return type(value).__name__, sorted((typed(item) for item in value), key=repr)
    if isinstance(value, dict):
        return "dict", sorted(((typed(key), typed(item)) for key, item in value.items()), key=repr)
    return type(value).__name__, repr(value)


@seed(1)
@settings(max_examples=30, deadline=None)
@given(st.lists(VALUES, max_size=3))
def test_arguments_and_results_are_what_they_were(plain_backend, values: list[object]) -> None:
    ran = plain_backend.run("def f(*x):\n    return x", "f", values)
    assert ran.ending is Ending.RETURNED, ran
    assert typed(ran.value) == typed(tuple(values))


@seed(2)
@settings(max_examples=80, deadline=None)
@given(VALUES)
def test_encoding_is_undone_by_decoding(value: object) -> None:
    assert typed(decode(Encoder(strict=True).encode(value))) == typed(value)


def test_numbers_at_the_edges(plain_run) -> None:
    numbers = [0, -1, 2**63, -(2**63), 2**64, 10**4000, math.inf, -math.inf, -0.0, 5e-324, 1.7976931348623157e308]
    assert typed(plain_run("def f(x):\n    return x", numbers).value) == typed(numbers)
    assert math.isnan(plain_run("def f():\n    return float('nan')").value)


@seed(3)
@settings(max_examples=25, deadline=None)
@given(st.permutations([("on", f"b{n}") for n in range(12)]), st.integers(0, 3))
def test_ordered_sets_are_filled_in_their_order(plain_backend, items: list[tuple[str, str]], hash_seed: int) -> None:
    source = "def f(x, rows):\n    y = set()\n    for row in rows: y.add(row)\n    return list(x) == list(y), x == y"
    ran = plain_backend.run(source, "f", [ordered_set(items), items], hash_seed=hash_seed)
    assert ran.value == (True, True)


def test_the_hash_seed_is_that_of_the_run(plain_run) -> None:
    source = "def f():\n    return hash('groundplan')"
    first = [plain_run(source, hash_seed=n).value for n in (0, 1, 2)]
    assert first == [plain_run(source, hash_seed=n).value for n in (0, 1, 2)]
    assert len(set(first)) == 3


@pytest.mark.parametrize("hash_seed", [-1, 1 << 32])
def test_hash_seeds_out_of_range(plain_run, hash_seed: int) -> None:
    with pytest.raises(ValueError, match="hash seed"):
        plain_run("def f(): pass", hash_seed=hash_seed)


def test_iterators_are_listed_and_all_else_is_opaque(plain_run) -> None:
    source = """
import collections
def f():
    return [(n for n in (1, 2)), map(str, [3]), iter({4: 5}), reversed([6, 7]), zip("a", "b"),
            b"x", collections.Counter("a"), len, 1j, Ellipsis]
"""
    value = plain_run(source).value
    assert value[:5] == [[1, 2], ["3"], [4], [7, 6], [("a", "b")]]
    assert [item.type for item in value[5:]] == [
        "bytes", "Counter", "builtin_function_or_method", "complex", "ellipsis"
    ]  # fmt: skip
    assert value[5] == Opaque("bytes", "b'x'")


@pytest.mark.parametrize("value", [b"x", object(), [{1: 2j}], range(3), print])
def test_arguments_that_are_no_plain_data_are_refused(plain_run, value: object) -> None:
    with pytest.raises(ValueError, match="cannot be passed"):
        plain_run("def f(x): pass", value)


def test_nesting_is_bounded() -> None:
    value: object = 1
    for _ in range(100):
        value = [value]
    with pytest.raises(ValueError, match="nested too deep"):
        Encoder(strict=True).encode(value)


@seed(4)
@settings(max_examples=40, deadline=None)
@given(VALUES)
def test_what_fits_the_budget_of_the_writer_fits_the_readers(value: object) -> None:
    """Else a program's honest answer would be refused."""
    from groundplan.confine import strict_json

    low, high = 0.0, 1e6
    while high - low > 1:
        middle = (low + high) / 2
        try:
            Encoder(middle).encode(value)
            high = middle
        except TooMuch:
            low = middle
    text = strict_json.dump(Encoder(high).encode(value))
    assert strict_json.load(text, high) is not NotImplemented
    assert len(text) <= 2 * high + 8


def test_a_programs_own_kinds_of_sequences_come_back_as_plain_ones(plain_run) -> None:
    source = """
from collections import deque, namedtuple
Step = namedtuple("Step", "name thing")
class Text(str):
    def __str__(self): raise KeyError
    def __iter__(self): raise KeyError
class Many(list):
    def __iter__(self): raise KeyError
def f():
    return [deque(["a"]), Step("go", "x"), Text("b"), Many([1, 2]), range(2), {"k": 1}.keys(), {"k": 1}.items()]
"""
    ran = plain_run(source)
    assert ran.value == [["a"], ("go", "x"), "b", [1, 2], [0, 1], ["k"], [("k", 1)]]
    assert [type(item) for item in ran.value] == [list, tuple, str, list, list, list, list]
