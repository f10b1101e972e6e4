"""Bad input gets a message that names the place and the way out, the right exit code, and nothing is lost."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from groundplan.cli.app import run
from groundplan.cli.exits import Exit
from groundplan.runs.log import read_events

sys.path += [str(Path(__file__).parents[1] / "formalize"), str(Path(__file__).parents[1] / "models")]
from chat_server import ChatServer, completion, fault
from texts import BROKEN_DOMAIN, DOMAIN, GOOD, PROBLEM, TASK, VERDICT, reply


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    (tmp_path / "plan.txt").write_text("(light left)\n(light right)\n")
    (tmp_path / "task.txt").write_text(TASK)
    (tmp_path / "empty").write_text("")
    (tmp_path / "blank").write_text(" \n\t\n")
    (tmp_path / "binary").write_bytes(os.urandom(20) + b"\0" + bytes(range(256)))
    (tmp_path / "folder").mkdir()
    return tmp_path


BAD_FILES = {
    "missing": "no such file",
    "empty": "empty",
    "blank": "empty",
    "binary": "binary",
    "folder": "directory",
}


@pytest.mark.parametrize("bad", BAD_FILES)
@pytest.mark.parametrize("place", range(6))
def test_unreadable_files(files: Path, capsys: pytest.CaptureFixture[str], bad: str, place: int) -> None:
    domain, problem, plan, task = (str(files / n) for n in ("domain.pddl", "problem.pddl", "plan.txt", "task.txt"))
    wrong = str(files / bad)
    scripted = ["--model", f"scripted:{files / 'task.txt'}", "--out", str(files / "run")]
    commands = [
        ["check", wrong],
        ["check", domain, wrong],
        ["solve", wrong, problem],
        ["validate", domain, problem, wrong],
        ["formalize", wrong, *scripted],
        ["formalize", task, "--domain", wrong, *scripted],
    ]
    if place == 3 and bad in ("empty", "blank"):
        assert run(commands[place]) == Exit.NO  # an empty plan is a plan, though not one for this goal
        return
    assert run(commands[place]) == Exit.INPUT
    message = capsys.readouterr().err
    assert BAD_FILES[bad] in message
    assert bad in message
    assert not (files / "run").exists()
    assert plan


@pytest.mark.parametrize(
    "verb", [[], ["chekc"], ["check"], ["solve", "a"], ["check", "--jsn", "a"], ["solve", "a", "b", "--timeout", "x"]]
)
def test_wrong_command_lines(verb: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code = run(verb)
    output = capsys.readouterr()
    assert output.err or output.out
    assert code in ((Exit.YES, Exit.INPUT) if not verb else (Exit.INPUT,))


def test_json_errors_are_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(files / "missing"), "--json"]) == Exit.INPUT
    assert "no such file" in json.loads(capsys.readouterr().out)["reason"]
    (files / "broken.pddl").write_text(BROKEN_DOMAIN)
    assert run(["solve", str(files / "broken.pddl"), str(files / "problem.pddl"), "--json"]) == Exit.INPUT
    data = json.loads(capsys.readouterr().out)
    assert data["status"] == "failed"
    assert data["diagnostics"][0]["code"] == "unknown-predicate"


def test_standard_input_is_read_once(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    class _Stdin:
        buffer = io.BytesIO(DOMAIN.encode())

    monkeypatch.setattr("sys.stdin", _Stdin())
    assert run(["check", "-", "-"]) == Exit.INPUT
    assert "already read" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", "gpt", "scripted:", "replay:/nowhere/at/all", "manul:chat", "local:x", "a b c"])
def test_model_names(
    files: Path, capsys: pytest.CaptureFixture[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert run(["formalize", str(files / "task.txt"), "--model", name, "--out", str(files / "run")]) == Exit.INPUT
    said = capsys.readouterr().err
    assert said.startswith("groundplan: error: ")
    assert name != "local:x" or "say `local`" in said
    assert not (files / "run").exists()


def _online(files: Path, url: str, *more: str) -> int:
    out = str(files / "run")
    return run(["formalize", str(files / "task.txt"), "--model", "openai:tiny", "--base-url", url, "--out", out, *more])


def test_a_wrong_key(files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with ChatServer(lambda number, request: fault(401, "bad key")) as server:
        assert _online(files, server.url) == Exit.INPUT
        assert len(server.requests) == 1
    message = capsys.readouterr().err
    assert "OPENAI_API_KEY" in message
    assert "secret" not in message + "".join(path.read_text() for path in (files / "run").iterdir() if path.is_file())


def test_no_connection(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _online(files, "http://127.0.0.1:9/v1", "--retries", "1") == Exit.INPUT
    output = capsys.readouterr()
    assert "127.0.0.1:9" in output.out + output.err
    assert "resume" in output.out


def test_rate_limit_then_resume_pays_once(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The Actor is answered, then the server limits the rate; resuming asks for the Editor's reply only."""
    replies = [
        completion(reply(BROKEN_DOMAIN, PROBLEM)),
        fault(429, "slow down"),
        completion(GOOD),
        completion(VERDICT),
    ]
    with ChatServer(lambda number, request: replies[number]) as server:
        assert _online(files, server.url, "--retries", "0") == Exit.INPUT
        assert "slow down" in capsys.readouterr().out
        assert run(["resume", str(files / "run"), "--json"]) == Exit.YES
        data = json.loads(capsys.readouterr().out)
        assert (data["status"], data["repairs"], data["model_calls"]) == ("solved", 1, 3)
        assert len(server.requests) == 4


def test_a_server_that_breaks_is_a_failing_model(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ChatServer(lambda number, request: fault(500, "out of order")) as server:
        assert _online(files, server.url, "--retries", "0") == Exit.FAILED
    assert "out of order" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "I would rather not.", "```pddl\n```"])
def test_replies_without_pddl(files: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    script = files / "script.json"
    script.write_text(json.dumps([text] * 6))
    assert (
        run(
            [
                "formalize",
                str(files / "task.txt"),
                "--model",
                f"scripted:{script}",
                "--out",
                str(files / "run"),
                "--json",
            ]
        )
        == Exit.INPUT
    )
    data = json.loads(capsys.readouterr().out)
    assert data["status"] == "failed"
    assert data["solver_calls"] == 0
    assert data["diagnostics"][0]["code"] == "no-pddl-in-reply"


def test_a_full_disk(files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fills up at the second reply; with room again, the run goes on and the first reply is not asked for."""
    script = files / "script.json"
    script.write_text(json.dumps([reply(BROKEN_DOMAIN, PROBLEM), GOOD, VERDICT]))
    command = ["formalize", str(files / "task.txt"), "--model", f"scripted:{script}", "--out", str(files / "run")]
    real, replies = os.write, []

    def write(descriptor: int, data: bytes) -> int:
        if b'"kind":"reply"' in bytes(data).replace(b" ", b""):
            replies.append(1)
            if len(replies) == 2:
                raise OSError(28, "No space left on device")
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", write)
    assert run(command) == Exit.INPUT
    assert "No space left on device" in capsys.readouterr().err
    assert any(event.kind == "reply" for event in read_events(files / "run" / "events.jsonl"))
    assert run(command) == Exit.YES
    kinds = [event.kind for event in read_events(files / "run" / "events.jsonl")]
    assert kinds.count("reply") == 3


def test_a_run_is_never_overwritten(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = files / "script.json"
    script.write_text(json.dumps([GOOD, VERDICT]))
    command = ["formalize", str(files / "task.txt"), "--model", f"scripted:{script}", "--out"]
    assert run([*command, str(files / "folder")]) == Exit.YES
    assert run([*command, str(files)]) == Exit.INPUT  # a folder with other files
    assert run([*command, str(files / "folder"), "--repairs", "2"]) == Exit.INPUT  # other settings
    assert "repairs" in capsys.readouterr().err
