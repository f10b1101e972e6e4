"""Random candidates and pools of them. Few draws a candidate: they are what the tests' time goes into."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from groundplan.bench import Candidate, Failure
from groundplan.pddl.diagnostics import Category

LABELS = (True, False, None)
STATES = (
    *((solved, faithful, Failure.NONE) for solved, faithful in product(LABELS, LABELS)),
    *((solved, faithful, Failure.TOOL) for solved, faithful in product(LABELS, LABELS) if None in (solved, faithful)),
    *((solved, faithful, Failure.EXTRACTION) for solved, faithful in product((False, None), (False, None))),
)
"""Every combination of solved, faithful and failure that is allowed."""
MEASURED = tuple(state for state in STATES[:9] if None not in state)
PLACES = tuple(product(("", "gripper"), "abc", (0, 1), range(4)))
"""Domain, task, sample and step."""
DETAILS = tuple(product((None, *Category), (None, 0, 2)))

scores = st.integers(0, 20).map(lambda n: n / 20)
"""Coarse, so that ties are common."""
maybe_scores = st.sampled_from((None, *(n / 20 for n in range(21))))


def candidates(complete: bool = False) -> st.SearchStrategy[Candidate]:
    """Any candidate; with `complete`, one that was measured in full."""
    return st.builds(
        _candidate,
        st.sampled_from(PLACES),
        st.sampled_from(MEASURED if complete else STATES),
        scores if complete else maybe_scores,
        st.sampled_from(DETAILS),
    )


def pools(complete: bool = False, min_size: int = 0) -> st.SearchStrategy[list[Candidate]]:
    """Candidates of several episodes, no two at the same step of one."""
    return st.lists(candidates(complete), unique_by=_place, min_size=min_size, max_size=15)


def _candidate(place, state, score, details) -> Candidate:
    (domain, task, sample, step), (solved, faithful, failure), (diagnostic, calls) = place, state, details
    return Candidate(task, solved, faithful, score, step, domain, failure, diagnostic, sample, calls)


def _place(one: Candidate) -> tuple[str, str, int, int]:
    return one.domain, one.task, one.sample, one.step
