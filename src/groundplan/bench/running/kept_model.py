"""A model whose replies are written down before anyone sees them, and never paid for twice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from groundplan.bench.running.memory import Memory
from groundplan.models.errors import BadReply
from groundplan.models.exchange import Exchange, exchange_from_json, prompt_key
from groundplan.models.protocol import Message, Model, Reply, Sampling
from groundplan.runs.budget import REPLY


class KeptModel:
    """`model`, within one unit of work. The same question has one answer there, whichever method asks it.

    So a question has the same answer in whatever order tasks are done, and methods are compared on the same replies. A
    reply without text (BadReply) is an answer too, kept as an empty one. The events make up a recording that `replay:`
    reads. `unpriced` counts the replies of unknown cost.
    """

    def __init__(self, model: Model, unit: str, memory: Memory) -> None:
        self.unpriced = 0
        self._model = model
        self._unit = unit
        self._memory = memory

    @property
    def name(self) -> str:
        return self._model.name

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply:
        key = prompt_key(self.name, messages, sampling, sample)
        step = f"{self._unit}/{key}"
        known = self._memory.recall(REPLY, step)
        if known is None:
            known = self._asked(messages, sampling, sample)
            self._memory.keep(REPLY, step, known)
        answer = exchange_from_json({**known, "key": key}).reply
        self.unpriced += answer.usage.cost_usd is None
        if not answer.text.strip():
            raise BadReply(f"{self.name}: the reply is empty", answer.usage)
        return answer

    def _asked(self, messages: Sequence[Message], sampling: Sampling, sample: int) -> dict[str, Any]:
        self._memory.check_budget()
        try:
            answer = self._model.reply(messages, sampling, sample)
        except BadReply as error:
            answer = Reply("", self.name, "error", error.usage)
        recorded = datetime.now(UTC).isoformat(timespec="seconds")
        return Exchange(self.name, tuple(messages), sampling, sample, answer, recorded).as_json()
