"""Whether two tasks are the same task under given maps, by exhaustive paired search over two oracles.

The relation: action-labelled bisimulation from the two initial states, goal truth as the observation, steps that change
nothing left out. The candidate's parameters that the maps do not name are projected away, so that several of its steps
may bear one label; all states they lead to must then match the reference's one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import Literal, TypeAlias

from oracle import Oracle, State

from groundplan.pddl.ast import Plan, Step
from groundplan.pddl.compare.result import ActionMatch, Difference, Maps, Witness

Label: TypeAlias = Step | None
PAIRS = 200_000


@dataclass(frozen=True)
class Outcome:
    """`equivalent`, or a difference that shows after the `after` (in the reference's words) and no sooner."""

    equivalent: bool
    after: Plan = ()
    difference: str = ""
    pairs: int = 0

    @property
    def steps(self) -> int | None:
        """Steps of the shortest witness; None where there is none."""
        return None if self.equivalent else len(self.after)


def search(reference: Oracle, candidate: Oracle, maps: Maps, limit: int = PAIRS) -> Outcome | None:
    """What exhaustive breadth-first search over pairs of states finds; None after `limit` pairs without a difference.

    The maps must give all there is to give: an action of the candidate that they leave out stands for nothing, and may
    never happen.
    """
    if missing := _missing(reference, maps):
        return Outcome(False, difference=f"{missing} has no counterpart")
    start = (reference.init, candidate.init)
    parents: dict[tuple[State, State], tuple[tuple[State, State], Step] | None] = {start: None}
    queue = [start]
    for pair in queue:
        found = _compared(reference, candidate, maps, pair)
        if isinstance(found, str):
            return Outcome(False, _path(parents, pair), found, len(parents))
        for step, after in found:
            if after not in parents:
                if len(parents) >= limit:
                    return None
                parents[after] = (pair, step)
                queue.append(after)
    return Outcome(True, pairs=len(parents))


def label(step: Step, maps: Maps) -> Label:
    """The step of the candidate in the reference's words; None where it has none."""
    match = maps.actions.get(step.action)
    if match is None or not all(0 <= place < len(step.args) for place in match.positions):
        return None
    names = [maps.objects.get(step.args[place]) for place in match.positions]
    return None if None in names else Step(match.action, tuple(name for name in names if name is not None))


def _missing(reference: Oracle, maps: Maps) -> str:
    """The first object of the reference that no object of the candidate stands for, or an empty text."""
    if len(set(maps.objects.values())) != len(maps.objects):
        raise ValueError("the object map is not injective")
    return next((item.name for item in reference.task.objects if item.name not in maps.objects.values()), "")


def _compared(
    reference: Oracle, candidate: Oracle, maps: Maps, pair: tuple[State, State]
) -> str | list[tuple[Step, tuple[State, State]]]:
    """What differs in this pair of states, or the pairs that every common step leads to."""
    goals = reference.is_goal(pair[0]), candidate.is_goal(pair[1])
    if goals[0] != goals[1]:
        return Difference.STRONGER_GOAL if goals[0] else Difference.WEAKER_GOAL
    left = reference.transitions(pair[0])
    seen, after = set(), []
    for step, new in candidate.transitions(pair[1]).items():
        common = label(step, maps)
        if common is None or common not in left:
            return f"{Difference.PERMISSIVE}: {step}"
        seen.add(common)
        after.append((common, (left[common], new)))
    forbidden = next((step for step in left if step not in seen), None)
    return after if forbidden is None else f"{Difference.RESTRICTIVE}: {forbidden}"


def _path(
    parents: dict[tuple[State, State], tuple[tuple[State, State], Step] | None], pair: tuple[State, State]
) -> Plan:
    steps = []
    while (arrow := parents[pair]) is not None:
        pair, step = arrow
        steps.append(step)
    return tuple(reversed(steps))


# --- witnesses ---


def fault(reference: Oracle, candidate: Oracle, maps: Maps, witness: Witness) -> str:
    """What is wrong with a witness, found by taking its steps in both tasks; an empty text for a true one."""
    if witness.difference is Difference.OBJECTS:
        return "" if _missing(reference, maps) else "every object of the reference has its counterpart"
    left, right = reference.init, candidate.init
    if len(witness.after) != len(witness.candidate_after):
        return "the two runs have different lengths"
    for step, other in zip(witness.after, witness.candidate_after, strict=True):
        if label(other, maps) != step:
            return f"{other} does not stand for {step}"
        if step not in reference.transitions(left):
            return f"the reference cannot take {step}"
        if other not in candidate.transitions(right):
            return f"the candidate cannot take {other}"
        left, right = reference.transitions(left)[step], candidate.transitions(right)[other]
    goals = reference.is_goal(left), candidate.is_goal(right)
    match witness.difference:
        case Difference.WEAKER_GOAL:
            return "" if goals == (False, True) else f"goals (reference, candidate): {goals}"
        case Difference.STRONGER_GOAL:
            return "" if goals == (True, False) else f"goals (reference, candidate): {goals}"
        case Difference.PERMISSIVE:
            if witness.step not in candidate.transitions(right):
                return f"the candidate cannot take {witness.step} either"
            common = label(witness.step, maps)
            return f"the reference can take {common} too" if common in reference.transitions(left) else ""
        case _:
            if witness.step not in reference.transitions(left):
                return f"the reference cannot take {witness.step} either"
            labels = {label(step, maps) for step in candidate.transitions(right)}
            return f"the candidate can take {witness.step} too" if witness.step in labels else ""


# --- all maps ---


def every_map(reference: Oracle, candidate: Oracle, objects: Literal["named", "free"]) -> Iterator[Maps]:
    """Every correspondence of two tiny tasks: objects by name or any bijection, actions and positions at will."""
    ours = [item.name for item in reference.task.objects]
    theirs = [item.name for item in candidate.task.objects]
    pairings = [tuple(ours)] if objects == "named" else list(permutations(theirs, len(ours)))
    if not set(pairings[0] if pairings else ()) <= set(theirs):
        return
    names = [action.name for action in candidate.task.domain.actions]
    choices = [_matches(reference, len(action.parameters)) for action in candidate.task.domain.actions]
    for pairing in pairings:
        for picked in product(*choices):
            actions = {name: match for name, match in zip(names, picked, strict=True) if match is not None}
            yield Maps(dict(zip(pairing, ours, strict=True)), actions)


def _matches(reference: Oracle, arity: int) -> list[ActionMatch | None]:
    found: list[ActionMatch | None] = [None]
    for action in reference.task.domain.actions:
        found += [ActionMatch(action.name, places) for places in permutations(range(arity), len(action.parameters))]
    return found


def some_map(
    reference: Oracle, candidate: Oracle, objects: Literal["named", "free"], limit: int = PAIRS
) -> Maps | None:
    """A correspondence under which the two are the same task; None where no correspondence makes them so."""
    for maps in every_map(reference, candidate, objects):
        found = search(reference, candidate, maps, limit)
        if found is None or found.equivalent:
            return maps
    return None
