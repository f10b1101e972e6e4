"""Training: the warm start, then cycles of episodes and joint updates, each step logged and resumable bit for bit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from groundplan.pddl.read import domain_from_text
from groundplan.runs.run import Run
from groundplan.solve.outcome import Engine, Limits
from groundplan.train.backbone import Backbone, load_backbone
from groundplan.train.board import Board
from groundplan.train.checkpoint import (
    counters_of,
    load_checkpoint,
    load_weights,
    recover,
    save_checkpoint,
    save_policy,
)
from groundplan.train.domain_form import DomainForm, domain_form
from groundplan.train.environment import Environment
from groundplan.train.episode import Episode, Stage, play
from groundplan.train.evaluate import evaluate
from groundplan.train.extras import extra_rewards
from groundplan.train.guides import Guides
from groundplan.train.memory import out_of_memory_told
from groundplan.train.policy import RolePolicy
from groundplan.train.processes import Alone, Processes
from groundplan.train.settings import TrainSettings
from groundplan.train.texts import domain_text, written_task
from groundplan.train.texts.written import WrittenTask
from groundplan.train.update import NotANumber, Reference, batch_from, update
from groundplan.train.warm_start import learn, lessons

Progress = Callable[[str], None]
HELD_OUT_SEED = 1 << 40
"""Seeds of held-out tasks start here; training never comes so far."""
CHECKPOINT_EVERY = 10
"""Warm-start steps between two checkpoints; of updates each has one."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What training ended with: the folder of the policy, the evaluations by name, and why it ended."""

    policy: Path
    evaluations: dict[str, dict[str, Any]]
    reason: str
    steps: int


@dataclass
class _Training:
    settings: TrainSettings
    run: Run | None
    folder: Path
    policy: RolePolicy
    stage: Stage
    generator: torch.Generator
    progress: Progress
    processes: Processes
    board: Board
    evaluations: dict[str, dict[str, Any]] = field(default_factory=dict)

    def checkpoint(self) -> Path:
        return self.folder / "checkpoint"


def train(
    settings: TrainSettings,
    run: Run | None,
    engine: Engine,
    progress: Progress | None = None,
    backbone: Backbone | None = None,
    processes: Processes | None = None,
    folder: Path | None = None,
) -> Trained:
    """Train as `settings` say; calling this again on the same run goes on from its last checkpoint.

    Raises InputError for a model or settings that do not fit, StorageError when the run cannot be written, OutOfMemory
    where torch runs out of it. A loss that
    is no number ends training with a reason; the last good checkpoint stays. Of several processes the first has the
    run, the others its `folder` alone.
    """
    place = run.directory if run is not None else folder
    if place is None:
        raise ValueError("a run is wanted, or its folder")
    training = _begin(settings, run, place, engine, progress or (lambda _: None), backbone, processes or Alone())
    with out_of_memory_told(settings, training.checkpoint()):
        reason = _warm_start(training)
        steps, reason = _cycles(training) if not reason else (0, reason)
    policy = place / "policy"
    if run is not None:
        save_policy(training.policy, policy, settings=settings.model_dump(mode="json"))
    return Trained(policy, training.evaluations, reason or "all cycles done", steps)


def _begin(
    settings: TrainSettings,
    run: Run | None,
    folder: Path,
    engine: Engine,
    progress: Progress,
    backbone: Backbone | None,
    processes: Processes,
) -> _Training:
    if settings.threads:
        torch.set_num_threads(settings.threads)
    torch.use_deterministic_algorithms(True, warn_only=True)
    progress(f"loading {settings.model}")
    loaded = backbone or load_backbone(settings.model, settings.dtype, settings.seed)
    policy = RolePolicy(loaded, settings.policy, settings.seed).to(processes.device)
    if settings.start_from:
        load_weights(policy, Path(settings.start_from))
    stage = make_stage(settings, policy, engine)
    generator = torch.Generator().manual_seed(settings.seed)
    board = Board(folder / "tensorboard" if settings.tensorboard and run is not None else None)
    return _Training(settings, run, folder, policy, stage, generator, progress, processes, board)


def make_stage(settings: TrainSettings, policy: RolePolicy, engine: Engine, domains: Sequence[str] = ()) -> Stage:
    """Policy, environment and guides for the settings' domains, and for those whose PDDL is given."""
    texts = [*map(domain_text, settings.tasks.domains), *domains]
    forms: dict[str, DomainForm] = {text: domain_form(domain_from_text(text)) for text in texts}
    vocabulary = policy.model_of(next(iter(settings.rewards.roles))).get_output_embeddings().weight.shape[0]
    guides = Guides(policy.tokenizer, vocabulary) if settings.grammar else None
    environment = Environment(engine, Limits(wall_s=settings.solver_seconds), settings.solver_workers)
    return Stage(policy, environment, guides, forms, settings.rewards.guard_trivial)


def task_of(settings: TrainSettings, seed: int) -> WrittenTask:
    """Task number `seed`; domains take turns."""
    domains = settings.tasks.domains
    size = settings.tasks.size
    return written_task(domains[seed % len(domains)], settings.seed * 1_000_003 + seed, size)


def held_out(settings: TrainSettings) -> list[WrittenTask]:
    """The tasks of evaluations: the same for all seeds of training."""
    domains, size = settings.tasks.domains, settings.tasks.size
    return [
        written_task(domains[place % len(domains)], HELD_OUT_SEED + place, size)
        for place in range(settings.tasks.held_out)
    ]


def _optimizer(training: _Training, rate: float) -> torch.optim.Optimizer:
    parameters = [parameter for _, parameter in training.policy.trainable()]
    return torch.optim.AdamW(parameters, lr=rate, weight_decay=training.settings.optimizer.weight_decay)


def _restore(training: _Training, optimizer: torch.optim.Optimizer, phase: str) -> int:
    """The step at which `phase` goes on: 0 where no checkpoint of it is there, -1 where it is over already."""
    folder = training.checkpoint()
    if training.run is not None:
        recover(folder)
    training.processes.told(None)  # the others wait for that
    if not folder.exists():
        return 0
    state = counters_of(folder)
    if state["phase"] == phase:
        load_checkpoint(training.policy, optimizer, training.generator, folder)
        training.stage.environment.calls = state["calls"]
        return int(state["step"])
    return -1 if phase == "warm-start" else 0


def _warm_start(training: _Training) -> str:
    """Returns why training must end here, or nothing."""
    wanted = training.settings.warm_start
    optimizer = _optimizer(training, wanted.learning_rate)
    start = _restore(training, optimizer, "warm-start")
    if start < 0 or not wanted.steps:
        return ""
    seed = training.settings.seed
    batches = lessons(lambda n: task_of(training.settings, n), wanted, training.stage.environment, seed, start)
    for step, batch in enumerate(batches, start):
        for group in optimizer.param_groups:
            group["lr"] = wanted.learning_rate * schedule(step, wanted.steps)
        optimizer.zero_grad(set_to_none=True)
        logged = learn(training.policy, batch, training.settings.optimizer.minibatch, processes=training.processes)
        parameters = [item for _, item in training.policy.trainable() if item.grad is not None]
        norm = float(torch.nn.utils.clip_grad_norm_(parameters, training.settings.optimizer.max_grad_norm))
        if not math.isfinite(norm):
            return f"warm start, step {step}: the gradient is not a finite number; try a lower learning rate"
        optimizer.step()
        _log(training, "warm-start", step, {**logged, "grad_norm": norm})
        training.progress(f"warm start {step + 1} of {wanted.steps}: " + _words(logged))
        if (step + 1) % CHECKPOINT_EVERY == 0 or step + 1 == wanted.steps:
            _save(training, optimizer, "warm-start", step + 1)
    if training.run is not None and not (training.folder / "warm-start").exists():
        save_policy(training.policy, training.folder / "warm-start")
    training.processes.told(None)  # nobody reads it before it is written
    return ""


def schedule(step: int, steps: int, warm_up: int = 10) -> float:
    """A factor for the learning rate: up over the first steps, then a cosine down to a tenth."""
    if step < warm_up:
        return (step + 1) / warm_up
    return 0.55 + 0.45 * math.cos(math.pi * (step - warm_up) / max(1, steps - warm_up))


def _cycles(training: _Training) -> tuple[int, str]:
    """Cycles of updates with an evaluation before and after each; returns the updates made and why they ended early."""
    settings = training.settings
    if settings.warm_start.steps:  # also when resumed: the reference is where the cycles began
        load_weights(training.policy, training.folder / "warm-start")
    reference = Reference(training.policy) if settings.optimizer.kl else None
    optimizer = _optimizer(training, settings.optimizer.learning_rate)
    start, total = max(0, _restore(training, optimizer, "cycles")), settings.cycles * settings.updates
    for step in range(total + 1):
        if step % settings.updates == 0:
            _evaluate(training, f"cycle-{step // settings.updates}", again=step >= start)
        if step < start:
            continue
        if step == total:
            break
        if training.stage.environment.calls >= settings.interactions:
            return step, f"{settings.interactions} solver calls were made"
        try:
            _one_update(training, optimizer, reference, step)
        except NotANumber as error:
            if training.run is not None:
                training.run.once("not-a-number", f"update-{step}", reason=str(error))
            return step, str(error)
        _save(training, optimizer, "cycles", step + 1)
    return total, ""


def _one_update(training: _Training, optimizer: torch.optim.Optimizer, reference: Reference | None, step: int) -> None:
    settings = training.settings
    count = settings.batch // settings.samples
    first = settings.warm_start.steps * settings.warm_start.batch + step * count
    tasks = [task_of(settings, first + place) for place in range(count) for _ in range(settings.samples)]
    roles = settings.rewards.roles
    seeds = torch.randint(2**62, (len(tasks),), generator=training.generator).tolist()
    sharing, environment = training.processes, training.stage.environment
    before = environment.calls
    own = play(training.stage, sharing.mine(tasks), settings.decoding, roles, settings.max_repairs, sharing.mine(seeds))
    episodes = sharing.gathered(own)
    environment.calls = before + round(sharing.summed({"calls": environment.calls - before})["calls"])
    extra, kinds = extra_rewards(training.stage, episodes, settings.rewards)
    batch = batch_from(training.stage, episodes, settings.rewards, settings.optimizer, extra, reference, sharing)
    logged = update(training.policy, batch, optimizer, settings.rewards, settings.optimizer, sharing)
    shown = {**_seen(training.stage, episodes), **kinds, **logged}
    _log(training, "update", step, shown)
    training.progress(f"update {step + 1} of {settings.cycles * settings.updates}: " + _words(shown))


def _seen(stage: Stage, episodes: Sequence[Episode]) -> dict[str, float]:
    n = len(episodes)
    scores = [item.score for item in episodes if item.score is not None]
    found = {
        "solved_first": sum(stage.solved(item.first.answer) for item in episodes) / n,
        "solved": sum(stage.solved(item.last.answer) for item in episodes) / n,
        "executable": sum(item.last.answer.executable for item in episodes) / n,
        "repairs": sum(item.repairs for item in episodes) / n,
        "engine_faults": float(sum(any(step.answer.engine_fault for step in item.steps) for item in episodes)),
        "tokens": float(sum(len(step.reply.tokens) for item in episodes for step in item.steps)),
    }
    return found | ({"score": sum(scores) / len(scores)} if scores else {})


def _evaluate(training: _Training, name: str, again: bool) -> None:
    """Evaluate, unless the log has it; with `again` false the policy has moved on, and only the log can tell."""
    settings, calls = training.settings, training.stage.environment.calls
    known = training.run.recall("evaluation", f"evaluation-{name}") if training.run is not None else None
    figures: dict[str, Any] | None = training.processes.told(dict(known.payload["figures"]) if known else None)
    if figures is None and again:
        found = evaluate(
            training.stage,
            held_out(settings),
            settings.decoding,
            settings.rewards.roles,
            settings.max_repairs,
            settings.batch,
            training.progress,
            training.processes,
        )
        training.stage.environment.calls = calls  # the budget of interactions is for learning
        figures = found.as_json()
        if training.run is not None:
            tasks = [item.as_json() for item in found.tasks]
            training.run.once("evaluation", f"evaluation-{name}", name=name, figures=figures, tasks=tasks)
            training.board.add("evaluation", int(name.rpartition("-")[2]), figures)
    if figures is not None:
        training.evaluations[name] = figures


def _save(training: _Training, optimizer: torch.optim.Optimizer, phase: str, step: int) -> None:
    if training.run is None:
        return
    calls = training.stage.environment.calls
    save_checkpoint(
        training.policy, optimizer, training.generator, training.checkpoint(), phase=phase, step=step, calls=calls
    )


def _log(training: _Training, kind: str, step: int, figures: dict[str, float]) -> None:
    if training.run is not None:
        training.run.once(kind, f"{kind}-{step}", figures=figures)
        training.board.add(kind, step, figures)


def _words(logged: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3g}" for name, value in logged.items())
