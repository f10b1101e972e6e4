"""kill -9 at ten random moments of `groundplan formalize`: resuming ends the same, and no reply is paid for twice.

The model is a local server that bills a question once for each Idempotency-Key, as servers that honour it do. A reply
that reached the log must not be asked for again at all.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from groundplan.runs.budget import REPLY
from groundplan.runs.log import read_events

sys.path += [str(Path(__file__).parents[1] / "formalize"), str(Path(__file__).parents[1] / "models")]
from chat_server import Answer, ChatServer, Request, completion
from texts import BROKEN_DOMAIN, DOMAIN, GOOD, PROBLEM, TASK, TRIVIAL, UNSOLVABLE, VERDICT, reply

KILLS = 10
ANSWERS = [
    reply(BROKEN_DOMAIN, PROBLEM),
    reply(DOMAIN, UNSOLVABLE),
    reply(DOMAIN, TRIVIAL),
    "hm",
    reply(BROKEN_DOMAIN),
    GOOD,
]


def _script(known: dict[str, str]) -> object:
    """The n-th new question gets the n-th answer; a question asked again gets the same one."""

    def answer(_: int, request: Request) -> Answer:
        question = request.body["messages"][-1]["content"]
        if "You judge" in request.body["messages"][0]["content"]:
            return replace(completion(VERDICT), delay_s=0.2)
        text = known.setdefault(question, ANSWERS[min(len(known), len(ANSWERS) - 1)])
        return replace(completion(text), delay_s=0.2)

    return answer


def _start(folder: Path, url: str, run: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "groundplan", "formalize", str(folder / "task.txt"), "--engine", "builtin"]
    command += ["--model", "openai:tiny", "--base-url", url, "--out", str(folder / run), "--json"]
    environment = {**os.environ, "OPENAI_API_KEY": "none"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)


def _logged(run: Path) -> set[str]:
    log = run / "events.jsonl"
    return {event.payload["key"] for event in read_events(log) if event.kind == REPLY} if log.exists() else set()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_kill_at_ten_random_moments(tmp_path: Path, seed: int) -> None:
    (tmp_path / "task.txt").write_text(TASK)
    known: dict[str, str] = {}
    with ChatServer(_script(known)) as server:  # type: ignore[arg-type]
        whole = _start(tmp_path, server.url, "whole").communicate()[0]
    chance = random.Random(seed)
    states = set()
    with ChatServer(_script(known := {})) as server:  # type: ignore[arg-type]
        run = tmp_path / "killed"
        for _ in range(KILLS):
            before = _logged(run)
            asked_before = len(server.requests)
            child = _start(tmp_path, server.url, "killed")
            if chance.random() < 0.7:  # at a random moment around a question; else during the start
                while child.poll() is None and len(server.requests) == asked_before:
                    time.sleep(0.01)
            time.sleep(chance.uniform(0.0, 0.6))
            child.send_signal(signal.SIGKILL)
            child.communicate()
            states.add(len(_logged(run)))
            assert before <= _logged(run)
            asked = [request.headers["idempotency-key"] for request in server.requests[asked_before:]]
            assert all(count <= 2 for count in Counter(asked).values())
        last = _start(tmp_path, server.url, "killed").communicate()[0]
        keys = [request.headers["idempotency-key"] for request in server.requests]
    assert len(states) > 2
    expected, got = json.loads(whole), json.loads(last)
    for data in (expected, got):
        data.pop("run")
    assert got == expected
    assert len(set(keys)) == got["model_calls"]  # billed once each
    assert len(keys) <= got["model_calls"] + KILLS  # asked again: at most what was in flight at a kill
