"""The client against a real server on 127.0.0.1 that plays every part of the protocol."""

from __future__ import annotations

import json
import logging
import socket
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer, Request, completion, fault
from model_contract import GREEDY, PROMPT, WARM, ModelContract

from groundplan.errors import InputError, ModelError
from groundplan.models.errors import (
    AuthenticationError,
    BadReply,
    ConnectionFailed,
    ModelConfigError,
    PromptTooLong,
    RateLimited,
    ReplyTimeout,
    ServerFailed,
)
from groundplan.models.openai_client import OpenAICompatible
from groundplan.models.prices import Prices
from groundplan.models.protocol import Message, Model, Usage
from groundplan.models.retry import Attempt

KEY = "very-secret-0123456789"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


Serve = Callable[..., ChatServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[ChatServer] = []

    def start(*answers: Answer) -> ChatServer:
        """A server that gives these answers in order, the last one for ever."""
        server = ChatServer(lambda n, _: answers[min(n, len(answers) - 1)])
        servers.append(server)
        return server.__enter__()

    yield start
    for server in servers:
        server.__exit__()


class Naps(list[float]):
    """Stands in for time.sleep."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def client(server: ChatServer, **more: Any) -> OpenAICompatible:
    return OpenAICompatible("tiny", server.url, **{"sleep": Naps(), **more})


class TestContract(ModelContract):
    @pytest.fixture(autouse=True)
    def _serve(self, serve: Serve) -> None:
        self.serve = serve

    def make(self, folder: Path, text: str) -> Model:
        return client(self.serve(completion(text)))


def test_success(serve: Serve) -> None:
    server = serve(completion("the plan"))
    reply = client(server, prices=Prices(2.5, 10.0)).reply(PROMPT, WARM)
    assert (reply.text, reply.model, reply.finish) == ("the plan", "tiny-2026", "stop")
    assert reply.usage == Usage(100, 20, pytest.approx(100 * 2.5e-6 + 20 * 10e-6))
    request = server.requests[0]
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "tiny",
        "messages": [{"role": m.role, "content": m.content} for m in PROMPT],
        "temperature": 0.7,
        "top_p": 0.9,
        "max_tokens": 50,
        "seed": 3,
    }


def test_cost_is_unknown_without_prices(serve: Serve) -> None:
    assert client(serve(completion())).reply(PROMPT, GREEDY).usage.cost_usd is None


def test_finish_length_is_passed_on(serve: Serve) -> None:
    assert client(serve(completion("(define", "length"))).reply(PROMPT, GREEDY).finish == "length"


def test_a_local_server_needs_no_key(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert client(serve(completion())).reply(PROMPT, GREEDY).text == "hello"


def test_the_key_comes_from_the_named_variable_without_its_line_end(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_KEY", "sk-other-1234567\r\n")
    server = serve(completion())
    client(server, api_key_env="OTHER_KEY").reply(PROMPT, GREEDY)
    assert server.requests[0].headers["authorization"] == "Bearer sk-other-1234567"


def test_the_hosted_service_without_a_key_is_refused_before_any_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(AuthenticationError, match="OPENAI_API_KEY"):
        OpenAICompatible("gpt-5-mini").reply(PROMPT, GREEDY)


def test_a_key_that_no_header_can_hold(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-very-“secret”\x07")
    server = serve(completion())
    with pytest.raises(AuthenticationError) as caught:
        client(server).reply(PROMPT, GREEDY)
    assert "secret" not in str(caught.value)
    assert not server.requests


ECHO = f"Incorrect key provided: {KEY}, see sk-tes****6789"

FAULTS: list[tuple[Answer, type[ModelError], str, int]] = [
    (fault(401, ECHO), AuthenticationError, "OPENAI_API_KEY", 1),
    (fault(403, ECHO), AuthenticationError, "403", 1),
    (fault(429, ECHO), RateLimited, "3 attempts", 3),
    (fault(429, ECHO, code="insufficient_quota"), RateLimited, "credit", 1),
    (fault(402, ECHO), RateLimited, "credit", 1),
    (fault(500, ECHO), ServerFailed, "500", 3),
    (fault(503, ECHO), ServerFailed, "503", 3),
    (Answer(502, f"<html>{KEY}".encode(), {"Content-Type": "text/html"}), ServerFailed, "502", 3),
    (Answer(200, json.dumps({"error": {"code": 429, "message": ECHO}}).encode()), RateLimited, "429", 3),
    (fault(404, f"model tiny not found {KEY}"), ModelConfigError, "model's name", 1),
    (fault(400, f"bad thing {KEY}"), ModelConfigError, "bad thing", 1),
    (fault(400, "maximum context length is 8192 tokens"), PromptTooLong, "shorten", 1),
    (fault(400, "the request exceeds the available context size"), PromptTooLong, "shorten", 1),
    (fault(400, "x", code="context_length_exceeded"), PromptTooLong, "shorten", 1),
    (fault(400, ECHO, code="content_filter"), BadReply, "filter", 1),
    (Answer(200, f"<html>{KEY}".encode(), {"Content-Type": "text/html"}), BadReply, "/v1", 1),
    (Answer(200, b'{"choices": [{"mess'), BadReply, "not JSON", 1),
    (Answer(200, b"[]"), BadReply, "not an object", 1),
    (Answer(200, b"[" * 100_000), BadReply, "not JSON", 1),
    (Answer(200, b'{"choices": []}'), BadReply, "no choice", 1),
    (Answer(200, b'{"choices": [{}]}'), BadReply, "no choice", 1),
    (Answer(200, b'{"choices": null, "usage": 3}'), BadReply, "no choice", 1),
    (completion(None), BadReply, "empty", 1),
    (completion(" \n"), BadReply, "empty", 1),
    (completion("", "length"), BadReply, "raise max_tokens", 1),
    (completion("half", "content_filter"), BadReply, "filter", 1),
    (completion(None, refusal="I will not"), BadReply, "I will not", 1),
    (completion(None, "tool_calls", tool_calls=[{}]), BadReply, "tool", 1),
]


@pytest.mark.parametrize(("answer", "kind", "words", "requests"), FAULTS)
def test_every_fault_has_its_error_and_none_holds_the_key(
    answer: Answer,
    kind: type[ModelError],
    words: str,
    requests: int,
    serve: Serve,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    server = serve(answer)
    seen: list[Attempt] = []
    with pytest.raises(ModelError) as caught:
        client(server, max_retries=2, on_attempt=seen.append).reply(PROMPT, GREEDY)
    error = caught.value
    assert type(error) is kind
    assert words in str(error)
    assert "tiny at http://127.0.0.1" in str(error)
    assert len(server.requests) == requests
    assert len(seen) == requests - 1
    shown = "".join(traceback.format_exception(error)) + repr(vars(error)) + repr(seen) + caplog.text
    shown += "".join(capsys.readouterr())
    assert KEY not in shown
    assert "6789" not in str(error)  # nor the part that a server leaves of a masked key
    assert error.__context__ is None or KEY not in repr(error.__context__)


def test_configuration_errors_are_input_errors() -> None:
    assert issubclass(AuthenticationError, InputError)
    assert issubclass(ModelConfigError, InputError)
    assert not issubclass(RateLimited, InputError)


def test_a_bad_reply_says_what_it_cost(serve: Serve) -> None:
    with pytest.raises(BadReply) as caught:
        client(serve(completion("")), prices=Prices(1, 1)).reply(PROMPT, GREEDY)
    assert caught.value.usage == Usage(100, 20, pytest.approx(120e-6))


def test_rate_limit_with_retry_after_then_success(serve: Serve) -> None:
    naps, seen = Naps(), list[Attempt]()
    server = serve(fault(429, "slow down", {"Retry-After": "7"}), completion("at last"))
    reply = client(server, sleep=naps, on_attempt=seen.append).reply(PROMPT, GREEDY)
    assert reply.text == "at last"
    assert naps == [7.0]
    assert (seen[0].number, seen[0].wait_s) == (1, 7.0)
    assert "slow down" in seen[0].problem


def test_waiting_grows_and_is_told(serve: Serve) -> None:
    naps = Naps()
    with pytest.raises(RateLimited) as caught:
        client(serve(fault(429)), sleep=naps, max_retries=4).reply(PROMPT, GREEDY)
    assert [round(nap * 1000) in range(round(250 * 2**i), round(500 * 2**i) + 1) for i, nap in enumerate(naps)] == (
        [True] * 4
    )
    assert caught.value.waited_s == pytest.approx(sum(naps))
    assert f"{sum(naps):.1f} s" in str(caught.value)


def test_a_wait_beyond_patience_is_not_waited(serve: Serve) -> None:
    server = serve(fault(429, headers={"Retry-After": "86400"}))
    with pytest.raises(RateLimited, match="86400 s more"):
        client(server).reply(PROMPT, GREEDY)
    assert len(server.requests) == 1


def test_nothing_answers() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    naps = Naps()
    with pytest.raises(ConnectionFailed, match=f"127.0.0.1:{port}"):
        OpenAICompatible("tiny", f"http://127.0.0.1:{port}/v1", sleep=naps).reply(PROMPT, GREEDY)
    assert naps == []


def test_a_broken_connection_is_retried_once_the_server_has_answered(serve: Serve) -> None:
    server = serve(completion("one"), Answer(hang_up=True), completion("two"))
    model = client(server)
    assert [model.reply(PROMPT, GREEDY, sample).text for sample in (0, 1)] == ["one", "two"]


def test_no_answer_in_time(serve: Serve) -> None:
    server = serve(Answer(delay_s=20))
    with pytest.raises(ReplyTimeout, match=r"0\.2 s"):
        client(server, timeout_s=0.2).reply(PROMPT, GREEDY)
    assert len(server.requests) == 2


def picky(*refused: tuple[str, str, str]) -> Callable[[int, Request], Answer]:
    """A model that refuses parameters as OpenAI's reasoning models do."""

    def script(_: int, request: Request) -> Answer:
        for name, code, message in refused:
            if name in request.body:
                return fault(400, message, param=name if code else None, code=code or None)
        return completion("fine")

    return script


def test_refused_parameters_are_left_out_and_remembered() -> None:
    script = picky(
        (
            "max_tokens",
            "unsupported_parameter",
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        ),
        ("temperature", "unsupported_value", "'temperature' does not support 0.0 with this model."),
        ("seed", "", "seed: Extra inputs are not permitted"),
    )
    seen: list[Attempt] = []
    with ChatServer(script) as server:
        model = client(server, on_attempt=seen.append)
        assert model.reply(PROMPT, WARM).text == "fine"
        assert [attempt.problem.split("`")[1] for attempt in seen] == ["max_tokens", "temperature", "seed"]
        body = server.requests[-1].body
        assert body["max_completion_tokens"] == 50
        assert not {"max_tokens", "temperature", "seed"} & set(body)
        keys = {request.headers["idempotency-key"] for request in server.requests}
        assert len(keys) == 4  # another body under the same key would be refused
        model.reply(PROMPT, WARM, 1)
        assert len(server.requests) == 5


def test_a_value_out_of_range_is_not_left_out() -> None:
    with ChatServer(picky(("max_tokens", "invalid_value", "max_tokens is too large: 50"))) as server:
        with pytest.raises(ModelConfigError, match="too large"):
            client(server).reply(PROMPT, WARM)
        assert len(server.requests) == 1


def test_idempotency_key_names_the_question_within_a_run(serve: Serve) -> None:
    server = serve(completion())
    questions: Sequence[tuple[str, Sequence[Message], Any, int]] = [
        ("run", PROMPT, GREEDY, 0),
        ("run", PROMPT, GREEDY, 0),
        ("run", PROMPT, GREEDY, 1),
        ("run", PROMPT, WARM, 0),
        ("run", PROMPT[1:], GREEDY, 0),
        ("other", PROMPT, GREEDY, 0),
    ]
    for run_id, messages, sampling, sample in questions:
        client(server, run_id=run_id).reply(messages, sampling, sample)
    keys = [request.headers["idempotency-key"] for request in server.requests]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 5
    client(server).reply(PROMPT, GREEDY)
    client(server).reply(PROMPT, GREEDY)
    assert server.requests[-1].headers["idempotency-key"] != server.requests[-2].headers["idempotency-key"]


def test_a_retry_keeps_its_idempotency_key(serve: Serve) -> None:
    server = serve(fault(500), completion())
    client(server).reply(PROMPT, GREEDY)
    assert len({request.headers["idempotency-key"] for request in server.requests}) == 1


def test_content_in_parts_and_halves_of_surrogate_pairs(serve: Serve) -> None:
    parts = [
        {"type": "thinking", "text": "hm"},
        {"type": "text", "text": "a\ud83e\udd16"},
        {"type": "text", "text": "b"},
    ]
    assert client(serve(completion(parts))).reply(PROMPT, GREEDY).text == "a🤖b"  # type: ignore[arg-type]
    assert client(serve(completion("cut \ud83e"))).reply(PROMPT, GREEDY).text == "cut \ufffd"
    server = serve(completion())
    client(server).reply([Message("user", "half \ud83e")], GREEDY)
    assert server.requests[0].body["messages"][0]["content"] == "half ?"


@pytest.mark.parametrize("url", ["localhost:8000/v1", "ftp://x/v1", "http://", "http://[::1", "http://host:port/v1"])
def test_bad_urls(url: str) -> None:
    with pytest.raises(ModelConfigError, match="http://localhost:8000/v1"):
        OpenAICompatible("tiny", url)


def test_secrets_in_the_url_are_not_shown() -> None:
    model = OpenAICompatible("tiny", "http://user:hunter2@127.0.0.1:9/v1/chat/completions?token=hunter3")
    with pytest.raises(ConnectionFailed) as caught:
        model.reply(PROMPT, GREEDY)
    assert "hunter" not in str(caught.value) + repr(model)


def test_the_base_url_may_come_from_the_environment(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(completion())
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/chat/completions")
    OpenAICompatible("tiny").reply(PROMPT, GREEDY)
    assert server.requests[0].path == "/v1/chat/completions"


@pytest.mark.parametrize("arguments", [{"model": " "}, {"timeout_s": 0}, {"max_retries": -1}])
def test_bad_arguments(arguments: dict[str, Any]) -> None:
    with pytest.raises(ModelConfigError):
        OpenAICompatible(**{"model": "tiny", **arguments})
