"""How often the solver's label and correctness differ (multi-role paper, Eq. 14, 18 and 40)."""

from __future__ import annotations

from collections.abc import Iterable

from groundplan.bench.candidate import Candidate, Failure, left_out
from groundplan.bench.episode import by_task
from groundplan.bench.rate import Mean, Rate, mean_of
from groundplan.bench.success import rate_of


def correctness(candidate: Candidate, *, checked_apart: bool = False) -> bool | None:
    """c(x, y). By default C = S and V_ref (Eq. 39 and 74), so that what is not solved is not correct.

    With `checked_apart`, the checker's word alone, as section C has it: an unsolved candidate may be correct (the
    planner ran out of time), and without a label its correctness is unknown.
    """
    if checked_apart and candidate.failure is not Failure.EXTRACTION:
        return candidate.faithful
    return candidate.correct_label


def disagrees(candidate: Candidate, *, checked_apart: bool = False) -> bool | None:
    """1{b != c}; None where either is unknown."""
    solver, correct = candidate.solver_label, correctness(candidate, checked_apart=checked_apart)
    return None if solver is None or correct is None else solver is not correct


def disagreement(candidates: Iterable[Candidate], *, checked_apart: bool = False) -> Rate:
    """Eq. 18 and 40: the share of candidates whose labels differ.

    The bounds on it hold for independent candidates: one a task, from one checkpoint. With several a task, take
    `disagreement_by_task`.
    """
    return rate_of(candidates, lambda candidate: disagrees(candidate, checked_apart=checked_apart))


def disagreement_by_task(candidates: Iterable[Candidate], *, checked_apart: bool = False) -> Mean:
    """The mean over tasks of the share within the task: tasks are independent where candidates of a task are not.

    Its value and n go into `hoeffding_upper`. A candidate without labels is left out of its task's share.
    """
    members = list(candidates)
    shares = []
    for group in by_task(members).values():
        known = [value for value in (disagrees(c, checked_apart=checked_apart) for c in group) if value is not None]
        if known:
            shares.append(sum(known) / len(known))
    return mean_of(shares, left_out(c for c in members if disagrees(c, checked_apart=checked_apart) is None))
