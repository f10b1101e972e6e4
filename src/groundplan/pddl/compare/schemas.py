"""Which action of the candidate may stand for which action of the reference, the likeliest first.

A match is scored by the name, by how the literals of preconditions and effects fall on the same parameters (with and
without regard to the predicates' names), and by the types. Scores only order the search: a poor match is tried late.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import permutations
from math import perm
from typing import TypeAlias

from groundplan.pddl.ast import Action, Task
from groundplan.pddl.compare.literal_lists import literals_of
from groundplan.pddl.compare.objects import words_of
from groundplan.pddl.compare.result import ActionMatch
from groundplan.pddl.types import objects_by_type

MOST_PERMUTATIONS = 1_000
MOST_MATCHES = 20_000
"""Matches of all actions that are scored; where there are more, long lists of parameters are taken in order only."""
COLLISION = 1.5
"""What it costs that two actions stand for the same one."""


@dataclass(frozen=True, slots=True)
class Option:
    """One match of an action; `match` is None where it stands for nothing (and must then never be applicable)."""

    match: ActionMatch | None
    score: float


Options: TypeAlias = Mapping[str, Sequence[Option]]


def options(
    reference: Task,
    candidate: Task,
    objects: Mapping[str, str],
    given: Mapping[str, ActionMatch],
    predicates: Mapping[str, str] | None = None,
) -> Options:
    """For each action of the candidate all its matches, best first."""
    scorer = _Scorer(reference, candidate, objects, predicates or {})
    found = {}
    most = most_permutations(reference, candidate)
    for action in candidate.domain.actions:
        if action.name in given:
            found[action.name] = [Option(given[action.name], 9.0)]
            continue
        ranked = [Option(None, 0.0)]
        for target in reference.domain.actions:
            ranked += [Option(match, scorer.score(match, target, action)) for match in _matches(target, action, most)]
        found[action.name] = sorted(ranked, key=lambda option: -option.score)
    return found


def assignments(table: Options, most: int) -> Iterator[Mapping[str, ActionMatch]]:
    """Whole action maps, in order of their summed scores (those with collisions later), at most `most`."""
    names = list(table)
    start = (0,) * len(names)
    open_, seen, given = [(-_total(table, names, start), False, start)], {start}, 0
    while open_ and given < most:
        cost, is_final, place = heappop(open_)
        if not is_final:
            for at in range(len(names)):
                following = (*place[:at], place[at] + 1, *place[at + 1 :])
                if following[at] < len(table[names[at]]) and following not in seen:
                    seen.add(following)
                    heappush(open_, (-_total(table, names, following), False, following))
            collisions = _collisions(table, names, place)
            if collisions:
                heappush(open_, (cost + COLLISION * collisions, True, place))
                continue
        given += 1
        chosen = {name: table[name][index].match for name, index in zip(names, place, strict=True)}
        yield {name: match for name, match in chosen.items() if match is not None}


def count_of(table: Options) -> int:
    """How many whole action maps there are."""
    total = 1
    for ranked in table.values():
        total *= len(ranked)
    return total


def _total(table: Options, names: Sequence[str], place: tuple[int, ...]) -> float:
    return sum(table[name][index].score for name, index in zip(names, place, strict=True))


def _collisions(table: Options, names: Sequence[str], place: tuple[int, ...]) -> int:
    chosen = Counter(
        match.action
        for name, index in zip(names, place, strict=True)
        if (match := table[name][index].match) is not None
    )
    return sum(number - 1 for number in chosen.values())


def most_permutations(reference: Task, candidate: Task) -> int:
    """How many orders of parameters are tried for one pair of actions."""
    sizes = [
        perm(len(action.parameters), len(target.parameters))
        for action in candidate.domain.actions
        for target in reference.domain.actions
    ]
    return next(
        most
        for most in (MOST_PERMUTATIONS, 120, 24, 6, 1)
        if most == 1 or sum(size if size <= most else 1 for size in sizes) <= MOST_MATCHES
    )


def leaves_out(reference: Task, candidate: Task) -> bool:
    """Whether some orders of parameters are not tried at all."""
    most = most_permutations(reference, candidate)
    return any(
        perm(len(action.parameters), len(target.parameters)) > most
        for action in candidate.domain.actions
        for target in reference.domain.actions
    )


def _matches(target: Action, action: Action, most: int) -> Iterator[ActionMatch]:
    """All ways to find the target's parameters among the action's; where there are too many, in order only."""
    wanted, offered = len(target.parameters), len(action.parameters)
    if wanted > offered:
        return
    if perm(offered, wanted) > most:
        yield ActionMatch(target.name, tuple(range(wanted)))
        return
    for places in permutations(range(offered), wanted):
        yield ActionMatch(target.name, places)


class _Scorer:
    def __init__(
        self, reference: Task, candidate: Task, objects: Mapping[str, str], predicates: Mapping[str, str]
    ) -> None:
        self.objects = objects
        self.predicates = predicates
        self.lists = (
            {action.name: literals_of(action) for action in reference.domain.actions},
            {action.name: literals_of(action) for action in candidate.domain.actions},
        )
        self.members = (objects_by_type(reference), objects_by_type(candidate))

    def score(self, match: ActionMatch, target: Action, action: Action) -> float:
        names = {action.parameters[place].name: f"?{index}" for index, place in enumerate(match.positions)}
        own = {parameter.name: f"?{index}" for index, parameter in enumerate(target.parameters)}
        ours = [literal.renamed(own) for literal in self.lists[0][target.name]]
        theirs = [literal.renamed(names, self.objects, self.predicates) for literal in self.lists[1][action.name]]
        shapes = _overlap([item.shape for item in ours], [item.shape for item in theirs])
        words = _overlap([item.words for item in ours], [item.words for item in theirs])
        return 2 * shapes + words + _name_score(target.name, action.name) + self._types(match, target, action)

    def _types(self, match: ActionMatch, target: Action, action: Action) -> float:
        """Between 0 and 1: how far parameters have the same objects, and the same names."""
        total = 0.0
        for index, place in enumerate(match.positions):
            mine, other = target.parameters[index], action.parameters[place]
            ours = {name for kind in mine.types for name in self.members[0].get(kind, ())}
            theirs = {self.objects.get(name, name) for kind in other.types for name in self.members[1].get(kind, ())}
            total += len(ours & theirs) / max(1, len(ours | theirs)) + (mine.name == other.name) / 2
        spare = len(action.parameters) - len(match.positions)
        return total / max(1, len(match.positions)) / 2 - 0.1 * spare


def _name_score(first: str, second: str) -> float:
    if first == second:
        return 3.0
    left, right = set(words_of(first)), set(words_of(second))
    return 2.0 * len(left & right) / max(1, len(left | right))


def _overlap(first: Sequence[object], second: Sequence[object]) -> float:
    left, right = Counter(first), Counter(second)
    return 2 * sum((left & right).values()) / max(1, len(first) + len(second))
