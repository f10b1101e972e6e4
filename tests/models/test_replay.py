"""Recordings given back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from model_contract import GREEDY, PROMPT, WARM, ModelContract

from groundplan.models.cached import CachedModel
from groundplan.models.errors import ModelConfigError, RecordingMissing
from groundplan.models.exchange import Exchange, json_line
from groundplan.models.protocol import Message, Model, Reply, Sampling, Usage
from groundplan.models.replay import ReplayModel, write_recording
from groundplan.models.scripted import ScriptedModel

USER = (Message("user", "stack a on b"),)


def exchange(text: str = "yes", **more: object) -> Exchange:
    base = Exchange("gpt-5-mini", USER, GREEDY, 0, Reply(text, "gpt-5-mini-2026", usage=Usage(5, 6, 0.25), seconds=2.5))
    return replace(base, **more)  # type: ignore[arg-type]


def recording(folder: Path, *exchanges: Exchange) -> Path:
    write_recording(folder / "r.jsonl", exchanges)
    return folder / "r.jsonl"


class TestContract(ModelContract):
    def make(self, folder: Path, text: str) -> Model:
        questions = [(GREEDY, 0), (GREEDY, 1), (WARM, 0)]
        folder.mkdir(exist_ok=True)
        reply = Reply(text, "tiny")
        return ReplayModel(recording(folder, *(Exchange("tiny", PROMPT, s, n, reply) for s, n in questions)))


def test_the_reply_is_the_recorded_one_with_its_cost_and_name(tmp_path: Path) -> None:
    model = ReplayModel(recording(tmp_path, exchange()))
    assert model.name == "gpt-5-mini"
    assert model.reply(USER, GREEDY) == exchange().reply


def test_several_replies_to_one_prompt_come_in_order_then_the_last_again(tmp_path: Path) -> None:
    path = recording(tmp_path, exchange("one"), exchange("two"))
    model = ReplayModel(path)
    assert [model.reply(USER, GREEDY).text for _ in range(3)] == ["one", "two", "two"]
    skipped = ReplayModel(path)
    skipped.skip(USER, GREEDY)
    assert skipped.reply(USER, GREEDY).text == "two"


def test_a_cache_is_a_recording(tmp_path: Path) -> None:
    cached = CachedModel(ScriptedModel(["one", "two"], name="tiny"), tmp_path / "cache")
    cached.reply(USER, GREEDY, 0)
    cached.reply(USER, GREEDY, 1)
    model = ReplayModel(tmp_path / "cache")
    assert (model.name, model.reply(USER, GREEDY, 0).text, model.reply(USER, GREEDY, 1).text) == ("tiny", "one", "two")


@pytest.mark.parametrize(
    ("messages", "sampling", "sample", "words"),
    [
        (USER, Sampling(temperature=0.5), 0, "temperature is 0.0 there and 0.5 here"),
        (USER, GREEDY, 3, "sample is 0 there and 3 here"),
        (
            (Message("system", "be brief"), Message("user", "stack a on c")),
            GREEDY,
            0,
            r"r.jsonl:3: message 2 \(user\) differs from character 12 on: `stack a on b`",
        ),
        ((Message("system", "be brief"),), GREEDY, 0, "has 2 messages where this one has 1"),
        ((Message("assistant", "stack a on b"),), GREEDY, 0, "message 1 is from .* there and from assistant here"),
    ],
)
def test_a_missing_recording_names_the_nearest_prompt(
    messages: tuple[Message, ...], sampling: Sampling, sample: int, words: str, tmp_path: Path
) -> None:
    path = recording(
        tmp_path,
        exchange(),
        exchange(messages=(Message("user", "something else"),)),
        exchange(messages=(Message("system", "be brief"), Message("user", "stack a on b"))),
    )
    with pytest.raises(RecordingMissing, match=words):
        ReplayModel(path).reply(messages, sampling, sample)


def test_two_models_for_one_prompt_are_refused_and_for_two_prompts_are_not(tmp_path: Path) -> None:
    with pytest.raises(ModelConfigError, match=r"r\.jsonl:2.*r\.jsonl:1"):
        ReplayModel(recording(tmp_path, exchange(), exchange(model="other")))
    assert ReplayModel(recording(tmp_path, exchange(), exchange(model="other", sample=1))).name == "gpt-5-mini+other"


def test_a_torn_last_line_is_passed_over_and_other_damage_is_named(tmp_path: Path) -> None:
    line = json_line(exchange().as_json())
    path = tmp_path / "r.jsonl"
    path.write_bytes(line + line[: len(line) // 2])
    assert ReplayModel(path).reply(USER, GREEDY).text == "yes"
    path.write_bytes(line + line[: len(line) // 2] + b"\n" + line)
    with pytest.raises(ModelConfigError, match=r"r\.jsonl:2"):
        ReplayModel(path)


@pytest.mark.parametrize("content", [None, b"", b"\n\n", b"[1]\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n"])
def test_what_is_no_recording(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelConfigError, match=r"r\.jsonl"):
        ReplayModel(path)


def test_an_empty_folder_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(ModelConfigError, match="holds no reply"):
        ReplayModel(tmp_path)
