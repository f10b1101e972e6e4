"""Tree of thoughts (Yao et al. 2023): breadth-first search over thoughts, with the model as its own evaluator."""

from __future__ import annotations

from dataclasses import dataclass

from groundplan.bench.methods import prompts
from groundplan.bench.methods.meter import Meter
from groundplan.bench.methods.pddl_drafts import shown
from groundplan.bench.methods.protocol import Context
from groundplan.bench.methods.reasoning import answer_directly, try_plan
from groundplan.bench.methods.replies import rating_in
from groundplan.bench.methods.trail import Trail, ended
from groundplan.bench.sets.task import Answer, Task
from groundplan.models.reply_text import without_thinking

Thoughts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TreeOfThoughts:
    """`branch` thoughts from each state, of which the `width` best go on, level by level.

    No solver is asked while thoughts are expanded (section G.4). At the end up to K candidates are written from the
    best states in turn, and checked as in chain of thought. For a task whose answer is a text, the best state gives
    the answer.
    """

    name: str = "tot"
    branch: int = 3
    width: int = 2

    def refuse(self, context: Context) -> None:
        """It answers everything."""

    def answer(self, task: Task, context: Context) -> Answer:
        return ended(self._work, task, context)

    def model_calls(self, context: Context) -> tuple[int, int]:
        levels = prompts.PLAN_LEVELS if context.about_pddl else prompts.ANSWER_LEVELS
        states, search = 1, 0
        for _ in levels:
            search += 2 * states * self.branch
            states = min(self.width, states * self.branch)
        last = context.solver_calls if context.about_pddl else 1
        return search + min(1, last), search + last

    def _work(self, task: Task, context: Context, meter: Meter, trail: Trail) -> None:
        if context.about_pddl and not context.solver_calls:
            meter.refuse_solver()
        levels = prompts.PLAN_LEVELS if context.about_pddl else prompts.ANSWER_LEVELS
        text = shown(task, about_pddl=context.about_pddl)
        domain = task.domain if context.about_pddl else ""
        states: list[Thoughts] = [()]
        for wanted in levels:
            states = self._best(text, domain, meter, states, wanted) or states
        if not context.about_pddl:
            answer_directly(meter.ask(prompts.direct(text, states[0])), trail)
            return
        for turn in range(context.solver_calls):
            thoughts = states[turn % len(states)]
            asked = prompts.reasoned_plan(text, task.domain, thoughts)
            if try_plan(meter.ask(asked, turn // len(states)), task, meter, trail):
                return

    def _best(self, text: str, domain: str, meter: Meter, states: list[Thoughts], wanted: str) -> list[Thoughts]:
        """The best states of the next level; of equal ones those that were thought first."""
        found: dict[Thoughts, float] = {}
        for state in states:
            for sample in range(self.branch):
                reply = meter.ask(prompts.thought(text, domain, state, wanted), sample)
                thought = without_thinking(reply.text).strip() if reply else ""
                longer = (*state, thought)
                if not thought or longer in found:
                    continue
                rated = meter.ask(prompts.rating(text, domain, longer))
                found[longer] = rating_in(rated.text) if rated else 0.0
        return sorted(found, key=lambda state: -found[state])[: self.width]
