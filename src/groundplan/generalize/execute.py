"""One program on one task: run in several orders, each judged, the first failure told."""

from __future__ import annotations

import random
from dataclasses import replace

from groundplan.confine.outcome import ConfineLimits
from groundplan.confine.protocol import Confinement
from groundplan.confine.tagged import ordered_set
from groundplan.generalize.judge import judge
from groundplan.generalize.kinds import Kind, NamedTask, TaskResult
from groundplan.generalize.values import Fact, ProgramInput, in_order, values_of
from groundplan.pddl.ast import And, Atom, Problem, Task, TypedName
from groundplan.pddl.simulate import Simulator

FUNCTION = "get_plan"
DEFAULT_LIMITS = ConfineLimits()


def run_on_task(
    program: str,
    named: NamedTask,
    confinement: Confinement,
    *,
    limits: ConfineLimits = DEFAULT_LIMITS,
    orders: int = 4,
    hash_seeds: bool = True,
    renamed: bool = False,
) -> TaskResult:
    """Run a program on a task in `orders` orders of objects and facts, all of which must give a valid plan.

    Order 0 is the task's own; each order has a hash seed of its own (unless `hash_seeds` is False), since the order in
    which Python walks through a set depends on it. With `renamed`, the task is run with meaningless object names too.
    Stops at the first failure: ORDER_DEPENDENT or NAME_DEPENDENT where the task was solved before, with what happened
    as `cause`. The plan is that of the failing order, or of order 0. Raises InputError as `values_of` does.
    """
    values = values_of(named.task)
    simulator = Simulator(named.task)
    first: TaskResult | None = None
    slowest = 0.0
    for order in range(max(1, orders)):
        result = _run(
            program, named, in_order(values, order), confinement, limits, order if hash_seeds else 0, simulator
        )
        slowest = max(slowest, result.seconds)
        if not result.solved:
            return replace(_dependent(first, result, order), seconds=slowest, orders_tried=order + 1)
        first = first or result
    assert first is not None
    if renamed:
        other = run_on_task(program, renamed_task(named), confinement, limits=limits, orders=1)
        slowest = max(slowest, other.seconds)
        if not other.solved and other.kind is not Kind.NOT_RUN:
            message = f"The program solves this task, but not when its objects have other names. {other.message}"
            return replace(
                other, task=named.name, kind=Kind.NAME_DEPENDENT, cause=other.kind, message=message, orders_tried=orders
            )
    return replace(first, seconds=slowest, orders_tried=max(1, orders))


def _run(
    program: str,
    named: NamedTask,
    values: ProgramInput,
    confinement: Confinement,
    limits: ConfineLimits,
    hash_seed: int,
    simulator: Simulator,
) -> TaskResult:
    arguments = [ordered_set(values.objects), ordered_set(values.init), ordered_set(values.goal)]
    ran = confinement.run(program, FUNCTION, arguments, limits, hash_seed=hash_seed)
    return judge(named.task, values, ran, named.name, simulator)


def _dependent(first: TaskResult | None, result: TaskResult, order: int) -> TaskResult:
    if first is None or result.kind is Kind.NOT_RUN:
        return result
    message = (
        "The program solves this task, but not when objects and facts come in another order: the result depends on the "
        f"order in which a set is iterated. {result.message}"
    )
    return replace(result, kind=Kind.ORDER_DEPENDENT, cause=result.kind, message=message)


def renamed_task(named: NamedTask) -> NamedTask:
    """The task with objects called x1, x2, ... in a shuffled order; constants keep their names."""
    task = named.task
    names = [item.name for item in task.problem.objects]
    fixed = {item.name for item in task.domain.constants}
    free = [name for name in names if name not in fixed]
    shuffled = random.Random(f"names/{named.name}").sample(range(1, len(free) + 1), len(free))
    new = {name: f"x{number}" for name, number in zip(free, shuffled, strict=True)}

    def rename(fact: Fact) -> Atom:
        return Atom(fact[0], tuple(new.get(word, word) for word in fact[1:]))

    values = values_of(task)
    problem = task.problem
    changed = Problem(
        problem.name,
        problem.domain_name,
        problem.requirements,
        tuple(TypedName(new.get(item.name, item.name), item.types) for item in problem.objects),
        tuple(rename(fact) for fact in values.init),
        (),
        (),
        And(tuple(rename(fact) for fact in values.goal)),
    )
    return NamedTask(named.name, Task(task.domain, changed))
