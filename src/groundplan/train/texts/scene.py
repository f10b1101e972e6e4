"""A made-up task before it is told: its objects, the facts at its start, and its goal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Fact = tuple[str, ...]
"""A predicate and its arguments."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One task; `calls` says how the text calls each object (`red`: the red block)."""

    domain: str
    calls: Mapping[str, str]
    init: tuple[Fact, ...]
    goal: tuple[Fact, ...]

    @property
    def objects(self) -> tuple[str, ...]:
        """The objects' names, in PDDL's spelling."""
        return tuple(self.calls)

    def of(self, predicate: str) -> list[Fact]:
        """The facts of `predicate` at the start, in their order."""
        return [fact for fact in self.init if fact[0] == predicate]

    def names(self, predicate: str) -> list[str]:
        """The objects of which the one-place `predicate` holds at the start."""
        return [fact[1] for fact in self.of(predicate)]

    def pddl(self, name: str) -> str:
        """The problem as PDDL."""
        return (
            f"(define (problem {name})\n  (:domain {self.domain})\n"
            f"  (:objects {' '.join(self.objects)})\n"
            f"  (:init {_listed(self.init)})\n"
            f"  (:goal (and {_listed(self.goal)})))\n"
        )


def _listed(facts: Iterable[Fact]) -> str:
    return " ".join(f"({' '.join(fact)})" for fact in facts)
