"""Writing replies: nucleus sampling at a temperature in training, greedy in evaluation (section B.2).

Log-probabilities are those of the distribution that was sampled from, the grammar's mask included (its tokens are
renormalised), but at temperature 1 and without the nucleus: that is pi_theta of Eq. 11, and what PPO recomputes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from groundplan.train.guides import Guide, unpack
from groundplan.train.policy import Role, RolePolicy


class Decoding(BaseModel):
    """`temperature` 0 is greedy; `nucleus` is the share of probability kept (top-p)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float = Field(0.7, ge=0)
    nucleus: float = Field(0.95, gt=0, le=1)
    max_tokens: int = Field(256, ge=1)


GREEDY = Decoding(temperature=0.0, nucleus=1.0)


@dataclass(frozen=True, slots=True)
class Written:
    """A reply's tokens, the end of text included where it was reached (`finished`), the masks under which they were
    written (tokens, words; None without a grammar), and how long the batch took."""

    tokens: tuple[int, ...]
    text: str
    finished: bool
    masks: Tensor | None = None


@torch.no_grad()
def write(
    policy: RolePolicy,
    role: Role,
    contexts: Sequence[Sequence[int]],
    decoding: Decoding,
    guides: Sequence[Guide | None],
    seeds: Sequence[int] | None = None,
) -> list[Written]:
    """One reply for each context, written side by side. Each reply's seed decides its samples, whatever it is written
    beside and on whatever device. Raises ValueError for sampling without seeds."""
    rows = _Rows(policy, role, contexts, guides)
    streams = [random.Random(seed) for seed in seeds] if seeds is not None else None
    logits = rows.first()
    for _ in range(decoding.max_tokens):
        allowed = rows.masks()
        tokens = choose(logits, allowed, decoding, streams)
        if rows.take(tokens.tolist()):
            break
        logits = rows.next(tokens)
    return rows.written()


def choose(
    logits: Tensor, allowed: Tensor | None, decoding: Decoding, streams: Sequence[random.Random] | None = None
) -> Tensor:
    """The next token of each row (rows, vocabulary) -> (rows,); a row takes one number of its stream."""
    scores = logits.float()
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    if decoding.temperature == 0:
        return scores.argmax(-1)
    if streams is None:
        raise ValueError("sampling at a temperature needs seeds")
    probabilities = torch.softmax(scores / decoding.temperature, -1).cpu()
    ordered, places = probabilities.sort(descending=True, stable=True)
    before = ordered.cumsum(-1) - ordered
    ordered = ordered.masked_fill(before >= decoding.nucleus, 0.0)
    below = ordered.double().cumsum(-1)
    drawn = torch.tensor([[stream.random()] for stream in streams], dtype=torch.double) * below[:, -1:]
    chosen = torch.searchsorted(below, drawn, right=True).clamp(max=ordered.shape[1] - 1)
    return places.gather(-1, chosen).squeeze(-1).to(logits.device)


class _Rows:
    """The state of a batch that is being written: rows that have ended are carried along and fed the end of text."""

    def __init__(
        self, policy: RolePolicy, role: Role, contexts: Sequence[Sequence[int]], guides: Sequence[Guide | None]
    ) -> None:
        self.policy, self.role, self.contexts, self.guides = policy, role, contexts, guides
        self.end = policy.tokenizer.eos_token_id
        self.tokens: list[list[int]] = [[] for _ in contexts]
        self.kept: list[list[Tensor]] = [[] for _ in contexts]
        self.done = [False] * len(contexts)
        self.closing = [False] * len(contexts)
        self.model = policy.activate(role)
        self.vocabulary = self.model.get_output_embeddings().weight.shape[0]

    def first(self) -> Tensor:
        """Logits after [e_rho; context]; contexts are padded on the left."""
        device, width = self.policy.device, max(map(len, self.contexts))
        ids = torch.full((len(self.contexts), width), self.end, device=device)
        self.mask = torch.zeros(len(self.contexts), width + 1, dtype=torch.long, device=device)
        for row, context in enumerate(self.contexts):
            if context:
                ids[row, width - len(context) :] = torch.tensor(context, device=device)
            self.mask[row, width - len(context) :] = 1
        embedded = self.model.get_input_embeddings()(ids)
        inputs = torch.cat([torch.zeros_like(embedded[:, :1]), embedded], dim=1)
        for row, context in enumerate(self.contexts):
            inputs[row, width - len(context)] = self.policy.embeddings[self.role].to(inputs.dtype)
        return self._forward(inputs_embeds=inputs)

    def next(self, tokens: Tensor) -> Tensor:
        self.mask = torch.cat([self.mask, torch.ones_like(self.mask[:, :1])], dim=1)
        return self._forward(input_ids=tokens[:, None], past_key_values=self.cache)

    def _forward(self, **inputs: Tensor) -> Tensor:
        places = (self.mask.cumsum(-1) - 1).clamp(min=0)
        new = next(iter(inputs.values())).shape[1]
        found = self.model.get_decoder()(
            **inputs, attention_mask=self.mask, position_ids=places[:, -new:], use_cache=True
        )
        self.cache = found.past_key_values
        logits: Tensor = self.model.get_output_embeddings()(found.last_hidden_state[:, -1])
        return logits

    def masks(self) -> Tensor | None:
        """(rows, vocabulary) booleans; None where no row is guided. A reply whose grammar has ended may only end."""
        if all(guide is None for guide in self.guides):
            return None
        anything = torch.full(((self.vocabulary + 31) // 32,), -1, dtype=torch.int32)
        rows = [anything] * len(self.guides)
        for row, guide in enumerate(self.guides):
            if guide is not None and not self.done[row]:
                rows[row] = self._end_only() if self.closing[row] else guide.allowed()
                self.kept[row].append(rows[row])
        return unpack(torch.stack(rows), self.vocabulary).to(self.policy.device)

    def _end_only(self) -> Tensor:
        mask = torch.zeros((self.vocabulary + 31) // 32, dtype=torch.int32)
        mask[self.end // 32] = 1 << (self.end % 32) if self.end % 32 < 31 else -(1 << 31)
        return mask

    def take(self, tokens: list[int]) -> bool:
        """Add a token to each row; whether all have ended."""
        for row, token in enumerate(tokens):
            if self.done[row]:
                continue
            self.tokens[row].append(token)
            guide = self.guides[row]
            if token == self.end:
                self.done[row] = True
            elif guide is not None and guide.accept(token):
                self.closing[row] = True
        return all(self.done)

    def written(self) -> list[Written]:
        found = []
        for tokens, kept, done in zip(self.tokens, self.kept, self.done, strict=True):
            text = self.policy.tokenizer.decode(tokens[:-1] if done else tokens)
            found.append(Written(tuple(tokens), text, done, torch.stack(kept) if kept else None))
        return found
