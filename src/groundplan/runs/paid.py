"""Replies that are paid for once: the seam between a run and a model."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from heapq import heappop, heappush
from typing import Protocol, runtime_checkable

from groundplan.models.cached import CachedReply
from groundplan.models.errors import BadReply, ModelError
from groundplan.models.exchange import Exchange, exchange_from_json, prompt_key
from groundplan.models.protocol import Message, Model, Reply, Sampling, Usage
from groundplan.runs.budget import MODEL_ERROR, REPLY
from groundplan.runs.log import Event
from groundplan.runs.run import Run


@runtime_checkable
class InOrder(Protocol):
    """A model whose replies depend on how often it was asked; it is told of the questions that it does not see."""

    def skip(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> None: ...


class RecordedModel:
    """`model`, with every reply in the run's log before anyone sees it.

    A question whose reply is in the log (same messages, sampling and sample, asked for the n-th time) is answered from
    there, so that a run killed at any moment pays for no reply twice when it is resumed. Only the one that was in
    flight at the kill is asked again; OpenAICompatible sends it under the same Idempotency-Key. Make one of these for
    each model of a run: two for the same model would answer each other's questions.

    An error is an event too. A BadReply was an answer: it is raised again from the log if the run went on after it, and
    asked anew if the run ended with it. Every other error left no answer, and its question is asked anew.

    `reply` raises what the model raises, BudgetExhausted before a call beyond the run's budget, and StorageError when
    the log cannot be written.
    """

    def __init__(self, model: Model, run: Run) -> None:
        self._model = model
        self._run = run
        self._turns = _Turns()
        self._last_reply = max((event.n for event in run.events() if event.kind == REPLY), default=-1)

    @property
    def name(self) -> str:
        return self._model.name

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply:
        key = prompt_key(self.name, messages, sampling, sample)
        turn = self._turns.take(key)
        step = f"{key}#{turn}"
        known = self._run.recall(REPLY, step) or self._survived(step)
        if known is not None:
            if isinstance(self._model, InOrder):
                self._model.skip(messages, sampling, sample)
            return _settled(known)
        try:
            self._run.check_budget()
            answer = self._model.reply(messages, sampling, sample)
        except BaseException as error:
            if isinstance(error, ModelError):
                self._note(error, step, messages, sampling, sample)
            if not isinstance(error, BadReply):
                self._turns.give_back(key, turn)
            raise
        recorded = datetime.now(UTC).isoformat(timespec="seconds")
        exchange = Exchange(self.name, tuple(messages), sampling, sample, answer, recorded).as_json()
        cached = {"cached": True} if isinstance(answer, CachedReply) else {}
        return _settled(self._run.event(REPLY, durable=True, step=step, **exchange, **cached))

    def _survived(self, step: str) -> Event | None:
        """The BadReply of an earlier session that the run outlived."""
        event = self._run.recall(MODEL_ERROR, step)
        return event if event is not None and "usage" in event.payload and event.n < self._last_reply else None

    def _note(self, error: ModelError, step: str, messages: Sequence[Message], sampling: Sampling, sample: int) -> None:
        usage = {"usage": asdict(error.usage)} if isinstance(error, BadReply) else {}
        self._run.event(
            MODEL_ERROR,
            durable=True,
            step=step,
            model=self.name,
            error=type(error).__name__,
            message=str(error),
            messages=[asdict(message) for message in messages],
            sampling=asdict(sampling),
            sample=sample,
            **usage,
        )


def _settled(event: Event) -> Reply:
    """The reply of an event, or its BadReply raised."""
    if event.kind == MODEL_ERROR:
        raise BadReply(event.payload["message"], Usage(**event.payload["usage"]))
    return exchange_from_json(event.payload).reply


class _Turns:
    """How often each question was answered: 0, 1, 2, ...; a turn given back is the next one taken."""

    def __init__(self) -> None:
        self._next: defaultdict[str, int] = defaultdict(int)
        self._free: defaultdict[str, list[int]] = defaultdict(list)
        self._mutex = threading.Lock()

    def take(self, key: str) -> int:
        with self._mutex:
            if self._free[key]:
                return heappop(self._free[key])
            self._next[key] += 1
            return self._next[key] - 1

    def give_back(self, key: str, turn: int) -> None:
        with self._mutex:
            heappush(self._free[key], turn)
