"""Comparing two tasks: find how they may correspond, then prove them the same or find where they part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from groundplan.pddl.ast import Task
from groundplan.pddl.classical import refuse_beyond_classical
from groundplan.pddl.compare.budget import Budget
from groundplan.pddl.compare.correspondences import Correspondences
from groundplan.pddl.compare.difference import Pair
from groundplan.pddl.compare.labelled import Label, LabelledTask, candidate_labels, label_of, reference_labels
from groundplan.pddl.compare.lifted import Lifted, same_domains, same_tasks
from groundplan.pddl.compare.literal_lists import match_literals
from groundplan.pddl.compare.objects import match_objects
from groundplan.pddl.compare.overriding import TooManyWays
from groundplan.pddl.compare.report import refuted
from groundplan.pddl.compare.result import Comparison, Difference, Drift, Equivalence, Maps, Witness
from groundplan.pddl.compare.search import Finding, replay, search
from groundplan.pddl.compare.witness import witness_of
from groundplan.pddl.ground import ground
from groundplan.pddl.ground_greedy import greedy
from groundplan.pddl.ground_limits import GroundingLimit
from groundplan.pddl.ground_search import Bounds
from groundplan.pddl.ground_task import GroundTask

PLAN_SECONDS = 0.5
"""What looking for a plan to replay may take."""


def compare_tasks(
    reference: Task,
    candidate: Task,
    *,
    objects: Literal["named", "free"] = "named",
    maps: Maps | None = None,
    seconds: float = 10.0,
    states: int = 200_000,
    probes: bool = True,
    seed: int = 0,
) -> Comparison:
    """Whether the candidate is the reference's task.

    The candidate is faithful when, under some admissible correspondence, the reachable labelled transition systems of
    both are bisimilar from the initial states: the same steps can be taken, with the same goal truth, for ever; steps
    that change nothing are left out. `objects="named"` lets objects follow their names, `"free"` allows any bijection.
    `maps` (may be partial) is kept; what it leaves open is searched for. With `probes`, two domains that agree on this
    problem are also tried on variations of it.

    At most about `seconds` of wall time and `states` paired states for each search; then the verdict is UNREFUTED.
    Raises InputError where a task has features beyond classical planning.
    """
    refuse_beyond_classical(reference)
    refuse_beyond_classical(candidate)
    comparer = _Comparer(reference, candidate, objects == "free", maps or Maps(), Budget(seconds, states), seed)
    found = comparer.run()
    if maps is not None and maps.objects and found.verdict is Equivalence.REFUTED and found.category is Drift.SCHEMA:
        found = _with_other_objects(reference, candidate, found, comparer)
    if probes and found.is_same and not comparer.is_lifted:
        from groundplan.pddl.compare.probes import probed

        found = probed(reference, candidate, found, comparer.budget)
    return replace(_with_all_objects(reference, candidate, found, comparer.free), seconds=comparer.budget.spent)


def _with_all_objects(reference: Task, candidate: Task, found: Comparison, free: bool) -> Comparison:
    """An object without a counterpart is a difference even where it takes part in nothing: the map is injective."""
    missing = [item.name for item in reference.objects if item.name not in found.maps.objects.values()]
    idle = sum(item.name not in found.maps.objects for item in candidate.objects) if free else 0
    if not found.is_same or len(missing) <= idle:
        return found
    detail = f"no object of the candidate stands for {', '.join(missing)}"
    return replace(
        found,
        verdict=Equivalence.REFUTED,
        category=Drift.OBJECT_TYPE,
        objects="different",
        reason=f"{detail}; no step needs it, else the tasks are the same",
        witness=Witness(Difference.OBJECTS, detail=detail),
        details=tuple(f"object {name} has no counterpart" for name in missing),
    )


def _with_other_objects(reference: Task, candidate: Task, found: Comparison, comparer: _Comparer) -> Comparison:
    """A map of objects was given that the names do not speak for: where another one makes the tasks the same, the
    mistake is in the objects."""
    if match_objects(reference, candidate):
        return found
    other = _Comparer(reference, candidate, True, Maps(), comparer.budget, comparer.seed).run()
    if not other.is_same:
        return found
    meant = ", ".join(f"{theirs} is {ours}" for theirs, ours in sorted(other.maps.objects.items()))
    details = (*found.details, f"the tasks are the same with another map of objects: {meant}")
    return replace(found, category=Drift.OBJECT_TYPE, objects="different", details=details)


@dataclass(frozen=True)
class _Correspondence:
    maps: Maps
    pair: Pair | None
    finding: Finding


class _Comparer:
    def __init__(self, reference: Task, candidate: Task, free: bool, given: Maps, budget: Budget, seed: int) -> None:
        self.reference, self.candidate = reference, candidate
        self.free, self.given = free, given
        self.budget, self.seed = budget, seed
        self.is_lifted = False
        self.kept = dict(given.objects) if free else match_objects(reference, candidate, given.objects)

    def run(self) -> Comparison:
        lifted = self._same_tasks()
        if lifted is not None:
            self.is_lifted = True
            return self._proved("lifted", "the tasks are the same up to names and order", lifted.maps)
        domains = self._same_domains()
        self.is_lifted = bool(domains)
        try:
            grounds = [
                ground(task, merge=False, deadline=max(0.1, self.budget.left))
                for task in (self.reference, self.candidate)
            ]
        except GroundingLimit as limit:
            return Comparison(Equivalence.UNREFUTED, "grounding", f"not compared step by step: {limit}")
        return _Instance(self, grounds[0], grounds[1], domains).run()

    def _proved(self, method: str, reason: str, maps: Maps, states: int = 0) -> Comparison:
        literals = match_literals(self.reference, self.candidate, maps)
        return Comparison(
            Equivalence.PROVED,
            method,
            reason,
            goal="same",
            objects="same",
            schemas="same",
            initial="same",
            is_shortest=True,
            maps=maps,
            schema_f1=1.0 if method == "lifted" else literals.f1,
            goal_preservation=1.0,
            pairs=states,
        )

    def _colours(self) -> dict[str, str]:
        """The candidate's objects whose counterpart is settled; unmatched ones stand for nothing where names count."""
        if self.free:
            return self.kept
        lost = {item.name: f"? {item.name}" for item in self.candidate.objects if item.name not in self.kept}
        return {**self.kept, **lost}

    def _same_tasks(self) -> Lifted | None:
        if not self.free and len(self.kept) < len(self.reference.objects):
            return None
        found = same_tasks(self.reference, self.candidate, self._colours())
        return found if found is not None and self._agrees(found.maps) else None

    def _same_domains(self) -> list[Lifted]:
        return [item for item in same_domains(self.reference, self.candidate, self.kept) if self._agrees(item.maps)]

    def _agrees(self, maps: Maps) -> bool:
        return all(maps.actions.get(name) == match for name, match in self.given.actions.items())


class _Instance:
    """The comparison step by step, on ground tasks."""

    def __init__(
        self, comparer: _Comparer, reference: GroundTask, candidate: GroundTask, domains: list[Lifted]
    ) -> None:
        self.comparer = comparer
        self.reference, self.candidate = comparer.reference, comparer.candidate
        self.budget = comparer.budget
        self.grounds = reference, candidate
        self.labels: LabelledTask = reference_labels(reference)
        self.correspondences = Correspondences(
            self.reference,
            self.candidate,
            self.grounds,
            comparer.kept,
            comparer.given.actions,
            comparer.free,
            domains,
            comparer.budget,
        )
        self.best: _Correspondence | None = None

    def run(self) -> Comparison:
        for maps in self.correspondences:
            found = self._check(maps)
            if found.finding.verdict is Equivalence.PROVED:
                return self.comparer._proved("search", found.finding.method, maps, found.finding.states)
            if self.best is None or _is_better(found, self.best):
                self.best = found
            if self.budget.is_over:
                self.correspondences.is_complete = False
                break
        assert self.best is not None
        return self._verdict(self.best)

    def _verdict(self, best: _Correspondence) -> Comparison:
        finding = best.finding
        if finding.verdict is Equivalence.UNREFUTED or best.pair is None:
            return Comparison(
                Equivalence.UNREFUTED,
                "search",
                f"the budget is spent without a difference or a proof: {finding.method}",
                maps=best.maps,
                pairs=finding.states,
            )
        task = best.pair.task()
        witness = witness_of(finding.plan, task, self.reference, self.candidate, best.maps)
        if witness is None:
            reason = "two judges disagree: the search found a difference that the simulator does not see"
            return Comparison(Equivalence.UNREFUTED, "search", reason, maps=best.maps, pairs=finding.states)
        found = refuted(self.reference, self.candidate, best.maps, best.pair, witness, finding, self.budget)
        if self.correspondences.is_complete:
            return found
        reason = f"under the likeliest correspondence {found.reason}, but not all correspondences could be tried"
        return replace(found, verdict=Equivalence.UNREFUTED, category=None, reason=reason)

    def _check(self, maps: Maps) -> _Correspondence:
        pair = Pair(self.labels, candidate_labels(self.grounds[1], maps))
        try:
            task = pair.task()
            finding = search(task, self.budget, self.comparer.seed, quick=self.best is not None)
            if finding.verdict is Equivalence.UNREFUTED:
                finding = replay(task, self._plans(maps)) or finding
        except TooManyWays:
            finding = Finding(Equivalence.UNREFUTED, "conditions are too entangled")
        return _Correspondence(maps, pair, finding)

    def _plans(self, maps: Maps) -> Iterator[list[Label]]:
        """A plan of each task, where one is found at once, as labels."""
        ours = greedy(self.grounds[0], Bounds(wall_s=PLAN_SECONDS)).steps or ()
        yield list(ours)
        theirs = greedy(self.grounds[1], Bounds(wall_s=PLAN_SECONDS)).steps or ()
        yield [label_of(step, maps) for step in theirs]


def _is_better(found: _Correspondence, best: _Correspondence) -> bool:
    """An open question is worth more than a refuted correspondence; of these the first stays."""
    return found.finding.verdict is Equivalence.UNREFUTED and best.finding.verdict is Equivalence.REFUTED
