"""Why a language model could not answer.

ModelError                  from groundplan.errors: exit code 3
├── ModelConfigError        a name, URL, file or parameter that cannot work; also an InputError: exit code 2
├── AuthenticationError     the key is missing or refused; also an InputError: exit code 2
├── ConnectionFailed        nothing answers at the URL
├── RateLimited             refused for too many requests (or an empty account), after the retries
├── ServerFailed            the server answered with a fault of its own, after the retries
├── ReplyTimeout            no answer in time
├── PromptTooLong           the prompt does not fit into the model's context
├── BadReply                there was an answer, but no usable text in it; it may have been billed
└── RecordingMissing        a recording or a script holds no reply to this prompt

No message, attribute or representation of these holds a key.
"""

from __future__ import annotations

from groundplan.errors import InputError, ModelError
from groundplan.models.protocol import Usage

__all__ = [
    "AuthenticationError",
    "BadReply",
    "ConnectionFailed",
    "ModelConfigError",
    "ModelError",
    "PromptTooLong",
    "RateLimited",
    "RecordingMissing",
    "ReplyTimeout",
    "ServerFailed",
]


class ModelConfigError(InputError, ModelError):
    """The model cannot be used as it was named or set up; the message says what to change."""


class AuthenticationError(InputError, ModelError):
    """The key is missing or the server refuses it (HTTP 401 or 403)."""


class ConnectionFailed(ModelError):
    """Nothing answers at the URL, or the connection broke."""


class RateLimited(ModelError):
    """The server still refuses after all retries (HTTP 429), or the account is out of credit.

    `waited_s` is how many seconds were spent waiting between the attempts.
    """

    def __init__(self, message: str, waited_s: float = 0.0) -> None:
        super().__init__(message)
        self.waited_s = waited_s


class ServerFailed(ModelError):
    """The server answered with a fault of its own (HTTP 5xx) after all retries."""


class ReplyTimeout(ModelError):
    """No answer came in time."""


class PromptTooLong(ModelError):
    """The prompt, or prompt and `max_tokens` together, do not fit into the model's context."""


class BadReply(ModelError):
    """An answer without usable text: empty, unreadable, or withheld by a content filter.

    `usage` is what the answer cost where the server said so: it was an answer, so it may have been billed.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage if usage is not None else Usage()


class RecordingMissing(ModelError):
    """A recording or a script holds no reply to this prompt; the message says which prompt comes nearest."""
