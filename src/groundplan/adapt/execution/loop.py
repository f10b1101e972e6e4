"""Execute, learn, go on, plan again (Algorithm 1 of the novelty-adaptation paper, its second half)."""

from __future__ import annotations

from collections.abc import Callable

from groundplan.adapt.execution.operate import MOST_STEPS, Watch, operate, unwatched
from groundplan.adapt.execution.record import Done, Ending, Execution
from groundplan.adapt.execution.skills import Skills
from groundplan.adapt.facts import Facts
from groundplan.adapt.planning.space import Ahead, Space
from groundplan.adapt.planning.states import at_facts
from groundplan.adapt.worlds.world import ExecutorMaker, World
from groundplan.pddl.ast import Plan, Step, Task
from groundplan.pddl.simulate import Simulator

Learn = Callable[[Step, Plan], ExecutorMaker | None]
"""Learn the operator of a step; the plan up to it is what leads to where it starts. None: it was not learned."""
MOST_STATES = 50_000


def execute(
    task: Task,
    world: World,
    plan: Plan,
    skills: Skills,
    *,
    learn: Learn = lambda step, before: None,
    most_replans: int = 3,
    most_steps: int = MOST_STEPS,
    watch: Watch = unwatched,
) -> Execution:
    """Do `plan` in `world` as it is now; `task` has the domain with the new operators.

    At an operator without an executor, it is learned while the world stands still, and execution goes on from the
    state reached. When an effect fails to hold, or a step has become inapplicable, there is a new plan from the facts
    seen, at most `most_replans` times. What was learned is put into `skills`.
    """
    course = _Course(task, world, skills, learn, most_steps, watch)
    rest = plan
    replans = 0
    while True:
        failed = course.follow(rest)
        facts = world.facts()
        if isinstance(failed, Ending):
            return Execution(failed, course.reason, tuple(course.done), replans)
        if holds(task, facts):
            return Execution(Ending.REACHED, "", tuple(course.done), replans)
        if replans >= most_replans:
            return Execution(Ending.EFFECTS_FAILED, course.reason, tuple(course.done), replans)
        replans += 1
        found = plan_from(task, facts)
        if found is None:
            why = f"{course.reason}; from there no plan leads to the goal"
            return Execution(Ending.NO_PLAN, why, tuple(course.done), replans)
        rest = found


def holds(task: Task, facts: Facts) -> bool:
    """Whether the goal holds in these facts."""
    simulator = Simulator(at_facts(task, facts))
    return simulator.is_goal(simulator.initial)


def plan_from(task: Task, facts: Facts, most_states: int = MOST_STATES) -> Plan | None:
    """A shortest plan from these facts; None where there is none within `most_states` states."""
    start = at_facts(task, facts)
    space = Space(start, start.domain)
    ending, plan = space.ahead(space.initial, most_states)
    return plan if ending is Ahead.PLAN else None


class _Course:
    """What has been done so far, and why it stopped."""

    def __init__(self, task: Task, world: World, skills: Skills, learn: Learn, most_steps: int, watch: Watch) -> None:
        self.task, self.world, self.skills = task, world, skills
        self.learn, self.most_steps, self.watch = learn, most_steps, watch
        self.done: list[Done] = []
        self.reason = "the plan ended, and the goal does not hold"

    def follow(self, plan: Plan) -> Ending | None:
        """Do steps until one fails; an ending where nothing can be done about it."""
        for number, step in enumerate(plan):
            maker = self._maker(step, plan[:number])
            if maker is None:
                self.reason = f"there is no executor for `{step.action}`, and none was learned"
                return Ending.NO_EXECUTOR
            simulator = Simulator(at_facts(self.task, self.world.facts()))
            faults = simulator.applicable(simulator.initial, step)
            if faults:
                self.reason = f"{step} is not applicable any more: {'; '.join(faults)}"
                return None
            done = operate(
                self.task,
                self.world,
                maker(self.world, step.args),
                step,
                watch=self.watch,
                most_steps=self.most_steps,
                learned=self.skills.is_learned(step.action),
            )
            self.done.append(done)
            if not done.succeeded:
                self.reason = f"{step}: {', '.join(done.missing)} did not come about"
                return None
        return None

    def _maker(self, step: Step, before: Plan) -> ExecutorMaker | None:
        known = self.skills.maker(step.action)
        if known is not None:
            return known
        state = self.world.save()
        succeeded = tuple(item.step for item in self.done if item.succeeded)
        learned = self.learn(step, succeeded or before)
        self.world.restore(state)
        if learned is not None:
            self.skills.learned[step.action] = learned
        return learned
