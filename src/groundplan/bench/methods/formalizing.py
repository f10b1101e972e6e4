"""Methods that write a formal model and ask a solver: by samples (LLM+P and its like), and by repairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from groundplan.bench.methods.draft import Draft, Writing
from groundplan.bench.methods.formal_drafts import FormalDrafts
from groundplan.bench.methods.meter import Meter
from groundplan.bench.methods.pddl_drafts import PlainDrafts, RoleDrafts
from groundplan.bench.methods.protocol import Checked, Context
from groundplan.bench.methods.trail import Trail, ended
from groundplan.bench.sets.task import Answer, Step, Task
from groundplan.errors import InputError

NOTHING_YET = "Nothing has been written yet. Write the whole specification."
"""What an Editor without an Actor is told first."""


@dataclass(frozen=True, slots=True)
class Formalizer:
    """What the methods of this file have in common; `roles` says whose prompts they use."""

    name: str
    roles: bool

    def refuse(self, context: Context) -> None:
        if not context.about_pddl and context.formal is None:
            raise InputError(
                f"`{self.name}` writes a formal model, and this set has no solver for one: take cot, "
                "self-consistency or tot"
            )

    def writing(self, task: Task, context: Context, meter: Meter) -> Writing:
        self.refuse(context)
        if not context.about_pddl and context.formal is not None:
            return FormalDrafts(task, context.formal, meter)
        return (RoleDrafts if self.roles else PlainDrafts)(task, context, meter)


@dataclass(frozen=True, slots=True)
class Sampler(Formalizer):
    """Independent drafts, solved one after the other until one has a plan; the solver says no more than yes or no.

    `most` bounds their number besides K. With one draft it is greedy. With a `judge`, all drafts are written first, and
    solved in the order of the Judge's scores (of equal ones, as they were written).
    """

    most: int | None = None
    judge: bool = False

    def answer(self, task: Task, context: Context) -> Answer:
        return ended(self._work, task, context)

    def model_calls(self, context: Context) -> tuple[int, int]:
        n = self._number(context)
        return (n, 2 * n) if self.judge else (min(n, 1), n)

    def _number(self, context: Context) -> int:
        return context.solver_calls if self.most is None else min(self.most, context.solver_calls)

    def _work(self, task: Task, context: Context, meter: Meter, trail: Trail) -> None:
        writing = self.writing(task, context, meter)
        n = self._number(context)
        if not n:
            meter.refuse_solver()
        if self.judge:
            _by_score(writing, n, trail)
            return
        for sample in range(n):
            draft = writing.first(None if self.most == 1 else sample)
            if try_out(writing, draft, trail).solved:
                return


def _by_score(writing: Writing, n: int, trail: Trail) -> None:
    scores: list[tuple[float, int, Draft]] = []
    for sample in range(n):
        draft = writing.first(sample)
        if not draft.readable:
            trail.unread(draft.reply)
            continue
        score = writing.judged(draft)
        scores.append((-1.0 if score is None else score, -sample, draft))
    for value, _, draft in sorted(scores, key=lambda item: item[:2], reverse=True):
        if try_out(writing, draft, trail, None if value < 0 else value).solved:
            return


@dataclass(frozen=True, slots=True)
class Repairer(Formalizer):
    """A draft, then revisions after what the solver says, K candidates in all (Algorithm 1 at inference).

    The first solved candidate is the answer, else the last one. `first` says who writes the first draft: the Actor, or
    an Editor that starts from nothing. A `judge` scores every candidate and chooses none.
    """

    judge: bool = False
    first: Literal["actor", "editor"] = "actor"

    def answer(self, task: Task, context: Context) -> Answer:
        return ended(self._work, task, context)

    def model_calls(self, context: Context) -> tuple[int, int]:
        n = context.solver_calls * (2 if self.judge else 1)
        return min(n, 2 if self.judge else 1), n

    def _work(self, task: Task, context: Context, meter: Meter, trail: Trail) -> None:
        writing = self.writing(task, context, meter)
        if not context.solver_calls:
            meter.refuse_solver()
        empty = Draft(task.domain if context.about_pddl else "", "")
        draft = writing.first() if self.first == "actor" else writing.revised(empty, NOTHING_YET)
        for _ in range(context.solver_calls - 1):
            found = try_out(writing, draft, trail, self._score(writing, draft))
            if found.solved:
                return
            revised = writing.revised(draft, found.explanation)
            if revised.readable and revised.same_as(draft):  # greedy, so the same question would get the same answer
                trail.reason = "the model found nothing to revise"
                return
            draft = revised
        try_out(writing, draft, trail, self._score(writing, draft))

    def _score(self, writing: Writing, draft: Draft) -> float | None:
        return writing.judged(draft) if self.judge and draft.readable else None


def try_out(writing: Writing, draft: Draft, trail: Trail, score: float | None = None) -> Checked:
    """Check a draft and put it into the trail; one that cannot be read costs no solver call."""
    if not draft.readable:
        trail.unread(draft.reply)
        return Checked(False, explanation=draft.fault)
    found = writing.checked(draft)
    trail.add(Step(draft.domain, draft.problem, found.plan, found.solved, found.category, score))
    trail.text = found.text or (draft.reply.text if draft.reply else "")
    return found
