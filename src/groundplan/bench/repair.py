"""Success by repair step, solver calls, and what is wrong with the cases that remain (section H.7, Figure 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from groundplan.bench.candidate import Candidate, Failure, left_out
from groundplan.bench.episode import Episode, episodes, final
from groundplan.bench.rate import Mean, Rate, mean_of
from groundplan.errors import InputError
from groundplan.pddl.diagnostics import Category

TOOL_ROW, EXTRACTION_ROW, UNKNOWN_ROW = "tool failure", "extraction failure", "no diagnostic"


def cumulative_success(candidates: Iterable[Candidate], horizon: int | None = None) -> tuple[Rate, ...]:
    """CSR(h) for h = 0, 1, ..., horizon (Eq. 77): the share of episodes solved with at most h repairs.

    The denominator is the same at every step: the episodes whose end is known. `horizon` defaults to the last step
    that occurs. Raises InputError for a horizon below 0.
    """
    runs = episodes(candidates)
    known = [run for run in runs if final(run).solver_label is not None]
    missing = left_out(final(run) for run in runs if final(run).solver_label is None)
    curve = []
    for step in range(_horizon(runs, horizon) + 1):
        states = [_state(run, step) for run in known]
        solved = sum(state is not None and state.solver_label is True for state in states)
        extraction = sum(state is not None and state.failure is Failure.EXTRACTION for state in states)
        curve.append(Rate(solved, len(known), extraction, missing))
    return tuple(curve)


def marginal_gains(curve: Sequence[Rate]) -> tuple[float | None, ...]:
    """Delta(h) = CSR(h) - CSR(h - 1) for h = 1, 2, ... (Eq. 78)."""
    values = [rate.value for rate in curve]
    return tuple(None if here is None or before is None else here - before for before, here in pairwise(values))


def mean_solver_calls(candidates: Iterable[Candidate]) -> Mean:
    """Solver calls up to the first solved specification, or to the end of the episode (section H.3).

    Episodes whose end is a tool failure or unlabelled are left out: nobody knows how many calls they would have taken.
    """
    runs = episodes(candidates)
    known = [run for run in runs if final(run).solver_label is not None]
    return mean_of(
        [float(sum(candidate.calls for candidate in run if candidate.step <= final(run).step)) for run in known],
        left_out(final(run) for run in runs if final(run).solver_label is None),
    )


@dataclass(frozen=True, slots=True)
class Remaining:
    """Unsolved episodes after each step: `counts[row][step]`.

    The first six rows are the paper's categories; rows for tool failures, extraction failures and candidates without
    a diagnostic follow where there are any, so that each column adds up to the unsolved episodes.
    """

    rows: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    @property
    def unsolved(self) -> tuple[int, ...]:
        return tuple(map(sum, zip(*self.counts, strict=True)))


def remaining_diagnostics(candidates: Iterable[Candidate], horizon: int | None = None) -> Remaining:
    """What is wrong with the unsolved episodes after each step, by the diagnostic of their latest candidate.

    An episode that ended early stays as it ended. Raises InputError for a horizon below 0.
    """
    runs = episodes(candidates)
    columns = []
    for step in range(_horizon(runs, horizon) + 1):
        states = [_state(run, step) for run in runs]
        columns.append(Counter(_row(state) for state in states if state is None or not state.solver_label))
    rows = [category.value for category in Category]
    rows += [row for row in (TOOL_ROW, EXTRACTION_ROW, UNKNOWN_ROW) if any(row in column for column in columns)]
    return Remaining(tuple(rows), tuple(tuple(column[row] for column in columns) for row in rows))


def _state(run: Episode, step: int) -> Candidate | None:
    """Where the episode is after `step` repairs: solved once is solved for good."""
    until = tuple(candidate for candidate in run if candidate.step <= step)
    return final(until) if until else None


def _row(state: Candidate | None) -> str:
    if state is not None and state.failure is Failure.TOOL and state.solver_label is None:
        return TOOL_ROW
    if state is not None and state.failure is Failure.EXTRACTION:
        return EXTRACTION_ROW
    return UNKNOWN_ROW if state is None or state.diagnostic is None else state.diagnostic.value


def _horizon(runs: Sequence[Episode], horizon: int | None) -> int:
    if horizon is None:
        return max((run[-1].step for run in runs), default=0)
    if horizon < 0:
        raise InputError(f"the horizon must be 0 or more, not {horizon}")
    return horizon
