"""One operator in a world: let its executor act, then see whether the effects hold."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from groundplan.adapt.execution.record import Done
from groundplan.adapt.facts import Facts
from groundplan.adapt.planning.states import at_facts, fact_of, text_of
from groundplan.adapt.worlds.world import Executor, World
from groundplan.pddl.ast import Step, Task
from groundplan.pddl.simulate import Simulator

Watch = Callable[[World, Step], None]
"""Told after every control step: for frames, a progress bar, a recorder."""


def unwatched(world: World, step: Step) -> None:
    """Watch nothing."""


MOST_STEPS = 600
"""Control steps that an executor may take: half a minute of the robot's time."""
SETTLE_STEPS = 20
"""Control steps to wait for effects that need a moment (a lid that falls, a grasp that must be held)."""


def foretold(task: Task, facts: Facts, step: Step) -> Facts:
    """The facts after a step, as the domain says. Raises InputError when the step is not applicable."""
    simulator = Simulator(at_facts(task, facts))
    return frozenset(map(fact_of, simulator.apply(simulator.initial, step).atoms))


def operate(
    task: Task,
    world: World,
    executor: Executor,
    step: Step,
    *,
    watch: Watch = unwatched,
    most_steps: int = MOST_STEPS,
    learned: bool = False,
) -> Done:
    """Let an executor act until it is done, or for `most_steps`, and compare the facts with those foretold.

    Raises InputError when the step is not applicable in the facts that the world shows.
    """
    before = world.facts()
    after = foretold(task, before, step)
    changed = after ^ before
    used = _act(world, executor, step, watch, most_steps)
    for _ in range(SETTLE_STEPS):
        if _hold(world.facts(), after, changed):
            break
        world.step(np.zeros(4))
        watch(world, step)
        used += 1
    seen = world.facts()
    missing = tuple(text_of(fact, fact in after) for fact in sorted(changed) if (fact in seen) is not (fact in after))
    known = task.domain.predicate_by_name
    surplus = tuple((fact in seen, fact) for fact in sorted(seen ^ after) if fact not in changed and fact[0] in known)
    return Done(step, before, seen, used, missing, surplus, learned)


def _act(world: World, executor: Executor, step: Step, watch: Watch, most_steps: int) -> int:
    observation = world.observe()
    for used in range(most_steps):
        action = executor.act(observation, world.facts())
        if action is None:
            return used
        observation = world.step(action)
        watch(world, step)
    return most_steps


def _hold(seen: Facts, after: Facts, changed: Facts) -> bool:
    return all((fact in seen) is (fact in after) for fact in changed)
