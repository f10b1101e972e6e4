"""One joint update of all roles from a batch of episodes (Eq. 6)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor

from groundplan.errors import GroundplanError
from groundplan.train.advantages import against_value, discounted, leave_one_out
from groundplan.train.episode import Episode, Stage, Step
from groundplan.train.logprobs import reply_log_probs
from groundplan.train.losses import divergence, judge_loss, judge_reward_loss, ppo_loss
from groundplan.train.policy import Role, RolePolicy
from groundplan.train.processes import Alone, Processes
from groundplan.train.rewards import RewardSettings, actor_reward, editor_reward
from groundplan.train.settings import OptimizerSettings


class NotANumber(GroundplanError):
    """A loss or a gradient is no finite number: nothing was changed by this update."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A reply to learn from, with its advantage and its log-probabilities when it was written."""

    step: Step
    advantage: float
    reward: float
    old: Tensor
    reference: Tensor | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    actor: tuple[Sample, ...]
    editor: tuple[Sample, ...]
    judged: tuple[tuple[tuple[int, ...], bool], ...]


class Reference:
    """The trainable parameters as they were when training began: pi_reference for the divergence."""

    def __init__(self, policy: RolePolicy) -> None:
        self._policy = policy
        self._kept = {name: parameter.detach().clone() for name, parameter in policy.trainable()}

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """The policy is the reference inside, and itself again after, bit for bit."""
        now = {name: parameter.detach().clone() for name, parameter in self._policy.trainable()}
        try:
            self._load(self._kept)
            yield
        finally:
            self._load(now)

    def _load(self, values: dict[str, Tensor]) -> None:
        with torch.no_grad():
            for name, parameter in self._policy.named_parameters():
                if name in values:
                    parameter.copy_(values[name])


def batch_from(
    stage: Stage,
    episodes: Sequence[Episode],
    rewards: RewardSettings,
    optimizer: OptimizerSettings,
    extra: Sequence[float],
    reference: Reference | None,
    processes: Processes | None = None,
) -> Batch:
    """Rewards (Eq. 5) and advantages of a batch; episodes in which the engine broke are left out. `extra` is added to
    each Actor's reward (rewards without a reference). Every process is given all episodes and gets the whole batch."""
    sharing = processes or Alone()
    kept = [
        (item, more)
        for item, more in zip(episodes, extra, strict=True)
        if not any(step.answer.engine_fault for step in item.steps)
    ]
    acted = [(item.first, actor_reward(rewards, _paid(stage, rewards, item), item.score) + more) for item, more in kept]
    edited = [
        (step, value)
        for item, _ in kept
        for step, value in zip(item.steps[1:], _returns(stage, rewards, optimizer, item), strict=True)
    ]
    tasks = [item.task.name for item, _ in kept]
    owners = [item.task.name for item, _ in kept for _ in item.steps[1:]]
    judged = tuple((item.judged, stage.solved(item.first.answer)) for item, _ in kept if item.score is not None)
    return Batch(
        _samples(stage, Role.ACTOR, acted if Role.ACTOR in rewards.roles else [], tasks, optimizer, reference, sharing),
        _samples(
            stage, Role.EDITOR, edited if Role.EDITOR in rewards.roles else [], owners, optimizer, reference, sharing
        ),
        judged,
    )


def _paid(stage: Stage, rewards: RewardSettings, item: Episode) -> bool:
    """The label that the Actor is paid for: b_0, or b_T where the solver's last word is all there is."""
    return stage.solved((item.last if rewards.reward == "solver-only" else item.first).answer)


def _returns(stage: Stage, rewards: RewardSettings, optimizer: OptimizerSettings, item: Episode) -> list[float]:
    last = editor_reward(rewards, stage.solved(item.last.answer), item.repairs)
    return discounted(last, item.repairs, optimizer.gamma)


@torch.no_grad()
def _samples(
    stage: Stage,
    role: Role,
    steps: Sequence[tuple[Step, float]],
    groups: Sequence[str],
    optimizer: OptimizerSettings,
    reference: Reference | None,
    processes: Processes,
) -> tuple[Sample, ...]:
    if not steps:
        return ()
    values = torch.tensor([value for _, value in steps])
    old, states = _log_probs(stage.policy, role, [step for step, _ in steps], optimizer.minibatch, processes)
    if optimizer.advantage == "value-head":
        advantages = against_value(values, stage.policy.value_heads[role](states).squeeze(-1).cpu())
    else:
        advantages = leave_one_out(values, groups)
    before: list[Tensor] | list[None] = [None] * len(steps)
    if optimizer.kl and reference is not None:
        with reference.in_place():
            before = _log_probs(stage.policy, role, [step for step, _ in steps], optimizer.minibatch, processes)[0]
    return tuple(
        Sample(step, advantage, value, then, kept)
        for (step, value), advantage, then, kept in zip(steps, advantages.tolist(), old, before, strict=True)
    )


def _log_probs(
    policy: RolePolicy, role: Role, steps: Sequence[Step], size: int, processes: Processes
) -> tuple[list[Tensor], Tensor]:
    scored: list[tuple[Tensor, Tensor]] = []
    for part in _parts(processes.mine(steps), size):
        found, before = reply_log_probs(
            policy,
            role,
            [step.context for step in part],
            [step.reply.tokens for step in part],
            [step.reply.masks for step in part],
        )
        scored += zip(found, before, strict=True)
    every = processes.gathered(scored)
    return [logs for logs, _ in every], torch.stack([state.to(policy.device) for _, state in every])


def _parts(items: Sequence, size: int) -> Iterator[Sequence]:  # type: ignore[type-arg]
    return (items[start : start + size] for start in range(0, len(items), size))


def update(
    policy: RolePolicy,
    batch: Batch,
    optimizer: torch.optim.Optimizer,
    rewards: RewardSettings,
    settings: OptimizerSettings,
    processes: Processes | None = None,
) -> dict[str, float]:
    """Take `epochs` steps on L_total; each process adds the gradients of its share of the samples. Returns the mean of
    each part of the loss, before its weight.

    Raises NotANumber, with all parameters as they were before the step, for a loss or gradient that is not finite.
    """
    logged: dict[str, float] = {}
    sharing = processes or Alone()
    for _ in range(settings.epochs):
        optimizer.zero_grad(set_to_none=True)
        parts = [
            _role_part(policy, Role.ACTOR, batch.actor, settings, 1.0, sharing),
            _role_part(policy, Role.EDITOR, batch.editor, settings, rewards.lambda_editor, sharing),
            _judge_part(policy, batch, rewards, settings, sharing),
        ]
        for part in parts:
            logged |= sharing.summed(part)
        sharing.add_gradients(parameter for _, parameter in policy.trainable())
        trained = [parameter for _, parameter in policy.named_parameters() if parameter.grad is not None]
        if not trained:
            break
        norm = torch.nn.utils.clip_grad_norm_(trained, settings.max_grad_norm)
        logged["grad_norm"] = float(norm)
        if not all(math.isfinite(value) for value in logged.values()):
            wrong = ", ".join(name for name, value in logged.items() if not math.isfinite(value))
            optimizer.zero_grad(set_to_none=True)
            raise NotANumber(
                f"{wrong} is not a finite number; the parameters are those before this update. "
                "Try a lower learning rate, or float32"
            )
        optimizer.step()
    return logged


def _role_part(
    policy: RolePolicy,
    role: Role,
    samples: Sequence[Sample],
    settings: OptimizerSettings,
    weight: float,
    processes: Processes,
) -> dict[str, float]:
    """Gradients of one role's PPO loss, in parts whose losses add up to that of the whole batch."""
    learned = [item for item in samples if item.advantage != 0.0 or settings.kl or settings.advantage == "value-head"]
    if not learned:
        return {}
    total_tokens = sum(len(item.old) for item in samples)
    logged = {f"{role}_loss": 0.0}
    for part in _parts(processes.mine(learned), settings.minibatch):
        new, states = reply_log_probs(
            policy,
            role,
            [item.step.context for item in part],
            [item.step.reply.tokens for item in part],
            [item.step.reply.masks for item in part],
        )
        old = [item.old for item in part]
        advantages = torch.tensor([item.advantage for item in part], device=new[0].device)
        tokens = sum(len(item.old) for item in part)
        share = tokens / total_tokens if settings.ratio == "token" else len(part) / len(samples)
        loss = ppo_loss(new, old, advantages, settings.clip, settings.ratio)
        logged[f"{role}_loss"] += float(loss.detach()) * share
        if settings.kl and part[0].reference is not None:
            away = divergence(new, [item.reference for item in part if item.reference is not None])
            loss = loss + settings.kl * away
            logged[f"{role}_kl"] = logged.get(f"{role}_kl", 0.0) + float(away.detach()) * share
        if settings.advantage == "value-head":
            rewards = torch.tensor([item.reward for item in part], device=states.device)
            forecast = policy.value_heads[role](states.detach().float()).squeeze(-1)
            loss = loss + 0.5 * ((forecast - rewards) ** 2).mean()
        (weight * share * loss).backward()  # type: ignore[no-untyped-call]
    return logged


def _judge_part(
    policy: RolePolicy, batch: Batch, rewards: RewardSettings, settings: OptimizerSettings, processes: Processes
) -> dict[str, float]:
    if not batch.judged:
        return {}
    logged = {"judge_loss": 0.0}
    for part in _parts(processes.mine(batch.judged), settings.minibatch):
        logits = policy.judge_logits([context for context, _ in part])
        solved = torch.tensor([float(label) for _, label in part], device=logits.device)
        if rewards.judge_form == "reward":
            loss = judge_reward_loss(logits, solved)
        else:
            loss = judge_loss(logits, solved, rewards.lambda_band, rewards.threshold)
        share = len(part) / len(batch.judged)
        (rewards.lambda_judge * share * loss).backward()  # type: ignore[no-untyped-call]
        logged["judge_loss"] += float(loss.detach()) * share
    return logged
