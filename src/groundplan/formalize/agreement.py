"""Agreement of samples: which of several tasks for one text are the same task, and how the others differ.

Tasks are compared by bisimulation (`groundplan.pddl.compare`), so that names, order and the choice of predicates make
no difference. The largest cluster is the best guess of what the text says: mistakes seldom agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from groundplan.errors import GroundplanError
from groundplan.formalize.specification import Agreement, Signal
from groundplan.pddl.ast import Task
from groundplan.pddl.compare import Comparison, Drift, Equivalence, compare_tasks
from groundplan.pddl.compare.objects import match_objects

PAIR_S = 3.0
"""Seconds to compare two samples; where they do not suffice, the two stay apart and are reported as undecided."""

BACK_S = 0.5
"""Seconds that are left at least to compare them the other way round."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Whether two tasks are the same, and how the second one differs from the first."""

    verdict: Equivalence
    reason: str


Compare: TypeAlias = Callable[[Task, Task], Compared]


def compare_pair(reference: Task, candidate: Task) -> Compared:
    """Whether two tasks for one text are the same. Never raises for what the tasks say.

    Faithfulness has a direction (the candidate may have parameters and idle objects of its own), agreement has none:
    two tasks are the same if either is a faithful candidate for the other.
    """
    if _texts(reference) == _texts(candidate):
        return Compared(Equivalence.PROVED, "the same text")
    try:
        forth = _compared(reference, candidate, PAIR_S)
        if forth.is_same or forth.category in (Drift.GOAL_WEAKENING, Drift.GOAL_STRENGTHENING):
            return Compared(forth.verdict, forth.reason)
        back = _compared(candidate, reference, max(BACK_S, PAIR_S - forth.seconds))
    except (GroundplanError, RecursionError) as error:  # beyond classical planning, too large, nested too deep
        return Compared(Equivalence.UNREFUTED, f"not compared: {error}")
    if back.is_same:
        return Compared(back.verdict, back.reason)
    if back.verdict is Equivalence.UNREFUTED and forth.verdict is Equivalence.REFUTED:
        return Compared(Equivalence.UNREFUTED, f"{forth.reason} (the other way round: {back.reason})")
    return Compared(forth.verdict, forth.reason)


def _compared(reference: Task, candidate: Task, seconds: float) -> Comparison:
    """Objects follow their names; where no name has a counterpart, the text left them unnamed."""
    if match_objects(reference, candidate):
        return compare_tasks(reference, candidate, objects="named", seconds=seconds, probes=False)
    return compare_tasks(reference, candidate, objects="free", seconds=seconds, probes=False)


def _texts(task: Task) -> tuple[str, str]:
    return task.domain.source.text, task.problem.source.text


def agreement(tasks: Mapping[int, Task], samples: int, compare: Compare = compare_pair) -> Agreement:
    """Cluster the executable samples (by their index) out of `samples`.

    Equivalence is transitive, so each task is compared with the first one of each cluster only. The largest cluster
    comes first, of two of one size the one with more of the earliest samples.
    """
    groups: list[list[int]] = []
    undecided: list[tuple[int, int]] = []
    for index in sorted(tasks):
        open_pairs: list[tuple[int, int]] = []
        for group in groups:
            verdict = compare(tasks[group[0]], tasks[index]).verdict
            if verdict is Equivalence.PROVED:
                group.append(index)
                break
            if verdict is Equivalence.UNREFUTED:
                open_pairs.append((group[0], index))
        else:
            groups.append([index])
            undecided += open_pairs
    clusters = sorted((tuple(group) for group in groups), key=lambda group: (-len(group), group))
    difference = ""
    if len(clusters) > 1:
        difference = compare(tasks[clusters[0][0]], tasks[clusters[1][0]]).reason
    return Agreement(samples, tuple(clusters), difference, tuple(undecided))


def agreement_signal(found: Agreement, cut_short: str = "") -> Signal:
    """The share of agreement in words; samples are counted from 1. `cut_short` says why not all samples were drawn."""
    parts = [_share(found)]
    if len(found.clusters) > 1:
        first, second = (cluster[0] + 1 for cluster in found.clusters[:2])
        parts.append(f"sample {second} as the candidate for sample {first}: {found.difference}")
    if found.undecided:
        pairs = ", ".join(f"{one + 1} and {other + 1}" for one, other in found.undecided)
        parts.append(f"neither proved the same nor refuted: samples {pairs}")
    if cut_short:
        parts.append(cut_short)
    evidence = tuple(f"the same task: {_numbers(cluster)}" for cluster in found.clusters)
    severity = "warning" if found.share <= 0.5 else "info"
    return Signal("agreement", severity, "; ".join(parts), evidence)


def _share(found: Agreement) -> str:
    if not found.clusters:
        return f"none of {found.samples} samples is executable"
    if found.share == 1.0:
        return f"all {found.samples} samples are the same task"
    sizes = " + ".join(str(len(cluster)) for cluster in found.clusters)
    failed = found.samples - found.executable
    words = f", {failed} not executable" if failed else ""
    return f"{len(found.clusters[0])} of {found.samples} samples agree (clusters: {sizes}{words})"


def _numbers(cluster: tuple[int, ...]) -> str:
    return f"sample{'s' * (len(cluster) > 1)} {', '.join(str(index + 1) for index in cluster)}"
