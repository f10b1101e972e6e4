"""What a confined run of a program on a task came to: its kind, and feedback in full sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.confine.outcome import Ending, Ran
from groundplan.generalize.kinds import Kind, TaskResult
from groundplan.generalize.plan_value import plan_from_value
from groundplan.generalize.values import ProgramInput, values_of
from groundplan.pddl.ast import Atom, Plan, Step, Task, conjuncts
from groundplan.pddl.faults import Fault
from groundplan.pddl.simulate import Simulator, State

_MOST_LISTED = 8
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


def judge(task: Task, values: ProgramInput, ran: Ran, name: str = "", simulator: Simulator | None = None) -> TaskResult:
    """Judge one run. The plan is validated on the task itself, whatever the program did to its arguments.

    `simulator` may be one that was made for this task before. Raises InputError as Simulator does.
    """
    if not ran.returned:
        return _not_returned(ran, name)
    found = plan_from_value(ran.value)
    if found.kind is not Kind.SOLVED or found.plan is None:
        return TaskResult(name, found.kind, found.message, found.plan, found.step, ran.seconds)
    kind, message, step = check_plan(simulator or Simulator(task), found.plan)
    return TaskResult(name, kind, message, found.plan, step, ran.seconds)


def _not_returned(ran: Ran, name: str) -> TaskResult:
    kind = _KINDS.get(ran.ending, Kind.EXCEPTION)
    if ran.error in ("ModuleNotFoundError", "ImportError") and kind is Kind.EXCEPTION:
        kind = Kind.MISSING_MODULE
    return TaskResult(name, kind, _told(kind, ran), seconds=ran.seconds)


def _told(kind: Kind, ran: Ran) -> str:
    what = {
        Kind.TIME_OUT: f"The program did not end: {ran.message}.",
        Kind.OUT_OF_MEMORY: f"The program used too much memory: {ran.message}.",
        Kind.TOO_MUCH_OUTPUT: f"The program wrote too much: {ran.message}.",
        Kind.EXITED: f"The program ended its process instead of returning a plan: {ran.message}.",
        Kind.FORBIDDEN: f"The program tried what it must not (files, processes, network): {ran.error} {ran.message}.",
        Kind.KILLED: f"The program was ended: {ran.message}.",
        Kind.NO_PROGRAM: f"The program cannot be run: {ran.message}.",
        Kind.NOT_RUN: f"The program was not run: {ran.message}.",
        Kind.MISSING_MODULE: f"{ran.message or ran.error}: only Python's standard library can be imported.",
        Kind.EXCEPTION: f"The program raised {ran.error}: {ran.message}." if ran.message else f"It raised {ran.error}.",
    }[kind]
    parts = [what]
    if ran.trace and kind is not Kind.NO_PROGRAM:
        where = [f"line {frame.line}, in {frame.function}: `{frame.code}`" for frame in ran.trace[-4:]]
        parts.append(f"It was at {'; from there at '.join(where)}.")
    elif ran.trace and ran.trace[0].code:
        parts.append(f"The line is `{ran.trace[0].code}`.")
    if ran.variables and kind in (Kind.TIME_OUT, Kind.OUT_OF_MEMORY, Kind.EXCEPTION):
        shown = [f"{name} = {text}" for name, text in ran.variables if name not in ("objects", "init", "goal")]
        if shown:
            parts.append(f"Its variables there: {'; '.join(shown[:10])}.")
    return " ".join(parts)


def check_plan(simulator: Simulator, plan: Plan) -> tuple[Kind, str, int | None]:
    """The kind, a message and the step at fault (from 1) of a plan."""
    walk = simulator.walk()
    rows = [(step.action, *step.args) for step in plan]
    taken = walk.advance(rows)
    walk.refresh()
    if taken < len(rows):
        faults = simulator.step_faults(rows[taken], walk.tables)
        return _bad_step(simulator, plan, taken, faults)
    if simulator.reaches_goal(walk):
        return Kind.SOLVED, "", None
    return Kind.GOAL_MISSING, _goal_missing(simulator, plan, simulator.goal_faults(walk.tables)), None


_FAULTS = {
    "plan-unknown-action": Kind.UNKNOWN_ACTION,
    "plan-wrong-arity": Kind.WRONG_ARITY,
    "plan-unknown-object": Kind.UNKNOWN_OBJECT,
    "plan-type-mismatch": Kind.WRONG_OBJECT_TYPE,
}


def _bad_step(simulator: Simulator, plan: Plan, at: int, faults: Sequence[Fault]) -> tuple[Kind, str, int]:
    step, number = plan[at], at + 1
    for code, kind in _FAULTS.items():
        named = [str(fault) for fault in faults if fault.code == code]
        if named:
            return kind, f"Step {number}, {step}, is wrong: {'; '.join(named)}.", number
    needs = _needs(simulator, step)
    static = [atom for atom in needs if atom.predicate not in simulator.task.domain.fluents]
    state = simulator.states(plan[:at])[-1]
    missing_static = [atom for atom in static if atom not in state]
    reasons = "; ".join(str(fault) for fault in faults)
    if missing_static:
        listed = ", ".join(map(str, missing_static[:_MOST_LISTED]))
        return (
            Kind.UNMET_STATIC,
            f"Step {number}, {step}, cannot be taken: {reasons}. {listed} is not true in this task and no action can "
            "change that, so the step must be made with other objects.",
            number,
        )
    history = _history(simulator, plan[:at], [atom for atom in needs if atom not in state])
    message = f"Step {number}, {step}, cannot be taken in the state it is reached in: {reasons}."
    return Kind.UNMET_FLUENT, " ".join(filter(None, (message, history, _around(step, state)))), number


def _needs(simulator: Simulator, step: Step) -> list[Atom]:
    """The ground atoms of the step's precondition that must be true, where it is a conjunction."""
    action = simulator.task.domain.action_by_name[step.action]
    names = dict(zip((item.name for item in action.parameters), step.args, strict=True))
    return [
        Atom(part.predicate, tuple(names.get(term, term) for term in part.terms))
        for part in conjuncts(action.precondition)
        if isinstance(part, Atom) and part.predicate != "="
    ]


@dataclass(frozen=True, slots=True)
class _Change:
    number: int
    step: Step


def _last_deleted(simulator: Simulator, plan: Plan, atoms: Sequence[Atom]) -> dict[Atom, _Change]:
    found: dict[Atom, _Change] = {}
    for number, (state, step) in enumerate(zip(simulator.states(plan)[1:], plan, strict=True), 1):
        for atom in atoms:
            if atom in state.deleted:
                found[atom] = _Change(number, step)
    return found


def _history(simulator: Simulator, before: Plan, missing: Sequence[Atom]) -> str:
    """Which step made the missing facts false, or that none ever made them true."""
    deleted = _last_deleted(simulator, before, missing)
    sentences = []
    for atom in missing[:_MOST_LISTED]:
        if atom in deleted:
            sentences.append(
                f"{atom} was true before and was made false by step {deleted[atom].number}, {deleted[atom].step}."
            )
        else:
            sentences.append(f"{atom} was not true at the start, and no step before made it true.")
    return " ".join(sentences)


def _around(step: Step, state: State) -> str:
    """The facts about the step's objects in the state, a few."""
    names = set(step.args)
    near = sorted(str(atom) for atom in state.atoms if atom.terms and set(atom.terms) <= names)
    return f"About these objects, true are: {', '.join(near[:12])}." if near else ""


def _goal_missing(simulator: Simulator, plan: Plan, faults: Sequence[Fault]) -> str:
    goal = _goal_atoms(simulator)
    end = simulator.states(plan)[-1]
    missing = [atom for atom in goal if atom not in end]
    listed = ", ".join(map(str, missing[:_MOST_LISTED]))
    more = f" and {len(missing) - _MOST_LISTED} more" if len(missing) > _MOST_LISTED else ""
    message = f"All {len(plan)} steps can be taken, but the goal is not reached. Missing at the end: {listed}{more}."
    if not missing:
        message = f"The goal is not reached: {'; '.join(str(fault) for fault in faults)}."
    deleted = _last_deleted(simulator, plan, missing)
    undone = [
        f"{atom} was true and was made false again by step {at.number}, {at.step}" for atom, at in deleted.items()
    ]
    return f"{message} {'. '.join(undone[:4])}." if undone else message


def _goal_atoms(simulator: Simulator) -> list[Atom]:
    return [Atom(fact[0], fact[1:]) for fact in values_of(simulator.task).goal]
