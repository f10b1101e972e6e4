"""Learning an operator: phase after phase, each from the best model of the one before; then the executor is saved."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from groundplan.adapt.learn.actor import Actor
from groundplan.adapt.learn.agent import BEST, Lesson, Task, layout_of, read_state
from groundplan.adapt.learn.executor import save_executor
from groundplan.adapt.learn.phase import Phase, PhaseResult, Progress
from groundplan.adapt.learn.settings import LearningSettings, Method
from groundplan.adapt.learn.trainers import Trainers, Work
from groundplan.adapt.rewards.shaping import DEFAULT_LIMITS, ShapingLimits
from groundplan.adapt.rewards.sub_goals import SubGoals, sub_goals_of
from groundplan.runs.run import Run


@dataclass(frozen=True)
class Learned:
    """What came of it. `executor` is the folder of the learned executor: only where the last sub-goal was achieved at
    least once in an evaluation. `reason` says why not."""

    method: Method
    phases: tuple[PhaseResult, ...]
    executor: Path | None
    reason: str

    @property
    def best(self) -> float:
        """The best deterministic success of the last sub-goal in any evaluation; 0 where it was not come to."""
        row = self.phases[-1].best if self.is_complete else None
        return row.deterministic if row else 0.0

    @property
    def final(self) -> float:
        """The deterministic success at the end of the training."""
        row = self.phases[-1].final if self.is_complete else None
        return row.deterministic if row else 0.0

    is_complete: bool = False
    """Whether all phases were trained."""


def learn_operator(
    run: Run,
    task: Task,
    settings: LearningSettings,
    seed: int,
    *,
    method: Method = Method.GUIDED,
    shaping: Sequence[Sequence[str]] = (),
    jobs: int = 1,
    limits: ShapingLimits = DEFAULT_LIMITS,
    unconfined: bool = False,
    progress: Progress = lambda _: None,
) -> Learned:
    """Learn the task's operator in the run's folder (`learning/<operator>/<method>/seed<n>/`), or go on with it.

    `shaping` holds the sources of the candidates for each sub-goal in order (guided agents only). Methods without
    phases train once, with the steps of all phases together. Ends early, with what there is, when every candidate of a
    phase failed or none ever achieved its sub-goal: the phases after it could only start from nothing.

    Every decision is an event of the run; curves, checkpoints and the best models lie in the folders of the candidates.
    Raises what Phase.go raises, and ValueError where `shaping` does not fit the sub-goals.
    """
    goals = sub_goals_of(task.operator)
    numbers = range(len(goals)) if method.in_phases else [len(goals) - 1]
    if method is Method.GUIDED and (len(shaping) != len(goals) or not all(shaping)):
        raise ValueError(f"`{task.operator.name}` has {len(goals)} sub-goals: each needs a shaping candidate or more")
    if not method.in_phases:
        settings = replace(settings, most_steps=settings.most_steps * len(goals))
    label = f"learning/{task.operator.name}/{method.value}/seed{seed}"
    folder = run.directory / label
    base = Lesson(task, method, 0, settings, seed, limits=limits, unconfined=unconfined)
    phases: list[PhaseResult] = []
    won: list[str] = []
    begin: Path | None = None
    reason = ""
    with Trainers(jobs) as trainers:
        for number in numbers:
            sources = shaping[number] if method is Method.GUIDED else [""]
            works = {
                place: Work(
                    replace(base, phase=number, sources=(*won, source) if method is Method.GUIDED else (), begin=begin),
                    folder / f"phase{number}" / f"candidate{place}",
                )
                for place, source in enumerate(sources)
            }
            name = str(goals.goals[number])
            result = Phase(run, f"{label}/phase{number}", works, settings).go(trainers, number, name, progress)
            phases.append(result)
            reason = _why_not(result)
            if reason:
                break
            assert result.winner is not None
            begin = works[result.winner].folder
            won.append(sources[result.winner])
    complete = len(phases) == len(numbers)
    executor = _save(task, method, goals, settings, begin, folder / "executor", seed) if not reason and begin else None
    learned = Learned(method, tuple(phases), executor, reason, complete)
    _write(run, label, learned)
    return learned


def _why_not(result: PhaseResult) -> str:
    """Why learning does not go on after a phase; empty where it does."""
    if result.best is None:
        faults = "; ".join(f"candidate {number}: {fault}" for number, fault in result.faults.items())
        return f"{result.sub_goal}: every candidate failed ({faults})"
    if result.best.rank <= (0.0, 0.0):
        return f"{result.sub_goal}: never achieved in an evaluation"
    return ""


def _save(
    task: Task, method: Method, goals: SubGoals, settings: LearningSettings, best: Path, folder: Path, seed: int
) -> Path | None:
    """The executor of the best model. A policy of Operator Discovery is no operator's: it gets none."""
    if method is Method.DISCOVERY:
        return None
    actor = Actor.of(read_state(best / BEST, weights_only=True)["policy"])
    world = task.make_world()
    try:
        layout = layout_of(task, method, world)
        about = {"world": world.name, "method": method.value, "seed": seed}
    finally:
        world.close()
    save_executor(folder, actor, layout, task.operator, settings.horizon(len(goals) - 1), about)
    return folder


def _write(run: Run, label: str, learned: Learned) -> None:
    data = {
        "method": learned.method.value,
        "complete": learned.is_complete,
        "reason": learned.reason,
        "best": learned.best,
        "final": learned.final,
        "phases": [phase.as_json() for phase in learned.phases],
    }
    run.artifact(f"{label}/learned.json", json.dumps(data, indent=1) + "\n")
    run.once(
        "learned", label, complete=learned.is_complete, reason=learned.reason, best=learned.best, final=learned.final
    )
