"""The states at which to ask a model, and in which order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.planning.result import NewOperator
from groundplan.adapt.planning.settings import AskAt
from groundplan.pddl.ast import Action, Plan

Operators: TypeAlias = frozenset[Action]


@dataclass(frozen=True, slots=True)
class Node:
    """A state (its facts, derived ones left out), how it was reached, and the new operators that it keeps."""

    facts: Facts
    path: Plan = ()
    new: tuple[NewOperator, ...] = ()

    @property
    def depth(self) -> int:
        return len(self.path)

    @property
    def key(self) -> tuple[Facts, Operators]:
        """The same state with the same operators is one node, whatever these are called and which came first."""
        return self.facts, frozenset(replace(item.action, name="") for item in self.new)


@dataclass
class Frontier:
    """Nodes that wait, nearest first, each once.

    With NOVEL_FIRST, a node waits behind all others unless it shows something for the first time: a fact true or a
    fact false (the novelty of width 1 of Lipovetzky and Geffner 2012), or a new operator. Its successors do not wait.
    """

    order: AskAt
    _open: list[tuple[int, int, int, Node]] = field(default_factory=list)
    _seen: set[tuple[Facts, Operators]] = field(default_factory=set)
    _true: set[Fact] = field(default_factory=set)
    _false: set[Fact] = field(default_factory=set)
    _operators: set[Operators] = field(default_factory=set)
    _ticket: count[int] = field(default_factory=count)

    def add(self, node: Node) -> None:
        """Let a node wait, unless it was there before."""
        if node.key not in self._seen:
            self._seen.add(node.key)
            heappush(self._open, (0, node.depth, next(self._ticket), node))

    def wait(self, node: Node) -> None:
        """Let a node wait until all others are done."""
        heappush(self._open, (1, node.depth, next(self._ticket), node))

    def pop(self) -> tuple[Node, bool] | None:
        """The next node, and whether it has waited already; None at the end."""
        if not self._open:
            return None
        waited, _, _, node = heappop(self._open)
        return node, bool(waited)

    def goes_first(self, node: Node) -> bool:
        """Whether the model is asked at a node as soon as it comes up. Call it once a node: it remembers the facts."""
        if self.order is AskAt.EVERY:
            return True
        everything = self._true | node.facts
        missing = everything - node.facts
        operators = node.key[1]
        new = bool(node.facts - self._true or missing - self._false or operators not in self._operators)
        # A fact that was false in an earlier state without anyone knowing of it counts as seen false there.
        self._false |= missing
        if self._true:
            self._false |= node.facts - self._true
        self._true |= node.facts
        self._operators.add(operators)
        return new
