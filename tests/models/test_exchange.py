"""Prompt keys and the JSON form of an exchange."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.models.exchange import Exchange, exchange_from_json, json_line, prompt_key
from groundplan.models.protocol import Message, Reply, Sampling, Usage
from groundplan.models.replay import read_recording, write_recording

anything = st.text(st.characters(), max_size=30)  # lone surrogates included
counts = st.integers(0, 10**6)
messages = st.lists(
    st.builds(Message, st.sampled_from(["system", "user", "assistant"]), anything), min_size=1, max_size=3
).map(tuple)
samplings = st.builds(
    Sampling, st.floats(0, 2), st.floats(0, 1), st.integers(1, 9999), st.none() | st.integers(-(2**40), 2**40)
)
replies = st.builds(
    Reply,
    anything,
    anything,
    st.sampled_from(["stop", "length"]),
    st.builds(Usage, counts, counts, st.none() | st.floats(0, 100)),
    st.floats(0, 1e6),
)
exchanges = st.builds(Exchange, anything, messages, samplings, st.integers(0, 50), replies, anything)


@given(exchanges)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_json_form_gives_the_exchange_back(exchange: Exchange) -> None:
    line = json_line(exchange.as_json())
    assert line.count(b"\n") == 1
    assert exchange_from_json(json.loads(line)) == exchange


@given(exchanges, exchanges)
@settings(max_examples=80, deadline=None, derandomize=True)
def test_keys_are_equal_exactly_when_the_questions_are(one: Exchange, other: Exchange) -> None:
    def question(exchange: Exchange) -> tuple[Any, ...]:
        return exchange.model, exchange.messages, exchange.sampling, exchange.sample

    assert (one.key == other.key) == (question(one) == question(other))
    assert replace(one, reply=other.reply, recorded=other.recorded).key == one.key


def test_every_part_of_a_question_is_in_its_key() -> None:
    base = ("m", (Message("user", "a"),), Sampling(), 0)
    variants = [
        base,
        ("n", *base[1:]),
        ("m", (Message("system", "a"),), *base[2:]),
        ("m", (Message("user", "a "),), *base[2:]),
        ("m", (*base[1], Message("user", "")), *base[2:]),
        ("m", base[1], Sampling(temperature=0.1), 0),
        ("m", base[1], Sampling(top_p=0.9), 0),
        ("m", base[1], Sampling(max_tokens=1), 0),
        ("m", base[1], Sampling(seed=0), 0),
        ("m", base[1], Sampling(), 1),
    ]
    assert len({prompt_key(*variant) for variant in variants}) == len(variants)


def test_the_key_does_not_change_between_versions() -> None:
    """Recordings are shipped: a change of this number breaks all of them."""
    key = prompt_key("gpt-5-mini", (Message("system", "é"), Message("user", "b")), Sampling(temperature=0), 2)
    assert key == "73539d6fc7b0507f4967f2a5301d5851f94b8e8fee8e8e011f88eba0562c4d96"


def test_a_recording_written_by_hand_needs_little(tmp_path: Path) -> None:
    file = tmp_path / "hand.jsonl"
    file.write_text('{"model": "m", "messages": [{"role": "user", "content": "a"}], "reply": {"text": "b"}}\n')
    (recorded,) = read_recording(file)
    assert recorded.exchange == Exchange("m", (Message("user", "a"),), Sampling(), 0, Reply("b", "m"))


@given(st.lists(exchanges, max_size=4))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_recordings_come_back_in_order(
    tmp_path_factory: pytest.TempPathFactory, given_exchanges: list[Exchange]
) -> None:
    file = tmp_path_factory.mktemp("recordings") / "r.jsonl"
    write_recording(file, given_exchanges)
    assert [recorded.exchange for recorded in read_recording(file)] == given_exchanges


GOOD: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "a"}], "reply": {"text": "b"}}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "not an object"),
        ({**GOOD, "messages": []}, "`messages`"),
        ({**GOOD, "messages": [3]}, "`messages`"),
        ({**GOOD, "messages": [{"role": "robot", "content": "a"}]}, "`role`"),
        ({**GOOD, "reply": "b"}, "`reply`"),
        ({**GOOD, "reply": {}}, "`text` is missing"),
        ({**GOOD, "reply": {"text": 3}}, "`text` must be a text"),
        ({**GOOD, "reply": {"text": "b", "seconds": "1"}}, "`seconds`"),
        ({**GOOD, "reply": {"text": "b", "usage": {"tokens": 3}}}, "`usage` has no field `tokens`"),
        ({**GOOD, "reply": {"text": "b", "usage": {"prompt_tokens": None}}}, "`prompt_tokens` must be a number"),
        ({**GOOD, "sampling": {"temperature": "hot"}}, "`temperature`"),
        ({**GOOD, "sampling": 3}, "`sampling`"),
        ({**GOOD, "sample": True}, "`sample`"),
        ({**GOOD, "model": None}, "`model`"),
        ({**GOOD, "key": "0" * 64}, "`key`"),
    ],
)
def test_what_is_no_exchange_is_refused_with_the_reason(data: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        exchange_from_json(data)
