"""kill -9 at any moment: the result is the same and no reply in the log is paid for again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundplan.models.openai_client import OpenAICompatible
from groundplan.models.protocol import Message, Sampling
from groundplan.models.scripted import ScriptedModel
from groundplan.runs.budget import REPLY
from groundplan.runs.log import Event, EventLog, read_events
from groundplan.runs.paid import RecordedModel
from groundplan.runs.run import Run

sys.path.append(str(Path(__file__).parents[1] / "models"))
from chat_server import Answer, ChatServer, Request, completion

QUESTIONS = 12


def work(folder: Path, pause_s: float = 0.0, questions: int = QUESTIONS) -> None:
    """A run of questions, each with the reply before it in its prompt; every call is one line in `bills`."""

    def pay(messages: Sequence[Message], sample: int) -> str:
        descriptor = os.open(folder / "bills", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(descriptor, messages[0].content.encode() + b"\n")
        os.close(descriptor)
        time.sleep(pause_s)
        return f"reply to ({messages[0].content})"[:60]

    with Run.open(folder / "run", settings={"seed": 1}) as run:
        model = RecordedModel(ScriptedModel(pay), run)
        text = "start"
        for number in range(questions):
            text = model.reply((Message("user", f"{number} {text}"),), Sampling()).text
            run.once("progress", str(number), text=text)
            time.sleep(pause_s)
        run.artifact("result.txt", text)


def bills(folder: Path) -> Counter[str]:
    file = folder / "bills"
    return Counter(file.read_text().splitlines()) if file.exists() else Counter()


def answered(folder: Path) -> set[str]:
    log = folder / "run" / "events.jsonl"
    events = read_events(log) if log.exists() else ()
    return {event.payload["messages"][0]["content"] for event in events if event.kind == REPLY}


def in_child(task: Callable[[], None]) -> int:
    """Run `task` in a forked child; its wait status."""
    child = os.fork()
    if child == 0:
        try:
            task()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed_at(call: int, how: str) -> Callable[[], None]:
    """From now on, the `call`-th write, sync or replace of a run's file (from 0) is the process's last."""
    seen = -1

    def counting(real: Callable[..., object], name: str) -> Callable[..., object]:
        def replacement(*arguments: object) -> object:
            nonlocal seen
            seen += 1
            if seen != call:
                return real(*arguments)
            if how == "before":
                die()
            if how == "half" and name == "write":
                descriptor, data = arguments
                assert isinstance(data, memoryview | bytes)
                real(descriptor, data[: len(data) // 2])
                die()
            result = real(*arguments)
            die()
            return result

        return replacement

    def install() -> None:
        for name in ("write", "fsync", "replace"):
            setattr(os, name, counting(getattr(os, name), name))

    return install


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("undisturbed")
    work(folder)
    assert set(bills(folder).values()) == {1}
    return (folder / "run" / "result.txt").read_text()


def finish_and_judge(folder: Path, undisturbed: str, before: Counter[str], in_log: set[str]) -> None:
    assert in_child(lambda: work(folder)) == 0
    assert (folder / "run" / "result.txt").read_text() == undisturbed
    assert len(answered(folder)) == QUESTIONS
    events = read_events(folder / "run" / "events.jsonl")
    assert Counter(event.kind for event in events if event.kind != "session") == {
        "reply": QUESTIONS,
        "progress": QUESTIONS,
    }
    paid_again = bills(folder) - before
    assert not in_log & set(paid_again)
    assert bills(folder).total() <= QUESTIONS + 1  # the one that was in flight at the kill


@pytest.mark.parametrize("how", ["before", "half", "after"])
def test_killed_at_each_step_to_the_disk(how: str, undisturbed: str, tmp_path: Path) -> None:
    calls = 0
    while True:
        folder = tmp_path / str(calls)
        folder.mkdir()
        install = killed_at(calls, how)

        def doomed(folder: Path = folder, install: Callable[[], None] = install) -> None:
            install()
            work(folder)

        status = in_child(doomed)
        if status == 0:
            break
        assert os.WTERMSIG(status) == signal.SIGKILL
        finish_and_judge(folder, undisturbed, bills(folder), answered(folder))
        calls += 1
    assert calls > 4 * QUESTIONS  # each question is billed, logged, synced and noted


CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; from test_kill import work; "
    "work(Path(sys.argv[2]), pause_s=0.01, questions=30)"
)


def test_killed_from_outside_at_ten_random_moments_of_one_run(tmp_path: Path) -> None:
    (tmp_path / "quiet").mkdir()
    work(tmp_path / "quiet", questions=30)
    chance = random.Random(7)
    moments: list[tuple[set[str], Counter[str]]] = []
    for _ in range(10):
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(Path(__file__).parent), str(tmp_path)])
        count, deadline = bills(tmp_path).total(), time.monotonic() + 20
        while bills(tmp_path).total() == count and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(chance.random() * 0.03)
        child.kill()
        child.wait()
        moments.append((answered(tmp_path), bills(tmp_path)))
    assert in_child(lambda: work(tmp_path, questions=30)) == 0
    result = (tmp_path / "run" / "result.txt").read_text()
    assert result == (tmp_path / "quiet" / "run" / "result.txt").read_text()
    assert len(answered(tmp_path)) == 30
    for in_log, before in moments:
        assert not in_log & set(bills(tmp_path) - before)
    assert len({len(in_log) for in_log, _ in moments}) > 4  # the kills were spread over the run


def test_a_server_that_honours_idempotency_keys_bills_each_question_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the question that was answered, but not yet in the log, at the kill."""
    import openai  # noqa: F401  here, so that the children need not

    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    billed: dict[str, str] = {}

    def answer(_: int, request: Request) -> Answer:
        prompt = request.body["messages"][0]["content"]
        return completion(billed.setdefault(request.headers["idempotency-key"], f"reply to ({prompt})"))

    def ask_three() -> None:
        with Run.open(tmp_path / "run", settings={"seed": 1}) as run:
            model = RecordedModel(OpenAICompatible("tiny", server.url, run_id=run.id), run)
            texts = [model.reply((Message("user", f"q{n}"),), Sampling()).text for n in range(3)]
            run.artifact("result.txt", " ".join(texts))

    def die_before_reply(number: int) -> None:
        append = EventLog.append

        def dying(self: EventLog, kind: str, payload: Mapping[str, Any], *, durable: bool = False) -> Event:
            if kind == REPLY and payload["messages"][0]["content"] == f"q{number}":
                die()
            return append(self, kind, payload, durable=durable)

        EventLog.append = dying  # type: ignore[method-assign]
        ask_three()

    with ChatServer(answer) as server:
        for number in range(3):
            status = in_child(lambda number=number: die_before_reply(number))  # type: ignore[misc]
            assert os.WTERMSIG(status) == signal.SIGKILL
            assert len(server.requests) == 2 * number + 1
        assert in_child(ask_three) == 0
    assert len(server.requests) == 6  # each question was sent twice
    assert list(billed.values()) == [f"reply to (q{n})" for n in range(3)]
    assert (tmp_path / "run" / "result.txt").read_text() == "reply to (q0) reply to (q1) reply to (q2)"
