"""Candidates of one run on one task, in the order of their repairs, and the one that is returned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise

from groundplan.bench.candidate import Candidate
from groundplan.errors import InputError

Episode = tuple[Candidate, ...]


def episodes(candidates: Iterable[Candidate]) -> tuple[Episode, ...]:
    """The candidates by domain, task and sample, each sorted by step; episodes in the order of first appearance.

    Raises InputError for two candidates of one episode at the same step: independent runs differ in `sample`.
    """
    found: dict[tuple[str, str, int], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        found[candidate.domain, candidate.task, candidate.sample].append(candidate)
    for (domain, task, sample), members in found.items():
        members.sort(key=lambda candidate: candidate.step)
        for left, right in pairwise(members):
            if left.step == right.step:
                place = f"{domain} {task}".strip()
                raise InputError(
                    f"task {place}, sample {sample}: two candidates at step {left.step}; "
                    "give independent runs on one task different values of `sample`"
                )
    return tuple(tuple(members) for members in found.values())


def final(episode: Episode) -> Candidate:
    """What the episode returns: its first solved candidate, or the last one where none is solved."""
    return next((candidate for candidate in episode if candidate.solver_label), episode[-1])


def finals(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """What each episode returns; doing it twice changes nothing."""
    return tuple(final(episode) for episode in episodes(candidates))


def by_task(candidates: Iterable[Candidate]) -> dict[tuple[str, str], list[Candidate]]:
    """The candidates by (domain, task): those of one task are not independent of each other."""
    found: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        found[candidate.domain, candidate.task].append(candidate)
    return dict(found)
