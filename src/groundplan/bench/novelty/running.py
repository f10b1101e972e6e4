"""All trainings of the benchmark: subject by subject, guided ones first, and what is finished is not done again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from groundplan.adapt.execution.learning import StartSeeds, Teacher
from groundplan.adapt.execution.skills import Skills, skills_of
from groundplan.adapt.learn.executor import load_executor
from groundplan.adapt.learn.settings import LearningSettings, Method
from groundplan.adapt.rewards.sub_goals import sub_goals_of
from groundplan.adapt.worlds.registry import make_world
from groundplan.bench.novelty.outcome import Outcome
from groundplan.bench.novelty.subjects import Subject
from groundplan.bench.novelty.training import Prepared, finished, train
from groundplan.errors import InputError
from groundplan.models.protocol import Model
from groundplan.runs.run import Run

FRESH_FROM = 5_000
"""The first seed of the scenes that only the final test sees."""


@dataclass(frozen=True)
class Plan:
    """Which trainings, and how. `rewards` is a folder with `rewards/` in it by scenario (DIR/SCENARIO/rewards, as a run
    of `groundplan adapt` leaves it); `model` writes them where they are not there. `fresh` counts the scenes of the
    final test; `library` holds controllers of operators that this run does not learn."""

    methods: tuple[Method, ...]
    seeds: tuple[int, ...]
    settings: LearningSettings
    rewards: Path | None = None
    model: Model | None = None
    candidates: int = 3
    fresh: int = 100
    library: Path | None = None
    jobs: int = 1
    scenes: StartSeeds = field(default_factory=StartSeeds)

    @property
    def in_order(self) -> tuple[Method, ...]:
        """Guided first: its controllers lead to where the next operator of the plan starts."""
        return tuple(sorted(self.methods, key=lambda method: method is not Method.GUIDED))


def trainings(subjects: Sequence[Subject], plan: Plan) -> Iterator[tuple[Subject, Method, int]]:
    for subject in subjects:
        for method in plan.in_order:
            for seed in plan.seeds:
                yield subject, method, seed


def most_steps(subjects: Sequence[Subject], plan: Plan) -> int:
    """Control steps of all trainings together, if none ends early."""
    total = 0
    for subject, method, _ in trainings(subjects, plan):
        agents = plan.candidates if method is Method.GUIDED else 1
        total += plan.settings.most_steps * len(sub_goals_of(subject.operator).goals) * agents
    return total


def run_novelty(
    run: Run, subjects: Sequence[Subject], plan: Plan, progress: Callable[[str], None] = lambda _: None
) -> tuple[list[Outcome], list[str]]:
    """All outcomes, and why subjects were left out.

    A subject is left out, with the reason, where no scene reaches it: the controllers before it failed. Raises
    InputError where guided trainings have no rewards, StorageError, BudgetExhausted, and what a model raises.
    """
    _refuse_without_rewards(subjects, plan)
    outcomes: list[Outcome] = []
    left_out: list[str] = []
    for subject in subjects:
        wanted = [(method, seed) for method in plan.in_order for seed in plan.seeds]
        there = {key: found for key in wanted if (found := finished(run, subject, *key)) is not None}
        prepared: Prepared | None = None
        for method, seed in wanted:
            if (method, seed) not in there:
                try:
                    prepared = prepared or _prepare(run, subject, subjects, plan, outcomes, progress)
                except InputError as error:
                    if "no scene reaches it" not in str(error):
                        raise
                    left_out.append(f"{subject.label}: {error}")
                    progress(left_out[-1])
                    break
                told = partial(_tell, progress, f"{subject.label} {method.value} seed {seed}: ")
                there[method, seed] = train(run, subject, method, seed, plan.settings, prepared, plan.jobs, told)
                _report(progress, there[method, seed])
            outcomes.append(there[method, seed])
    return outcomes, left_out


def _prepare(
    run: Run,
    subject: Subject,
    subjects: Sequence[Subject],
    plan: Plan,
    outcomes: Sequence[Outcome],
    progress: Callable[[str], None],
) -> Prepared:
    world = make_world(subject.world)
    world.close()
    new = {other.operator.name: other.operator for other in subjects if other.scenario == subject.scenario}
    skills = skills_of(world, plan.library, {name: operator.types for name, operator in new.items()})
    _with_learned(skills, run, subject, outcomes)
    teacher = Teacher(
        run=run,
        task=subject.task,
        make_world=partial(make_world, subject.world),
        skills=skills,
        operators=new,
        model=plan.model,
        settings=plan.settings,
        seeds=plan.scenes,
        candidates=plan.candidates,
        progress=progress,
    )
    starts = teacher.starts(subject.operator, subject.before)
    fresh = range(FRESH_FROM, FRESH_FROM + plan.fresh)
    last = replace(teacher, seeds=StartSeeds(plan.scenes.training[:1], fresh))
    tested = last.starts(subject.operator, subject.before).evaluation
    shaping: tuple[tuple[str, ...], ...] = ()
    if Method.GUIDED in plan.methods:
        shaping = _shaping(subject, plan) or tuple(map(tuple, teacher.shaping(subject.operator, starts)))
        if not all(shaping):
            raise InputError(f"{subject.label}: sub-goal {shaping.index(()) + 1} has no usable reward")
    return Prepared(starts, tested, shaping)


def _with_learned(skills: Skills, run: Run, subject: Subject, outcomes: Sequence[Outcome]) -> None:
    """The best controllers that this run has learned of the scenario's other operators."""
    best: dict[str, Outcome] = {}
    for outcome in outcomes:
        if outcome.scenario == subject.scenario and outcome.executor:
            known = best.get(outcome.operator)
            if known is None or outcome.success > known.success:
                best[outcome.operator] = outcome
    for name, outcome in best.items():
        skills.learned[name] = load_executor(run.directory / outcome.executor)


def _shaping(subject: Subject, plan: Plan) -> tuple[tuple[str, ...], ...]:
    """The sources kept in an earlier run, by sub-goal; empty where there are none."""
    if plan.rewards is None:
        return ()
    goals = sub_goals_of(subject.operator).goals
    folder = plan.rewards / subject.scenario / "rewards" / subject.operator.name
    if not folder.is_dir():
        return ()
    found = []
    for goal in goals:
        files = sorted((folder / str(goal)).glob("*.py"))
        if not files:
            raise InputError(f"{folder / str(goal)}: no reward (*.py) for this sub-goal")
        found.append(tuple(path.read_text(encoding="utf-8") for path in files[: plan.candidates]))
    return tuple(found)


def _refuse_without_rewards(subjects: Sequence[Subject], plan: Plan) -> None:
    """Before any scene is played: guided trainings need rewards, or someone who writes them."""
    for subject in subjects if Method.GUIDED in plan.methods and plan.model is None else ():
        if not _shaping(subject, plan):
            raise InputError(
                f"{subject.label}: guided trainings want rewards: --rewards DIR with DIR/{subject.scenario}/rewards/"
                f"{subject.operator.name}, or --model, which writes them"
            )


def _tell(progress: Callable[[str], None], head: str, text: str) -> None:
    progress(head + text)


def _report(progress: Callable[[str], None], outcome: Outcome) -> None:
    rate = "" if not outcome.cpu_s_per_step else f", {1 / outcome.cpu_s_per_step:.0f} steps a CPU-second"
    tested = f"{outcome.success:.0%} in fresh scenes" if outcome.tested else outcome.reason
    progress(f"{outcome.scenario}/{outcome.operator} {outcome.method} seed {outcome.seed}: {tested}{rate}")
