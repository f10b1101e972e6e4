"""How much of another collection's wording is found in ours: clauses with the names masked, compared whole or in part.

A clause is what stands between commas, semicolons, full stops, line ends and the word "and". Object names are masked,
so that "the red block is clear" and "block 7 is clear" count as the same wording.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MASK = "<x>"
_WORD = re.compile(r"<x>|[a-z0-9'_-]*[a-z0-9]")
_ENDS = re.compile(r"[,;:\n?!]|\.(?=\s|$)|\band\b", re.IGNORECASE)


def clauses(text: str) -> list[str]:
    """The clauses of a text, in order, without those that are empty."""
    return [part.strip() for part in _ENDS.split(text) if part.strip()]


def masked(sentence: str, names: Iterable[str]) -> str:
    """The words of `sentence` in small letters, each of `names` replaced by `<x>`, without marks and double spaces.

    Longer names go first: give "the red block" beside "red" to have the whole of it masked.
    """
    return _masked(sentence, _any_of(names))


def _masked(sentence: str, name: re.Pattern[str]) -> str:
    return " ".join(_WORD.findall(name.sub(MASK, sentence.lower())))


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """One name as a whole word, the longest that fits; a pattern of no name matches nothing."""
    ordered = sorted({name.lower() for name in names}, key=len, reverse=True)
    return re.compile(rf"(?<![\w<-])(?:{'|'.join(map(re.escape, ordered)) or '(?!)'})(?![\w>-])")


def masked_clauses(text: str, names: Iterable[str]) -> set[str]:
    """The clauses of one text, masked; those of nothing but names are left out, for they hold no wording."""
    name = _any_of(names)
    found = {_masked(clause, name) for clause in clauses(text)}
    return {clause for clause in found if set(clause.split()) - {MASK}}


def shared_clauses(ours: Iterable[str], theirs: Iterable[str]) -> set[str]:
    """The masked clauses that both collections have, word for word."""
    return set(ours) & set(theirs)


def shared_ngrams(ours: Iterable[str], theirs: Iterable[str], n: int) -> set[tuple[str, ...]]:
    """The runs of `n` words that masked clauses of both collections have."""
    return _ngrams(ours, n) & _ngrams(theirs, n)


def _ngrams(found: Iterable[str], n: int) -> set[tuple[str, ...]]:
    runs: set[tuple[str, ...]] = set()
    for clause in found:
        words = clause.split()
        runs.update(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
    return runs
