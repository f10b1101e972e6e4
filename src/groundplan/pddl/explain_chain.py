"""From a goal that is out of reach back to what keeps it there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from groundplan.pddl.ast import Atom
from groundplan.pddl.ground_limits import GroundingLimit
from groundplan.pddl.reach import Cause, CauseKind, GoalPart, Reachability, Target

MOST_LINKS = 60


@dataclass(frozen=True)
class Link:
    """A fact that can never come about: every way to it, each with its causes.

    `causes` are those of all ways, without idle guesses: a fact that would help for some objects counts only where
    it is there the other way round, or where nothing else is known. `needed_by` is the cause through which the search
    for reasons came here; None for a part of the goal.
    """

    target: Target
    atom: Atom
    ways: tuple[tuple[Cause, ...], ...]
    causes: tuple[Cause, ...]
    needed_by: Cause | None = None


@dataclass(frozen=True)
class Chain:
    """All links from the goal backwards; `is_complete` says whether the search for reasons came to its end."""

    links: tuple[Link, ...]
    is_complete: bool = True

    @cached_property
    def roots(self) -> tuple[tuple[Link, Cause], ...]:
        """The causes that go back to nothing else."""
        found = [(link, cause) for link in self.links for cause in link.causes]
        return tuple((link, cause) for link, cause in found if cause.kind is not CauseKind.UNREACHED)

    @cached_property
    def circular(self) -> tuple[Link, ...]:
        """Links that no root explains: each fact can only come about after another of them."""
        explained: set[Target] = set()
        grown = self.is_complete
        while grown:
            before = len(explained)
            for link in self.links:
                if all(any(_is_explained(cause, explained) for cause in way) for way in link.ways):
                    explained.add(link.target)
            grown = len(explained) > before
        return tuple(link for link in self.links if link.target not in explained) if self.is_complete else ()


def _is_explained(cause: Cause, explained: set[Target]) -> bool:
    return cause.kind is not CauseKind.UNREACHED or any(_covers(target, cause.target) for target in explained)


def is_guess(cause: Cause) -> bool:
    """A static fact that is missing for objects that happen to allow all else: one of many that would help."""
    return cause.kind is CauseKind.MISSING and not cause.alone


@dataclass
class _Search:
    analysis: Reachability
    links: list[Link] = field(default_factory=list)
    seen: list[Target] = field(default_factory=list)

    def follow(self, parts: Iterable[GoalPart]) -> Chain:
        queue: list[tuple[Atom, bool, Cause | None]] = []
        for part in parts:
            queue += [(atom, positive, None) for positive, atom in part.literals]
        for atom, positive, needed_by in queue:
            target = Target.of(atom, positive)
            if any(_covers(other, target) for other in self.seen):
                continue
            if len(self.links) >= MOST_LINKS:
                return Chain(tuple(self.links), False)
            self.seen.append(target)
            try:
                ways = tuple(tuple(self.analysis.causes.of(way)) for way in self.analysis.ways_to(target))
            except GroundingLimit:
                return Chain(tuple(self.links), False)
            link = Link(target, atom, ways, self._solid(ways), needed_by)
            self.links.append(link)
            for cause in link.causes:
                if cause.kind is CauseKind.UNREACHED and cause.atom is not None:
                    queue.append((cause.atom, cause.needed, cause))
        return Chain(tuple(self.links))

    @staticmethod
    def _solid(ways: tuple[tuple[Cause, ...], ...]) -> tuple[Cause, ...]:
        found = [cause for way in ways for cause in way]
        return tuple(cause for cause in found if not is_guess(cause) or cause.turned) or tuple(found)


def back_chain(analysis: Reachability, parts: Iterable[GoalPart]) -> Chain:
    """Follow the unreachable parts of a goal back to their causes, breadth first."""
    return _Search(analysis).follow(parts)


def _covers(general: Target, special: Target) -> bool:
    same = (general.positive, general.predicate) == (special.positive, special.predicate)
    return same and all(one in (None, two) for one, two in zip(general.terms, special.terms, strict=True))
