"""Maps of objects where names say nothing, the likeliest first.

Only such maps are given under which every action becomes applicable after as many steps in both tasks (`depths`): no
other can make the tasks bisimilar. Objects that the problem does not tell apart are exchanged only once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

from groundplan.pddl.ast import Atom, Formula, Step, Task, atoms_in
from groundplan.pddl.compare.depths import Depth, earliest
from groundplan.pddl.compare.isomorphism import Graph, TooManyTries, isomorphisms
from groundplan.pddl.compare.labelled import label_of
from groundplan.pddl.compare.result import ActionMatch, Maps

MOST_TRIES = 2_000
MOST_STEPS = 5_000
"""Steps beyond which a graph of them takes longer than it saves."""


@dataclass(frozen=True)
class Scene:
    """One task for this purpose: its objects, first steps by depth, and atoms that hold at the start or in the goal."""

    objects: tuple[str, ...]
    kept: Mapping[str, str]
    steps: Mapping[Step, Depth]
    init: tuple[Atom, ...]
    goal: tuple[Atom, ...]


def scene(task: Task, kept: Mapping[str, str], steps: Mapping[Step, Depth]) -> Scene:
    goal = tuple(atoms_in(task.problem.goal))
    return Scene(tuple(item.name for item in task.objects), kept, steps, tuple(dict.fromkeys(task.problem.init)), goal)


def projected(steps: Mapping[Step, Depth], actions: Mapping[str, ActionMatch]) -> dict[Step, Depth]:
    """The candidate's steps under the reference's action names, objects unchanged; the earliest depth of each."""
    return earliest(
        (label_of(step, Maps({name: name for name in step.args}, actions)), depth) for step, depth in steps.items()
    )


def bijections(reference: Scene, candidate: Scene, twins: Mapping[str, Hashable]) -> Iterator[dict[str, str]]:
    """Candidate objects to reference objects; ends when no other map can work. Raises TooManyTries.

    `candidate` must be in the reference's words but for the objects.
    """
    left_objects, right_objects = _taking_part(reference, candidate)
    steps = max(len(reference.steps), len(candidate.steps)) <= MOST_STEPS
    seen: list[dict[str, str]] = []
    marks: dict[Hashable, Hashable] = {("object", name): mark for name, mark in twins.items()}
    for facts in (("init", "goal"), ("init",), ()):
        left = _graph(reference, left_objects, facts, steps)
        right = _graph(candidate, right_objects, facts, steps)
        order = [("object", name) for name in left_objects]
        try:
            for found in isomorphisms(left, right, order=order, twins=marks, tries=MOST_TRIES):
                objects = {str(other[1]): str(mine[1]) for mine, other in found.items() if mine[0] == "object"}  # type: ignore[index]
                if objects not in seen:
                    seen.append(objects)
                    yield objects
        except TooManyTries:
            if not facts:
                raise


def aligned(reference: Scene, candidate: Scene) -> dict[str, str]:
    """The likeliest map where none can be right: objects that look alike to the greatest distance are paired."""
    found: dict[str, str] = dict(candidate.kept)
    left, right = _rounds(reference), _rounds(candidate)
    for mine, other in zip(reversed(left), reversed(right), strict=True):
        free: dict[Hashable, list[str]] = {}
        for name in reference.objects:
            if name not in found.values():
                free.setdefault(mine[name], []).append(name)
        for name in candidate.objects:
            if name not in found and free.get(other[name]):
                found[name] = free[other[name]].pop(0)
    return found


def twins_of(task: Task) -> dict[str, int]:
    """A mark for every object; objects with equal marks can be exchanged without changing the problem."""
    constants = {item.name for item in task.domain.constants}
    init = frozenset(task.problem.init)
    touching: dict[str, set[Atom]] = {}
    for atom in init:
        for term in atom.terms:
            touching.setdefault(term, set()).add(atom)
    groups: list[list[str]] = []
    types = {item.name: item.types for item in task.objects}
    for name in types:
        if name in constants:
            continue
        for group in groups:
            other = group[0]
            if types[name] == types[other] and _exchangeable(name, other, init, touching, task.problem.goal):
                group.append(name)
                break
        else:
            groups.append([name])
    return {name: number for number, group in enumerate(groups) for name in group}


def _exchangeable(
    name: str, other: str, init: frozenset[Atom], touching: Mapping[str, set[Atom]], goal: Formula
) -> bool:
    swap = {name: other, other: name}

    def swapped(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(swap.get(term, term) for term in atom.terms))

    near = touching.get(name, set()) | touching.get(other, set())
    if any(swapped(atom) not in init for atom in near):
        return False
    atoms = list(atoms_in(goal))
    if not any(term in swap for atom in atoms for term in atom.terms):
        return True
    # only for conjunctions of atoms is it plain that exchanging two names changes nothing
    parts = getattr(goal, "parts", (goal,))
    return all(isinstance(part, Atom) for part in parts) and {swapped(atom) for atom in atoms} == set(atoms)


def _taking_part(reference: Scene, candidate: Scene) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """All objects where there are as many; else those that a step needs or whose name is known."""
    if len(reference.objects) == len(candidate.objects):
        return reference.objects, candidate.objects
    sides = []
    for side in (reference, candidate):
        used = {name for step in side.steps for name in step.args} | set(side.kept)
        sides.append(tuple(name for name in side.objects if name in used))
    return sides[0], sides[1]


def _graph(side: Scene, objects: tuple[str, ...], facts: tuple[str, ...], steps: bool) -> Graph:
    graph = Graph()
    for name in objects:
        graph.node(("object", name), ("object", side.kept.get(name)))
    for number, (step, depth) in enumerate(side.steps.items() if steps else ()):
        _tuple(graph, ("step", number), ("step", step.action, depth), step.args)
    for kind in facts:
        for number, atom in enumerate(side.init if kind == "init" else side.goal):
            _tuple(graph, (kind, number), (kind, atom.predicate), atom.terms)
    return graph


def _tuple(graph: Graph, node: tuple[str, int], colour: Hashable, names: tuple[str, ...]) -> None:
    graph.node(node, colour)
    for index, name in enumerate(names):
        if ("object", name) not in graph.colours:
            graph.node(("object", name), ("object", None))
        graph.edge(node, index, ("object", name))


def _rounds(side: Scene, most: int = 4) -> list[dict[str, Hashable]]:
    """The looks of every object after each round of refinement, comparable between tasks."""
    atoms = [
        *((f"init {a.predicate}", a.terms) for a in side.init),
        *((f"goal {a.predicate}", a.terms) for a in side.goal),
    ]
    atoms += [(f"step {step.action} {depth}", step.args) for step, depth in side.steps.items()]
    looks: dict[str, Hashable] = {name: side.kept.get(name, "") for name in side.objects}
    rounds = [looks]
    for _ in range(most):
        seen: dict[str, list[str]] = {name: [] for name in side.objects}
        for word, terms in atoms:
            around = [str(looks.get(term)) for term in terms]
            for index, term in enumerate(terms):
                if term in seen:
                    seen[term].append(f"{word} {index} {around}")
        looks = {name: hash((looks[name], tuple(sorted(seen[name])))) for name in side.objects}
        rounds.append(looks)
    return rounds
