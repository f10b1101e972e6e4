"""Programs: variants of one strategy's implementation, run on the debugging tasks, reflected on, fixed."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundplan.errors import GroundplanError
from groundplan.generalize import prompts_code as prompts
from groundplan.generalize.chat import Asker, Chat
from groundplan.generalize.code import ProgramText, program_from_reply
from groundplan.generalize.kinds import Kind, NamedTask, TaskResult, failures_by_kind
from groundplan.generalize.prompts_code import Example, Shown
from groundplan.generalize.settings import Settings
from groundplan.generalize.values import ProgramInput, literals, values_of
from groundplan.pddl.ast import Plan

RunProgram = Callable[[str, NamedTask], TaskResult]

_FIRST = (Kind.EXCEPTION, Kind.MISSING_MODULE, Kind.TIME_OUT, Kind.OUT_OF_MEMORY)
"""Failures that are shown first: a program that does not end with an answer hides what else is wrong."""

MOST_SHOWN = 6000
"""The longest input (characters) that is shown as a whole; of a longer one its beginning."""
MOST_STEPS = 150


class Overtaken(GroundplanError):
    """An earlier variant solves everything, so that this one is not needed any more."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program as the model wrote it, with the conversation it came from."""

    variant: int
    text: ProgramText
    chat: Chat = field(repr=False)

    @property
    def source(self) -> str:
        return self.text.source

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.source.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class ProgramCheck:
    """How a program did on the debugging tasks."""

    results: tuple[TaskResult, ...]

    @property
    def solved(self) -> int:
        return sum(result.solved for result in self.results)

    @property
    def accepted(self) -> bool:
        return bool(self.results) and self.solved == len(self.results)

    @property
    def explanation(self) -> str:
        return "; ".join(f"{result.task}: {result.kind.value}" for result in self.results if not result.solved)

    @property
    def steps(self) -> int:
        """The steps of all plans, for breaking ties."""
        return sum(len(result.plan or ()) for result in self.results)

    @property
    def seconds(self) -> float:
        return sum(result.seconds for result in self.results)

    def as_json(self) -> dict[str, Any]:
        return {
            "solved": self.solved,
            "failures": failures_by_kind(self.results),
            "tasks": [result.as_json() for result in self.results],
        }


@dataclass(frozen=True, slots=True)
class Tried:
    """One program with its check: `variant` and `fix` from 0."""

    program: Program
    check: ProgramCheck
    fix: int

    @property
    def variant(self) -> int:
        return self.program.variant


def best_of(tried: Sequence[Tried], shortest: bool = False) -> Tried | None:
    """Most tasks solved; a tie goes to the later one or, with `shortest`, to shorter plans, then to less time."""

    def merit(item: Tried) -> tuple[float, ...]:
        ties = (-item.check.steps, -item.check.seconds) if shortest else ()
        return (item.check.solved, *ties, item.variant, item.fix)

    usable = [item for item in tried if item.program.text.fault is None]
    return max(usable, key=merit, default=None)


class ProgramSteps:
    """Propose, check and revise of one variant for the shared loop; `tried` has all that was done.

    `overtaken` is asked before each step that costs something. `base` is the baselines' conversation with the
    strategy; without it the program is written in a conversation of its own.
    """

    def __init__(
        self,
        variant: int,
        asker: Asker,
        settings: Settings,
        strategy: str,
        example: tuple[NamedTask, Plan | None] | None,
        tasks: Sequence[NamedTask],
        run_program: RunProgram,
        overtaken: Callable[[int], bool] = lambda _: False,
        base: Chat | None = None,
    ) -> None:
        self.tried: list[Tried] = []
        self.tasks = list(tasks)
        self._variant = variant
        self._asker = asker
        self._settings = settings
        self._strategy = strategy
        self._example = example
        self._run_program = run_program
        self._overtaken = overtaken
        self._base = base
        self._shown = ""

    def propose(self) -> Program:
        self._stop_if_overtaken()
        domain = self.tasks[0].task.domain
        example = self._shuffled_example()
        if self._base is not None:
            return self._program(self._asker.ask(self._base, prompts.implement(domain, example)))
        return self._program(self._asker.open(prompts.write(domain, self._strategy, example), self._repeats(example)))

    def check(self, proposal: Program) -> ProgramCheck:
        self._stop_if_overtaken()
        if proposal.text.fault is not None:
            fault = proposal.text
            results = [TaskResult(task.name, fault.fault or Kind.NO_PROGRAM, fault.message) for task in self.tasks]
        else:
            results = [self._run_program(proposal.source, task) for task in self.tasks]
        check = ProgramCheck(tuple(results))
        self.tried.append(Tried(proposal, check, len(self.tried)))
        return check

    def revise(self, proposal: Program, check: ProgramCheck) -> Program:
        self._stop_if_overtaken()
        if proposal.text.fault is not None:
            return self._program(self._asker.ask(proposal.chat, prompts.unusable(proposal.text.message)))
        failed = self._chosen(check)
        task = next(task for task in self.tasks if task.name == failed.task)
        shown = Shown(task.name, shown_values(task), numbered(failed.plan), failed.message)
        solved = self._solved(check) if self._settings.solved_shown else []
        if not self._settings.reflect:
            return self._program(self._asker.ask(proposal.chat, prompts.fix_at_once(solved, shown)))
        reflection = self._asker.ask(proposal.chat, prompts.reflect(solved, shown))
        self._stop_if_overtaken()
        return self._program(self._asker.ask(reflection, prompts.fix()))

    def _stop_if_overtaken(self) -> None:
        if self._overtaken(self._variant):
            raise Overtaken

    def _chosen(self, check: ProgramCheck) -> TaskResult:
        """The failed task to show: the same until it is solved, else exceptions and time-outs first."""
        failed = [result for result in check.results if not result.solved]
        same = [result for result in failed if result.task == self._shown]
        first = [result for result in failed if (result.cause or result.kind) in _FIRST]
        chosen = (same or first or failed)[0]
        self._shown = chosen.task
        return chosen

    def _solved(self, check: ProgramCheck) -> list[Shown]:
        by_name = {task.name: task for task in self.tasks}
        return [
            Shown(result.task, shown_values(by_name[result.task]), numbered(result.plan))
            for result in check.results
            if result.solved
        ]

    def _shuffled_example(self) -> Example | None:
        """The example with objects and goal in an order of this variant's own, the initial facts sorted."""
        if self._example is None:
            return None
        task, plan = self._example
        return Example(
            literals(shuffled(values_of(task.task), self._seed)), plan if self._settings.example_plan else None
        )

    @property
    def _seed(self) -> str:
        return f"{self._settings.seed}/{self._variant}"

    def _repeats(self, example: Example | None) -> int:
        """Where shuffling changes nothing, a variant is another sample of the same prompt."""
        if example is None or self._example is None:
            return self._variant
        values = values_of(self._example[0].task)
        earlier = (literals(shuffled(values, f"{self._settings.seed}/{n}")) for n in range(self._variant))
        return sum(text == example.values for text in earlier)

    def _program(self, chat: Chat) -> Program:
        return Program(self._variant, program_from_reply(chat.answer), chat)


def shuffled(values: ProgramInput, seed: str) -> ProgramInput:
    """Objects and goal facts in a seeded random order, the initial facts sorted: what tells variants apart."""
    rng = random.Random(f"example/{seed}")
    objects, goal = list(values.objects), list(values.goal)
    rng.shuffle(objects)
    rng.shuffle(goal)
    return ProgramInput(tuple(objects), tuple(sorted(values.init)), tuple(goal))


def shown_values(task: NamedTask) -> str:
    """The task's arguments as Python source, cut where they are very long."""
    text = literals(values_of(task.task))
    return (
        text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}\n# ... and {len(text) - MOST_SHOWN} more characters"
    )


def numbered(plan: Plan | None) -> str:
    """A plan with its steps numbered from 1, cut where it is very long; an empty text where there is none."""
    if plan is None:
        return ""
    if not plan:
        return "[] (no steps)"
    lines = [f"{number}. {step}" for number, step in enumerate(plan[:MOST_STEPS], 1)]
    if len(plan) > MOST_STEPS:
        lines.append(f"... and {len(plan) - MOST_STEPS} more steps")
    return "\n".join(lines)
