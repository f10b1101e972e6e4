"""What a check is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from groundplan.formalize.signals.reading import Reading
from groundplan.formalize.specification import Signal

Finder: TypeAlias = Callable[[Reading], Iterator[Signal]]
MOST_EVIDENCE = 20


@dataclass(frozen=True, slots=True)
class Check:
    """A named check. `description` is one line for users; `severity` is the worst that it reports.

    `cost` is "symbolic", or "model" for a check that asks a language model `calls` questions: those run only when they
    are asked for by name.
    """

    name: str
    severity: str
    description: str
    find: Finder
    calls: int = 0

    @property
    def cost(self) -> Literal["symbolic", "model"]:
        return "model" if self.calls else "symbolic"


def evidence(items: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Pieces of evidence without repetitions, in order, and not too many."""
    return tuple(dict.fromkeys(items))[:MOST_EVIDENCE]
