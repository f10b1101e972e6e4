"""The scripted model and the cache."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from model_contract import GREEDY, PROMPT, WARM, ModelContract

from groundplan.models.cached import CachedModel, CachedReply
from groundplan.models.errors import BadReply, ConnectionFailed, ModelConfigError, RecordingMissing
from groundplan.models.protocol import Message, Model, Reply, Usage
from groundplan.models.scripted import ScriptedModel

USER = (Message("user", "q"),)


class TestScriptedContract(ModelContract):
    def make(self, folder: Path, text: str) -> Model:
        return ScriptedModel([text, text])


class TestFunctionContract(ModelContract):
    def make(self, folder: Path, text: str) -> Model:
        return ScriptedModel(lambda messages, sample: text)


class TestCachedContract(ModelContract):
    def make(self, folder: Path, text: str) -> Model:
        return CachedModel(ScriptedModel([text, text]), folder / "cache")


class TestWarmCacheContract(ModelContract):
    """All answers come from the disk."""

    def make(self, folder: Path, text: str) -> Model:
        if text.strip():
            filling = CachedModel(ScriptedModel([text] * 3), folder / "cache")
            for sampling, sample in [(GREEDY, 0), (GREEDY, 1), (WARM, 0)]:
                filling.reply(PROMPT, sampling, sample)
        return CachedModel(ScriptedModel([text] if not text.strip() else []), folder / "cache")


def test_script_in_order_with_errors_and_an_end() -> None:
    whole = Reply("two", "m", "length", Usage(1, 2, 3.0))
    model = ScriptedModel(["one", whole, ConnectionFailed("gone"), ""])
    assert model.reply(USER, GREEDY).text == "one"
    assert model.reply(PROMPT, GREEDY) == whole
    with pytest.raises(ConnectionFailed, match="gone"):
        model.reply(USER, GREEDY)
    with pytest.raises(BadReply, match="reply 4"):
        model.reply(USER, GREEDY)
    with pytest.raises(RecordingMissing, match="holds 4 replies, this is question 5: `q`"):
        model.reply(USER, GREEDY)
    assert model.calls == 5
    assert model.prompts == [USER, PROMPT, USER, USER, USER]


def test_function_sees_messages_and_sample() -> None:
    model = ScriptedModel(lambda messages, sample: f"{messages[-1].content}{sample}", name="fn")
    assert (model.reply(USER, GREEDY, 2).text, model.name) == ("q2", "fn")


def test_skip_passes_over_an_entry() -> None:
    model = ScriptedModel(["one", "two"])
    model.skip(USER, GREEDY)
    assert (model.reply(USER, GREEDY).text, model.calls) == ("two", 1)


def test_script_is_shared_between_threads() -> None:
    model = ScriptedModel([str(n) for n in range(200)])
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda _: model.reply(USER, GREEDY).text, range(200)))
    assert sorted(texts, key=int) == [str(n) for n in range(200)]


def test_a_hit_costs_nothing_and_says_what_it_cost_once(tmp_path: Path) -> None:
    paid = Reply("text", "m", "length", Usage(10, 20, 0.5), 1.5)
    model = CachedModel(ScriptedModel([paid]), tmp_path)
    assert model.reply(USER, GREEDY) == paid
    hit = model.reply(USER, GREEDY)
    assert isinstance(hit, CachedReply)
    assert (hit.text, hit.model, hit.finish) == (paid.text, paid.model, paid.finish)
    assert (hit.usage, hit.paid) == (Usage(0, 0, 0.0), paid.usage)
    assert (model.hits, model.misses) == (1, 1)


def test_every_part_of_a_question_has_its_own_entry(tmp_path: Path) -> None:
    script = ScriptedModel(lambda messages, sample: "x")
    for model in (CachedModel(script, tmp_path), CachedModel(ScriptedModel(["x"] * 9, name="other"), tmp_path)):
        for messages, sampling, sample in [
            (USER, GREEDY, 0),
            (USER, GREEDY, 1),
            (USER, WARM, 0),
            (PROMPT, GREEDY, 0),
        ]:
            model.reply(messages, sampling, sample)
        assert (model.hits, model.misses) == (0, 4)


def test_errors_are_not_kept(tmp_path: Path) -> None:
    model = CachedModel(ScriptedModel([ConnectionFailed("gone"), "", "fine"]), tmp_path)
    for kind in (ConnectionFailed, BadReply):
        with pytest.raises(kind):
            model.reply(USER, GREEDY)
    assert model.reply(USER, GREEDY).text == "fine"


def test_a_damaged_entry_is_named(tmp_path: Path) -> None:
    CachedModel(ScriptedModel(["x"]), tmp_path).reply(USER, GREEDY)
    (entry,) = tmp_path.rglob("*.jsonl")
    entry.write_bytes(entry.read_bytes()[:-20])
    with pytest.raises(ModelConfigError, match=entry.name):
        CachedModel(ScriptedModel([]), tmp_path).reply(USER, GREEDY)


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_kill_while_writing_leaves_no_broken_entry(step: str, tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:  # dies in the middle of keeping the reply
        try:
            import groundplan.models.storage as storage

            def die(*_: object) -> None:
                os.kill(os.getpid(), signal.SIGKILL)

            if step == "write":
                storage.open = lambda *a: die()  # type: ignore[attr-defined]
            else:
                setattr(storage.os, step, die)
            CachedModel(ScriptedModel(["x"]), tmp_path).reply(USER, GREEDY)
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    again = CachedModel(ScriptedModel(["y"]), tmp_path)
    assert again.reply(USER, GREEDY).text == "y"
    assert CachedModel(ScriptedModel([]), tmp_path).reply(USER, GREEDY).text == "y"
