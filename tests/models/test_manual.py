"""Replies by hand."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from model_contract import GREEDY, PROMPT, WARM, ModelContract

from groundplan.models.errors import BadReply, ModelError, ReplyTimeout
from groundplan.models.exchange import prompt_key
from groundplan.models.manual import ManualModel, prompt_page
from groundplan.models.protocol import Message, Model, Sampling

USER = (Message("user", "stack a on b\r\n"),)
POLL = 0.02


def reply_file(folder: Path, sampling: Sampling = GREEDY, sample: int = 0, prompt: tuple[Message, ...] = USER) -> Path:
    return folder / f"{prompt_key('manual', prompt, sampling, sample)[:12]}.reply.txt"


class TestContract(ModelContract):
    empty_error: type[ModelError] = ReplyTimeout

    def make(self, folder: Path, text: str) -> Model:
        folder.mkdir(exist_ok=True)
        for sampling, sample in [(GREEDY, 0), (GREEDY, 1), (WARM, 0)]:
            reply_file(folder, sampling, sample, PROMPT).write_bytes(text.encode())
        return ManualModel(folder, poll_s=POLL, timeout_s=0.1)


def test_waits_for_the_file_to_stand_still_and_says_once_where_to_put_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "new" / "folder"
    answer = reply_file(folder)
    pieces = [b"", b"  \n", b"(define\r\n", b"  (domain d)", b")  \n"]
    left = list(pieces)

    def meanwhile(seconds: float) -> None:
        """A person saves the answer piece by piece while the model sleeps between its looks."""
        assert seconds == POLL
        if left:
            with answer.open("ab") as file:
                file.write(left.pop(0))

    monkeypatch.setattr(time, "sleep", meanwhile)
    reply = ManualModel(folder, poll_s=POLL, timeout_s=20).reply(USER, GREEDY)
    assert reply.text.encode() == b"".join(pieces)
    assert (reply.model, reply.finish, reply.usage.cost_usd) == ("manual", "stop", 0.0)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count(str(answer)) == 1
    page = answer.with_name(answer.name.replace(".reply.txt", ".prompt.md")).read_bytes().decode()
    assert page.split("\n\n---\n\n")[1] == USER[0].content
    assert answer.name in page.split("---")[0]


def test_a_reply_that_is_there_is_returned_at_once_and_its_model_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reply_file(tmp_path).write_text("done")
    reply_file(tmp_path).with_suffix(".model.txt").write_text("a-chat-model\n")
    reply = ManualModel(tmp_path, poll_s=1000).reply(USER, GREEDY)
    assert (reply.text, reply.model) == ("done", "a-chat-model")
    assert capsys.readouterr().err == ""


def test_time_runs_out(tmp_path: Path) -> None:
    with pytest.raises(ReplyTimeout, match=re.escape(str(reply_file(tmp_path)))):
        ManualModel(tmp_path, poll_s=POLL, timeout_s=POLL * 2, tell=lambda _: None).reply(USER, GREEDY)


def test_a_reply_that_is_not_utf8(tmp_path: Path) -> None:
    reply_file(tmp_path).write_bytes("schön".encode("latin-1"))
    with pytest.raises(BadReply, match="UTF-8"):
        ManualModel(tmp_path, poll_s=POLL).reply(USER, GREEDY)


def test_samples_have_files_of_their_own(tmp_path: Path) -> None:
    assert reply_file(tmp_path, sample=0) != reply_file(tmp_path, sample=1)
    assert "new chat" in prompt_page(USER, "x.reply.txt", sample=1)
    assert "new chat" not in prompt_page(USER, "x.reply.txt", sample=0)


def test_a_conversation_shows_who_spoke() -> None:
    page = prompt_page([*PROMPT, Message("assistant", "earlier")], "x.reply.txt")
    assert [line for line in page.split("\n") if line.startswith("##")] == [
        "## Instructions",
        "## Question",
        "## Your earlier answer",
    ]
