"""The strategy: proposed, followed by the model on the debugging tasks, judged by the validator, mended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundplan.generalize import prompts_strategy as prompts
from groundplan.generalize.chat import Asker, Chat
from groundplan.generalize.judge import judge_plan
from groundplan.generalize.kinds import Kind, NamedTask, TaskResult, failures_by_kind
from groundplan.generalize.parallel import each
from groundplan.generalize.replies import plan_in, strategy_in
from groundplan.generalize.settings import Settings
from groundplan.generalize.values import values_of
from groundplan.models.errors import PromptTooLong
from groundplan.pddl.ast import Plan
from groundplan.runs.refine import Ending, Round, refine
from groundplan.runs.run import Run


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy as the model wrote it, with the conversation it came from; no text where it could not be read."""

    text: str
    chat: Chat = field(repr=False)
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Followed:
    """What came of one task when the model followed the strategy: the last of the plans that were asked for."""

    task: NamedTask
    result: TaskResult
    chat: Chat = field(repr=False)
    plans: int = 1


@dataclass(frozen=True, slots=True)
class StrategyCheck:
    """How a strategy did on the debugging tasks (none where it could not be read)."""

    followed: tuple[Followed, ...] = ()
    fault: str = ""

    @property
    def solved(self) -> int:
        return sum(item.result.solved for item in self.followed)

    @property
    def accepted(self) -> bool:
        return not self.fault and self.solved == len(self.followed)

    @property
    def explanation(self) -> str:
        return self.fault or "; ".join(
            f"{item.task.name}: {item.result.kind.value}" for item in self.followed if not item.result.solved
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "solved": self.solved,
            "fault": self.fault,
            "failures": failures_by_kind(item.result for item in self.followed),
            "tasks": [{**item.result.as_json(), "plans_asked": item.plans} for item in self.followed],
        }


@dataclass(frozen=True, slots=True)
class StrategyOutcome:
    """All strategies with their checks, and the one that goes on to the programs."""

    rounds: tuple[Round[Strategy, StrategyCheck], ...]
    ending: Ending
    reason: str

    @property
    def fault(self) -> str:
        """What was wrong with the last reply, where it held no strategy."""
        return self.rounds[-1].proposal.fault if self.rounds else self.reason

    @property
    def best(self) -> Round[Strategy, StrategyCheck] | None:
        """Most tasks solved; of equals the later one."""
        readable = [item for item in self.rounds if item.proposal.text]
        return max(reversed(readable), key=lambda item: item.check.solved, default=None)

    def plan_for(self, task: str) -> Plan | None:
        """A plan that the model found for the task while following a strategy and that is valid."""
        for item in reversed(self.rounds):
            for followed in item.check.followed:
                if followed.task.name == task and followed.result.solved:
                    return followed.result.plan
        return None


class StrategySteps:
    """Propose, check and revise for the shared loop. `rounds` keeps what was done, whatever ends the loop."""

    def __init__(
        self,
        asker: Asker,
        settings: Settings,
        description: str,
        texts: dict[str, str],
        examples: Sequence[NamedTask],
        tasks: Sequence[NamedTask],
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._asker = asker
        self._settings = settings
        self._description = description
        self._texts = texts
        self._examples = examples
        self._tasks = tasks
        self._progress = progress
        self._blamed = ""

    def propose(self) -> Strategy:
        self._progress("asking for a strategy")
        examples = [self._texts[task.name] for task in self._examples]
        return _strategy(self._asker.open(prompts.propose(self._description, examples)))

    def check(self, proposal: Strategy) -> StrategyCheck:
        if not proposal.text:
            return StrategyCheck(fault=proposal.fault)
        if not self._tasks:
            return StrategyCheck()
        self._progress(f"following the strategy on {len(self._tasks)} tasks")
        return StrategyCheck(
            tuple(each(lambda task: self._follow(proposal.text, task), self._tasks, self._settings.jobs))
        )

    def revise(self, proposal: Strategy, check: StrategyCheck) -> Strategy:
        if not proposal.text:
            return _strategy(self._asker.ask(proposal.chat, prompts.unreadable(check.fault)))
        failed = [item for item in check.followed if not item.result.solved]
        again = [item for item in failed if item.task.name == self._blamed]  # the same task until it is solved
        item = (again or failed)[0]
        self._blamed = item.task.name
        self._progress(f"mending the strategy: it fails on {item.task.name}")
        reflection = self._asker.ask(item.chat, prompts.reflect(item.result.message))
        return _strategy(self._asker.ask(reflection, prompts.revise()))

    def _follow(self, strategy: str, task: NamedTask) -> Followed:
        """Ask for a plan, and for another one as long as none is valid, before the strategy is blamed."""
        question = prompts.follow(self._description, strategy, self._texts[task.name], task.task)
        for sample in range(self._settings.plans_per_check):
            chat = self._asker.open(question, sample)
            result = judge_reply(task, chat)
            if result.solved:
                break
        return Followed(task, result, chat, sample + 1)


def find_strategy(steps: StrategySteps, run: Run, repairs: int) -> StrategyOutcome:
    """The shared loop with these steps. Raises InputError and StorageError; a model that fails ends the loop."""
    refined = refine(steps, run, rounds=repairs + 1, name="strategy")
    ending = refined.ending
    if isinstance(refined.error, PromptTooLong):  # the conversation is at fault: what it gave so far goes on
        ending = Ending.ROUNDS
    return StrategyOutcome(refined.rounds, ending, refined.reason)


def judge_reply(task: NamedTask, chat: Chat) -> TaskResult:
    """Judge the plan in a reply as a program's result is judged."""
    found = plan_in(chat.answer, chat.cut_off)
    if found.plan is None:
        return TaskResult(task.name, Kind.UNREADABLE_STEP, f"Your answer could not be used: {found.fault}.")
    return judge_plan(task, values_of(task.task), found.plan)


def _strategy(chat: Chat) -> Strategy:
    found = strategy_in(chat.answer, chat.cut_off)
    return Strategy(found.text, chat, found.fault)
