"""From an operator without an executor to one: rewards from the model, starts from the plan, training, the executor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from groundplan.adapt.execution.operate import operate
from groundplan.adapt.execution.skills import Skills
from groundplan.adapt.learn.agent import Task as Lesson
from groundplan.adapt.learn.executor import load_executor
from groundplan.adapt.learn.operator_learning import Learned, learn_operator
from groundplan.adapt.learn.settings import LearningSettings, Method
from groundplan.adapt.learn.starts import Starts, collect_starts
from groundplan.adapt.operator import GroundOperator, Literal
from groundplan.adapt.rewards.candidates import CANDIDATES, ask_for_shaping
from groundplan.adapt.rewards.layout import layout_for
from groundplan.adapt.rewards.sub_goals import sub_goals_of
from groundplan.adapt.rewards.trial import Trier
from groundplan.adapt.worlds.world import ExecutorMaker, World
from groundplan.errors import InputError
from groundplan.models.protocol import Model
from groundplan.pddl.ast import Plan, Step, Task
from groundplan.runs.run import Run

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class StartSeeds:
    """Scenes to train from and to be evaluated on; the two never share one."""

    training: Sequence[int] = range(1_000, 1_040)
    evaluation: Sequence[int] = range(2_000, 2_020)


@dataclass
class Teacher:
    """Learns operators for `execute` (its method `learn` is a `Learn`). `operators` are the new ones by name.

    `model` writes the rewards (None: only `starts` is of use); everything lies in the run: prompts and replies,
    candidates, curves, executors.
    """

    run: Run
    task: Task
    make_world: Callable[[], World]
    skills: Skills
    operators: Mapping[str, GroundOperator]
    model: Model | None
    settings: LearningSettings
    seed: int = 0
    seeds: StartSeeds = StartSeeds()
    candidates: int = CANDIDATES
    jobs: int = 1
    progress: Progress = lambda _: None
    learned: dict[str, Learned] = field(default_factory=dict)

    def learn(self, step: Step, before: Plan) -> ExecutorMaker | None:
        """The executor of the operator of `step`, or None; `before` leads to where it starts.

        Raises InputError where no scene reaches the operator or the world observes none of its objects.
        """
        operator = self.operators.get(step.action)
        if operator is None:
            return None
        operator = grounded(operator, step)
        starts = self.starts(operator, before)
        shaping = self.shaping(operator, starts)
        if not all(shaping):
            missing = next(place for place, kept in enumerate(shaping) if not kept)
            self.progress(f"`{operator.name}`: no usable reward for sub-goal {missing + 1}")
            return None
        found = learn_operator(
            self.run,
            Lesson(self.make_world, operator, starts),
            self.settings,
            self.seed,
            method=Method.GUIDED,
            shaping=shaping,
            jobs=self.jobs,
            progress=self.progress,
        )
        self.learned[operator.name] = found
        return None if found.executor is None else load_executor(Path(found.executor))

    def starts(self, operator: GroundOperator, before: Plan) -> Starts:
        """Saved states from which the operator starts, each reached by doing `before` in a scene of its own."""
        world = self.make_world()
        self.progress(f"`{operator.name}`: reaching where it starts in {self._scenes()} scenes")
        try:
            return collect_starts(
                world, operator, lambda here: self._reach(here, before), self.seeds.training, self.seeds.evaluation
            )
        finally:
            world.close()

    def shaping(self, operator: GroundOperator, starts: Starts) -> list[list[str]]:
        """The sources of usable, different shaping functions, for each sub-goal in order. Raises InputError without a
        model."""
        if self.model is None:
            raise InputError(f"`{operator.name}`: rewards are written by a model, and none is given")
        world = self.make_world()
        try:
            layout = layout_for(operator, world.observables, world.objects)
            trier = Trier(layout, around=world.restore(starts.training[0].state))
        finally:
            world.close()
        found = []
        for place, goal in enumerate(sub_goals_of(operator).goals):
            self.progress(f"`{operator.name}`: {self.model.name} writes rewards for {goal}")
            asked = ask_for_shaping(self.model, self.run, operator, place, trier, count=self.candidates)
            found.append([item.source for item in asked.kept])
        return found

    def _reach(self, world: World, before: Plan) -> bool:
        for step in before:
            maker = self.skills.maker(step.action)
            if maker is None:
                return False
            done = operate(self.task, world, maker(world, step.args), step)
            if not done.succeeded:
                return False
        return True

    def _scenes(self) -> int:
        return len(self.seeds.training) + len(self.seeds.evaluation)


def grounded(operator: GroundOperator, step: Step) -> GroundOperator:
    """The operator over the objects of a step, where the plan takes others than it was proposed for."""
    if operator.objects == step.args:
        return operator
    names = dict(zip(operator.objects, step.args, strict=True))

    def moved(literal: Literal) -> Literal:
        predicate, *terms = literal.fact
        return replace(literal, fact=(predicate, *(names.get(term, term) for term in terms)))

    return replace(
        operator,
        objects=step.args,
        preconditions=tuple(map(moved, operator.preconditions)),
        effects=tuple(map(moved, operator.effects)),
    )
