"""One generated specification with what is known of it: the row that every statistic is made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from groundplan.errors import InputError
from groundplan.pddl.diagnostics import Category


class Failure(StrEnum):
    """Why a candidate has no label, where neither the planner nor the reference checker is the reason."""

    NONE = "none"
    TOOL = "tool"
    """A tool of ours broke (planner crashed or missing, checker out of memory): nothing was measured."""
    EXTRACTION = "extraction"
    """The model's reply held no specification: the model's fault, so it counts as not solved, and is counted apart."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One specification that a model generated for a task (multi-role paper, section H.9).

    `solved` is the solver's label, S = E(y) of Eq. 73, written b in section C. `faithful` is what the reference
    checker says, V_ref of section H.4; it may be given for unsolved candidates too. None is "not known". `score` is the
    Judge's, in [0, 1]. `step` is the number of repairs before it (0: the Actor's first output), and `sample` tells
    independent runs on the same task apart. A task is named by `domain` and `task` together. `solver_calls` defaults
    to one, or none where there was nothing to solve. Raises InputError for values that contradict each other.
    """

    task: str
    solved: bool | None
    faithful: bool | None
    score: float | None
    step: int = 0
    domain: str = ""
    failure: Failure = Failure.NONE
    diagnostic: Category | None = None
    sample: int = 0
    solver_calls: int | None = None

    def __post_init__(self) -> None:
        if not self.task:
            raise InputError("a candidate needs the name of its task")
        if self.score is not None and not 0.0 <= self.score <= 1.0:
            raise InputError(f"task {self.task}: the score {str(self.score)[:40]} is not between 0 and 1")
        for name in ("step", "sample", "solver_calls"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise InputError(f"task {self.task}: {name} must be 0 or more, not {value}")
        if self.failure is Failure.EXTRACTION and (self.solved or self.faithful):
            raise InputError(f"task {self.task}: an extraction failure cannot be solved or faithful")
        if self.failure is Failure.TOOL and self.solved is not None and self.faithful is not None:
            raise InputError(f"task {self.task}: a tool failure leaves `solved` or `faithful` unknown; both are given")

    @property
    def solver_label(self) -> bool | None:
        """S of Eq. 73; an extraction failure is not solved, a tool failure is not known."""
        return False if self.failure is Failure.EXTRACTION else self.solved

    @property
    def correct_label(self) -> bool | None:
        """C = S and V_ref, Eq. 74: what is not solved is not correct, whatever the checker says of it."""
        return self.faithful if self.solver_label else self.solver_label

    @property
    def calls(self) -> int:
        """Solver calls that this candidate took."""
        if self.solver_calls is not None:
            return self.solver_calls
        return 0 if self.failure is Failure.EXTRACTION else 1


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Candidates that are not in a denominator, by reason."""

    tool: int = 0
    extraction: int = 0
    unlabelled: int = 0
    unscored: int = 0

    @property
    def total(self) -> int:
        return self.tool + self.extraction + self.unlabelled + self.unscored

    def as_json(self) -> dict[str, int]:
        return {
            "tool": self.tool,
            "extraction": self.extraction,
            "unlabelled": self.unlabelled,
            "unscored": self.unscored,
        }


NONE_LEFT_OUT = LeftOut()


def left_out(unlabelled: Iterable[Candidate], unscored: Iterable[Candidate] = ()) -> LeftOut:
    """Why candidates were left out: those that lack the label in question, and those that lack only the score.

    A missing label is put down to the candidate's failure where it has one; so is a missing specification.
    """
    reasons = Counter(candidate.failure for candidate in unlabelled)
    scoreless = Counter(candidate.failure is Failure.EXTRACTION for candidate in unscored)
    return LeftOut(
        tool=reasons[Failure.TOOL],
        extraction=reasons[Failure.EXTRACTION] + scoreless[True],
        unlabelled=reasons[Failure.NONE],
        unscored=scoreless[False],
    )
