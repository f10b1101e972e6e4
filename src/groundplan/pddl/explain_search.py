"""Explaining why a goal is out of reach although each of its parts seems reachable: by looking at every state."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations

from groundplan.pddl.ast import And, Atom, Formula, Not
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.ground_search import reachable_states
from groundplan.pddl.ground_task import GroundTask, bits

MOST_STATES = 100_000
MOST_PAIRS = 6


def goal_sets(task: GroundTask, ends: float) -> tuple[int, frozenset[int]] | None:
    """How many states are reachable, and which sets of goal facts hold in them (as masks, each once).

    A fact that must not hold counts as one that holds when it is false. None when there are too many states.
    """
    assert task.goal is not None
    pos, neg = task.goal
    found: set[int] = set()
    count = 0
    for count, state in enumerate(reachable_states(task, MOST_STATES + 1), start=1):
        if count > MOST_STATES or (count % 256 == 0 and time.monotonic() > ends):
            return None
        closed = task.closed(state) if task.axioms else state
        found.add(closed & pos | neg & ~closed)
    return count, frozenset(found)


def all_states_searched(task: GroundTask, count: int, sets: frozenset[int]) -> list[Diagnostic]:
    """The diagnostics for a goal that holds in none of all reachable states."""
    assert task.goal is not None
    wanted = sorted(bits(task.goal[0] | task.goal[1]))
    most = max(mask.bit_count() for mask in sets)
    message = f"no plan: all {count} reachable states were searched, and the goal holds in none of them"
    if len(wanted) > 1:
        message += f"; at most {most} of its {len(wanted)} facts hold together"
    problem = task.task.problem
    found = [Diagnostic("search-exhausted", _SEARCH, _ERROR, message, problem.goal_span, problem.source)]
    ever = 0
    for mask in sets:
        ever |= mask
    for bit in wanted:
        if not ever >> bit & 1:
            message = f"{_shown(task, bit)} holds in no reachable state"
            span = _atom(task, bit).span
            found.append(Diagnostic("goal-unreachable", _SEARCH, _ERROR, message, span, problem.source))
    pairs = _never_together([bit for bit in wanted if ever >> bit & 1], sets)
    for one, two in pairs[:MOST_PAIRS]:
        message = f"{_shown(task, one)} and {_shown(task, two)} can each be reached, but never at the same time"
        related = (("the other one", _atom(task, two).span, problem.source),)
        span = _atom(task, one).span
        found.append(Diagnostic("never-together", _SEARCH, _ERROR, message, span, problem.source, "", related))
    return found


def _never_together(wanted: list[int], sets: frozenset[int]) -> list[tuple[int, int]]:
    """Pairs of goal facts that no set has both of."""
    largest = [mask for mask in sets if not any(mask != other and mask & other == mask for other in sets)]
    pairs = combinations(wanted, 2)
    return [pair for pair in pairs if not any(mask >> pair[0] & mask >> pair[1] & 1 for mask in largest)]


def _shown(task: GroundTask, bit: int) -> str:
    atom = _atom(task, bit)
    if " " in atom.predicate:
        return "a part of the goal with alternatives"
    assert task.goal is not None
    return f"`(not {atom})`" if task.goal[1] >> bit & 1 else f"`{atom}`"


def _atom(task: GroundTask, bit: int) -> Atom:
    """The fact of a bit, with its place in the goal where it stands there."""
    fact = task.facts[bit]
    return next((atom for atom in _atoms(task.task.problem.goal) if atom == fact), fact)


def _atoms(goal: Formula) -> Iterator[Atom]:
    match goal:
        case Atom() | Not(part=Atom()):
            yield goal if isinstance(goal, Atom) else goal.part  # type: ignore[misc]
        case And(parts=parts):
            for part in parts:
                yield from _atoms(part)


_SEARCH, _ERROR = Category.SEARCH, Severity.ERROR
