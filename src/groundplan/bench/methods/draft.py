"""What one reply proposes, and how methods that formalize get such proposals: in PDDL, or by a set's own hook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from groundplan.bench.methods.protocol import Checked
from groundplan.models.protocol import Reply


@dataclass(frozen=True, slots=True)
class Draft:
    """A candidate as a reply gave it. `fault` says what the reply lacks, and is else empty; `reply` is None where the
    model answered nothing."""

    domain: str
    problem: str
    fault: str = ""
    reply: Reply | None = None

    @property
    def readable(self) -> bool:
        return not self.fault

    def same_as(self, other: Draft) -> bool:
        return (self.domain, self.problem) == (other.domain, other.problem)


class Writing(Protocol):
    """How drafts of one task are written, revised, judged and checked."""

    def first(self, sample: int | None = None) -> Draft:
        """From the task alone: greedy, or the given sample at the context's temperature."""
        ...

    def revised(self, draft: Draft, said: str) -> Draft:
        """After what the checker said, greedy. Parts that the reply leaves out stay as they are."""
        ...

    def judged(self, draft: Draft) -> float | None:
        """The model's own score in [0, 1] of a draft; None where its reply holds none."""
        ...

    def checked(self, draft: Draft) -> Checked:
        """One solver call."""
        ...
