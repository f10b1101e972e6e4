"""What a program's run on a task is worth, and what its author is told about it.

A plan is judged on the task's own facts, whatever the program did to the values it was given.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundplan.confine.outcome import ConfineLimits, Ending, Ran
from groundplan.generalize import run_words
from groundplan.generalize.kinds import Kind, NamedTask, TaskResult
from groundplan.generalize.plan_faults import goal_fault, step_fault
from groundplan.generalize.plan_value import plan_from_value
from groundplan.generalize.values import Fact, ProgramInput
from groundplan.pddl.ast import Plan
from groundplan.pddl.simulate import Simulator

_KINDS = {
    Ending.TIME_OUT: Kind.TIME_OUT,
    Ending.MEMORY: Kind.OUT_OF_MEMORY,
    Ending.OUTPUT: Kind.TOO_MUCH_OUTPUT,
    Ending.EXITED: Kind.EXITED,
    Ending.FORBIDDEN: Kind.FORBIDDEN,
    Ending.KILLED: Kind.KILLED,
    Ending.BAD_SOURCE: Kind.NO_PROGRAM,
    Ending.BROKEN: Kind.NOT_RUN,
}


def judge(
    task: NamedTask,
    values: ProgramInput,
    ran: Ran,
    *,
    simulator: Simulator | None = None,
    limits: ConfineLimits | None = None,
) -> TaskResult:
    """The result of one run on a task that was given as `values`.

    `simulator` may be one made for this task before; `limits` are those of the run, for the wording. Raises InputError
    where the task has features beyond classical planning.
    """
    if not ran.returned:
        kind = _kind_of(ran)
        return TaskResult(task.name, kind, run_words.message(kind, ran, limits), seconds=ran.seconds)
    read = plan_from_value(ran.value)
    if read.fault is not None or read.plan is None:
        kind = read.fault or Kind.WRONG_TYPE
        return TaskResult(task.name, kind, read.message, read.plan, read.step, ran.seconds)
    kind, message, step = check_plan(simulator or Simulator(task.task), values.goal, read.plan)
    return TaskResult(task.name, kind, message, read.plan, step, ran.seconds)


def judge_plan(task: NamedTask, values: ProgramInput, plan: Plan) -> TaskResult:
    """The result of a plan, whoever wrote it. Raises InputError as `judge` does."""
    kind, message, step = check_plan(Simulator(task.task), values.goal, plan)
    return TaskResult(task.name, kind, message, plan, step)


def check_plan(simulator: Simulator, goal: Sequence[Fact], plan: Plan) -> tuple[Kind, str, int | None]:
    """The kind, the message and the step at fault (from 1) of a plan; `goal` has the goal's facts."""
    rows = [(step.action, *step.args) for step in plan]
    walk = simulator.walk()
    taken = walk.advance(rows)
    if taken == len(rows) and simulator.reaches_goal(walk):
        return Kind.SOLVED, "", None
    walk.refresh()
    if taken < len(rows):
        fault = step_fault(simulator, plan, taken, walk.tables)
        return fault.kind, fault.message, taken + 1
    fault = goal_fault(simulator, goal, plan, walk.tables)
    return fault.kind, fault.message, None


def _kind_of(ran: Ran) -> Kind:
    if ran.ending is Ending.RAISED:
        return Kind.MISSING_MODULE if ran.error == "ModuleNotFoundError" else Kind.EXCEPTION
    return _KINDS[ran.ending]
