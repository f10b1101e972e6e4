"""The three roles at inference, prompted: what they are asked, and what is made of their replies."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.formalize import prompts
from groundplan.formalize.extract import Extraction, extract, no_answer
from groundplan.formalize.specification import Judgement, Specification
from groundplan.models.errors import BadReply
from groundplan.models.protocol import Message, Model, Reply, Sampling
from groundplan.pddl.diagnostics import Diagnostic

GREEDY = Sampling(temperature=0.0, max_tokens=8192)
"""Decoding at inference (section B.2)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A specification as a role gave it, and what was wrong with the reply itself."""

    role: str
    specification: Specification
    notes: tuple[str, ...] = ()
    faults: tuple[Diagnostic, ...] = ()


class Roles:
    """Actor, Judge and Editor over one model. With `domain`, only problems are written (the LLM+P setting)."""

    def __init__(self, model: Model, text: str, domain: str = "", sampling: Sampling = GREEDY) -> None:
        self.model = model
        self.text = text
        self.domain = domain
        self.sampling = sampling

    @property
    def is_greedy(self) -> bool:
        """Whether the same question gets the same answer."""
        return self.sampling.temperature == 0.0

    def act(self, sample: int = 0) -> Draft:
        """y_0 ~ pi(. | x, A). Raises ModelError; an unusable reply is a draft with a fault."""
        reply = self._ask(prompts.actor(self.text, self.domain), sample)
        return self._draft("actor", reply, Specification(self.domain))

    def edit(self, current: Specification, diagnostics: str, sample: int = 0) -> Draft:
        """y_t+1 ~ pi(. | x, y_t, d_t, E); parts that the reply leaves out stay as they are."""
        reply = self._ask(prompts.editor(self.text, current, diagnostics, bool(self.domain)), sample)
        return self._draft("editor", reply, current)

    def judge(self, specification: Specification) -> Judgement:
        """s_J(x, y) as a prompted model gives it; no score where the reply holds none."""
        reply = self._ask(prompts.judge(self.text, specification), 0)
        return read_judgement(reply.text if reply else "")

    def _ask(self, messages: Sequence[Message], sample: int) -> Reply | None:
        try:
            return self.model.reply(messages, self.sampling, sample)
        except BadReply:  # an answer, though without text: the Editor gets a chance
            return None

    def _draft(self, role: str, reply: Reply | None, current: Specification) -> Draft:
        text = reply.text if reply else ""
        found = extract(text)
        notes = list(found.notes)
        if self.domain and found.domain is not None:
            notes.append("the reply rewrote the domain that was given; the given one was kept")
        if reply is not None and reply.finish == "length":
            notes.append("the reply was cut off by the token limit")
        specification = Specification(
            self.domain or (found.domain if found.domain is not None else current.domain),
            found.problem if found.problem is not None else current.problem,
        )
        return Draft(role, specification, tuple(notes), self._faults(text, found, specification))

    def _faults(self, text: str, found: Extraction, specification: Specification) -> tuple[Diagnostic, ...]:
        if found.empty:
            return (no_answer(text, "PDDL"),)
        missing = [name for name in ("domain", "problem") if not getattr(specification, name)]
        return tuple(no_answer(text, name) for name in missing)


_SCORE = re.compile(r"\bscore\b\W{0,5}([01](?:\.\d+)?|\.\d+)(\s*/\s*1\b)?", re.IGNORECASE)


def read_judgement(text: str) -> Judgement:
    """The score and reasons of a Judge's reply: JSON first, else a `score: 0.8` in prose. Never a guess."""
    for match in re.finditer(r"\{", text):
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        score = value.get("score") if isinstance(value, dict) else None
        if isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1:
            reasons = value.get("reasons", [])
            items = reasons if isinstance(reasons, list) else [reasons]
            return Judgement(float(score), tuple(str(item) for item in items))
    found = _SCORE.search(text)
    return Judgement(float(found.group(1))) if found and float(found.group(1)) <= 1 else Judgement(None)
