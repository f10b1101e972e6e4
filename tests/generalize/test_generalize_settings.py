"""Presets, what is read from replies, and shortened conversations."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.errors import InputError
from groundplan.generalize.chat import shortened, tokens_of
from groundplan.generalize.replies import plan_in, strategy_in
from groundplan.generalize.settings import Settings, preset
from groundplan.models.protocol import Message


def test_the_presets_have_the_numbers_of_the_protocol() -> None:
    f53, f36 = preset("f5-3"), preset("F3-6")
    assert f53 == Settings()
    assert (f53.variants * (1 + f53.fixes), f36.variants * (1 + f36.fixes)) == (20, 21)
    assert (f53.strategy_repairs, f53.orders, f53.time_limit_s) == (5, 4, 45.0)
    silver = preset("silver")
    assert (silver.variants, silver.fixes, silver.time_limit_s, silver.check_strategy) == (1, 4, 30.0, False)
    assert preset("f5-3-mc") == replace(f53, variants=1)
    assert preset("f5-3-sd-cr") == replace(f53, check_strategy=False, reflect=False)
    assert preset("f2-9") == replace(f53, variants=2, fixes=9)


@pytest.mark.parametrize("name", ["", "f5", "f0-3", "silver-xx", "mc", "f5-3-mcc", "F"])
def test_an_unknown_preset_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="preset"):
        preset(name)


@given(st.text(max_size=300), st.booleans())
def test_any_reply_is_read_or_refused(text: str, cut_off: bool) -> None:
    strategy = strategy_in(text, cut_off)
    assert bool(strategy.text) != bool(strategy.fault)
    plan = plan_in(text, cut_off)
    assert (plan.plan is None) == bool(plan.fault)


@given(st.lists(st.lists(st.sampled_from(["a", "b-1", "c_2"]), min_size=1, max_size=3), max_size=6))
def test_a_plan_is_found_in_the_shapes_that_models_write(steps: list[list[str]]) -> None:
    lines = [f"({' '.join(step)})" for step in steps]
    expected = tuple(tuple(step) for step in steps)
    body = "\n".join(lines)
    shapes = [f"Notes\n```\n(x y)\n```\nso\n```plan\n{body}\n```", f"```\n{body.upper()}\n```"]
    if lines:
        numbered = "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1))
        shapes += [f"The plan:\n{body}", f"<think>(z)</think>\n{numbered}", f"```pddl\n; plan\n{body}\n"]
    for shape in shapes:
        found = plan_in(shape)
        assert found.plan is not None, found.fault
        assert tuple((step.action, *step.args) for step in found.plan) == expected


def test_of_several_strategies_the_last_one_counts() -> None:
    assert strategy_in("<strategy>a</strategy> or <Strategy>\n```\nb\n```\n</Strategy>").text == "b"


@given(st.lists(st.integers(10, 3000), min_size=1, max_size=12), st.integers(100, 5000))
def test_shortening_keeps_the_opening_and_the_end(sizes: list[int], limit: int) -> None:
    messages = [Message("system", "s"), Message("user", "opening")]
    for size in sizes:
        messages += [Message("assistant", "a" * size), Message("user", "u" * size)]
    short = shortened(messages, limit)
    assert short[1].content.startswith("opening")
    assert short[-4:] == tuple(messages[-4:]) or len(messages) < 6
    assert [message.role for message in short[1:]] == ["user", "assistant"] * ((len(short) - 1) // 2) + ["user"]
    if tokens_of(messages) <= limit:
        assert short == tuple(messages)
    elif len(short) > 6:
        assert tokens_of(short) <= limit + 40
