"""A plan run by our own simulator, as data to show: what each step changes, and which parts of the goal hold then."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from groundplan.errors import InputError
from groundplan.formalize.report_goal import GoalPart, GoalWatch
from groundplan.formalize.report_text import escape, shorten
from groundplan.pddl.ast import Plan, Task
from groundplan.pddl.simulate import Simulator, State
from groundplan.pddl.write import number

MOST_STEPS = 3000
MOST_CHARACTERS = 350_000
"""Of all steps with their changes as HTML; steps beyond are counted, not shown."""
MOST_FACTS = 60_000
"""Characters of the facts that no step changes, once for fluents and once for static facts."""
MOST_DERIVED = 40_000
"""Derived facts at the start times the number of steps; beyond this they are left out."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step with what it really changed, in order of names; `goals` counts the parts of the goal that hold then."""

    text: str
    added: tuple[str, ...]
    deleted: tuple[str, ...]
    goals: int
    cost: float


@dataclass(frozen=True, slots=True)
class Trace:
    """The beginning of a plan's run, as far as there is room to show it.

    `changing` are the facts that some shown step changes, `lasting` those that hold throughout although actions
    could change them, `static` what no action changes; `start` is the part of `changing` that holds at the start.
    The `hidden` numbers say how many were left out; `left_out` counts steps that are not shown; `refused`
    is the step behind the last one shown, where that is the one that is not applicable.
    """

    start: frozenset[str]
    changing: tuple[str, ...]
    lasting: tuple[str, ...]
    static: tuple[str, ...]
    hidden_lasting: int
    hidden_static: int
    steps: tuple[TraceStep, ...]
    goals: tuple[GoalPart, ...]
    untracked: int
    left_out: int
    refused: str
    shows_derived: bool


def trace_plan(task: Task, plan: Plan, applicable: int) -> Trace:
    """Run the first `applicable` steps of a plan, as many as there is room for. Raises InputError beyond classical."""
    simulator = Simulator(task)
    shows_derived = len(simulator.derived(simulator.initial)) * (len(plan) + 1) <= MOST_DERIVED
    watch = GoalWatch(simulator, len(plan))
    steps: list[TraceStep] = []
    room = MOST_CHARACTERS
    before = simulator.initial
    for step in plan[: min(applicable, MOST_STEPS)]:
        try:
            after = simulator.apply(before, step)
        except InputError:  # `applicable` was the validator's word; a difference shows as steps left out
            break
        added, deleted = _changes(simulator, before, after, shows_derived)
        text = shorten(str(step), 200)
        room -= 60 + len(escape(text)) + sum(len(escape(fact)) + 12 for fact in (*added, *deleted))
        if room < 0:
            break
        steps.append(TraceStep(text, added, deleted, watch.update(len(steps) + 1, after), after.cost))
        before = after
    start = _facts(simulator, simulator.initial, shows_derived)
    changing = {fact for step in steps for fact in (*step.added, *step.deleted)}
    lasting, hidden_lasting = _within(sorted(start - changing, key=natural), MOST_FACTS)
    static, hidden_static = _within(_static(task), MOST_FACTS)
    return Trace(
        frozenset(start & changing),
        tuple(sorted(changing, key=natural)),
        lasting,
        static,
        hidden_lasting,
        hidden_static,
        tuple(steps),
        watch.parts(),
        watch.untracked,
        len(plan) - len(steps),
        shorten(str(plan[applicable]), 200) if len(steps) == applicable < len(plan) else "",
        shows_derived,
    )


def natural(fact: str) -> list[tuple[int, str]]:
    """A sort key under which `b2` comes before `b10`."""
    parts = re.split(r"([0-9]+)", fact)
    return [(len(part.lstrip("0")), part) if index % 2 else (0, part) for index, part in enumerate(parts)]


def _changes(
    simulator: Simulator, before: State, after: State, derived: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    added, deleted = set(after.added), set(after.deleted)
    if derived and simulator.task.domain.derived:
        old, new = simulator.derived(before), simulator.derived(after)
        added |= new - old
        deleted |= old - new
    return _texts(added), _texts(deleted)


def _texts(atoms: Iterable[object]) -> tuple[str, ...]:
    return tuple(sorted((shorten(str(atom), 200) for atom in atoms), key=natural))


def _facts(simulator: Simulator, state: State, derived: bool) -> set[str]:
    """The facts of a state that actions can change, derived ones too."""
    fluents = simulator.task.domain.fluents
    facts = {shorten(str(atom), 200) for atom in state.atoms if atom.predicate in fluents}
    if derived and simulator.task.domain.derived:
        facts.update(shorten(str(atom), 200) for atom in simulator.derived(state))
    return facts


def _static(task: Task) -> list[str]:
    """Facts and values that no action changes, in the order of the problem."""
    fluents = task.domain.fluents
    facts = [str(atom) for atom in task.problem.init if atom.predicate not in fluents]
    facts += [
        f"(= {value.function} {number(value.value)})"
        for value in task.problem.values
        if value.function.name != "total-cost"
    ]
    return [shorten(fact, 200) for fact in dict.fromkeys(facts)]


def _within(facts: list[str], room: int) -> tuple[tuple[str, ...], int]:
    """As many facts as fit into so many characters, and how many do not."""
    for index, fact in enumerate(facts):
        room -= len(escape(fact)) + 12
        if room < 0:
            return tuple(facts[:index]), len(facts) - index
    return tuple(facts), 0
