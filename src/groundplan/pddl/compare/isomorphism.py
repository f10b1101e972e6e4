"""Isomorphisms of two coloured graphs with labelled edges: colours are refined until they decide, else tried.

Refinement gives nodes with different neighbourhoods different colours (Weisfeiler and Leman 1968). Where several
nodes still share a colour, one of the left graph is paired with each of the right one in turn. Of nodes that look
alike to all others the first try succeeds, so symmetric objects cost no search.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Node: TypeAlias = Hashable


@dataclass
class Graph:
    """Nodes with colours, and directed edges with labels."""

    colours: dict[Node, Hashable] = field(default_factory=dict)
    edges: dict[Node, list[tuple[Hashable, Node]]] = field(default_factory=dict)

    def node(self, node: Node, colour: Hashable) -> Node:
        self.colours[node] = colour
        self.edges.setdefault(node, [])
        return node

    def edge(self, start: Node, label: Hashable, end: Node) -> None:
        """An edge; it is seen from both ends."""
        self.edges[start].append(((label, ">"), end))
        self.edges[end].append(((label, "<"), start))


class TooManyTries(Exception):
    """The search was given up; nothing is known."""


def isomorphisms(
    left: Graph,
    right: Graph,
    *,
    order: Sequence[Node] = (),
    twins: Mapping[Node, Hashable] | None = None,
    tries: int = 400,
    until: int | None = None,
    seconds: float = 2.0,
) -> Iterator[dict[Node, Node]]:
    """Isomorphisms from left to right, at most `until`; none if the graphs are not isomorphic.

    Nodes of `order` are told apart first. Of nodes of the right graph with the same mark in `twins`, only one is
    tried: they must be known to be exchangeable. Raises TooManyTries after that many refinements or seconds.
    """
    finder = _Finder(left, right, order, twins or {}, tries, seconds)
    for number, found in enumerate(finder.search(finder.initial)):
        yield found
        if until is not None and number + 1 >= until:
            return


class _Finder:
    def __init__(
        self,
        left: Graph,
        right: Graph,
        order: Sequence[Node],
        twins: Mapping[Node, Hashable],
        tries: int,
        seconds: float,
    ) -> None:
        self.left, self.right = list(left.colours), list(right.colours)
        place = {("l", node): number for number, node in enumerate(self.left)}
        place |= {("r", node): len(self.left) + number for number, node in enumerate(self.right)}
        self.neighbours = [[(label, place["l", end]) for label, end in left.edges[node]] for node in self.left]
        self.neighbours += [[(label, place["r", end]) for label, end in right.edges[node]] for node in self.right]
        labels: dict[Hashable, int] = {}
        self.neighbours = [
            [(labels.setdefault(label, len(labels)), end) for label, end in ends] for ends in self.neighbours
        ]
        numbers: dict[Hashable, int] = {}
        colours = [*(left.colours[node] for node in self.left), *(right.colours[node] for node in self.right)]
        self.initial = [numbers.setdefault(colour, len(numbers)) for colour in colours]
        self.first = {place["l", node] for node in order}
        self.twins = {place["r", node]: mark for node, mark in twins.items() if ("r", node) in place}
        self.tries = tries
        self.deadline = time.monotonic() + seconds

    def search(self, colours: list[int]) -> Iterator[dict[Node, Node]]:
        refined = self._refined(colours)
        if refined is None:
            return
        cells: dict[int, tuple[list[int], list[int]]] = {}
        for number, colour in enumerate(refined):
            cells.setdefault(colour, ([], []))[number >= len(self.left)].append(number)
        open_ = [cell for cell in cells.values() if len(cell[0]) > 1]
        if not open_:
            yield {self.left[mine[0]]: self.right[other[0] - len(self.left)] for mine, other in cells.values()}
            return
        mine, others = min(open_, key=lambda cell: (cell[0][0] not in self.first, len(cell[0])))
        tried: set[Hashable] = set()
        for other in others:
            mark = self.twins.get(other)
            if mark is not None and mark in tried:
                continue
            tried.add(mark)
            fresh = list(refined)
            fresh[mine[0]] = fresh[other] = len(refined)
            yield from self.search(fresh)

    def _refined(self, colours: list[int]) -> list[int] | None:
        """Stable colours, or None when the two sides come apart."""
        self.tries -= 1
        if self.tries < 0:
            raise TooManyTries
        count, half = len(set(colours)), len(self.left)
        while True:
            if time.monotonic() > self.deadline:
                raise TooManyTries
            if Counter(colours[:half]) != Counter(colours[half:]):
                return None
            numbers: dict[Hashable, int] = {}
            colours = [
                numbers.setdefault(
                    (colour, tuple(sorted([(label, colours[end]) for label, end in ends]))), len(numbers)
                )
                for colour, ends in zip(colours, self.neighbours, strict=True)
            ]
            if len(numbers) == count:
                return None if Counter(colours[:half]) != Counter(colours[half:]) else colours
            count = len(numbers)
