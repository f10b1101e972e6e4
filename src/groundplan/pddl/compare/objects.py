"""Which object of the candidate is meant by which name of the reference.

Names are compared in steps, the plainest first: the same name; the same words (`ball-1`, `ball1`, `Ball_01`); the same
words without those of types and unary predicates, or that several names have (`red`, `red-block`, `block_red`); the
same letters (`rooma`, `room-a`); the same words cut short (`l0-1`, `location_0_1`); the words of the other and more
(`red`, `red-block`). In every step only matches that are unique on both sides count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from groundplan.pddl.ast import Task
from groundplan.pddl.types import hierarchy_of

Words: TypeAlias = tuple[str, ...]

_WORD = re.compile(r"[^\W\d_]+|\d+")
_FILLERS = frozenset({"the", "of", "number", "object", "obj"})


def words_of(name: str) -> Words:
    """The words and numbers of a name, numbers without leading zeros."""
    return tuple(str(int(word)) if word.isdecimal() else word for word in _WORD.findall(name.lower()))


def match_objects(
    reference: Task, candidate: Task, given: Mapping[str, str] | None = None, kinds: Iterable[str] = ()
) -> dict[str, str]:
    """Candidate objects to reference objects, as far as their names tell; `given` comes first and is kept.

    `kinds` are more words that say what an object is, not which one.
    """
    found = dict(given or {})
    ours = [item.name for item in reference.objects if item.name not in found.values()]
    theirs = [item.name for item in candidate.objects if item.name not in found]
    types = _kinds(reference) | _kinds(candidate) | frozenset(kinds)
    shared = types | _shared(item.name for item in reference.objects) | _shared(item.name for item in candidate.objects)
    steps: tuple[Callable[[str], object], ...] = (
        lambda name: name,
        words_of,
        lambda name: _without(words_of(name), types),
        lambda name: tuple(sorted(_without(words_of(name), types))),
        lambda name: "".join(words_of(name)),
        lambda name: tuple(sorted(_without(words_of(name), shared))),
    )
    for step in steps:
        _take(found, ours, theirs, _unique(ours, theirs, step))
    _take(found, ours, theirs, _fitting(ours, theirs, _is_short))
    _take(found, ours, theirs, _fitting(ours, theirs, _is_part))
    return found


def _take(found: dict[str, str], ours: list[str], theirs: list[str], pairs: Iterable[tuple[str, str]]) -> None:
    for mine, other in pairs:
        found[other] = mine
        ours.remove(mine)
        theirs.remove(other)


def _unique(ours: list[str], theirs: list[str], key: Callable[[str], object]) -> list[tuple[str, str]]:
    left, right = _by_key(ours, key), _by_key(theirs, key)
    pairs = [(names, right.get(word, [])) for word, names in left.items()]
    return [(mine[0], other[0]) for mine, other in pairs if len(mine) == len(other) == 1]


def _by_key(names: list[str], key: Callable[[str], object]) -> dict[object, list[str]]:
    table: dict[object, list[str]] = {}
    for name in names:
        word = key(name)
        if word != ():
            table.setdefault(word, []).append(name)
    return table


def _fitting(ours: list[str], theirs: list[str], fit: Callable[[Words, Words], bool]) -> list[tuple[str, str]]:
    """Pairs of names whose words fit, where neither fits another name."""
    fits = {(mine, other) for mine in ours for other in theirs if fit(words_of(mine), words_of(other))}
    return [
        (mine, other)
        for mine, other in sorted(fits)
        if sum(pair[0] == mine for pair in fits) == sum(pair[1] == other for pair in fits) == 1
    ]


def _is_short(left: Words, right: Words) -> bool:
    if not left or len(left) != len(right) or not any(word.isdecimal() for word in left):
        return False
    return all(
        mine == other if mine.isdecimal() or other.isdecimal() else mine.startswith(other) or other.startswith(mine)
        for mine, other in zip(left, right, strict=True)
    )


def _is_part(left: Words, right: Words) -> bool:
    """Whether one has all words and numbers of the other, and more words, but no more numbers."""
    more = Counter(left) - Counter(right) or Counter(right) - Counter(left)
    both = (Counter(left) - Counter(right)) and (Counter(right) - Counter(left))
    return bool(left and right and not both) and not any(word.isdecimal() for word in more)


def _kinds(task: Task) -> frozenset[str]:
    """Words that name what an object is: types, and predicates of one argument that no action changes."""
    names = set(hierarchy_of(task.domain).names)
    fluents = task.domain.fluents
    names |= {item.name for item in task.domain.predicates if item.arity == 1 and item.name not in fluents}
    words = {word for name in names for word in words_of(name) if not word.isdecimal()}
    return frozenset(words | {f"{word}s" for word in words} | {word.removesuffix("s") for word in words})


def _shared(names: Iterable[str]) -> frozenset[str]:
    """Words that several names have: they say what an object is rather than which one."""
    counts = Counter(word for name in names for word in set(words_of(name)) if not word.isdecimal())
    return frozenset(word for word, number in counts.items() if number > 1)


def _without(words: Words, kinds: frozenset[str]) -> Words:
    return tuple(word for word in words if word not in kinds and word not in _FILLERS)
