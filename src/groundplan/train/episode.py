"""Algorithm 1 for a batch of episodes: Actor, solver, Judge, then the Editor until success or H_max."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from groundplan.train.contexts import actor_context, editor_context, judge_context
from groundplan.train.domain_form import DomainForm
from groundplan.train.environment import Answer, Environment
from groundplan.train.guides import Guides
from groundplan.train.policy import Role, RolePolicy
from groundplan.train.sampling import Decoding, Written, write
from groundplan.train.texts.written import WrittenTask


@dataclass(frozen=True, slots=True)
class Step:
    """One reply of a role, its context's tokens, and what the solver said of it."""

    role: Role
    context: tuple[int, ...]
    reply: Written
    answer: Answer


@dataclass(slots=True)
class Episode:
    """y_0, ..., y_T of one task, and s_J(x, y_0); `judged` is the Judge's context."""

    task: WrittenTask
    steps: list[Step] = field(default_factory=list)
    score: float | None = None
    seed: int | None = None
    judged: tuple[int, ...] = ()

    @property
    def first(self) -> Step:
        return self.steps[0]

    @property
    def last(self) -> Step:
        return self.steps[-1]

    @property
    def repairs(self) -> int:
        """T."""
        return len(self.steps) - 1


@dataclass(frozen=True, slots=True)
class Stage:
    """What episodes are played with; `forms` by the domains' PDDL text."""

    policy: RolePolicy
    environment: Environment
    guides: Guides | None
    forms: dict[str, DomainForm]
    guard_trivial: bool = True

    def solved(self, answer: Answer) -> bool:
        """b: with the guard, a problem whose goal holds at the start is no success."""
        return answer.solved if self.guard_trivial else answer.executable

    def encode(self, text: str) -> tuple[int, ...]:
        return tuple(self.policy.tokenizer.encode(text, add_special_tokens=False))


def play(
    stage: Stage,
    tasks: Sequence[WrittenTask],
    decoding: Decoding,
    roles: frozenset[Role],
    max_repairs: int,
    seeds: Sequence[int] | None = None,
) -> list[Episode]:
    """One episode for each task. Without an Editor among the roles there are no repairs, without a Judge no score. An
    episode's seed decides all that is sampled in it (None: greedy decoding)."""
    if not tasks:  # a process may have no share
        return []
    episodes = [Episode(task, seed=seeds[place] if seeds else None) for place, task in enumerate(tasks)]
    _act(stage, episodes, decoding)
    if Role.JUDGE in roles:
        score(stage, episodes)
    for _ in range(max_repairs if Role.EDITOR in roles else 0):
        failed = [item for item in episodes if not stage.solved(item.last.answer) and not item.last.answer.engine_fault]
        if not failed:
            break
        _edit(stage, failed, decoding)
    return episodes


def _act(stage: Stage, episodes: Sequence[Episode], decoding: Decoding) -> None:
    texts = [actor_context(stage.forms[item.task.domain_pddl], item.task.text) for item in episodes]
    _step(stage, Role.ACTOR, episodes, texts, decoding)


def _edit(stage: Stage, episodes: Sequence[Episode], decoding: Decoding) -> None:
    texts = [
        editor_context(
            stage.forms[item.task.domain_pddl], item.task.text, item.last.reply.text, item.last.answer.diagnostics
        )
        for item in episodes
    ]
    _step(stage, Role.EDITOR, episodes, texts, decoding)


def _step(
    stage: Stage,
    role: Role,
    episodes: Sequence[Episode],
    texts: Sequence[str],
    decoding: Decoding,
) -> None:
    contexts = [stage.encode(text) for text in texts]
    guides = [
        stage.guides.problem(stage.forms[item.task.domain_pddl], item.task.text) if stage.guides else None
        for item in episodes
    ]
    replies = write(stage.policy, role, contexts, decoding, guides, _seeds(episodes))
    asked = [
        (item.task.domain_pddl, stage.forms[item.task.domain_pddl], reply.text)
        for item, reply in zip(episodes, replies, strict=True)
    ]
    answers = stage.environment.answers(asked)
    for item, context, reply, answer in zip(episodes, contexts, replies, answers, strict=True):
        item.steps.append(Step(role, context, reply, answer))


def _seeds(episodes: Sequence[Episode]) -> list[int] | None:
    """One seed for the next reply of each episode; None for greedy decoding."""
    found = [
        random.Random(f"{item.seed} {len(item.steps)}").getrandbits(60) for item in episodes if item.seed is not None
    ]
    return found or None


@torch.no_grad()
def score(stage: Stage, episodes: Sequence[Episode]) -> None:
    """s_J(x, y_0) of Eq. 4."""
    for item in episodes:
        form = stage.forms[item.task.domain_pddl]
        item.judged = stage.encode(judge_context(form, item.task.text, item.first.reply.text))
    scores: Tensor = stage.policy.judge_logits([item.judged for item in episodes]).sigmoid()
    for item, value in zip(episodes, scores.tolist(), strict=True):
        item.score = value
