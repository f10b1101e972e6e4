"""A model that says what it is told to: the library's test seam."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from groundplan.models.errors import BadReply, RecordingMissing
from groundplan.models.protocol import Message, Reply, Sampling, Usage

Line = str | Reply | Exception
"""One entry of a script: a text, a whole reply, or an exception to raise."""


class ScriptedModel:
    """Answers from a script: a sequence used up in order, or a function of (messages, sample).

    `calls` counts the questions, `prompts` holds them. An empty text is a BadReply, as with any model; a script that
    is used up raises RecordingMissing; an exception in the script is raised when its turn comes.
    """

    def __init__(
        self, replies: Sequence[Line] | Callable[[Sequence[Message], int], Line], name: str = "scripted"
    ) -> None:
        self.calls = 0
        self.prompts: list[tuple[Message, ...]] = []
        self._replies = replies if callable(replies) else tuple(replies)
        self._name = name
        self._next = 0
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._name

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply:
        with self._lock:
            self.calls += 1
            self.prompts.append(tuple(messages))
            position = self._next
            self._next += 1
        line = self._replies(messages, sample) if callable(self._replies) else self._at(position, messages)
        if isinstance(line, Exception):
            raise line
        # Nothing is billed, which is not the same as an unknown price.
        answer = Reply(line, self._name, usage=Usage(cost_usd=0.0)) if isinstance(line, str) else line
        if not answer.text.strip():
            raise BadReply(f"{self._name}: reply {position + 1} of the script is empty", answer.usage)
        return answer

    def skip(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> None:
        """A resumed run answered this question from its log: pass over the script's entry for it."""
        with self._lock:
            self._next += 1

    def _at(self, position: int, messages: Sequence[Message]) -> Line:
        assert not callable(self._replies)
        if position < len(self._replies):
            return self._replies[position]
        asked = messages[-1].content if messages else ""
        start = " ".join(asked.split())[:120]
        raise RecordingMissing(
            f"{self._name}: the script holds {len(self._replies)} replies, this is question {position + 1}: `{start}`"
        )
