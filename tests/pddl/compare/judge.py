"""What is wrong with a comparison, judged by the oracle and by taking the steps of its witness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bisimulation import Outcome, fault, search
from oracle import Oracle

from groundplan.pddl import Task, task_from_text, write_domain
from groundplan.pddl.compare.result import Comparison, Difference, Equivalence, Maps

Objects = Literal["named", "free"]


@dataclass(frozen=True)
class Judgement:
    """`wrong` says what is wrong with the verdict ("" if nothing was found); `truth` is what the oracle found under
    the true maps, None if it found no difference before its limit; `checked` says that nothing was left open.
    """

    wrong: str
    truth: Outcome | None
    checked: bool


def judged(reference: Task, candidate: Task, found: Comparison, true: Maps, objects: Objects, limit: int) -> Judgement:
    """Whether `found` can be right; `true` is one admissible correspondence, not always the only one."""
    left, right = Oracle(reference), Oracle(candidate)
    truth = search(left, right, true, limit)
    if found.verdict is Equivalence.PROVED:
        outcome = truth if found.maps == true else _search(left, right, found.maps, limit)
        return Judgement(_of_proof(left, right, found.maps, outcome, objects), truth, outcome is not None)
    if found.verdict is Equivalence.UNREFUTED:
        return Judgement("", truth, truth is not None)
    if found.probe is not None:
        return Judgement(_of_probe(reference, candidate, found, truth), truth, truth is not None)
    wrong = _of_witness(left, right, found, objects)
    if not wrong and truth is not None and truth.equivalent:
        wrong = "refuted, but the same task under the true maps"
    return Judgement(wrong, truth, truth is not None)


def inadmissible(left: Oracle, right: Oracle, maps: Maps, objects: Objects) -> str:
    """Why the maps are no correspondence of the two tasks, or an empty text."""
    ours = {item.name for item in left.task.objects}
    theirs = {item.name for item in right.task.objects}
    if not set(maps.objects) <= theirs or not set(maps.objects.values()) <= ours:
        return "the object map names objects that there are not"
    if len(set(maps.objects.values())) != len(maps.objects) or set(maps.objects.values()) != ours:
        return "the object map is not one to one"
    if objects == "named" and any(new != old for new, old in maps.objects.items() if new in ours):
        return "the object map does not follow the names"
    for name, match in maps.actions.items():
        action, other = right.task.domain.action_by_name.get(name), left.task.domain.action_by_name.get(match.action)
        if action is None or other is None or len(match.positions) != len(other.parameters):
            return f"the action map of {name} does not fit"
    return ""


def _search(left: Oracle, right: Oracle, maps: Maps, limit: int) -> Outcome | None:
    injective = len(set(maps.objects.values())) == len(maps.objects)
    return search(left, right, maps, limit) if injective else None


def _of_proof(left: Oracle, right: Oracle, maps: Maps, outcome: Outcome | None, objects: Objects) -> str:
    if wrong := inadmissible(left, right, maps, objects):
        return f"proved, but {wrong}"
    if outcome is not None and not outcome.equivalent:
        return f"proved, but {outcome.difference} after {len(outcome.after)} steps: {' '.join(map(str, outcome.after))}"
    return ""


def _of_witness(left: Oracle, right: Oracle, found: Comparison, objects: Objects) -> str:
    witness = found.witness
    if witness is None:
        return "refuted without a witness"
    if witness.difference is Difference.OBJECTS:
        return "" if _lacks_objects(left.task, right.task, objects) else "refuted for objects that are there"
    if wrong := fault(left, right, found.maps, witness):
        return f"false witness: {wrong}"
    if found.is_shortest:
        shortest = _search(left, right, found.maps, limit=20_000)
        if shortest is not None and shortest.steps != len(witness.after):
            return f"a witness of {len(witness.after)} steps is called the shortest; that has {shortest.steps}"
    return ""


def _lacks_objects(reference: Task, candidate: Task, objects: Objects) -> bool:
    ours, theirs = ({item.name for item in task.objects} for task in (reference, candidate))
    return not ours <= theirs if objects == "named" else len(ours) > len(theirs)


def _of_probe(reference: Task, candidate: Task, found: Comparison, truth: Outcome | None) -> str:
    """The witness is a run of the two domains on the probe's problems."""
    assert found.probe is not None
    if found.instance is Equivalence.PROVED and truth is not None and not truth.equivalent:
        return "proved on the problem itself, where the oracle finds a difference"
    left = Oracle(task_from_text(write_domain(reference.domain), found.probe.reference_problem))
    right = Oracle(task_from_text(write_domain(candidate.domain), found.probe.candidate_problem))
    if found.witness is None:
        return "refuted on a probe without a witness"
    known = {*found.maps.objects, *found.maps.objects.values()}
    new = {item.name: item.name for item in right.task.objects if item.name not in known}
    wrong = fault(left, right, Maps({**found.maps.objects, **new}, found.maps.actions), found.witness)
    return f"false witness on the probe: {wrong}" if wrong else ""
