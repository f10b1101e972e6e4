"""The loop that all systems here share: propose, check, explain, revise, within a budget, every step written down."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from groundplan.errors import InputError, ModelError
from groundplan.runs.budget import BudgetExhausted
from groundplan.runs.run import Run


class Check(Protocol):
    """What a check decided, and its explanation for whoever revises (empty when accepted)."""

    @property
    def accepted(self) -> bool: ...

    @property
    def explanation(self) -> str: ...


P = TypeVar("P")
C = TypeVar("C", bound=Check)


class Steps(Protocol[P, C]):
    """What a system brings to the loop. Each step may raise ModelError or BudgetExhausted."""

    def propose(self) -> P: ...

    def check(self, proposal: P) -> C: ...

    def revise(self, proposal: P, check: C) -> P: ...


class Ending(StrEnum):
    ACCEPTED = "accepted"
    ROUNDS = "no round left"
    BUDGET = "budget used up"
    MODEL = "model failed"


@dataclass(frozen=True, slots=True)
class Round(Generic[P, C]):
    proposal: P
    check: C


@dataclass(frozen=True, slots=True)
class Refined(Generic[P, C]):
    """How the loop ended and all its rounds. `error` is the model's, where that ended it."""

    ending: Ending
    reason: str
    rounds: tuple[Round[P, C], ...]
    error: ModelError | None = None

    @property
    def last(self) -> P | None:
        """The last proposal that was checked: the accepted one, if any was."""
        return self.rounds[-1].proposal if self.rounds else None


def refine(steps: Steps[P, C], run: Run, *, rounds: int, name: str = "refine") -> Refined[P, C]:
    """Check up to `rounds` proposals, each a revision of the one before; stop at the first that is accepted.

    `name` tells loops of one run apart in its log. A budget used up and a model that fails are endings, with the rounds
    so far; a key or a setting that the user must mend (InputError), a full disk and a bug are raised.
    """
    if rounds < 1:
        raise ValueError("a loop needs at least one round")
    done: list[Round[P, C]] = []
    error: ModelError | None = None
    try:
        ending, reason = _loop(steps, run, rounds, name, done)
    except BudgetExhausted as end:
        ending, reason = Ending.BUDGET, str(end)
    except InputError:
        raise
    except ModelError as fault:
        ending, reason, error = Ending.MODEL, str(fault), fault
    run.once("ending", name, ending=ending.value, reason=reason, rounds=len(done))
    return Refined(ending, reason, tuple(done), error)


def _loop(steps: Steps[P, C], run: Run, rounds: int, name: str, done: list[Round[P, C]]) -> tuple[Ending, str]:
    proposal = steps.propose()
    while True:
        check = steps.check(proposal)
        done.append(Round(proposal, check))
        run.once("round", f"{name}/{len(done)}", accepted=check.accepted, explanation=check.explanation)
        if check.accepted:
            return Ending.ACCEPTED, f"accepted in round {len(done)}"
        if len(done) == rounds:
            return Ending.ROUNDS, f"none of {rounds} proposals was accepted"
        proposal = steps.revise(proposal, check)
