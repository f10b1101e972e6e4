"""The goals of two tasks as lists of literals."""

from __future__ import annotations

from collections.abc import Callable

from groundplan.pddl.ast import Atom, Formula, Not, Task, atoms_in, conjuncts
from groundplan.pddl.compare.literal_lists import SchemaMatch, reread_atom
from groundplan.pddl.compare.result import Maps


def goal_literals(task: Task) -> list[str]:
    """The parts of a goal as texts, each once."""
    return _literals(task, str)


def reread_literals(task: Task, match: SchemaMatch, maps: Maps) -> list[str]:
    """The same for the candidate, in the reference's words."""
    return _literals(task, lambda atom: str(reread_atom(atom, match, maps)))


def goal_score(reference: Task, candidate: Task, match: SchemaMatch, maps: Maps) -> float:
    """F1 of the goals' literals; 1 for two empty goals."""
    ours, theirs = set(goal_literals(reference)), set(reread_literals(candidate, match, maps))
    return 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours or theirs else 1.0


def _literals(task: Task, read: Callable[[Atom], str]) -> list[str]:
    return list(dict.fromkeys(_shown(part, read) for part in conjuncts(task.problem.goal)))


def _shown(part: Formula, read: Callable[[Atom], str]) -> str:
    if isinstance(part, Atom):
        return read(part)
    if isinstance(part, Not) and isinstance(part.part, Atom):
        return f"(not {read(part.part)})"
    return f"({type(part).__name__.lower()} {' '.join(sorted(read(atom) for atom in atoms_in(part)))})"
