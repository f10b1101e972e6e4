"""The warm start: supervised steps on self-made pairs, since a small model has nothing to learn from at first.

Not in the paper. Texts and problems come from our own generators, so no person has annotated anything; the idea is
that of self-made training tasks, named at the end of the novelty-adaptation paper.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from groundplan.pddl.read import domain_from_text, task_from_text
from groundplan.train.contexts import actor_context, editor_context, judge_context
from groundplan.train.damage import damaged
from groundplan.train.domain_form import DomainForm, domain_form
from groundplan.train.environment import Answer, Environment
from groundplan.train.logprobs import token_log_probs
from groundplan.train.losses import judge_loss
from groundplan.train.policy import Role, RolePolicy
from groundplan.train.problem_form import form_of, write_form
from groundplan.train.processes import Alone, Processes
from groundplan.train.settings import WarmStartSettings
from groundplan.train.texts.written import WrittenTask


@dataclass(frozen=True, slots=True)
class Lesson:
    """A role's context with the reply to learn (Actor, Editor), or the label (Judge)."""

    role: Role
    context: str
    stages: tuple[str, ...] = ()
    solved: bool = False


def lesson(task: WrittenTask, role: Role, environment: Environment | None, rng: random.Random) -> Lesson:
    """One lesson from a task. Those of the Editor and the Judge need the environment for their damaged problem."""
    domain = domain_form(domain_from_text(task.domain_pddl))
    form = form_of(task_from_text(task.domain_pddl, task.problem).problem, domain)
    stages = write_form(form)
    if role is Role.ACTOR or environment is None:
        return Lesson(Role.ACTOR, actor_context(domain, task.text), stages)
    if role is Role.JUDGE and rng.random() < 0.4:
        return Lesson(role, judge_context(domain, task.text, "".join(stages)), solved=True)
    for _ in range(6):
        spoilt = "".join(write_form(damaged(form, rng)))
        answer = _answer(environment, task, domain, spoilt)
        if role is Role.JUDGE:
            return Lesson(role, judge_context(domain, task.text, spoilt), solved=answer.solved)
        if not answer.solved:
            return Lesson(role, editor_context(domain, task.text, spoilt, answer.diagnostics), stages)
    return Lesson(Role.ACTOR, actor_context(domain, task.text), stages)


def _answer(environment: Environment, task: WrittenTask, domain: DomainForm, text: str) -> Answer:
    return environment.answers([(task.domain_pddl, domain, text)])[0]


def lessons(
    make_task: Callable[[int], WrittenTask],
    settings: WarmStartSettings,
    environment: Environment | None,
    seed: int,
    start: int = 0,
) -> Iterator[list[Lesson]]:
    """Batches of lessons from step `start` on; step n is the same whatever was done before it."""
    step = start
    while step < settings.steps:
        rng = random.Random(f"{seed}:{step}")
        batch = []
        for place in range(settings.batch):
            drawn = rng.random()
            role = Role.EDITOR if drawn < settings.editor else Role.ACTOR
            role = Role.JUDGE if settings.editor <= drawn < settings.editor + settings.judge else role
            batch.append(lesson(make_task(step * settings.batch + place), role, environment, rng))
        yield batch
        step += 1


def learn(
    policy: RolePolicy,
    batch: Sequence[Lesson],
    minibatch: int,
    lambda_band: float = 1.0,
    processes: Processes | None = None,
) -> dict[str, float]:
    """Gradients of one batch: cross-entropy per token for Actor and Editor, L_J for the Judge. Each process makes those
    of some of the minibatches."""
    sharing = processes or Alone()
    logged: dict[str, float] = {}
    for role in Role:
        those = [item for item in batch if item.role is role]
        those.sort(key=lambda item: len(item.context) + sum(map(len, item.stages)))
        for part in sharing.mine([those[start : start + minibatch] for start in range(0, len(those), minibatch)]):
            share = len(part) / len(batch)
            loss = _judge(policy, part, lambda_band) if role is Role.JUDGE else _writer(policy, role, part)
            (share * loss).backward()  # type: ignore[no-untyped-call]
            name = f"{role}_loss"
            logged[name] = logged.get(name, 0.0) + float(loss.detach()) * len(part) / len(those)
    sharing.add_gradients(parameter for _, parameter in policy.trainable())
    return sharing.summed(logged)


def reply_tokens(tokenizer: Any, stages: Sequence[str]) -> list[int]:
    """The tokens of a reply, the stages apart as decoding writes them, and the end of text."""
    ids = [token for stage in stages for token in tokenizer.encode(stage, add_special_tokens=False)]
    return [*ids, tokenizer.eos_token_id]


def _writer(policy: RolePolicy, role: Role, part: Sequence[Lesson]) -> Tensor:
    tokenizer = policy.tokenizer
    contexts = [tokenizer.encode(item.context, add_special_tokens=False) for item in part]
    replies = [reply_tokens(tokenizer, item.stages) for item in part]
    found = policy.reply_logits(role, contexts, replies)
    logs = [
        token_log_probs(logits, torch.tensor(reply, device=logits.device), None)
        for (logits, _), reply in zip(found, replies, strict=True)
    ]
    return -torch.cat(logs).mean()


def _judge(policy: RolePolicy, part: Sequence[Lesson], lambda_band: float) -> Tensor:
    contexts = [policy.tokenizer.encode(item.context, add_special_tokens=False) for item in part]
    logits = policy.judge_logits(contexts)
    labels = torch.tensor([float(item.solved) for item in part], device=logits.device)
    return judge_loss(logits, labels, lambda_band, 0.5)
