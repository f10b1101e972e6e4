"""kill -9 at random moments of `groundplan generalize`: resuming ends the same, and no reply is paid for twice.

The model is a local server that bills a question once for each Idempotency-Key; it plays every part of the search, with
a strategy and a program that have to be mended.
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

from groundplan.models.protocol import Message
from groundplan.runs.budget import REPLY
from groundplan.runs.log import read_events

sys.path += [str(Path(__file__).parents[1] / "generalize"), str(Path(__file__).parents[1] / "models")]
from chat_server import Answer, ChatServer, Request, completion
from scripted_porter import CRASHES, DOMAIN, GOOD, ONE_BOX, TASKS, Actor, block

from groundplan.pddl.write import write_problem

KILLS = 8


def _script(known: dict[str, str]) -> object:
    """A question asked again gets the answer that it got; every other one the actor's next."""
    wrong = "```plan\n(lift b9 r0)\n```"
    actor = Actor(plan=["right", wrong, *["right"] * 30], program=[block(CRASHES)], fix=[block(ONE_BOX), block(GOOD)])

    def answer(_: int, request: Request) -> Answer:
        question = json.dumps(request.body["messages"])
        if question not in known:
            messages = [Message(item["role"], item["content"]) for item in request.body["messages"]]
            line = actor(messages, 0)
            assert isinstance(line, str)
            known[question] = line
        return replace(completion(known[question]), delay_s=0.1)

    return answer


def _start(folder: Path, url: str, run: str) -> subprocess.Popen[bytes]:
    problems = [str(folder / f"{task.name}.pddl") for task in TASKS]
    command = [sys.executable, "-m", "groundplan", "generalize", str(folder / "domain.pddl"), *problems]
    command += ["--model", "openai:tiny", "--base-url", url, "--engine", "builtin", "--jobs", "1", "--orders", "2"]
    command += ["--variants-at-once", "1"]
    command += ["--out", str(folder / run), "--json"]
    environment = {**os.environ, "OPENAI_API_KEY": "none"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)


def _logged(run: Path) -> set[str]:
    log = run / "events.jsonl"
    return {event.payload["key"] for event in read_events(log) if event.kind == REPLY} if log.exists() else set()


def _files(folder: Path) -> None:
    (folder / "domain.pddl").write_text(DOMAIN)
    for task in TASKS:
        (folder / f"{task.name}.pddl").write_text(write_problem(task.task.problem))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_kill_at_random_moments(tmp_path: Path, seed: int) -> None:
    _files(tmp_path)
    with ChatServer(_script({})) as server:  # type: ignore[arg-type]
        whole = _start(tmp_path, server.url, "whole").communicate()[0]
    chance = random.Random(seed)
    states = set()
    with ChatServer(_script({})) as server:  # type: ignore[arg-type]
        run = tmp_path / "killed"
        for _ in range(KILLS):
            before = _logged(run)
            asked_before = len(server.requests)
            child = _start(tmp_path, server.url, "killed")
            while child.poll() is None and len(server.requests) < asked_before + chance.randint(1, 4):
                time.sleep(0.01)
            time.sleep(chance.uniform(0.0, 0.3))
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
    assert expected["ending"] == "all solved"
    assert expected["strategy_repairs"] > 0
    assert expected["program_repairs"] == 2
    for data in (expected, got):
        data.pop("run")
        data.pop("seconds")
        for part in (data, *data["programs"], *data["strategies"]):
            for item in part["tasks"]:
                item.pop("seconds")
    assert got == expected
    assert len(set(keys)) == got["model_calls"]  # billed once each
    assert len(keys) <= got["model_calls"] + KILLS  # asked again: at most what was in flight at a kill


def test_no_program_is_left_running_when_the_search_is_killed(tmp_path: Path) -> None:
    _files(tmp_path)
    mark = f"mark_{os.getpid()}"
    endless = block(f"def get_plan(objects, init, goal):\n    {mark} = 'x' * 10\n    while True:\n        pass")

    def answer(_: int, request: Request) -> Answer:
        messages = [Message(item["role"], item["content"]) for item in request.body["messages"]]
        line = Actor(program=endless)(messages, 0)
        assert isinstance(line, str)
        return completion(line)

    with ChatServer(answer) as server:
        child = _start(tmp_path, server.url, "run")
        deadline = time.monotonic() + 60
        while not (servers := _descendants(child.pid)) or _busy(servers) == 0:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        while any(_is_alive(pid) for pid in servers):
            assert time.monotonic() < deadline, "a confined program outlived the search"
            time.sleep(0.05)


def _descendants(pid: int) -> list[int]:
    """The fork servers and the programs in them, not the engine."""
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid or parent in found:
            found.append(int(stat.parent.name))
    return found


def _busy(pids: list[int]) -> int:
    """How many of them have used more than half a second of processor time: the endless program."""
    return sum(_ticks(pid) > os.sysconf("SC_CLK_TCK") / 2 for pid in pids)


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
