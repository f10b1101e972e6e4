"""What a search for a generalized plan gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from groundplan.generalize.kinds import failures_by_kind
from groundplan.generalize.programs import Tried
from groundplan.generalize.strategy import StrategyOutcome


class Ending(StrEnum):
    """How the search ended; `Result.reason` says it in a sentence."""

    ALL_SOLVED = "all solved"
    """The program solves every debugging task in every order."""
    SOME_SOLVED = "some solved"
    NONE_SOLVED = "none solved"
    NO_PROGRAM = "no program"
    """No reply held a program that could be run."""
    NO_STRATEGY = "no strategy"
    """No reply held a strategy that could be read."""
    BUDGET = "budget used up"
    MODEL = "model failed"
    CONFINEMENT = "confinement failed"


@dataclass(frozen=True, slots=True)
class Result:
    """The best program with its strategy, and all that was tried on the way.

    `ending` BUDGET, MODEL and CONFINEMENT may come with a program too: the best one so far. `added` names the tasks
    that counter-examples added to the debugging tasks.
    """

    domain: str
    ending: Ending
    reason: str
    debugging: tuple[str, ...]
    examples: tuple[str, ...]
    description: str = ""
    strategies: StrategyOutcome | None = None
    tried: tuple[Tried, ...] = ()
    best: Tried | None = None
    added: tuple[str, ...] = ()
    model: str = ""
    model_calls: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0

    @property
    def strategy(self) -> str:
        """The strategy that the programs implement, or an empty text."""
        best = self.strategies.best if self.strategies else None
        return best.proposal.text if best else ""

    @property
    def program(self) -> str:
        """The best program's source, or an empty text."""
        return self.best.program.source if self.best else ""

    @property
    def strategy_repairs(self) -> int:
        """How many strategies were revisions of an earlier one; asking again after an unreadable reply is none."""
        rounds = self.strategies.rounds if self.strategies else ()
        return sum(bool(before.proposal.text) for before in rounds[:-1])

    @property
    def program_repairs(self) -> int:
        """How many programs were fixes of an earlier one; asking again after a reply without a program is none, nor is
        checking a program again on more tasks."""
        pairs = [(one, two) for one, two in pairwise(self.tried) if one.program is not two.program]
        return sum(before.variant == item.variant and before.program.text.fault is None for before, item in pairs)

    @property
    def solved(self) -> int:
        return self.best.check.solved if self.best else 0

    def as_json(self) -> dict[str, Any]:
        """The keys that `groundplan generalize --json` prints."""
        results = self.best.check.results if self.best else ()
        return {
            "domain": self.domain,
            "ending": self.ending.value,
            "reason": self.reason,
            "program": self.program or None,
            "strategy": self.strategy or None,
            "coverage": {"solved": self.solved, "total": len(results) or len(self.debugging)},
            "tasks": [result.as_json() for result in results],
            "failures": failures_by_kind(results),
            "debugging": list(self.debugging),
            "examples": list(self.examples),
            "added": list(self.added),
            "best": None if self.best is None else {"variant": self.best.variant, "fix": self.best.fix},
            "strategies": _strategies(self.strategies),
            "programs": _programs(self.tried),
            "strategy_repairs": self.strategy_repairs,
            "program_repairs": self.program_repairs,
            "model": self.model,
            "model_calls": self.model_calls,
            "tokens": self.tokens,
            "cost_usd": self.cost_usd,
            "seconds": round(self.seconds, 3),
        }


def _strategies(outcome: StrategyOutcome | None) -> list[dict[str, Any]]:
    if outcome is None:
        return []
    return [{"strategy": item.proposal.text or None, **item.check.as_json()} for item in outcome.rounds]


def _programs(tried: Sequence[Tried]) -> list[dict[str, Any]]:
    return [
        {
            "variant": item.variant,
            "fix": item.fix,
            "notes": list(item.program.text.notes),
            "source": item.program.source or None,
            **item.check.as_json(),
        }
        for item in tried
    ]
