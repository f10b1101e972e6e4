"""Chain of thought: a reasoned plan, or a reasoned answer; with self-consistency over several samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.bench.methods import prompts
from groundplan.bench.methods.meter import Meter
from groundplan.bench.methods.pddl_drafts import draft_of, shown
from groundplan.bench.methods.protocol import Context
from groundplan.bench.methods.replies import answer_in, majority, plan_in
from groundplan.bench.methods.trail import Trail, ended
from groundplan.bench.sets.task import Answer, Step, Task
from groundplan.errors import InputError
from groundplan.formalize.specification import Specification
from groundplan.models.protocol import Reply


@dataclass(frozen=True, slots=True)
class ChainOfThought:
    """Reasoning before the answer.

    For a planning task: up to K candidates, each a plan with the specification that it is a plan of (its domain is the
    given one, where there is one). Our validator, not a planner, runs the plan on that specification; the reference is
    never asked. The first that stands is the answer (section H.1: "the solver is used only for candidate selection").
    For a task whose answer is a text: one greedy reply.
    """

    name: str = "cot"

    def refuse(self, context: Context) -> None:
        """It answers everything."""

    def answer(self, task: Task, context: Context) -> Answer:
        return ended(self._work, task, context)

    def model_calls(self, context: Context) -> tuple[int, int]:
        return (min(1, context.solver_calls), context.solver_calls) if context.about_pddl else (1, 1)

    def _work(self, task: Task, context: Context, meter: Meter, trail: Trail) -> None:
        if not context.about_pddl:
            answer_directly(meter.ask(prompts.direct(shown(task, about_pddl=False))), trail)
            return
        if not context.solver_calls:
            meter.refuse_solver()
        asked = prompts.reasoned_plan(shown(task), task.domain)
        for sample in range(context.solver_calls):
            if try_plan(meter.ask(asked, sample), task, meter, trail):
                return


@dataclass(frozen=True, slots=True)
class SelfConsistency:
    """The most frequent answer of K reasoned samples; for tasks whose answer is a text."""

    name: str = "self-consistency"

    def refuse(self, context: Context) -> None:
        if context.about_pddl:
            raise InputError(f"`{self.name}` votes on short answers, which plans are not: take cot or llm+p")

    def answer(self, task: Task, context: Context) -> Answer:
        self.refuse(context)
        return ended(self._work, task, context)

    def model_calls(self, context: Context) -> tuple[int, int]:
        return context.solver_calls, context.solver_calls

    def _work(self, task: Task, context: Context, meter: Meter, trail: Trail) -> None:
        asked = prompts.direct(shown(task, about_pddl=False))
        replies = [meter.ask(asked, sample) for sample in range(context.solver_calls)]
        spoken = [reply for reply in replies if reply is not None and answer_in(reply.text)]
        if spoken:
            answer_directly(spoken[majority([answer_in(reply.text) for reply in spoken])], trail)
        elif not replies:
            meter.refuse_solver()


def answer_directly(reply: Reply | None, trail: Trail) -> None:
    """Take the final answer of a reply as the method's."""
    text = answer_in(reply.text) if reply else ""
    if text:
        trail.readable, trail.text = True, text
    else:
        trail.cut = reply is not None and reply.finish == "length"


def try_plan(reply: Reply | None, task: Task, meter: Meter, trail: Trail) -> bool:
    """Validate the plan of a reply on the reply's own specification; True where it stands."""
    draft = draft_of(reply, task.domain)
    plan = plan_in(reply.text) if reply else None
    if not draft.readable or plan is None:
        trail.unread(reply)
        return False
    found = meter.validate(Specification(draft.domain, draft.problem), plan)
    steps = found.plan if found.plan is not None else _lines(plan)
    trail.add(Step(draft.domain, draft.problem, tuple(steps), found.solved, found.category))
    trail.text = reply.text if reply else ""
    return found.solved


def _lines(plan: str) -> Sequence[str]:
    return [line.strip() for line in plan.splitlines() if line.strip()]
