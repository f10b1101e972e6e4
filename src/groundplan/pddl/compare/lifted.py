"""Lifted strong equivalence: the same task up to names and order, whatever the problem's size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from groundplan.pddl.ast import Task
from groundplan.pddl.compare.isomorphism import Node, TooManyTries, isomorphisms
from groundplan.pddl.compare.result import ActionMatch, Maps
from groundplan.pddl.compare.structure import Names, structure


@dataclass(frozen=True)
class Lifted:
    """How the candidate's names correspond to the reference's; `predicates` too, which no verdict needs."""

    maps: Maps
    predicates: Mapping[str, str]


def same_tasks(reference: Task, candidate: Task, objects: Mapping[str, str]) -> Lifted | None:
    """Both domain and problem are the same; objects outside `objects` (candidate to reference) may be any."""
    return next(_lifted(reference, candidate, objects, problem=True, most=1), None)


def same_domains(reference: Task, candidate: Task, objects: Mapping[str, str], most: int = 8) -> list[Lifted]:
    """Ways in which the domains alone are the same, those that keep names first."""
    return list(_lifted(reference, candidate, objects, problem=False, most=most))


def _lifted(
    reference: Task, candidate: Task, objects: Mapping[str, str], *, problem: bool, most: int
) -> Iterator[Lifted]:
    kept = {name: name for name in objects.values()}
    seen: list[Lifted] = []
    for by_name in (True, False):
        left = structure(reference, _names(reference, kept, by_name), problem=problem)
        right = structure(candidate, _names(candidate, objects, by_name), problem=problem)
        if len(left.colours) != len(right.colours):
            return
        try:
            for found in isomorphisms(left, right, until=most - len(seen)):
                lifted = _read(found, reference)
                if lifted not in seen:
                    seen.append(lifted)
                    yield lifted
        except TooManyTries:
            continue
        if len(seen) >= most:
            return


def _names(task: Task, objects: Mapping[str, str], by_name: bool) -> Names:
    if not by_name:
        return Names(objects)
    actions = {action.name: action.name for action in task.domain.actions}
    return Names(objects, actions, {item.name: item.name for item in task.domain.predicates})


def _read(found: Mapping[Node, Node], reference: Task) -> Lifted:
    objects, actions, predicates = {}, {}, {}
    for left, right in found.items():
        match left, right:
            case ("object", mine), ("object", other):
                objects[str(other)] = str(mine)
            case ("predicate", mine), ("predicate", other):
                predicates[str(other)] = str(mine)
            case ("action", mine), ("action", other):
                arity = len(reference.domain.action_by_name[str(mine)].parameters)
                places = [found["param", mine, index] for index in range(arity)]
                actions[str(other)] = ActionMatch(str(mine), tuple(place[2] for place in places))  # type: ignore[index]
    return Lifted(Maps(objects, actions), predicates)
