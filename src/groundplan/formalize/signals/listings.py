"""Lists of names in a text ("three rooms: the playroom, the corridor and the store"), and proper names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.words import COLOURS, DIRECTIONS, FUNCTION_WORDS, Token, is_plural, number, ordinal

_INTRODUCES = frozenset("named called namely labelled labeled : — – (".split())
_BEHIND_ITEMS = frozenset("is are was were have has in on at with which who that must can".split())
_JOINERS = frozenset((",", "and", "&"))
MOST_ITEMS = 60
_ARTICLES = frozenset("the a an".split())
_BEHIND_NAMES = frozenset("is and must has should wants lives".split())
_NOT_NAMES = frozenset(
    "initially goal note please monday tuesday wednesday thursday friday saturday sunday january february march "
    "april may "
    "june july august september october november december english pddl strips ok".split()
)


@dataclass(frozen=True, slots=True)
class Item:
    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The items of a list. `loose`: introduced by a comma alone, so that it may be another kind of list."""

    items: tuple[Item, ...]
    loose: bool


def listings_in(reading: Reading) -> Iterator[Listing]:
    """Lists behind a plural noun: after `:`, `named`, `called`, `namely`, a dash, a bracket, or just a comma."""
    tokens = reading.tokens
    done = 0
    for i in range(len(tokens) - 1):
        if i < done or not tokens[i].is_word or not is_plural(tokens[i].low) or tokens[i].low in FUNCTION_WORDS:
            continue
        start = i + 1
        introduced = False
        while start < len(tokens) and start < i + 4 and (tokens[start].text == "," or tokens[start].low in _INTRODUCES):
            introduced = introduced or tokens[start].low in _INTRODUCES
            start += 1
        if start == i + 1:
            continue
        items = _items(tokens, start)
        if len(items) > 1:
            done = items[-1].last
            yield Listing(tuple(items), not introduced)


def _items(tokens: Sequence[Token], i: int) -> list[Item]:
    """The noun phrases from `i` to the end of the list; those before it where something else stands among them."""
    items: list[Item] = []
    while len(items) < MOST_ITEMS:
        stop = next((k for k in range(i, min(i + 8, len(tokens))) if not _is_inside_item(tokens[k])), None)
        last = min(i + 8, len(tokens)) if stop is None else stop
        if last > i:
            first = i + 1 if tokens[i].low in _ARTICLES else i
            end = next((k for k in range(first, last) if not _is_name_word(tokens[k])), last)
            behind = end < last and tokens[end].low in _BEHIND_ITEMS
            if not 0 < end - first <= 3 or (end < last and not behind):
                return items
            items.append(Item(first, end, " ".join(token.text for token in tokens[first:end])))
            if behind or tokens[i - 1].low in ("and", "&"):
                return items
        if stop is None or tokens[stop].low not in _JOINERS:
            return items
        i = stop + 1
    return items


def _is_inside_item(token: Token) -> bool:
    return token.is_word and token.low not in _JOINERS


def _is_name_word(token: Token) -> bool:
    if not token.is_word or number(token.low) is not None or ordinal(token.low) is not None:
        return False
    return token.low not in FUNCTION_WORDS and token.low not in ("one", "ones") and token.low not in COLOURS


def proper_names(reading: Reading) -> list[str]:
    """Proper names that have no object, where most of them have one."""
    known: set[str] = set()
    unknown: dict[str, str] = {}
    lower = {token.text for token in reading.tokens if token.text.islower()}
    for i, token in enumerate(reading.tokens):
        if not _is_proper(reading, i) or (_starts_sentence(reading, i) and token.low in lower):
            continue
        if reading.speaks_of(i, i + 1):
            known.add(token.low)
        elif not (i and reading.tokens[i - 1].text.istitle() and reading.speaks_of(i - 1, i)):
            unknown.setdefault(token.low, token.text)
    missing = [text for low, text in unknown.items() if not reading.is_symbol(low)]
    return missing if len(known) > 1 and len(known) >= 2 * len(missing) else []


def _is_proper(reading: Reading, i: int) -> bool:
    """Whether the word at `i` is a capitalised one in mid-sentence, or at its start with a verb or `and` behind it."""
    token = reading.tokens[i]
    if len(token.text) < 3 or not token.text.istitle() or not token.text.isalpha() or token.low in FUNCTION_WORDS:
        return False
    if token.low in _NOT_NAMES or reading.kinds.key(token.low) is not None:
        return False
    after = reading.tokens[i + 1].low if i + 1 < len(reading.tokens) else "."
    return not _starts_sentence(reading, i) or (after in _BEHIND_NAMES and not is_plural(token.low))


def _starts_sentence(reading: Reading, i: int) -> bool:
    return i == 0 or not (reading.tokens[i - 1].is_word or reading.tokens[i - 1].text == ",")


def companions(reading: Reading) -> list[str]:
    """Nouns without an object that stand beside one that has one: the garden, in "the kitchen and the garden".

    Both must stand bare behind an article, and the noun must occur at least twice.
    """
    tokens = reading.tokens
    found: dict[str, int] = {}
    for i in range(1, len(tokens)):
        if tokens[i].low not in ("and", "or", ",") or i + 2 >= len(tokens) or i < 2 or tokens[i + 1].low != "the":
            continue
        for one, other in ((i - 1, i + 2), (i + 2, i - 1)):
            known = reading.speaks_of(one, one + 1) and not reading.speaks_of(other, other + 1)
            if known and _is_bare(reading, one) and _is_bare(reading, other):
                found[tokens[other].low] = found.get(tokens[other].low, 0) + 1
    return [word for word in found if _occurrences(tokens, word) > 1 and not reading.is_symbol(word)]


def _is_bare(reading: Reading, i: int) -> bool:
    """Whether the word at `i` is a noun phrase of its own: "the" before it, and no noun behind it that it describes."""
    tokens = reading.tokens
    word = tokens[i]
    if tokens[i - 1].low != "the" or not word.text.isalpha() or word.low in FUNCTION_WORDS | COLOURS | DIRECTIONS:
        return False
    if is_plural(word.low) or reading.kinds.key(word.low) is not None or i in reading.mention_at:
        return False
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    return after is None or not after.is_word or after.low in FUNCTION_WORDS or reading.kinds.key(after.low) is None


def _occurrences(tokens: Sequence[Token], word: str) -> int:
    return sum(1 for k, token in enumerate(tokens) if token.low == word and k and tokens[k - 1].low == "the")
