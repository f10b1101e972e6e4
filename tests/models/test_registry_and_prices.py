"""Names of models, scripts, price tables, waits."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_contract import GREEDY, PROMPT

from groundplan.errors import InputError
from groundplan.models.errors import ModelConfigError
from groundplan.models.manual import ManualModel
from groundplan.models.openai_client import OpenAICompatible
from groundplan.models.prices import Prices, read_prices
from groundplan.models.protocol import Reply, Usage
from groundplan.models.registry import FORMS, model_from_name, read_script
from groundplan.models.replay import ReplayModel
from groundplan.models.retry import asked_wait, wait_before_retry
from groundplan.models.scripted import ScriptedModel


@pytest.fixture(autouse=True)
def _no_base_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


LOCAL = "http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    ("spec", "url", "name"),
    [
        ("openai:anything", None, "anything"),
        ("OpenAI: spaced ", None, "spaced"),
        ("openai:llama3.2:3b", None, "llama3.2:3b"),
        ("llama3.2:3b", LOCAL, "llama3.2:3b"),
        ("local", LOCAL, "local"),
        ("meta-llama/Llama-3", LOCAL, "meta-llama/Llama-3"),
        ("gpt-5-mini", None, "gpt-5-mini"),
        ("o3", None, "o3"),
        ("o4-mini", None, "o4-mini"),
    ],
)
def test_servers(spec: str, url: str | None, name: str) -> None:
    model = model_from_name(spec, base_url=url)
    assert isinstance(model, OpenAICompatible)
    assert model.name == name


def test_a_base_url_in_the_environment_allows_bare_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", LOCAL)
    model = model_from_name("tiny")
    assert isinstance(model, OpenAICompatible)
    assert LOCAL in model.place


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s.txt").write_text("one\n=====\ntwo\n")
    (tmp_path / "r.jsonl").write_text(
        '{"model": "m", "messages": [{"role": "user", "content": "a"}], "reply": {"text": "b"}}\n'
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    scripted = model_from_name("scripted:~/s.txt")
    assert isinstance(scripted, ScriptedModel)
    assert [scripted.reply(PROMPT, GREEDY).text for _ in range(2)] == ["one", "two"]
    replay = model_from_name(f"replay:{tmp_path}/r.jsonl", base_url=LOCAL)
    assert isinstance(replay, ReplayModel)
    assert replay.name == "m"
    assert isinstance(model_from_name(f"manual:{tmp_path}/m"), ManualModel)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "names no model"),
        ("llama3", "base URL"),
        ("opneai:x", "did you mean `openai`"),
        ("reply:x", "did you mean `replay`"),
        ("openai", "behind the colon"),
        ("openai:", "behind the colon"),
        ("replay:", "behind the colon"),
        ("local", "small local model is opened by"),
        ("local:x", "say `local`"),
        ("trained:dir", "open_trained"),
        ("replay:no/such/file", "no/such/file"),
    ],
)
def test_names_that_name_nothing(spec: str, words: str) -> None:
    with pytest.raises(ModelConfigError, match=words) as caught:
        model_from_name(spec)
    if "names no model" in str(caught.value):
        assert all(form in str(caught.value) for form in FORMS.values())


def test_further_forms_come_from_the_caller() -> None:
    opened: list[str] = []

    def opener(rest: str) -> ScriptedModel:
        opened.append(rest)
        return ScriptedModel(["yes"])

    model = model_from_name("trained: a/b:c ", openers={"trained": opener})
    assert model.reply(PROMPT, GREEDY).text == "yes"
    assert opened == ["a/b:c"]
    with pytest.raises(ModelConfigError):
        model_from_name("trained", openers={"trained": opener})


def test_a_script_that_is_not_there() -> None:
    with pytest.raises(InputError, match="no such file"):
        model_from_name("scripted:no/such/file")


def test_prices_go_to_their_model(monkeypatch: pytest.MonkeyPatch) -> None:
    given_prices: list[Any] = []

    class Spy(OpenAICompatible):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            given_prices.append(more["prices"])

    monkeypatch.setattr("groundplan.models.registry.OpenAICompatible", Spy)
    table = {"a": Prices(1, 2)}
    model_from_name("openai:a", prices=table)
    model_from_name("openai:b", prices=table)
    assert given_prices == [Prices(1, 2), None]


@pytest.mark.parametrize(
    ("text", "replies"),
    [
        ("one\n=====\ntwo\n", ["one", "two"]),
        ("one\r\n=====\r\n  two  \r\n\r\n", ["one", "  two  \r\n"]),
        ("one", ["one"]),
        ("one\n=====\n", ["one"]),
        ("one\n=====", ["one"]),
        ("one\n=====\n\n=====\ntwo", ["one", "", "two"]),
        ("a ===== b\n======\nc", ["a ===== b\n======\nc"]),
        ('["one", "two\\n"]', ["one", "two\n"]),
        ("[not json\n=====\n]", ["[not json", "]"]),
    ],
)
def test_scripts(text: str, replies: list[str], tmp_path: Path) -> None:
    file = tmp_path / "script"
    file.write_bytes(text.encode())
    assert read_script(file) == replies


def test_a_script_with_whole_replies(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "cost_usd": 3.0}
    file.write_text(json.dumps([{"text": "a", "finish": "length"}, {"text": "b", "usage": usage}]))
    assert read_script(file) == [
        Reply("a", "scripted", "length", Usage(cost_usd=0.0)),
        Reply("b", "scripted", usage=Usage(1, 2, 3.0)),
    ]
    file.write_text('[{"txt": "a"}]')
    with pytest.raises(ModelConfigError, match="`text` is missing"):
        read_script(file)


def test_price_table(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text('["gpt-5-mini"]\nprompt = 0.25\ncompletion = 2\ncached_prompt = 0.025\n')
    assert read_prices(file) == {"gpt-5-mini": Prices(0.25, 2.0, 0.025)}
    assert Prices(0.25, 2.0, 0.025).cost(1_000_000, 1_000_000, 400_000) == pytest.approx(0.15 + 0.01 + 2.0)
    assert Prices(0.25, 2.0).cost(1_000_000, 0, 400_000) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[m", "not a TOML file"),
        ("m = 3", "dollars per million"),
        ("[m]\nprompt = 1", "dollars per million"),
        ("[m]\nprompt = 1\ncompletion = -1", "`completion`"),
        ("[m]\nprompt = nan\ncompletion = 1", "`prompt`"),
        ('[m]\nprompt = "1"\ncompletion = 1', "`prompt`"),
        ("[m]\nprompt = 1\ncompletion = 1\ninput = 3", "unknown price `input`"),
    ],
)
def test_bad_price_tables(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(InputError, match=words):
        read_prices(tmp_path / "p.toml")


@given(st.integers(1, 10_000), st.none() | st.floats(0, 300), st.floats(0, 0.999))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_waits_are_bounded_and_never_shorter_than_asked(failures: int, asked: float | None, chance: float) -> None:
    wait = wait_before_retry(failures, asked, chance)
    assert 0.25 <= wait <= max(60.0, asked or 0.0)
    assert wait >= (asked or 0.0)
    assert wait <= wait_before_retry(failures + 1, asked, 1.0)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9.0),
        ({"retry-after": "Tue, 01 Dec 2026 10:00:30 GMT"}, 30.0),
        ({"retry-after": "Tue, 01 Dec 2026 09:00:00 GMT"}, 0.0),
    ],
)
def test_what_retry_after_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_wait(headers, datetime(2026, 12, 1, 10, 0, 0, tzinfo=UTC)) == seconds
