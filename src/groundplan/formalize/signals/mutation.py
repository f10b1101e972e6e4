"""Mutation: leave out one part of the goal, or of a precondition, and see whether it makes a difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundplan.formalize.signals.checks import evidence
from groundplan.formalize.signals.formulas import is_trivial
from groundplan.formalize.signals.mutants import (
    Mutant,
    Survey,
    anywhere,
    goal_mutants,
    precondition_mutants,
)
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.relations import statements_in
from groundplan.formalize.signals.words import listed
from groundplan.formalize.specification import Signal
from groundplan.pddl.ast import Atom, Not, conjuncts
from groundplan.pddl.simulate import Simulator, State
from groundplan.pddl.write import write_formula

NAME = "mutation"
SECONDS = 0.3
"""For one task; one that takes longer is too large for this."""
MOST_PARTS = 100


def find_idle_parts(reading: Reading) -> Iterator[Signal]:
    """Parts of the goal, and of the preconditions of the plan's actions, that make no difference.

    Where no plan is known, and none is found soon, nothing is said: there is nothing that could change.
    """
    task = reading.task
    wanted = task.problem.goal
    if is_trivial(wanted) or reading.plan == () or len(set(conjuncts(wanted))) > MOST_PARTS:
        return
    goals, guards = goal_mutants(task), precondition_mutants(task)
    if len(goals) + len(guards) > MOST_PARTS:
        return
    survey = Survey(task, [*goals, *guards, *map(anywhere, goals)], SECONDS)
    plan = reading.plan or survey.found_plan
    if not plan:
        return
    simulator = Simulator(task)
    states = simulator.states(plan)
    if not simulator.is_goal(states[-1]):
        return
    redundant = survey.redundant(states)
    first = len(goals) + len(guards)
    vain = [part for at, part in enumerate(goals) if first + at in redundant]
    implied = [part for at, part in enumerate(goals) if at in redundant and part not in vain]
    rest = [part for part in goals if part not in vain and part not in implied]
    used = {step.action for step in plan}
    idle = [part for at, part in enumerate(guards, len(goals)) if at in redundant and part.action in used]
    yield from _vain(vain)
    yield from _untouched(reading, rest, states)
    yield from _implied(implied)
    yield from _forbids_nothing(idle)


def _vain(parts: Sequence[Mutant]) -> Iterator[Signal]:
    if parts:
        message = f"the goal asks for {_listed(parts)}, which {_hold(parts)} in every state that can be reached"
        yield _signal("warning", message, parts)


def _untouched(reading: Reading, parts: Sequence[Mutant], states: Sequence[State]) -> Iterator[Signal]:
    """Parts that hold at the start and all along the plan: the same plan serves without them."""
    untouched = [part for part in parts if (literal := _literal(part)) and _always(literal, states)]
    planted = [part for part in untouched if _only_asked_for(reading, part)]
    if planted:
        message = f"{_listed(planted)} {_hold(planted)} at the start, although the text says so of the goal only"
        yield _signal("warning", message, planted)
    left = [part for part in untouched if part not in planted]
    if left:
        message = f"{_listed(left)} of the goal {_hold(left)} at the start, and the plan does nothing for it"
        yield _signal("info", message, left)


def _implied(parts: Sequence[Mutant]) -> Iterator[Signal]:
    if parts:
        message = f"{_listed(parts)} of the goal {_hold(parts)} wherever the rest of the goal does: nothing is added"
        yield _signal("info", message, parts)


def _forbids_nothing(parts: Sequence[Mutant]) -> Iterator[Signal]:
    if parts:
        shown = listed([f"{write_formula(part.part)} of {part.action}" for part in parts])
        message = f"the preconditions {shown} forbid nothing: wherever the rest of a precondition holds, they hold too"
        yield _signal("info", message, parts)


def _hold(parts: Sequence[Mutant]) -> str:
    return "holds" if len(parts) == 1 else "hold"


def _signal(severity: str, message: str, parts: Sequence[Mutant]) -> Signal:
    return Signal(NAME, severity, message, evidence([write_formula(part.part) for part in parts]))


def _listed(parts: Sequence[Mutant]) -> str:
    return listed([write_formula(part.part) for part in parts])


def _literal(mutant: Mutant) -> tuple[Atom, bool] | None:
    match mutant.part:
        case Atom(predicate=predicate) if predicate != "=":
            return mutant.part, True
        case Not(part=Atom(predicate=predicate) as atom) if predicate != "=":
            return atom, False
        case _:
            return None


def _always(literal: tuple[Atom, bool], states: Sequence[State]) -> bool:
    atom, positive = literal
    return all((atom in state) is positive for state in states)


def _only_asked_for(reading: Reading, mutant: Mutant) -> bool:
    """Whether the text brings the things of an atom together in its goal only, and relates the first to another
    outside the goal: so it does say where that one is at the start."""
    literal = _literal(mutant)
    terms = literal[0].terms if literal and literal[1] else ()
    things = set(terms)
    if len(things) < 2 or not reading.named >= things:
        return False
    asked = placed = False
    for clause in reading.clauses:
        is_goal = clause.role in ("goal", "demand")
        for statement in statements_in(reading, clause):
            spoken = {name for place in statement.places for name in place.objects}
            if spoken >= things and not is_goal:
                return False
            asked = asked or spoken >= things
            placed = placed or (not is_goal and bool(statement.object) and terms[0] in spoken)
    return asked and placed
