"""Solvability, faithful success, drift and gap (multi-role paper, Eq. 75, 76 and 79), over what episodes return."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from groundplan.bench.candidate import Candidate, Failure, left_out
from groundplan.bench.episode import finals
from groundplan.bench.rate import Rate


def rate_of(candidates: Iterable[Candidate], label: Callable[[Candidate], bool | None]) -> Rate:
    """The share for which `label` holds, among those for which it is known; the others are left out and counted."""
    labelled = [(candidate, label(candidate)) for candidate in candidates]
    known = [candidate for candidate, value in labelled if value is not None]
    return Rate(
        hits=sum(value is True for _, value in labelled),
        n=len(known),
        extraction=sum(candidate.failure is Failure.EXTRACTION for candidate in known),
        left_out=left_out(candidate for candidate, value in labelled if value is None),
    )


def solvability(candidates: Iterable[Candidate]) -> Rate:
    """Eq. 75, left: the share of episodes that end with a solved specification."""
    return rate_of(finals(candidates), lambda candidate: candidate.solver_label)


def faithful_success(candidates: Iterable[Candidate]) -> Rate:
    """Eq. 75, right: the share of episodes that end with a solved and faithful specification.

    What the checker could not decide is always solved, so leaving it out pulls the value down: see `Rate.reach`.
    """
    return rate_of(finals(candidates), lambda candidate: candidate.correct_label)


def drift(candidates: Iterable[Candidate]) -> Rate:
    """Eq. 76: the unfaithful share of the solved specifications that were checked."""
    solved = (candidate for candidate in finals(candidates) if candidate.solver_label is not False)
    return rate_of(solved, _drifted)


def gap(candidates: Iterable[Candidate]) -> Rate:
    """Eq. 79, over the episodes whose correctness is known: the share that is solved but not faithful.

    Over the same episodes this is solvability minus faithful success; the difference of two rates with different
    denominators would not be.
    """
    return rate_of(finals(candidates), _drifted)


def _drifted(candidate: Candidate) -> bool | None:
    correct = candidate.correct_label
    return None if correct is None else bool(candidate.solver_label) and not correct
