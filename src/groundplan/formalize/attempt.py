"""One attempt at a text: Actor and solver, then Editor and solver until a specification is executable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from groundplan.errors import GroundplanError
from groundplan.formalize.roles import Draft, Roles
from groundplan.formalize.specification import Round, Verification
from groundplan.formalize.verify import engine_at_fault, verify
from groundplan.runs.refine import Ending, Refined, refine
from groundplan.runs.run import Run
from groundplan.solve.outcome import Engine, Limits

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Attempt:
    """All rounds of one sample and how they ended; `engine_fault` says how the engine broke, where it did."""

    sample: int
    rounds: tuple[Round, ...]
    refined: Refined[Draft, Verification]
    engine_fault: str = ""

    @property
    def last(self) -> Verification | None:
        return self.rounds[-1].verification if self.rounds else None

    @property
    def executable(self) -> bool:
        return self.refined.ending is Ending.ACCEPTED

    @property
    def broken_off(self) -> str:
        """Why no other attempt would fare better, or an empty text."""
        if self.engine_fault:
            return self.engine_fault
        if self.refined.ending is Ending.MODEL:
            return f"the model failed: {self.refined.reason}"
        return self.refined.reason if self.refined.ending is Ending.BUDGET else ""


def attempt(
    roles: Roles, engine: Engine, limits: Limits, run: Run, progress: Progress, rounds: int, sample: int = 0
) -> Attempt:
    """Take one sample, with at most `rounds` specifications; samples of one run are apart in its log.

    Raises InputError and StorageError; a model or an engine that fails is an ending.
    """
    steps = _Steps(roles, engine, limits, run, progress, sample)
    fault = ""
    try:
        refined = refine(steps, run, rounds=rounds, name=f"formalize-{sample}" if sample else "formalize")
    except _EngineFailed as error:
        fault = str(error)
        refined = Refined(Ending.ROUNDS, fault, ())
    except _NothingToRepair as end:
        refined = Refined(Ending.ROUNDS, str(end), ())
    return Attempt(sample, tuple(steps.rounds), refined, fault)


class _EngineFailed(GroundplanError):
    """The engine broke; another specification would fare no better."""


class _NothingToRepair(GroundplanError):
    """The Editor gave the specification back as it was. Greedy, it would answer the same question the same again."""


class _Steps:
    """What formalization brings to the shared loop."""

    def __init__(self, roles: Roles, engine: Engine, limits: Limits, run: Run, progress: Progress, sample: int) -> None:
        self.roles = roles
        self.engine = engine
        self.limits = limits
        self.run = run
        self.progress = progress
        self.sample = sample
        self.rounds: list[Round] = []

    def propose(self) -> Draft:
        self.progress(f"the Actor ({self.roles.model.name}) writes PDDL")
        return self.roles.act(self.sample)

    def check(self, proposal: Draft) -> Verification:
        if proposal.faults:
            found = Verification(False, proposal.faults, reason=proposal.faults[0].message)
        else:
            self.progress(f"{self.engine.name} solves attempt {len(self.rounds) + 1}")
            found = self._as_explained_before(verify(proposal.specification, self.engine, self.limits))
        self.rounds.append(Round(proposal.role, proposal.specification, found, proposal.notes))
        return found

    def _as_explained_before(self, found: Verification) -> Verification:
        """How far an explanation gets depends on the time it had. The Editor's prompt, and so its paid reply, hang on
        its every word: a resumed run takes the words of the log."""
        step = f"{self.sample}/{len(self.rounds)}" if self.sample else str(len(self.rounds))
        known = self.run.recall("explanation", step)
        if known is None:
            self.run.event("explanation", step=step, text=found.explanation)
            return found
        return replace(found, explained=known.payload["text"])

    def revise(self, proposal: Draft, check: Verification) -> Draft:
        if engine_at_fault(check):
            raise _EngineFailed(check.reason)
        self.progress(f"not executable ({check.reason}); the Editor repairs it")
        draft = self.roles.edit(proposal.specification, check.explanation, self.sample)
        if draft.specification == proposal.specification and not draft.faults and self.roles.is_greedy:
            raise _NothingToRepair(f"the Editor found nothing to repair; {check.reason}")
        return draft
