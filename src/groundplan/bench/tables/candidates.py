"""Records as candidates, so that every statistic of docs/statistics.md applies to the methods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from groundplan.bench.candidate import Candidate, Failure
from groundplan.bench.methods.trail import NO_ANSWER
from groundplan.bench.running.records import Record
from groundplan.bench.sets.task import Step
from groundplan.pddl.diagnostics import Category

_CATEGORIES = {category.value: category for category in Category}


def candidates_of(records: Iterable[Record]) -> tuple[Candidate, ...]:
    """The candidates of one method's records, step by step. The scorer's word on the last one decides what it was.

    Of a set that is not about PDDL each record is one candidate, solved and faithful where it is right.
    """
    return tuple(candidate for record in records for candidate in _of(record))


def is_about_pddl(record: Record) -> bool:
    return "solved" in record.score.marks


def _of(record: Record) -> Iterator[Candidate]:
    steps = record.answer.steps if is_about_pddl(record) else ()
    for place, step in enumerate(steps[:-1]):
        yield _early(record, place, step)
    yield _last(record, max(0, len(steps) - 1), steps[-1] if steps else None)


def _early(record: Record, place: int, step: Step) -> Candidate:
    unread = step.diagnostic == NO_ANSWER
    return Candidate(
        record.task,
        solved=False,
        faithful=None,
        score=step.score,
        step=place,
        domain=record.group,
        failure=Failure.EXTRACTION if unread else Failure.NONE,
        diagnostic=_CATEGORIES.get(step.diagnostic),
        solver_calls=0 if unread else 1,
    )


def _last(record: Record, place: int, step: Step | None) -> Candidate:
    correct, marks, column = record.score.correct, record.score.marks, record.score.column
    solved = marks.get("solved")
    faithful = marks.get("faithful")
    if solved is None and column != "tool":  # no specification: an answer of another kind, right or wrong
        solved = faithful = correct
    unread = step is None or step.diagnostic == NO_ANSWER
    failure = {"tool": Failure.TOOL, "extraction": Failure.EXTRACTION}.get(column, Failure.NONE)
    if failure is Failure.NONE and step is not None and unread and not solved:
        failure = Failure.EXTRACTION  # its last reply held nothing, and an earlier candidate was what was scored
    return Candidate(
        record.task,
        solved=solved,
        faithful=faithful if solved else None,
        score=step.score if step else None,
        step=place,
        domain=record.group,
        failure=failure,
        diagnostic=None if solved or step is None else _CATEGORIES.get(step.diagnostic),
        solver_calls=0 if unread else 1,
    )
