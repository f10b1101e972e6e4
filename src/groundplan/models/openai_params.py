"""The body of a chat request, and which of its parameters a server does not take."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from groundplan.models.protocol import Message, Sampling

_OPTIONAL = ("max_completion_tokens", "max_tokens", "temperature", "top_p", "seed")
_REFUSAL = re.compile(
    r"unsupported|not supported|n[o']t support|does not (accept|take|allow)|unknown|unrecogni[sz]ed|unexpected"
    r"|not (permitted|allowed)|extra (inputs|fields)|deprecated|cannot both|instead",
    re.IGNORECASE,
)


def request_body(
    model: str, messages: Sequence[Message], sampling: Sampling, refused: Collection[str] = ()
) -> dict[str, Any]:
    """The request, without the parameters in `refused`; a refused `max_tokens` goes as `max_completion_tokens`.

    `top_p` and `seed` are sent only when they say something, since several servers know neither.
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": _encodable(message.content)} for message in messages],
        "temperature": sampling.temperature,
    }
    body["max_completion_tokens" if "max_tokens" in refused else "max_tokens"] = sampling.max_tokens
    if sampling.top_p != 1.0:
        body["top_p"] = sampling.top_p
    if sampling.seed is not None:
        body["seed"] = sampling.seed
    return {name: value for name, value in body.items() if name not in refused}


def refused_parameter(body: Collection[str], status: int | None, text: str, param: str = "", code: str = "") -> str:
    """The optional parameter of `body` that an error says the model does not take; empty when it says no such thing.

    A value out of range is no such thing: leaving it out would decode in another way than was asked.
    """
    if status not in (400, 422) or not (code.startswith("unsupported") or _REFUSAL.search(text)):
        return ""
    sent = [name for name in _OPTIONAL if name in body]
    if param in sent:
        return param
    named = [(match.start(), name) for name in sent if (match := re.search(rf"\b{name}\b", text))]
    return min(named)[1] if named else ""


def _encodable(text: str) -> str:
    """Half of a surrogate pair has no UTF-8 form and would stop the request: it becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
