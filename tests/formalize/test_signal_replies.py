"""Replies of models to the checks that ask one: JSON in any state, and traces in any notation."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.formalize.signals.replies import is_quoted, items_in, texts_in
from groundplan.formalize.signals.traces import steps_of
from groundplan.pddl.ast import Step

ITEMS = st.lists(st.fixed_dictionaries({"sentence": st.text(max_size=12), "trace": st.lists(st.text(max_size=8))}))
FORMS = [
    "{}",
    "Here it is:\n```json\n{}\n```\nI hope that [this] {{helps}}.",
    '<think>first {{"sentence": 1, "trace": 2}}</think>\n{}',
    "[1] says {{so}}: {}",
]


def _unique(items: list[dict[str, object]]) -> list[dict[str, object]]:
    return [item for at, item in enumerate(items) if item not in items[:at]]


@given(ITEMS, st.sampled_from(FORMS), st.sampled_from([None, 2]))
def test_items_are_found_in_any_form(items: list[dict[str, object]], form: str, indent: int | None) -> None:
    reply = form.format(json.dumps({"restrictions": items}, indent=indent))
    assert items_in(reply, "sentence", "trace") == _unique(items)
    assert items_in(reply, "restrictions") == [{"restrictions": items}]


@given(ITEMS, st.data())
def test_a_reply_that_is_cut_off_keeps_the_whole_items(items: list[dict[str, object]], data: st.DataObject) -> None:
    reply = json.dumps({"restrictions": items})
    cut = data.draw(st.integers(0, len(reply)))
    found = items_in(reply[:cut], "sentence", "trace")
    assert found == _unique(items)[: len(found)]
    assert len(found) >= len(_unique(items)) - 1 or cut < len(reply) - 3


@given(st.text(max_size=300) | st.lists(st.sampled_from('{}[]",: a1\\'), max_size=80).map("".join))
def test_any_text_is_survived(text: str) -> None:
    assert all("a" in item for item in items_in(text, "a"))
    for trace in (text, [text], [[text]], {"action": text}):
        steps_of(trace)
    is_quoted(text, text[::-1])


@pytest.mark.parametrize("piece", ["{", "[", '{"a":', '{"a": [', "[1, ", '"', "{}", "[" * 500, '{"a": 1} '])
def test_broken_replies_end_in_time(piece: str) -> None:
    start = time.process_time()
    items_in(piece * (200_000 // len(piece)), "a")
    assert time.process_time() - start < 5


def test_a_trailing_comma_costs_nothing() -> None:
    assert items_in('{"list": [{"a": 1}, {"a": 2},]}', "a") == [{"a": 1}, {"a": 2}]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_traces_of_any_json_are_survived(trace: object) -> None:
    assert all(isinstance(step, Step) for step in steps_of(trace))


@pytest.mark.parametrize(
    "trace",
    [
        ["(pick x a)", "(move a b)"],
        ["pick x a", "move a b"],
        ["1. (PICK x a)", "Step 2: move(a, b)"],
        ["pick(x, a)", "`(move a b)`"],
        [["pick", "x", "a"], ["move", "a", "b"]],
        [{"action": "pick", "args": ["x", "a"]}, {"action": "move", "objects": ["a", "b"]}],
        "(pick x a) (move a b)",
        "(pick x a), (move a b)",
        "(pick x a)\n(move a b)\n",
        "pick x a\nmove a b",
    ],
)
def test_notations(trace: object) -> None:
    assert steps_of(trace) == (Step("pick", ("x", "a")), Step("move", ("a", "b")))


@pytest.mark.parametrize("trace", [[None], [3.5], None, [""], [[]], [{}]])
def test_what_is_no_step_is_not_passed_over(trace: object) -> None:
    steps = steps_of(trace)
    assert all(step.action not in ("pick", "move") for step in steps)
    assert len(steps) == 1 or trace == [""]


def test_texts() -> None:
    assert texts_in(["a  b", 3, None, "", "c"]) == ["a b", "c"]
    assert texts_in("one\ntwo") == ["one two"]
    assert texts_in(None) == []


@pytest.mark.parametrize(
    ("words", "is_in"),
    [
        ("Only one car fits on the ferry.", True),
        ("only one CAR fits on the   ferry", True),
        ("Only one car ... at a time", True),
        ("only one car fits on the train", False),
        ("at a time ... fits", True),
        ("nly one car", False),
        ("", False),
        ("...", False),
    ],
)
def test_quotations(words: str, is_in: bool) -> None:
    assert is_quoted(words, "Well: “Only one car fits\non the ferry” at a time.") is is_in
