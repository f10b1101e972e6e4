"""Counts in a text ("nine parcels", "3 trucks", "a dozen eggs", "two at the first, the rest at the third")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundplan.formalize.signals.kinds import Kinds
from groundplan.formalize.signals.words import FUNCTION_WORDS, Token, is_plural, number

_BOUNDS = frozenset(
    "most least than least up within after before every each per any only maximum minimum first last next other more "
    "another additional further extra remaining least under over between".split()
)
_CAPACITY = frozenset(
    "capacity hold holds holding carry carries carrying take takes fit fits seats space load transport for lift".split()
)
_UNITS = frozenset(
    "minute minutes hour hours day days week weeks second seconds time times step steps move moves action actions "
    "metre "
    "metres meter meters km kilometre kilometres kilometers mile miles kg gram grams litre litres percent euro euros "
    "dollar dollars point points degree degrees way ways thing things of per o'clock pm am unit units".split()
)
_WHOLE = frozenset("there have has with are is contains contain consists own of : , and plus are".split())
_PLACED = frozenset("at in on inside".split())


@dataclass(frozen=True, slots=True)
class Count:
    """`value` things of the noun `noun` (a kind of the task, or "" where it knows no such noun).

    `whole`: the text introduces them all here ("there are five balls"), so that more would be too many.
    """

    value: int
    noun: str
    first: int
    last: int
    whole: bool


def counts_in(tokens: Sequence[Token], kinds: Kinds, labels: frozenset[int]) -> Iterator[Count]:
    """Every count of things; `labels` are the tokens that are part of a name (the 1 of "ball 1")."""
    for i, token in enumerate(tokens):
        value = number(token.low) if token.is_word else None
        if value is None or i in labels or value > 100_000 or _is_bound(tokens, i):
            continue
        found = _noun_after(tokens, i, kinds, labels)
        if found is not None:
            noun, last = found
            if value != 1 or _is_statement(tokens, i):
                yield Count(value, noun, i, last, _is_whole(tokens, i, last))


def _is_bound(tokens: Sequence[Token], i: int) -> bool:
    """Whether the number at `i` is a limit, a share or a repetition and no count ("at most two", "every two")."""
    if any(token.low in _CAPACITY for token in tokens[max(0, i - 3) : i]):
        return True
    before = [token.low for token in tokens[max(0, i - 2) : i]]
    if any(word in _BOUNDS for word in before) and before[-2:] != ["only", "are"]:
        return not ("only" in before and before[-1] == "only" and "are" in before)
    after = [token.low for token in tokens[i + 1 : i + 6]]
    return any(after[k : k + 3] in (["at", "a", "time"], ["at", "the", "same"]) for k in range(4)) or "once" in after


def _noun_after(tokens: Sequence[Token], i: int, kinds: Kinds, labels: frozenset[int]) -> tuple[str, int] | None:
    """The noun that the number at `i` counts, and the token behind it."""
    for j in range(i + 1, min(i + 5, len(tokens))):
        word = tokens[j].low
        if not tokens[j].text.isalpha() and not _is_hyphenated(word):
            return None
        if word in FUNCTION_WORDS or word in _UNITS or (j in labels and kinds.key(word) is None):
            return None
        noun = kinds.key(word)
        follows = j + 1 < len(tokens) and tokens[j + 1].is_word and kinds.key(tokens[j + 1].low) is not None
        if noun is not None and not follows:
            return noun, j + 1
        if noun is None and is_plural(word) and not follows:
            return "", j + 1
    return None


def _is_hyphenated(word: str) -> bool:
    return all(part.isalpha() for part in word.split("-"))


def _is_statement(tokens: Sequence[Token], i: int) -> bool:
    """Whether "one" counts: "there is one truck", "you have exactly one arm"."""
    before = [token.low for token in tokens[max(0, i - 3) : i] if token.low not in ("exactly", "just")]
    return before[-2:] in (["there", "is"], ["you", "have"], ["there", "are"], ["i", "have"], ["we", "have"])


def _is_whole(tokens: Sequence[Token], i: int, last: int) -> bool:
    """Whether a count introduces all things of its kind: "there are five balls", "a robot with two hands"."""
    first = i
    while first and tokens[first - 1].text not in (".", ";", "\n", "!", "?") and i - first < 40:
        first -= 1
    sentence = {token.low for token in tokens[first:i]}
    if sentence & {"each", "every", "goal", "most", "if", "can", "any", "when", "would", "another", "per", "room"}:
        return False
    starts = first == i or (tokens[i - 1].low in ("exactly", "the", "all") and first >= i - 2)
    introduces = bool(sentence & {"there", "have", "with", "has", "set", "consists", "contains"})
    after = tokens[last].low if last < len(tokens) else "."
    if [token.low for token in tokens[last : last + 2]] in (["in", "all"], ["in", "total"]):
        return True
    return (introduces and after not in _PLACED) or (starts and after in ("are", "wait", "have", "need", "must", "lie"))


def parts_in(
    tokens: Sequence[Token], counts: Sequence[Count], labels: frozenset[int]
) -> Iterator[tuple[Count, tuple[int, ...]]]:
    """How the things of a count are spread: "nine parcels ...: two at the first, three at the second, the rest ..."."""
    for k, count in enumerate(counts):
        end = counts[k + 1].first if k + 1 < len(counts) and counts[k + 1].noun == count.noun else len(tokens)
        parts: list[int] = []
        for i in range(count.last, min(end, count.last + 60)):
            if tokens[i].text == "\n":
                break
            if i in labels or i + 1 >= len(tokens) or tokens[i + 1].low not in _PLACED:
                continue
            value = number(tokens[i].low)
            if value is not None:
                parts.append(value)
            elif tokens[i].low in ("rest", "others", "remainder", "remaining"):
                parts.append(count.value - sum(parts))
                break
        if len(parts) > 1 and sum(parts) == count.value and min(parts) > 0:
            yield count, tuple(parts)
