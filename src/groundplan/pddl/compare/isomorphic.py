"""The coarser relation of problem benchmarks: two problems of one domain are equal up to renaming their objects.

This is the question that Planetarium (Zuo et al. 2025) asks: is there a bijection of the objects that maps the initial
facts and the goal of one problem onto those of the other, once the goals are completed by what they imply? It accepts
goals in which two named objects are exchanged, so it is no test of faithfulness to a text that names them.

A goal is completed by what holds in every reachable state that satisfies it: facts about single objects, and facts
about several objects all of which the goal names. Planetarium has hand-written rules for each of its domains; this one
rule gives the same answers on its blocksworld and gripper pairs. It keeps one oddity of theirs: of an object that the
goal names in static facts only (`(gripper left)`) nothing else is completed.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import reduce
from operator import and_

from groundplan.errors import InputError
from groundplan.pddl.ast import Atom, Formula, Task, atoms_in, conjuncts
from groundplan.pddl.classical import refuse_beyond_classical
from groundplan.pddl.compare.budget import Budget
from groundplan.pddl.compare.isomorphism import Graph, TooManyTries, isomorphisms
from groundplan.pddl.compare.result import Comparison, Equivalence, Maps
from groundplan.pddl.ground import ground
from groundplan.pddl.ground_limits import GroundingLimit
from groundplan.pddl.ground_search import reachable_states
from groundplan.pddl.ground_task import bits

MOST_TRIES = 5_000


class _Unknown(Exception):
    """The budget does not allow to complete a goal."""


def isomorphic(reference: Task, candidate: Task, budget: Budget) -> Comparison:
    """Whether two problems of one domain are equal up to the names of their objects.

    Raises InputError where the domains differ, or a task has features beyond classical planning.
    """
    for task in (reference, candidate):
        refuse_beyond_classical(task)
    if reference.domain != candidate.domain:
        raise InputError("the relation `isomorphism` is between problems of one and the same domain; these two differ")
    found = _match(reference, candidate, False, budget)
    if found is not None:
        return _same(found, "the problems are the same up to the names of the objects")
    try:
        found = _match(reference, candidate, True, budget)
    except (_Unknown, GroundingLimit, TooManyTries):
        return Comparison(Equivalence.UNREFUTED, "isomorphism", "the goals could not be completed within the budget")
    if found is not None:
        return _same(
            found, "the problems, with all that their goals imply, are the same up to the names of the objects"
        )
    reason = "no bijection of the objects maps the initial facts and the goals onto each other"
    return Comparison(Equivalence.REFUTED, "isomorphism", reason)


def _same(objects: dict[str, str], reason: str) -> Comparison:
    return Comparison(
        Equivalence.PROVED,
        "isomorphism",
        reason,
        goal="same",
        objects="same",
        schemas="same",
        initial="same",
        maps=Maps(objects),
        goal_preservation=1.0,
    )


def _match(reference: Task, candidate: Task, complete: bool, budget: Budget) -> dict[str, str] | None:
    left, right = (_graph(task, complete, budget) for task in (reference, candidate))
    if len(left.colours) != len(right.colours):
        return None
    order = [("object", item.name) for item in reference.objects]
    found = next(isomorphisms(left, right, order=order, tries=MOST_TRIES), None)
    if found is None:
        return None
    pairs = ((mine, other) for mine, other in found.items() if isinstance(mine, tuple) and isinstance(other, tuple))
    return {str(other[1]): str(mine[1]) for mine, other in pairs if mine[0] == "object"}


def _graph(task: Task, complete: bool, budget: Budget) -> Graph:
    graph = Graph()
    constants = {item.name for item in task.domain.constants}
    for item in task.objects:
        graph.node(("object", item.name), ("object", item.types, item.name if item.name in constants else None))
    for atom in dict.fromkeys(task.problem.init):
        _tuple(graph, ("init", str(atom)), ("init", atom.predicate), atom.terms)
    goal = set(_completed(task, budget)) if complete else set()
    for part in conjuncts(task.problem.goal):
        if isinstance(part, Atom):
            goal.add(part)
        else:  # compared as a text in which the objects are places
            names = sorted({term for atom in atoms_in(part) for term in atom.terms if not term.startswith("?")})
            _tuple(graph, ("goal", repr(part)), ("goal", _without(part, names)), tuple(names))
    for atom in goal:
        _tuple(graph, ("goal", str(atom)), ("goal", atom.predicate), atom.terms)
    return graph


def _tuple(graph: Graph, node: tuple[str, str], colour: Hashable, names: tuple[str, ...]) -> None:
    graph.node(node, colour)
    for index, name in enumerate(names):
        graph.edge(node, index, ("object", name))


def _without(part: Formula, names: list[str]) -> str:
    text = repr(part)
    for index, name in enumerate(names):
        text = text.replace(f"'{name}'", f"#{index}")
    return text


def _completed(task: Task, budget: Budget) -> list[Atom]:
    """What a goal implies, in the sense of the relation; the goal's own literals are not left out."""
    analysed = ground(task, deadline=max(0.1, budget.left))
    goals = []
    for number, state in enumerate(reachable_states(analysed, budget.states + 1)):
        if number >= budget.states or (number % 1024 == 0 and budget.is_over):
            raise _Unknown
        if analysed.is_goal(state):
            goals.append(state)
    if not goals:
        return []
    fluents = task.domain.fluents
    atoms = list(atoms_in(task.problem.goal))
    named = {term for atom in atoms for term in atom.terms}
    open_ = named - {term for atom in atoms if atom.predicate in fluents for term in atom.terms}
    common = reduce(and_, goals)
    facts = [analysed.facts[number] for number in bits(common & analysed.basic)]
    found = [atom for atom in facts if len(atom.terms) < 2 and not open_.intersection(atom.terms)]
    found += [atom for atom in facts if len(atom.terms) > 1 and named.issuperset(atom.terms)]
    changing = set(analysed.facts)
    for atom in task.problem.init:
        if atom not in changing and (len(atom.terms) < 2 or named.issuperset(atom.terms)):
            found.append(atom)
    return found
