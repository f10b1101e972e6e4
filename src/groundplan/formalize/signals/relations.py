"""Which things a clause relates: "balls 1 and 2 are in the garden" relates ball 1 and ball 2 to the garden.

The things of a clause are put into groups (joined by commas and `and`); what stands between two groups relates them.
The first group of a statement is its subject, the next one that is no source or tool is its object.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from groundplan.formalize.signals.clauses import IMPERATIVES, Clause
from groundplan.formalize.signals.reading import Place, Reading

Group: TypeAlias = tuple[Place, ...]

_JOINERS = frozenset("and or & , the a an both then also as well finally all".split())
_ASIDE = frozenset(
    "from using with via by through than that which who whose where near out as like behind beside instead except "
    "besides".split()
)
_VERBS = frozenset("is are be was were stands starts lies sits".split())
_PREPOSITIONS = frozenset("in at on to into onto inside".split())
_NEGATIVE = frozenset("no not nothing none never neither nor without except".split())


@dataclass(frozen=True, slots=True)
class Statement:
    """A subject with what it is related to; `words` are those of the whole statement.

    Where the subject is no object ("the robot is in the kitchen"), what it is related to stands as the subject, and
    `headless` is set.
    """

    subject: Group
    object: Group
    first: int
    last: int
    words: frozenset[str]
    headless: bool = False

    @property
    def places(self) -> Group:
        return (*self.subject, *self.object)

    @property
    def negative(self) -> bool:
        return bool(self.words & _NEGATIVE)

    @property
    def vague(self) -> bool:
        """Whether the statement chooses or compares: then it is not known which pairs it asks for."""
        return bool(self.words & {"or", "either", "same", "different", "respectively", "other", "some", "any", "each"})


def statements_in(reading: Reading, clause: Clause) -> Iterator[Statement]:
    """The statements of a clause, from left to right."""
    begin = bisect_left(reading.places, clause.first, key=lambda place: place.first)
    places = reading.places[begin : bisect_left(reading.places, clause.last, key=lambda place: place.first)]
    start = clause.first
    k = 0
    while k < len(places):
        subject, after = _run(reading, places, k)
        start = _after_break(reading, start, places[k].first)
        has_subject = not _is_headless(reading, start, places[k].first)
        if not has_subject and len(subject) > 1 and after < len(places) and _continues(reading, places, after):
            subject, after = subject[:1], k + 1
        k = after
        objects: Group = ()
        end = clause.last if k >= len(places) else places[k].first
        taken = not has_subject
        while k < len(places) and not _ends(reading, places[k - 1].last, places[k].first, taken or bool(objects)):
            aside = bool(_between(reading, places[k - 1].last, places[k].first) & _ASIDE)
            group, after = _run(reading, places, k)
            if after < len(places) and len(group) > 1 and _continues(reading, places, after):
                group, after = group[:1], k + 1
            if not objects and not aside and has_subject:
                objects = group
            k = after
            end = clause.last if k >= len(places) else places[k].first
        last = _until_break(reading, places[k - 1].last, end)
        words = frozenset(token.low for token in reading.tokens[start:last])
        yield Statement(subject, objects, start, last, words, not has_subject)
        start = last


def _run(reading: Reading, places: Sequence[Place], k: int) -> tuple[Group, int]:
    """The things from number `k` on that only joiners stand between."""
    first = k
    k += 1
    while k < len(places) and _between(reading, places[k - 1].last, places[k].first) <= _JOINERS:
        k += 1
    return tuple(places[first:k]), k


def _continues(reading: Reading, places: Sequence[Place], after: int) -> bool:
    """Whether the group before number `after` runs into a new statement ("in A and B is in C")."""
    gap = [token.low for token in reading.tokens[places[after - 1].last : places[after].first]]
    return bool(gap) and gap[0] not in (",", "and", "or") and not set(gap) & _ASIDE


def _ends(reading: Reading, first: int, last: int, has_object: bool) -> bool:
    """Whether the words between two things end a statement: "is clear, the", ", is in", or `and` behind an object."""
    words = [token.low for token in reading.tokens[first:last]]
    breaks = [at for at, word in enumerate(words) if word in ("and", ",", "or")]
    if not breaks:
        return False
    behind = words[breaks[-1] :]
    follows = len(behind) > 1 and (behind[1] in IMPERATIVES or behind[1] == "have")
    return has_object or follows or words[0] == "," or set(behind) <= _JOINERS


def _is_headless(reading: Reading, first: int, last: int) -> bool:
    """Whether the words before a thing have a subject of their own: "the robot is in", "I must end in"."""
    words = [token.low for token in reading.tokens[first:last]]
    while words and words[-1] in ("the", "a", "an", "my", "its"):
        words.pop()
    return bool(_VERBS & set(words)) or (bool(words) and words[-1] in _PREPOSITIONS)


def _after_break(reading: Reading, first: int, last: int) -> int:
    """Where the words begin that lead to the thing at `last`: behind the last comma or `and` before it."""
    for i in range(last - 1, first - 1, -1):
        if reading.tokens[i].low in (",", "and", "or") and i + 1 < last:
            return i + 1
    return first


def _until_break(reading: Reading, first: int, last: int) -> int:
    """The end of a statement: before the comma or `and` that leads to the next thing."""
    for i in range(first, last):
        if reading.tokens[i].low in (",", "and", ";"):
            return i
    return last


def _between(reading: Reading, first: int, last: int) -> frozenset[str]:
    return frozenset(token.low for token in reading.tokens[first:last])
