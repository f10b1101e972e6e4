"""Asking a model for shaping functions: several samples, each checked, mended once, and kept if it is a new one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from groundplan.adapt.operator import GroundOperator
from groundplan.adapt.rewards import prompt
from groundplan.adapt.rewards.noisy import first_of_each
from groundplan.adapt.rewards.static import FUNCTION, Fault
from groundplan.adapt.rewards.sub_goals import sub_goals_of
from groundplan.adapt.rewards.trial import Trial, Trier
from groundplan.generalize.python_text import Parsed
from groundplan.generalize.reply_blocks import blocks_in, without_prose
from groundplan.models.errors import BadReply
from groundplan.models.protocol import Message, Model, Sampling
from groundplan.runs.refine import Ending, refine
from groundplan.runs.run import Run

CANDIDATES, RETRIES, TEMPERATURE = 3, 1, 1.0
"""As in the reference: three samples at temperature 1. The retry with the error told is ours."""


@dataclass(frozen=True, slots=True)
class Written:
    """A reply, the source in it (empty where there is none), and the conversation that it came from."""

    source: str
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class Candidate:
    """One sample, as it ended. `status` is `kept`, `rejected` (`faults` say why) or `duplicate` (of sample
    `same_as`); `attempts` counts its replies."""

    sample: int
    source: str
    status: str
    attempts: int
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()
    same_as: int | None = None
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "sample": self.sample,
            "status": self.status,
            "attempts": self.attempts,
            "same_as": self.same_as,
            "reason": self.reason,
            "faults": [[fault.code, fault.message, fault.line] for fault in self.faults],
            "warnings": [[fault.code, fault.message, fault.line] for fault in self.warnings],
            "source": self.source,
        }


@dataclass(frozen=True)
class Candidates:
    """All samples for one sub-goal."""

    sub_goal: str
    all: tuple[Candidate, ...]

    @property
    def kept(self) -> tuple[Candidate, ...]:
        """Those to train with: usable, and no two the same."""
        return tuple(item for item in self.all if item.status == "kept")


def ask_for_shaping(
    model: Model,
    run: Run,
    operator: GroundOperator,
    place: int,
    trier: Trier,
    *,
    count: int = CANDIDATES,
    temperature: float = TEMPERATURE,
    max_tokens: int = 4096,
) -> Candidates:
    """Candidates for sub-goal `place` of the operator: their code, or why there is none.

    Every step is in the run's log; the kept sources are artifacts of the run
    (`rewards/<operator>/<sub-goal>/<sample>.py`), beside a `candidates.json`, to be read and used again. A model that
    fails, or a budget used up, leaves fewer candidates. Raises InputError, StorageError and CannotConfine.
    """
    goals = sub_goals_of(operator)
    name = str(goals.goals[place])
    asked = prompt.question(operator, goals, place, trier.layout)
    label = f"reward/{operator.name}/{place}"
    sampling = Sampling(temperature=temperature, max_tokens=max_tokens)
    found: list[Candidate] = []
    rewards = []
    for sample in range(count):
        steps = _Steps(model, sampling, sample, asked, trier)
        ended = refine(steps, run, rounds=RETRIES + 1, name=f"{label}/{sample}")
        last = ended.rounds[-1] if ended.rounds else None
        source = last.proposal.source if last else ""
        trial = last.check.trial if last else Trial(())
        accepted = ended.ending is Ending.ACCEPTED
        status, reason = ("kept" if accepted else "rejected"), ("" if accepted else ended.reason)
        found.append(Candidate(sample, source, status, len(ended.rounds), trial.faults, trial.warnings, reason=reason))
        rewards.append(trial.rewards if accepted else None)
    found = _without_duplicates(found, rewards)
    _keep(run, f"rewards/{operator.name}/{name}", found)
    run.once("candidates", label, sub_goal=name, statuses=[item.status for item in found])
    return Candidates(name, tuple(found))


def source_in(reply: str) -> str:
    """The code of the reply's block that holds the function; empty where there is none."""
    blocks = [without_prose(block, FUNCTION) for block in blocks_in(reply, FUNCTION)]
    holding = [block for block in blocks if f"def {FUNCTION}" in block.text]
    if not holding:
        return ""
    last = holding[-1]
    return (last.code.source if isinstance(last.code, Parsed) else last.text).strip() + "\n"


@dataclass(frozen=True)
class _Tried:
    """A check for the shared loop."""

    trial: Trial

    @property
    def accepted(self) -> bool:
        return self.trial.passed

    @property
    def explanation(self) -> str:
        return "; ".join(map(str, self.trial.faults))


@dataclass(frozen=True)
class _Steps:
    model: Model
    sampling: Sampling
    sample: int
    asked: tuple[Message, ...]
    trier: Trier

    def propose(self) -> Written:
        return self._ask(self.asked)

    def check(self, proposal: Written) -> _Tried:
        if not proposal.source:
            return _Tried(Trial((Fault("form", f"the answer holds no code block with `def {FUNCTION}`"),)))
        return _Tried(self.trier.try_out(proposal.source))

    def revise(self, proposal: Written, check: _Tried) -> Written:
        return self._ask((*proposal.messages, prompt.complaint(check.trial.faults)))

    def _ask(self, messages: tuple[Message, ...]) -> Written:
        try:
            text = self.model.reply(messages, self.sampling, self.sample).text
        except BadReply:
            text = ""
        return Written(source_in(text), (*messages, Message("assistant", text)))


def _without_duplicates(found: Sequence[Candidate], rewards: Sequence[Any]) -> list[Candidate]:
    """Mark each kept candidate that means the same as an earlier kept one."""
    usable = [place for place, item in enumerate(found) if item.status == "kept" and rewards[place] is not None]
    same = first_of_each([rewards[place] for place in usable])
    marked = list(found)
    for place, earlier in zip(usable, same, strict=True):
        if earlier is not None:
            item = found[place]
            marked[place] = Candidate(
                item.sample, item.source, "duplicate", item.attempts, (), item.warnings, found[usable[earlier]].sample
            )
    return marked


def _keep(run: Run, folder: str, found: Sequence[Candidate]) -> None:
    for item in found:
        if item.status == "kept":
            run.artifact(f"{folder}/{item.sample}.py", item.source)
    rows = [item.as_json() for item in found]
    run.artifact(f"{folder}/candidates.json", json.dumps(rows, indent=1) + "\n")
