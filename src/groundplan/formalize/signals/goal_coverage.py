"""Goal coverage: what the text asks for, and what the goal of the task speaks of."""

from __future__ import annotations

from collections.abc import Iterator

from groundplan.formalize.signals.abstract import fewer_than_stated
from groundplan.formalize.signals.checks import evidence
from groundplan.formalize.signals.clauses import leaves_open
from groundplan.formalize.signals.formulas import Spoken, is_trivial, plain_literals, spoken_in
from groundplan.formalize.signals.missing import (
    Missing,
    demanded,
    missing_headless,
    missing_objects,
    missing_properties,
    missing_relations,
    missing_subjects,
)
from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.relations import Statement, statements_in
from groundplan.formalize.signals.words import listed
from groundplan.formalize.specification import Signal

_NAME = "goal-coverage"
_RESULTS = frozenset("be get end reach go arrive".split())
_SUMMED_UP = frozenset("all every each both other others rest remaining everything everyone whole tower".split())


def find_uncovered_goal(reading: Reading) -> Iterator[Signal]:
    """Things, relations and properties that the goal of the text has and the goal of the task lacks."""
    goal = reading.task.problem.goal
    if not reading.readable or is_trivial(goal):
        return
    spoken = spoken_in(goal, reading.task)
    free = {name for statement in _open(reading) for place in statement.subject for name in place.objects}
    statements = asked(reading)
    missing = [item for item in missing_objects(reading, statements, spoken) if item.names[0] not in free]
    gone = free | {item.names[0] for item in missing}
    if missing:
        words = listed([item.words for item in missing])
        yield _signal(f"the goal of the text speaks of {words}, the goal of the task does not", missing)
    related = missing_relations(reading, statements, spoken, loosely=True)
    if related := [item for item in related if not gone & set(item.names)]:
        yield _signal(f"the text asks for {_quoted(related)}, but no goal atom has both things", related)
    described = missing_properties(reading, statements, spoken) + missing_headless(reading, statements, spoken)
    if described := [item for item in described if not gone & set(item.names)]:
        yield _signal(f"the text asks for {_quoted(described)}, but the goal lacks it", described)
    for clause in reading.clauses:
        if clause.role == "goal":
            for item in missing_subjects(reading, clause.first, clause.last, spoken.predicates):
                yield _signal(f"the goal of the text speaks of {item.words}, no goal atom does", [item])
    literals = plain_literals(goal)
    if literals is not None:
        atoms = [atom for atom, positive in literals if positive]
        yield from fewer_than_stated(reading, statements, atoms, _NAME, "goal of the task")
    yield from _asked_though_open(reading, spoken, statements)


def find_unasked_goal(reading: Reading) -> Iterator[Signal]:
    """Goal objects that the goal of the text does not speak of, where it names most of the others."""
    if not reading.readable:
        return
    clauses = [clause for clause in reading.clauses if clause.role in ("goal", "demand")]
    words = {token.low for clause in clauses for token in reading.tokens[clause.first : clause.last]}
    if words & _SUMMED_UP:
        return
    spoken = spoken_in(reading.task.problem.goal, reading.task)
    said = {
        name
        for clause in clauses
        for statement in statements_in(reading, clause)
        for place in statement.places
        for name in place.objects
    }
    known = said & spoken.named
    first = {atom.terms[0] for atom in spoken.atoms if len(atom.terms) > 1}
    extra = sorted(first & reading.kinds.objects - said)
    if extra and len(known) > max(1, len(extra)):
        message = f"the goal of the task speaks of {listed(extra)}, the goal of the text does not"
        yield Signal("unasked-goal", "info", message, evidence(extra))


def asked(reading: Reading) -> list[Statement]:
    """The statements that say what must hold at the end.

    "Must" and "should" count for named things, and for all things of a kind only where nothing else states the goal:
    they may as well state a rule.
    """
    found = []
    stated = any(clause.role == "goal" for clause in reading.clauses)
    for clause in reading.clauses:
        if clause.role not in ("goal", "demand"):
            continue
        for statement in statements_in(reading, clause):
            sorts = {place.sort for place in statement.subject}
            if statement.negative or "some" in sorts:
                continue
            certain = clause.role == "goal" or ("name" in sorts and not statement.vague)
            if certain or ("all" in sorts and not stated and statement.words & _RESULTS):
                found.append(statement)
    return found


def _open(reading: Reading) -> list[Statement]:
    """The statements that leave something open: "the van may end anywhere"."""
    clauses = [clause for clause in reading.clauses if clause.role == "open"]
    statements = [s for clause in clauses for s in statements_in(reading, clause)]
    return [s for s in statements if leaves_open(reading.words(s.first, s.last).lower())]


def _signal(message: str, missing: list[Missing]) -> Signal:
    return Signal(
        _NAME, "warning", message, evidence([*(m.words for m in missing), *(n for m in missing for n in m.names)])
    )


def _quoted(missing: list[Missing]) -> str:
    return listed([f'"{item.words[:80]}"' for item in missing], 3)


def _asked_though_open(reading: Reading, spoken: Spoken, statements: list[Statement]) -> Iterator[Signal]:
    """Goal atoms about nothing but a thing that, in the words of the text, may end anywhere."""
    subjects = {
        name
        for statement in statements
        for place in demanded(reading, statement.subject, statement)
        for name in place.objects
    }
    for statement in _open(reading):
        free = {name for place in statement.subject for name in place.objects} - subjects
        wrong = [str(atom) for atom in spoken.atoms if free & set(atom.terms) and not subjects & set(atom.terms)]
        if wrong:
            said = reading.words(statement.first, statement.last)
            message = f'the text leaves open: "{said[:80]}"; the goal asks for {listed(wrong)}'
            yield Signal(_NAME, "warning", message, evidence([said, *wrong]))
