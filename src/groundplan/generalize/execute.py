"""Running one program on one task: in several orders of what it is given, and under other names."""

from __future__ import annotations

import re
from dataclasses import replace

from groundplan.confine.outcome import ConfineLimits, Plain
from groundplan.confine.protocol import DEFAULT_LIMITS, Confinement
from groundplan.confine.tagged import ordered_set
from groundplan.generalize.judge import judge
from groundplan.generalize.kinds import Kind, NamedTask, TaskResult
from groundplan.generalize.names import Renaming
from groundplan.generalize.renaming import apply, renamed_objects
from groundplan.generalize.values import ProgramInput, in_order, values_of
from groundplan.pddl.simulate import Simulator

FUNCTION = "get_plan"
_MOST_NAMES = 12


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
    """Run a program in `orders` orders of objects and facts (the first is that of the files); all must succeed.

    Each order comes with its own hash seed, unless `hash_seeds` is off, so that what depends on the order of sets
    shows itself. With `renamed`, the task is run once more with meaningless names for its objects. The first failure
    ends it: one after a success is ORDER_DEPENDENT or NAME_DEPENDENT, with its `cause`.

    The result is NOT_RUN where the confinement failed. Raises InputError for tasks that no program can be given (see
    `values_of`) or that are beyond classical planning, and what the confinement raises.
    """
    values = values_of(named.task)
    simulator = Simulator(named.task)
    first: TaskResult | None = None
    slowest = 0.0
    judged: list[tuple[Plain, TaskResult]] = []
    for order in range(max(1, orders)):
        seed = order if hash_seeds else 0
        result = _run(program, named, in_order(values, order), confinement, limits, seed, simulator, judged)
        slowest = max(slowest, result.seconds)
        if not result.solved:
            if first is not None and result.kind is not Kind.NOT_RUN:
                result = _order_dependent(result)
            return replace(result, seconds=slowest, orders_tried=order + 1)
        first = first or result
    assert first is not None
    first = replace(first, seconds=slowest, orders_tried=max(1, orders))
    return _run_renamed(program, named, confinement, limits, first) if renamed else first


def _run(
    program: str,
    named: NamedTask,
    values: ProgramInput,
    confinement: Confinement,
    limits: ConfineLimits,
    hash_seed: int,
    simulator: Simulator,
    judged: list[tuple[Plain, TaskResult]],
) -> TaskResult:
    """One run. `judged` has the values that were judged before: an equal one is not judged again."""
    arguments = [ordered_set(values.objects), ordered_set(values.init), ordered_set(values.goal)]
    ran = confinement.run(program, FUNCTION, arguments, limits, hash_seed=hash_seed)
    if ran.returned:
        for value, result in judged:
            if type(value) is type(ran.value) and value == ran.value:
                return replace(result, seconds=ran.seconds)
    result = judge(named, values, ran, simulator=simulator, limits=limits)
    if result.solved:
        judged.append((ran.value, result))
    return result


def _order_dependent(result: TaskResult) -> TaskResult:
    message = (
        "The program solves this task when objects and facts come in one order, but not when they come in another: "
        "sets have no order, and nothing may depend on the one in which they are iterated (sort them, and choose by "
        f"what is true of a thing). In the other order: {result.message}"
    )
    return replace(result, kind=Kind.ORDER_DEPENDENT, cause=result.kind, message=message)


def _run_renamed(
    program: str, named: NamedTask, confinement: Confinement, limits: ConfineLimits, first: TaskResult
) -> TaskResult:
    """The result with other names for the objects where that is a failure, else the first one."""
    renaming = renamed_objects(named.task)
    task = NamedTask(named.name, apply(renaming, named.task))
    result = _run(program, task, values_of(task.task), confinement, limits, 0, Simulator(task.task), [])
    slowest = max(first.seconds, result.seconds)
    if result.solved:
        return replace(first, seconds=slowest)
    if result.kind is Kind.NOT_RUN:
        return replace(result, orders_tried=first.orders_tried)
    message = (
        "The program solves this task, but not the same task with other names for its objects: nothing may depend on "
        f"how objects are called, or on the order of their names. With other names{_glossary(renaming, result)}: "
        f"{result.message}"
    )
    return replace(
        result,
        kind=Kind.NAME_DEPENDENT,
        cause=result.kind,
        message=message,
        seconds=slowest,
        orders_tried=first.orders_tried,
    )


def _glossary(renaming: Renaming, result: TaskResult) -> str:
    """The old names of what the message speaks of."""
    words = set(re.findall(r"[\w-]+", result.message))
    found = [f"`{new}` for `{old}`" for old, new in renaming.objects.items() if new in words][:_MOST_NAMES]
    return f" ({', '.join(found)})" if found else ""
