"""Access to language models: messages in, reply and usage out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to decode. Greedy (temperature 0) by default, as at inference in the multi-role paper (section B.2)."""

    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 4096
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call and, where prices are known, its cost in US dollars."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. `finish` is "length" when the reply was cut off by the token limit."""

    text: str
    model: str
    finish: str = "stop"
    usage: Usage = Usage()
    seconds: float = 0.0


class Model(Protocol):
    """A language model. `sample` tells independent samples of one prompt apart (0, 1, 2, ...).

    `reply` raises groundplan.models.errors.ModelError subclasses: authentication, connection, rate limit, bad
    response, missing recording. It never returns an error as a text.
    """

    @property
    def name(self) -> str: ...

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply: ...
