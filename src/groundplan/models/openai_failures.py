"""What went wrong between us and an OpenAI-compatible server, sorted; and the error that says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from groundplan.models.errors import (
    AuthenticationError,
    BadReply,
    ConnectionFailed,
    ModelConfigError,
    ModelError,
    PromptTooLong,
    RateLimited,
    ReplyTimeout,
    ServerFailed,
)
from groundplan.models.retry import asked_wait

if TYPE_CHECKING:
    from openai import OpenAIError


class Kind(StrEnum):
    KEY = "key refused"
    CREDIT = "out of credit"
    BUSY = "too many requests"
    SERVER = "server fault"
    TIMEOUT = "no answer in time"
    UNREACHABLE = "no connection"
    TOO_LONG = "prompt too long"
    FILTERED = "withheld by a content filter"
    NOT_FOUND = "not found"
    REFUSED = "request refused"


RETRIED = frozenset({Kind.BUSY, Kind.SERVER, Kind.TIMEOUT, Kind.UNREACHABLE})

_TOO_LONG = re.compile(r"context.{0,20}(length|window|size)|prompt is too long|too many tokens", re.IGNORECASE)
_LOOKS_LIKE_KEY = re.compile(r"\b(?:sk|key|gsk|hf)[-_][\w*.-]{6,}")


@dataclass(frozen=True, slots=True)
class Failure:
    """One attempt that gave no reply. `text` is what the server said, without keys, for people."""

    kind: Kind
    text: str
    status: int | None = None
    code: str = ""
    param: str = ""
    asked_wait_s: float | None = None

    @property
    def summary(self) -> str:
        words = ": ".join(part for part in (str(self.status or ""), self.text) if part)
        return f"{self.kind.value} ({words})" if words else self.kind.value


def failure_from_sdk(error: OpenAIError, key: str) -> Failure:
    """Sort an exception of the SDK (2.x and 3.x name them alike)."""
    import openai

    if isinstance(error, openai.APITimeoutError):
        return Failure(Kind.TIMEOUT, "")
    if isinstance(error, openai.APIStatusError):
        return failure_from_status(error.status_code, error.body, error.response.headers, key)
    return Failure(Kind.UNREACHABLE, without_keys(str(error.__cause__ or error), key))


def failure_from_status(status: int, body: object, headers: Mapping[str, str], key: str) -> Failure:
    """Sort an HTTP status (or the same number inside an answer) and the error object that came with it."""
    details = body.get("error", body) if isinstance(body, Mapping) else body
    code, param, text = "", "", str(details or "")
    if isinstance(details, Mapping):
        code, param = str(details.get("code") or ""), str(details.get("param") or "")
        text = str(details.get("message") or details.get("detail") or "")
    return Failure(
        _kind(status, code, text),
        without_keys(text, key),
        status,
        code,
        param,
        asked_wait(headers) if headers else None,
    )


def _kind(status: int, code: str, text: str) -> Kind:
    if code == "insufficient_quota" or status == 402:
        return Kind.CREDIT
    if code == "context_length_exceeded" or status == 413 or (status == 400 and _TOO_LONG.search(text)):
        return Kind.TOO_LONG
    if code in ("content_filter", "content_policy_violation"):
        return Kind.FILTERED
    by_status = {
        401: Kind.KEY,
        403: Kind.KEY,
        404: Kind.NOT_FOUND,
        408: Kind.SERVER,
        409: Kind.SERVER,
        425: Kind.SERVER,
        429: Kind.BUSY,
    }
    return by_status.get(status, Kind.SERVER if status >= 500 else Kind.REFUSED)


def error_for(
    failure: Failure, place: str, key_env: str, key_sent: bool, attempts: int, waited_s: float, timeout_s: float
) -> ModelError:
    """The error that ends the question: what happened, where, and the way out."""
    tried = f"after {attempts} attempt{'s' if attempts != 1 else ''} and {waited_s:.1f} s of waiting"
    said = failure.summary
    match failure.kind:
        case Kind.KEY:
            way = f"check the key in {key_env}" if key_sent else f"no key was sent: put one into {key_env}"
            return AuthenticationError(f"{place}: {said}; {way}")
        case Kind.CREDIT:
            return RateLimited(f"{place}: {said}; add credit to the account, or use another model", waited_s)
        case Kind.BUSY:
            asked = failure.asked_wait_s
            wish = f"; the server asks to wait {asked:.0f} s more" if asked else ""
            return RateLimited(f"{place}: {said} {tried}{wish}; go on later or with fewer requests at once", waited_s)
        case Kind.SERVER:
            return ServerFailed(f"{place}: {said} {tried}; try again later")
        case Kind.TIMEOUT:
            return ReplyTimeout(f"{place}: no answer within {timeout_s:g} s, {tried}; allow more time")
        case Kind.UNREACHABLE:
            return ConnectionFailed(f"{place}: {said} {tried}; does the server run, and is the base URL right?")
        case Kind.TOO_LONG:
            return PromptTooLong(f"{place}: {said}; shorten the prompt or lower max_tokens")
        case Kind.FILTERED:
            return BadReply(f"{place}: {said}; change the prompt")
        case Kind.NOT_FOUND:
            return ModelConfigError(f"{place}: {said}; check the model's name, and that the base URL ends as it should")
        case Kind.REFUSED:
            return ModelConfigError(f"{place}: {said}")


def without_keys(text: str, key: str) -> str:
    """One short line of a server's words; the key, whole or masked by the server, becomes `[key]`."""
    if len(key) >= 4:
        text = text.replace(key, "[key]")
    return " ".join(_LOOKS_LIKE_KEY.sub("[key]", text).split())[:400]


def without_secrets(url: str) -> str:
    """The URL without user, password, query and fragment."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
