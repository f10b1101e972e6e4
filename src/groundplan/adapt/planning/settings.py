"""How missing operators are looked for: the paper's numbers, and its four scenarios by name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from groundplan.errors import InputError
from groundplan.models.protocol import Sampling
from groundplan.pddl.diagnostics import did_you_mean

SAMPLING = Sampling(temperature=0.3, max_tokens=8192)
"""A reasoning model at temperature 0.3, as the authors ran it."""


class AskAt(StrEnum):
    """In which order the model is asked at the states that known operators reach."""

    NOVEL_FIRST = "novel first"
    """Nearest first, but states that show no new fact (none true, none false for the first time) wait until the others
    are done: what an operator over one or two objects needs holds in most cases at the states that go first."""
    EVERY = "every"
    """At each state, nearest first, as in the paper."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The numbers of the search; the defaults are those of the coffee scenarios.

    `samples` proposals at most are taken at one state, ending early at `enough` that agree; each costs two calls (one
    for "no operator"). `max_calls` counts every reply, retries too, and `max_depth` the steps to the states at which
    the model is asked, and of the search ahead from there. `max_states` bounds one search ahead and the states that
    are opened in all.

    Beyond the paper: `retries` of a reply that cannot be read, with the fault told; `fixed` names predicates that
    nothing can change, so that proposals which change them are refused; `novel` names objects that are new, for the
    prompt; `defer_suspicious` goes on looking when the only plan found leans on an operator that looks like a
    loophole, and comes back to it in the end.
    """

    max_depth: int = 15
    max_calls: int = 60
    samples: int = 5
    enough: int = 3
    ask_at: AskAt = AskAt.NOVEL_FIRST
    sampling: Sampling = SAMPLING
    max_states: int = 50_000
    retries: int = 1
    fixed: frozenset[str] = frozenset()
    novel: tuple[str, ...] = ()
    defer_suspicious: bool = True

    def __post_init__(self) -> None:
        for name in ("max_depth", "max_calls", "retries"):
            if getattr(self, name) < 0:
                raise InputError(f"{name.replace('_', ' ')} must be 0 or more, not {getattr(self, name)}")
        for name in ("samples", "enough", "max_states"):
            if getattr(self, name) < 1:
                raise InputError(f"{name.replace('_', ' ')} must be 1 or more, not {getattr(self, name)}")


SCENARIOS = {
    "coffee-box": Settings(15, 60, novel=("box1",)),
    "coffee-drawer": Settings(15, 60, novel=("drawer1",)),
    "nut": Settings(4, 30, novel=("round-peg1",)),
    "kitchen": Settings(10, 30, novel=("lid1",)),
}
"""Depth, calls and novel objects of the paper's four scenarios (the authors' configuration)."""


def scenario(name: str) -> Settings:
    """The settings of a scenario; those of the paper, the states' order too. Raises InputError for an unknown name."""
    known = SCENARIOS.get(name.strip().lower())
    if known is None:
        hint = did_you_mean(name.lower(), SCENARIOS) or f"there are {', '.join(SCENARIOS)}"
        raise InputError(f"no scenario is called `{name}`: {hint}")
    return replace(known, ask_at=AskAt.EVERY)
