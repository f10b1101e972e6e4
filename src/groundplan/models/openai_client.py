"""Any server that speaks OpenAI's chat protocol: hosted, vLLM, llama.cpp, Ollama."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from groundplan.models.errors import AuthenticationError, ModelConfigError
from groundplan.models.openai_failures import (
    RETRIED,
    Failure,
    Kind,
    error_for,
    failure_from_sdk,
    failure_from_status,
    without_secrets,
)
from groundplan.models.openai_params import refused_parameter, request_body
from groundplan.models.openai_replies import decode_answer, read_reply
from groundplan.models.prices import Prices
from groundplan.models.protocol import Message, Reply, Sampling
from groundplan.models.retry import LONGEST_ASKED_WAIT_S, Attempt, wait_before_retry

if TYPE_CHECKING:
    from openai import OpenAI

HOSTED_URL = "https://api.openai.com/v1"
_NO_KEY = "none"  # the SDK wants some key; local servers read none
_TIMEOUT_RETRIES = 1  # a prompt that took too long once may have been billed, and will probably take too long again


class OpenAICompatible:
    """`model` at `base_url` (else the environment's OPENAI_BASE_URL, else OpenAI's own).

    The key comes from the environment variable `api_key_env` alone; servers other than OpenAI's may need none.
    `timeout_s` bounds each wait for the server's bytes, `max_retries` the repeats after a rate limit, a server's fault
    or a broken connection; `on_attempt` sees each attempt that failed. `run_id` makes the Idempotency-Key of a question
    the same in every process of a run, so that a server which honours it does not bill a question twice that was in
    flight at a kill. A parameter that the model refuses is left out from then on. Thread-safe.

    Raises ModelConfigError for a URL or a number that cannot work. `reply` raises every error of
    groundplan.models.errors but RecordingMissing.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key_env: str = "OPENAI_API_KEY",
        *,
        timeout_s: float = 600.0,
        max_retries: int = 5,
        prices: Prices | None = None,
        run_id: str | None = None,
        on_attempt: Callable[[Attempt], None] | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not model.strip():
            raise ModelConfigError("a model needs a name, as in `openai:gpt-5-mini`")
        if timeout_s <= 0 or max_retries < 0:
            raise ModelConfigError(f"{model}: the time-out must be above 0 and the retries at least 0")
        self._model = model
        self._url = _checked_url(base_url or os.environ.get("OPENAI_BASE_URL") or HOSTED_URL)
        self._key_env = api_key_env
        self._timeout_s = timeout_s
        self._max_retries = max_retries
        self._prices = prices
        self._run_id = run_id or uuid.uuid4().hex
        self._on_attempt = on_attempt
        self._sleep = sleep
        self._refused: set[str] = set()
        self._has_answered = False
        self._client: OpenAI | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"OpenAICompatible({self._model!r}, {without_secrets(self._url)!r})"

    @property
    def name(self) -> str:
        return self._model

    @property
    def place(self) -> str:
        """Model and URL, for messages."""
        return f"{self._model} at {without_secrets(self._url)}"

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply:
        client = self._connected()
        failures = requests = 0
        waited_s = 0.0
        while True:
            body = request_body(self._model, messages, sampling, self._refused)
            answer = self._request(client, body, sample)
            requests += 1
            if isinstance(answer, Reply):
                self._has_answered = True
                return answer
            left_out = refused_parameter(body, answer.status, answer.text, answer.param, answer.code)
            if left_out:
                self._refused.add(left_out)
                self._show(Attempt(requests, f"the model does not take `{left_out}`: sent again without it", 0.0))
                continue
            failures += 1
            if not self._worth_retrying(answer, failures):
                raise error_for(
                    answer, self.place, self._key_env, bool(self._key()), requests, waited_s, self._timeout_s
                )
            wait_s = wait_before_retry(failures, answer.asked_wait_s)
            self._show(Attempt(requests, answer.summary, wait_s))
            self._sleep(wait_s)
            waited_s += wait_s

    def _request(self, client: OpenAI, body: dict[str, Any], sample: int) -> Reply | Failure:
        """One request. Raises BadReply; every other fault comes back as data, so that nothing of the request
        (its headers hold the key) stays in an exception's context."""
        from openai import OpenAIError

        started = time.monotonic()
        headers = {"Idempotency-Key": self._idempotency_key(body, sample)}
        try:
            raw = client.chat.completions.with_raw_response.create(**body, extra_headers=headers)
            data = raw.http_response.content
        except OpenAIError as error:
            return failure_from_sdk(error, self._key())
        answer = decode_answer(data, self.place, self._key())
        fault = answer.get("error")
        if fault and not answer.get("choices"):  # some gateways wrap a fault in HTTP 200
            code = fault.get("code") if isinstance(fault, dict) else None
            return failure_from_status(code if isinstance(code, int) else 500, fault, {}, self._key())
        return read_reply(answer, self._model, self.place, self._prices, time.monotonic() - started)

    def _worth_retrying(self, failure: Failure, failures: int) -> bool:
        if failure.kind not in RETRIED or failures > self._max_retries:
            return False
        if failure.kind is Kind.UNREACHABLE and not self._has_answered:
            return False  # nobody ever answered here: the URL is wrong or the server is down, and waiting helps nobody
        if failure.kind is Kind.TIMEOUT and failures > _TIMEOUT_RETRIES:
            return False
        return (failure.asked_wait_s or 0.0) <= LONGEST_ASKED_WAIT_S

    def _show(self, attempt: Attempt) -> None:
        if self._on_attempt is not None:
            self._on_attempt(attempt)

    def _idempotency_key(self, body: dict[str, Any], sample: int) -> str:
        asked = json.dumps([self._run_id, body, sample], sort_keys=True)
        return f"groundplan-{hashlib.sha256(asked.encode()).hexdigest()[:48]}"

    def _key(self) -> str:
        return os.environ.get(self._key_env, "").strip()

    def _connected(self) -> OpenAI:
        """The SDK's client, made at the first question: the import takes 1.6 s."""
        with self._lock:
            if self._client is None:
                key = self._key()
                if not key and urlsplit(self._url).hostname == urlsplit(HOSTED_URL).hostname:
                    raise AuthenticationError(
                        f"{self.place}: no key. Put it into the environment variable {self._key_env}, "
                        "or give the base URL of a local server"
                    )
                if not (key.isascii() and key.isprintable()):
                    raise AuthenticationError(
                        f"{self.place}: the key in {self._key_env} holds characters that no key has; copy it again"
                    )
                import openai

                timeout = openai.Timeout(self._timeout_s, connect=min(self._timeout_s, 15.0))
                self._client = openai.OpenAI(api_key=key or _NO_KEY, base_url=self._url, timeout=timeout, max_retries=0)
            return self._client


def _checked_url(url: str) -> str:
    """The URL in the form the SDK wants. Raises ModelConfigError when it cannot be one."""
    url = url.strip().rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ModelConfigError("the base URL must begin with http:// or https://, as in http://localhost:8000/v1")
    return url
