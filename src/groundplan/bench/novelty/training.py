"""One training of the benchmark, from the common starts to its outcome; finished ones are not done again."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from groundplan.adapt.facts import Facts
from groundplan.adapt.learn.agent import CURVE, Task
from groundplan.adapt.learn.evaluation import read_curve
from groundplan.adapt.learn.executor import load_executor
from groundplan.adapt.learn.operator_learning import Learned, learn_operator
from groundplan.adapt.learn.scoring import Plannable
from groundplan.adapt.learn.settings import LearningSettings, Method
from groundplan.adapt.learn.starts import Start, Starts
from groundplan.adapt.planning.in_task import helps
from groundplan.adapt.planning.space import Ahead
from groundplan.adapt.planning.states import at_facts
from groundplan.adapt.rewards.sub_goals import sub_goals_of
from groundplan.adapt.worlds.registry import make_world
from groundplan.bench.novelty.outcome import Outcome, joined_curve, outcome_from_json, phase_outcome
from groundplan.bench.novelty.subjects import Subject
from groundplan.bench.novelty.testing import tested_controller
from groundplan.errors import InputError
from groundplan.pddl.ast import Task as PddlTask
from groundplan.runs.run import Run

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Prepared:
    """What all methods and seeds of a subject share: where episodes start, the fresh scenes, and the rewards."""

    starts: Starts
    fresh: tuple[Start, ...]
    shaping: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class FindsPlan:
    """Operator Discovery's question: do the known operators reach the goal from these facts? (Picklable.)"""

    known: PddlTask

    def __call__(self, facts: Facts) -> bool:
        declared = self.known.domain.predicate_by_name
        here = frozenset(fact for fact in facts if fact[0] in declared)
        return helps(at_facts(self.known, here), ()).ending is Ahead.PLAN


def place_of(subject: Subject, method: Method, seed: int) -> str:
    """The outcome's file in the run."""
    return f"outcomes/{subject.label}/{method.value}/seed{seed}.json"


def finished(run: Run, subject: Subject, method: Method, seed: int) -> Outcome | None:
    """The outcome of an earlier session. Raises InputError for a damaged one."""
    path = run.directory / place_of(subject, method, seed)
    if not path.exists():
        return None
    try:
        return outcome_from_json(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: damaged ({error}); delete it, and it is made again from its training") from error


def train(
    run: Run,
    subject: Subject,
    method: Method,
    seed: int,
    settings: LearningSettings,
    prepared: Prepared,
    jobs: int = 1,
    progress: Progress = lambda _: None,
) -> Outcome:
    """Learn, test in the fresh scenes, and write the outcome. Raises what `learn_operator` raises."""
    plannable: Plannable | None = FindsPlan(subject.known) if method is Method.DISCOVERY else None
    lesson = Task(partial(make_world, subject.world), subject.operator, prepared.starts, plannable)
    folder = run.directory / f"learning/{subject.operator.name}/{method.value}/seed{seed}"
    steps, cpu = _steps(folder), _cpu_s()
    learned = learn_operator(
        run,
        lesson,
        settings,
        seed,
        method=method,
        shaping=prepared.shaping if method is Method.GUIDED else (),
        jobs=jobs,
        progress=progress,
    )
    trained, cpu = _steps(folder) - steps, _cpu_s() - cpu
    outcome = _outcome(run, subject, method, seed, prepared, learned, cpu / trained if trained > 0 else None)
    run.artifact(place_of(subject, method, seed), json.dumps(outcome.as_json(), indent=1) + "\n")
    return outcome


def _outcome(
    run: Run,
    subject: Subject,
    method: Method,
    seed: int,
    prepared: Prepared,
    learned: Learned,
    cpu_s_per_step: float | None,
) -> Outcome:
    goals = sub_goals_of(subject.operator)
    tested = None
    if learned.executor is not None:
        saved = load_executor(learned.executor)
        tested = tested_controller(saved, partial(make_world, subject.world), prepared.fresh, seed)
    return Outcome(
        subject.scenario,
        subject.operator.name,
        method.value,
        seed,
        tuple(map(str, goals.goals)),
        tuple(map(phase_outcome, learned.phases)),
        learned.is_complete,
        learned.reason,
        tested,
        joined_curve(learned, len(goals)),
        cpu_s_per_step,
        "" if learned.executor is None else str(learned.executor.relative_to(run.directory)),
    )


def _steps(folder: Path) -> int:
    """Control steps of all trainings under a folder so far."""
    curves: Sequence[Path] = sorted(folder.rglob(CURVE)) if folder.is_dir() else ()
    return sum(rows[-1].steps for path in curves if (rows := read_curve(path)))


def _cpu_s() -> float:
    """CPU seconds of this process and of its ended children."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
