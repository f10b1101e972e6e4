"""A conversation with the model: asked through the run, shortened before it overflows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundplan.models.errors import BadReply
from groundplan.models.protocol import Message, Model, Sampling

CHARACTERS_PER_TOKEN = 3.5
_LEFT_OUT = "(Earlier attempts of this conversation are left out here.)"


@dataclass(frozen=True, slots=True)
class Chat:
    """Messages so far, from a system message and a question on; every question has its answer.

    `cut_off` says that the last answer was ended by the token limit.
    """

    messages: tuple[Message, ...]
    cut_off: bool = False

    @property
    def answer(self) -> str:
        """The last answer, or an empty text before the first."""
        last = self.messages[-1]
        return last.content if last.role == "assistant" else ""


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks `model`; with `trim_tokens`, a conversation is shortened to about that size before it is sent.

    `ask` raises what the model raises, and BudgetExhausted. An answer without text is an empty answer: the loops
    treat it as any other that is of no use.
    """

    model: Model
    sampling: Sampling
    trim_tokens: int | None = None

    def open(self, messages: Sequence[Message], sample: int = 0) -> Chat:
        """Start a conversation; `sample` above 0 asks for another answer to the same question."""
        return self._reply(tuple(messages), sample)

    def ask(self, chat: Chat, question: str) -> Chat:
        """The conversation with one more question and its answer."""
        return self._reply((*chat.messages, Message("user", question)), 0)

    def _reply(self, messages: tuple[Message, ...], sample: int) -> Chat:
        sampling = self.sampling
        if sample and sampling.temperature == 0.0:
            sampling = replace(sampling, temperature=0.7)  # greedy samples would all be the same
        sent = shortened(messages, self.trim_tokens) if self.trim_tokens else messages
        try:
            reply = self.model.reply(sent, sampling, sample)
        except BadReply:
            return Chat((*messages, Message("assistant", "")))
        return Chat((*messages, Message("assistant", reply.text)), reply.finish == "length")


def tokens_of(messages: Sequence[Message]) -> int:
    """About how many tokens the messages take; on the safe side for English and code."""
    return int(sum(len(message.content) for message in messages) / CHARACTERS_PER_TOKEN) + 4 * len(messages)


def shortened(messages: Sequence[Message], limit: int) -> tuple[Message, ...]:
    """The messages, without the oldest exchanges after the opening question where all would be over `limit` tokens.

    The opening (system message and first question) and the last two exchanges always stay: a program, what is wrong
    with it, why, and the question for the fix.
    """
    kept = list(messages)
    opening = next((n for n, message in enumerate(kept) if message.role == "user"), 0) + 1
    dropped = False
    while tokens_of(kept) > limit and len(kept) - opening > 4:
        del kept[opening : opening + 2]  # an answer and the question after it
        dropped = True
    if dropped:
        first = kept[opening - 1]
        kept[opening - 1] = Message(first.role, f"{first.content}\n\n{_LEFT_OUT}")
    return tuple(kept)
