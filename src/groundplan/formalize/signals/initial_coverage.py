"""Initial coverage: what the text says of the start, and the facts of the initial state."""

from __future__ import annotations

from collections.abc import Iterator

from groundplan.formalize.signals.abstract import fewer_than_stated
from groundplan.formalize.signals.checks import evidence
from groundplan.formalize.signals.formulas import spoken_of_facts
from groundplan.formalize.signals.missing import missing_headless, missing_properties, missing_relations
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.relations import Statement, statements_in
from groundplan.formalize.signals.words import listed
from groundplan.formalize.specification import Signal

_IS = frozenset(
    "is are stands stand lies lie sits sit starts start waits wait rests rest located placed parked hang "
    "hangs stay stays".split()
)
_PLACED = frozenset("in at on inside the a an".split())


def find_uncovered_start(reading: Reading) -> Iterator[Signal]:
    """Relations and properties that the text states as facts and the initial state lacks."""
    if not reading.readable:
        return
    spoken = spoken_of_facts(reading.task.problem.init)
    statements = [
        statement
        for clause in reading.clauses
        if clause.role in ("fact", "start")
        for statement in statements_in(reading, clause)
        if not statement.negative and _is_fact(reading, statement)
    ]
    missing = missing_relations(reading, statements, spoken, loosely=True)
    missing += missing_properties(reading, statements, spoken)
    missing += missing_headless(reading, statements, spoken)
    if missing:
        said = listed([f'"{item.words[:80]}"' for item in missing], 3)
        names = [name for item in missing for name in item.names]
        yield Signal(
            "initial-coverage",
            "warning",
            f"the text says {said}, but the initial state lacks it",
            evidence([*(item.words for item in missing), *names]),
        )
    init = reading.task.problem.init
    yield from fewer_than_stated(reading, statements, init, "initial-coverage", "initial state")


def _is_fact(reading: Reading, statement: Statement) -> bool:
    """Whether a statement says how things are: it has a verb of being, or just a preposition or a property."""
    if statement.words & _IS or not statement.object:
        return True
    first, last = statement.subject[-1].last, statement.object[0].first
    return {token.low for token in reading.tokens[first:last]} <= _PLACED
