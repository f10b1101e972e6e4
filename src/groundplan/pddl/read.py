"""Reading and checking domains, problems and tasks: the way in for everything else."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from groundplan.errors import PddlError
from groundplan.pddl.ast import Domain, Problem, Task
from groundplan.pddl.check_domain import check_domain
from groundplan.pddl.check_problem import check_problem
from groundplan.pddl.diagnostics import Diagnostic, has_errors
from groundplan.pddl.read_domain import read_domain_text
from groundplan.pddl.read_problem import read_problem_text
from groundplan.pddl.source import Source, read_source

LONGEST_KEPT = 1_000_000
"""Characters of the longest domain that is kept for the next problem; longer ones would only fill the memory."""


@dataclass(frozen=True)
class CheckResult:
    """What reading and checking gave. `domain` and `problem` are there as far as they could be read, errors or not."""

    domain: Domain | None
    problem: Problem | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        return not has_errors(self.diagnostics)

    @property
    def unsupported(self) -> tuple[Diagnostic, ...]:
        """Findings that name legal PDDL beyond classical planning."""
        return tuple(found for found in self.diagnostics if found.code == "unsupported-feature")

    @property
    def readable(self) -> bool:
        """No error but unsupported features: the text is legal PDDL."""
        return all(found.code == "unsupported-feature" for found in self.diagnostics if found.is_error)

    def task(self) -> Task:
        """The task. Raises PddlError where a part is missing or an error was found (unsupported features apart)."""
        if self.domain is None or self.problem is None or not self.readable:
            errors = [found for found in self.diagnostics if found.is_error]
            first = errors[0].as_text() if errors else "a domain and a problem are wanted"
            more = f"\n(and {len(errors) - 1} more)" if len(errors) > 1 else ""
            raise PddlError(first + more, self.diagnostics)
        return Task(self.domain, self.problem)


def check_sources(domain: Source, problem: Source | None = None) -> CheckResult:
    """Read and check a domain, and a problem against it. Never raises for what the texts say."""
    check = _checked_domain if len(domain.text) <= LONGEST_KEPT else _checked_domain.__wrapped__
    known, found = check(domain)
    if problem is None:
        return CheckResult(known, None, found)
    problem_text, more = read_problem_text(problem, known)
    if problem_text is not None and known is not None and not _cut_off(known, found):
        more += _no_follow_ups(check_problem(problem_text, known), more)
    return CheckResult(known, problem_text.problem if problem_text else None, (*found, *_in_order(more)))


@lru_cache(maxsize=64)
def _checked_domain(source: Source) -> tuple[Domain | None, tuple[Diagnostic, ...]]:
    """Kept for the last domains read: many problems share one, and all that is returned is immutable."""
    text, found = read_domain_text(source)
    if text is None:
        return None, tuple(found)
    return text.domain, tuple(_in_order(found + _no_follow_ups(check_domain(text), found)))


def forget_domains() -> None:
    """Drop the domains that are kept from earlier calls, to measure or to free memory."""
    _checked_domain.cache_clear()


def _no_follow_ups(checked: list[Diagnostic], read: list[Diagnostic]) -> list[Diagnostic]:
    """Leave out what the checker says of a place inside which the reader found a fault: it follows from that."""
    faults = sorted(found.span.start for found in read if found.is_error)
    return [
        found
        for found in checked
        if bisect_left(faults, found.span.start) == bisect_left(faults, max(found.span.end, found.span.start + 1))
    ]


def _cut_off(domain: Domain, found: Iterable[Diagnostic]) -> bool:
    """Whether the domain's text ends before its first action: what a problem uses may have been cut off."""
    return not domain.actions and any(diagnostic.code == "text-ends-early" for diagnostic in found)


def read_task(domain: str | Path, problem: str | Path) -> Task:
    """Read a task from two files. Raises InputError (unreadable file) or PddlError (refused text)."""
    return check_sources(read_source(domain), read_source(problem)).task()


def task_from_text(domain: str, problem: str) -> Task:
    """Read a task from two texts. Raises PddlError."""
    return check_sources(Source(domain, "domain"), Source(problem, "problem")).task()


def domain_from_text(domain: str) -> Domain:
    """Read a domain from a text. Raises PddlError."""
    result = check_sources(Source(domain, "domain"))
    if result.domain is None or not result.readable:
        errors = [found for found in result.diagnostics if found.is_error]
        raise PddlError(errors[0].as_text(), result.diagnostics)
    return result.domain


def _in_order(found: list[Diagnostic]) -> list[Diagnostic]:
    return sorted(found, key=lambda diagnostic: diagnostic.span.start)
