"""From a returned value to a plan: documented spellings are read, all else is refused with its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.confine.outcome import Opaque
from groundplan.generalize.kinds import Kind
from groundplan.generalize.plan_value import plan_from_value
from groundplan.pddl.ast import Step

NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)
STEPS = st.lists(st.tuples(NAMES, NAMES, NAMES) | st.tuples(NAMES), max_size=8)
PLAIN: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.builds(Opaque, NAMES, st.text()),
    lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple) | st.dictionaries(NAMES, inner),
    max_leaves=12,
)
SHAPES = {
    "brackets": lambda rows: [f"({' '.join(row)})" for row in rows],
    "no brackets": lambda rows: [" ".join(row) for row in rows],
    "upper case and blanks": lambda rows: [f"  ( {'  '.join(row).upper()} )\n" for row in rows],
    "commas": lambda rows: [f"({', '.join(row)})" for row in rows],
    "calls": lambda rows: [f"{row[0]}({', '.join(row[1:])})" for row in rows],
    "tuples": lambda rows: [tuple(row) for row in rows],
    "lists in a tuple": lambda rows: tuple(list(row) for row in rows),
    "tuples of one string": lambda rows: [(f"({' '.join(row)})",) for row in rows],
    "one string": lambda rows: "\n".join(f"({' '.join(row)})" for row in rows),
    "one string without brackets": lambda rows: "\n".join(" ".join(row) for row in rows) + "\n",
    "one line": lambda rows: " ".join(f"({' '.join(row)})" for row in rows),
}


@pytest.mark.parametrize("shape", SHAPES)
@given(rows=STEPS)
def test_every_spelling_gives_the_same_plan(shape: str, rows: list[tuple[str, ...]]) -> None:
    found = plan_from_value(SHAPES[shape](rows))
    assert found.fault is None, found.message
    assert found.plan == tuple(Step(row[0], tuple(row[1:])) for row in rows)


@given(PLAIN)
def test_any_value_is_a_plan_or_a_fault_with_words(value: Any) -> None:
    found = plan_from_value(value)
    if found.fault is None:
        assert found.plan is not None
        if isinstance(value, list | tuple):
            assert len(found.plan) == len(value)  # no element is skipped
    else:
        assert found.message.endswith((".", "?"))
        assert " at 0x" not in found.message


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        (None, Kind.RETURNED_NOTHING, "returned nothing"),
        (3, Kind.WRONG_TYPE, "the int 3"),
        (True, Kind.WRONG_TYPE, "the bool True"),
        ({"a": 1}, Kind.WRONG_TYPE, "a dict"),
        ({"(a b)"}, Kind.WRONG_TYPE, "no order"),
        (frozenset(["(a b)"]), Kind.WRONG_TYPE, "no order"),
        (Opaque("coroutine", "<coroutine object get_plan at 0x7f70ccd1e670>"), Kind.WRONG_TYPE, "async def"),
        (Opaque("deque", "deque(['(a b)'])"), Kind.WRONG_TYPE, "a deque, deque(['(a b)'])"),
    ],
)
def test_what_is_no_list(value: Any, kind: Kind, words: str) -> None:
    found = plan_from_value(value)
    assert (found.fault, found.plan, found.step) == (kind, None, None)
    assert words in found.message
    assert "list of strings" in found.message


@pytest.mark.parametrize(
    ("element", "words"),
    [
        (None, "not None"),
        (3, "the int 3"),
        ({"a": "b"}, "a dict"),
        ("", "no words"),
        ("()", "no words"),
        ("(a b", "closing bracket"),
        ("a b)", "do not match"),
        ("(a b) (c d)", "element of its own"),
        ("('a', 'b')", "tuple"),
        ((), "empty"),
        (["(a b)", "(c d)"], "flat list"),
        ((None, "b"), "name of an action"),
        (Opaque("Step", "<program.Step object at 0x7f70ccd1e670>"), "a Step"),
    ],
)
def test_an_element_that_is_no_step_is_named_with_its_number(element: Any, words: str) -> None:
    found = plan_from_value(["(a b)", element, "(c d)"])
    assert (found.fault, found.step, found.plan) == (Kind.UNREADABLE_STEP, 2, (Step("a", ("b",)),))
    assert found.message.startswith("Element 2 ")
    assert words in found.message


def test_hints_for_the_list_as_a_whole() -> None:
    assert "append" in plan_from_value(list("(a b c)")).message
    assert "several values" in plan_from_value((["(a b)", "(c d)"], True)).message


@pytest.mark.parametrize("word", [("c1",), None, 3, {"c1"}])
def test_what_is_no_name_stays_visible_in_its_step(word: Any) -> None:
    in_tuple, in_text = plan_from_value([("land", word, "q")]).plan, plan_from_value([f"(land {word} q)"]).plan
    assert in_tuple is not None
    assert in_text is not None
    assert in_tuple[0].args[0].lower() == in_text[0].args[0] == str(word).lower()


def test_an_unreadable_line_of_a_string_is_named() -> None:
    found = plan_from_value("(a b)\n\n(c d\n(e f)")
    assert (found.fault, found.step) == (Kind.UNREADABLE_STEP, 2)
    assert "'(c d'" in found.message
    assert plan_from_value("").plan == ()
    assert plan_from_value("; a comment\n(a b)\n").plan == (Step("a", ("b",)),)
