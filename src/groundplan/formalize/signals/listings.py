"""Lists of names in a text ("three rooms: the playroom, the corridor and the store"), and proper names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.signals.words import COLOURS, DIRECTIONS, FUNCTION_WORDS, Token, is_plural, number, ordinal

_INTRODUCES = frozenset("named called namely labelled labeled : — – (".split())
_ARTICLES = frozenset("the a an".split())
_NOT_NAMES = frozenset(
    "initially goal note please monday tuesday wednesday thursday friday saturday sunday january february march april may "
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
    for i in range(len(tokens) - 1):
        if not tokens[i].is_word or not is_plural(tokens[i].low) or tokens[i].low in FUNCTION_WORDS:
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
            yield Listing(tuple(items), not introduced)


def _items(tokens: Sequence[Token], i: int) -> list[Item]:
    """The noun phrases from `i` to the end of the list; none where something else stands among them."""
    items: list[Item] = []
    first = i
    ended = False
    while not ended and len(items) < 60:
        ended = i >= len(tokens) or tokens[i].text in (".", ";", "\n", ")", ":", "—", "!", "?")
        if not ended and tokens[i].low not in (",", "and", "&"):
            i += 1
            if i - first > 5:
                return items if len(items) > 1 else []
            continue
        start = first + 1 if first < i and tokens[first].low in _ARTICLES else first
        words = tokens[start:i]
        if words:
            if len(words) > 3 or not all(_is_name_word(token) for token in words):
                return items if len(items) > 1 and tokens[first - 1].low == "," else []
            items.append(Item(start, i, " ".join(token.text for token in words)))
        i += 1
        first = i
    return items


def _is_name_word(token: Token) -> bool:
    if not token.is_word or number(token.low) is not None or ordinal(token.low) is not None:
        return False
    return token.low not in FUNCTION_WORDS and token.low not in ("one", "ones") and token.low not in COLOURS


def proper_names(reading: Reading) -> list[str]:
    """Capitalised words in mid-sentence that have no object, where most of their kind have one."""
    known: set[str] = set()
    unknown: dict[str, str] = {}
    for i, token in enumerate(reading.tokens):
        if i == 0 or len(token.text) < 3 or not token.text.istitle() or not token.text.isalpha():
            continue
        before = reading.tokens[i - 1]
        if not before.is_word and before.text != ",":
            continue
        if token.low in FUNCTION_WORDS or token.low in _NOT_NAMES or reading.kinds.key(token.low):
            continue
        if reading.speaks_of(i, i + 1):
            known.add(token.low)
        elif before.text.istitle() and reading.speaks_of(i - 1, i):
            continue
        else:
            unknown.setdefault(token.low, token.text)
    missing = [text for low, text in unknown.items() if not reading.is_symbol(low)]
    return missing if len(known) > 1 and len(known) >= 2 * len(missing) else []


def companions(reading: Reading) -> list[str]:
    """Nouns without an object that stand beside one that has one: the garden, in "the kitchen and the garden".

    Both must stand bare behind an article, and the noun must occur at least twice.
    """
    tokens = reading.tokens
    found: dict[str, int] = {}
    for i in range(1, len(tokens)):
        if tokens[i].low in ("and", "or", ",") and i + 2 < len(tokens) and tokens[i + 1].low == "the":
            for one, other in ((i - 1, i + 2), (i + 2, i - 1)):
                if one > 0 and other > 0 and _is_bare(reading, one) and _is_bare(reading, other):
                    if reading.speaks_of(one, one + 1) and not reading.speaks_of(other, other + 1):
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
