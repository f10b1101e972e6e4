"""A local server that speaks OpenAI's chat protocol as a test tells it to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    delay_s: float = 0.0
    hang_up: bool = False


@dataclass(frozen=True)
class Request:
    path: str
    headers: Mapping[str, str]
    body: Any


def completion(text: str | None = "hello", finish: str = "stop", **more: Any) -> Answer:
    message = {"role": "assistant", "content": text, **more}
    data = {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny-2026",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
    return Answer(body=json.dumps(data).encode())


def fault(status: int, message: str = "no", headers: Mapping[str, str] | None = None, **more: Any) -> Answer:
    body = json.dumps({"error": {"message": message, **more}}).encode()
    return Answer(status, body, {"Content-Type": "application/json", **(headers or {})})


class ChatServer:
    """Answers the n-th request (from 0) with `script(n, request)`; keeps all requests."""

    def __init__(self, script: Callable[[int, Request], Answer]) -> None:
        self.requests: list[Request] = []
        self._script = script
        self._mutex = threading.Lock()
        self._closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["Content-Length"]))
                request = Request(
                    self.path, {name.lower(): value for name, value in self.headers.items()}, json.loads(data)
                )
                with outer._mutex:
                    number = len(outer.requests)
                    outer.requests.append(request)
                answer = outer._script(number, request)
                deadline = time.monotonic() + answer.delay_s
                while time.monotonic() < deadline and not outer._closing.is_set():
                    time.sleep(0.02)
                if answer.hang_up:
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)

            def log_message(self, *_: object) -> None:
                pass

        return Handler
