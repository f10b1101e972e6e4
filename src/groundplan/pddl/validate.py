"""Validating plans: valid, invalid (which step, and every cause), or unreadable; nothing in between.

The semantics is that of PDDL for sequential plans (Fox and Long 2003; Howey and Long 2003), as `simulate` has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from groundplan.pddl.ast import Step, Task
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity, did_you_mean
from groundplan.pddl.faults import Fault
from groundplan.pddl.plan import PlanText, read_plan
from groundplan.pddl.rows import Row
from groundplan.pddl.simulate import Simulator
from groundplan.pddl.source import Source, Span


class VerdictKind(StrEnum):
    VALID = "valid"
    INVALID = "invalid"
    UNREADABLE = "unreadable"
    """The plan's text could not be read, so that nothing is known about the plan."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What validation found.

    `step` is the step at fault, counted from 1; None where the plan runs to its end, or was not read. `reasons` are
    all causes found there. `cost` is that of a valid plan, by `measure`: "total-cost" where the problem minimizes
    it (its initial value included), else "steps". `diagnostics` hold the reasons with their codes and places.
    """

    verdict: VerdictKind
    step: int | None = None
    reasons: tuple[str, ...] = ()
    cost: float | None = None
    measure: str = "steps"
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def is_valid(self) -> bool:
        return self.verdict is VerdictKind.VALID

    def as_json(self) -> dict[str, Any]:
        """The keys that `groundplan validate --json` prints."""
        return {
            "verdict": self.verdict.value,
            "step": self.step,
            "reasons": list(self.reasons),
            "cost": self.cost,
            "measure": self.measure,
            "diagnostics": [diagnostic.as_json() for diagnostic in self.diagnostics],
        }


def validate_plan(task: Task, plan: Iterable[Step]) -> Verdict:
    """Judge a plan. Raises InputError when the task has features beyond classical planning (named, with place)."""
    return _judge(Simulator(task), [(step.action, *step.args) for step in plan], None)


def validate_text(task: Task, source: Source) -> Verdict:
    """Read and judge a plan in any of the known spellings. Raises InputError as `validate_plan` does."""
    simulator = Simulator(task)
    plan = read_plan(source)
    prose = _prose(plan, task)
    problems = (*(found for found in plan.diagnostics if found.is_error), *prose)
    if problems:
        lines = tuple(dict.fromkeys(f"line {found.line}: {found.message}" for found in problems))
        measure = _measure(task)
        return Verdict(VerdictKind.UNREADABLE, None, lines, None, measure, (*plan.diagnostics, *prose))
    return _judge(simulator, plan.words, plan)


def _judge(simulator: Simulator, steps: Sequence[Row], text: PlanText | None) -> Verdict:
    measure = _measure(simulator.task)
    notes = text.diagnostics if text else ()
    walk = simulator.walk()
    taken = walk.advance(steps)
    reached = taken == len(steps) and simulator.reaches_goal(walk)
    if reached:
        return Verdict(VerdictKind.VALID, None, (), walk.cost, measure, notes + _cost_note(walk.cost, len(steps), text))
    walk.refresh()
    if taken < len(steps):
        step, faults = taken + 1, simulator.step_faults(steps[taken], walk.tables)
        assert faults, "the walk stopped at a step that nothing is wrong with"
    else:
        step, faults = None, simulator.goal_faults(walk.tables)
        assert faults, "the goal is not reached, yet nothing is missing"
    found = tuple(_diagnostic(fault, step, simulator.task, text) for fault in faults)
    reasons = (*map(str, faults), *_already_reached(simulator, steps[:taken], step))
    return Verdict(VerdictKind.INVALID, step, reasons, None, measure, notes + found)


def _measure(task: Task) -> str:
    return "total-cost" if task.minimizes_cost else "steps"


def _diagnostic(fault: Fault, step: int | None, task: Task, text: PlanText | None) -> Diagnostic:
    if step is None:
        return fault.diagnostic(task.problem.goal_span, task.problem.source)
    return fault.diagnostic(text.spans[step - 1], text.source) if text else fault.diagnostic()


def _already_reached(simulator: Simulator, steps: Sequence[Row], step: int | None) -> Iterable[str]:
    """A sentence on the shortest beginning of the plan that reaches the goal, if one does."""
    walk = simulator.walk()
    for taken in range(len(steps) + (step is not None)):
        if simulator.reaches_goal(walk):
            if taken == 0:
                yield "the goal already holds at the start, without any step"
            elif taken == 1:
                yield "step 1 alone already reaches the goal"
            else:
                yield f"steps 1 to {taken} alone already reach the goal"
            return
        walk.advance(steps[taken : taken + 1])


def _prose(plan: PlanText, task: Task) -> tuple[Diagnostic, ...]:
    """Lines without brackets that name no action, and not even one nearly, over this task's objects: no steps."""
    found = []
    objects = {item.name for item in task.objects} if plan.bare else set()
    for index in plan.bare:
        name, *args = plan.words[index]
        known = task.domain.action_by_name
        if name in known or (args and objects.issuperset(args)) or (len(args) < 2 and did_you_mean(name, known)):
            continue
        message = f"cannot read this line: no action is called `{name}`"
        hint = "write one step a line, as (action object ...), and comments behind `;`"
        span = plan.spans[index]
        found.append(
            Diagnostic("plan-unreadable-line", Category.SYNTAX, Severity.ERROR, message, span, plan.source, hint)
        )
    return tuple(found)


def _cost_note(cost: float, steps: int, text: PlanText | None) -> tuple[Diagnostic, ...]:
    """A warning where the text claims another cost for itself than the plan has."""
    if text is None or text.declared_cost is None or text.declared_cost in (cost, steps):
        return ()
    message = f"the text says that the plan costs {text.declared_cost:.15g}, it costs {cost:.15g}"
    return (Diagnostic("plan-cost-differs", Category.GOAL, Severity.WARNING, message, Span(0, 0), text.source),)
