"""One question to a model and its answer, as the JSON object that recordings, caches and run logs share.

    {"key": ..., "model": ..., "recorded": ..., "messages": [{"role", "content"}, ...],
     "sampling": {"temperature", "top_p", "max_tokens", "seed"}, "sample": 0,
     "reply": {"text", "finish", "model", "usage": {"prompt_tokens", "completion_tokens", "cost_usd"}, "seconds"}}

A person may write one by hand with `messages` and `reply.text` alone; the rest has defaults.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from groundplan.models.protocol import Message, Reply, Sampling, Usage


def prompt_key(model: str, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> str:
    """SHA-256 (hexadecimal) over everything that decides a reply: model, messages, sampling and sample index."""
    asked = {
        "model": model,
        "messages": [[message.role, message.content] for message in messages],
        "sampling": sampling_as_json(sampling),
        "sample": sample,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def sampling_as_json(sampling: Sampling) -> dict[str, Any]:
    """Numbers in one form each: `Sampling(temperature=0)` and `Sampling(temperature=0.0)` are the same."""
    return {
        "temperature": float(sampling.temperature),
        "top_p": float(sampling.top_p),
        "max_tokens": int(sampling.max_tokens),
        "seed": sampling.seed,
    }


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer. `model` is the name that was asked; `reply.model` the one that answered.

    `recorded` is the date (ISO 8601) of the answer, empty when unknown.
    """

    model: str
    messages: tuple[Message, ...]
    sampling: Sampling
    sample: int
    reply: Reply
    recorded: str = ""

    @property
    def key(self) -> str:
        return prompt_key(self.model, self.messages, self.sampling, self.sample)

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "model": self.model,
            "recorded": self.recorded,
            "messages": [{"role": message.role, "content": message.content} for message in self.messages],
            "sampling": sampling_as_json(self.sampling),
            "sample": self.sample,
            "reply": asdict(self.reply),
        }


def exchange_from_json(data: object) -> Exchange:
    """Read what `Exchange.as_json` gave. Raises ValueError, saying what is wrong, for anything else."""
    if not isinstance(data, Mapping):
        raise ValueError("not an object")
    model = _text(data, "model", "recorded")
    sampling = Sampling(**_fields(data.get("sampling", {}), Sampling(), "sampling"))
    answer = data.get("reply")
    if not isinstance(answer, Mapping):
        raise ValueError("`reply` must be an object with a `text`")
    reply = Reply(
        text=_text(answer, "text"),
        model=_text(answer, "model", model),
        finish=_text(answer, "finish", "stop"),
        usage=Usage(**_fields(answer.get("usage") or {}, Usage(), "usage")),
        seconds=_number(answer.get("seconds", 0.0), "seconds"),
    )
    sample = data.get("sample", 0)
    if not isinstance(sample, int) or isinstance(sample, bool):
        raise ValueError("`sample` must be a whole number")
    exchange = Exchange(model, _messages(data.get("messages")), sampling, sample, reply, _text(data, "recorded", ""))
    if data.get("key", exchange.key) != exchange.key:
        raise ValueError("`key` does not belong to this prompt; delete it if the prompt was edited on purpose")
    return exchange


def json_line(data: Mapping[str, Any]) -> bytes:
    """`data` as one line of JSON with its line end. Raises TypeError or ValueError for what JSON cannot hold."""
    try:
        return (json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n").encode()
    except UnicodeEncodeError:  # half of a surrogate pair: only an escape can hold it
        return (json.dumps(data, allow_nan=False) + "\n").encode()


def _messages(data: object) -> tuple[Message, ...]:
    if not isinstance(data, list) or not data:
        raise ValueError("`messages` must be a list of at least one message")
    messages = []
    for item in data:
        if not isinstance(item, Mapping) or not isinstance(item.get("content"), str):
            raise ValueError("each of `messages` must be an object with `role` and `content`")
        role = item.get("role")
        if role not in ("system", "user", "assistant"):
            raise ValueError(f"`role` must be system, user or assistant, not {role!r}")
        messages.append(Message(role, item["content"]))
    return tuple(messages)


def _text(data: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = data.get(name, default)
    if not isinstance(value, str):
        raise ValueError(f"`{name}` must be a text" if name in data else f"`{name}` is missing")
    return value


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"`{name}` must be a number")
    return value


def _fields(data: object, defaults: Sampling | Usage, name: str) -> dict[str, Any]:
    """The numbers of a flat dataclass; None only where the default is None."""
    if not isinstance(data, Mapping):
        raise ValueError(f"`{name}` must be an object")
    known = asdict(defaults)
    for field, value in data.items():
        if field not in known:
            raise ValueError(f"`{name}` has no field `{field}`")
        if not (value is None and known[field] is None):
            _number(value, field)
    return dict(data)
