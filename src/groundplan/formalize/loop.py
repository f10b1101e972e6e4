"""Formalization: Algorithm 1 of the multi-role paper at inference.

Actor, solver, then at most H_max Editor repairs, each with the text, the present specification and the latest
diagnostics. The first executable specification is returned, else the last one. K = H_max + 1 solver calls at most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from groundplan.errors import GroundplanError
from groundplan.formalize.recorded import RecordedEngine
from groundplan.formalize.roles import GREEDY, Draft, Roles
from groundplan.formalize.signals import SYMBOLIC, Ask, signals
from groundplan.formalize.specification import MAX_REPAIRS, Blame, Judgement, Result, Round, Signal, Verification
from groundplan.formalize.verify import engine_at_fault, verify
from groundplan.models.errors import ConnectionFailed, ModelError, RateLimited
from groundplan.models.protocol import Message, Model, Reply, Sampling
from groundplan.runs.budget import BudgetExhausted
from groundplan.runs.paid import RecordedModel
from groundplan.runs.refine import Ending, Refined, refine
from groundplan.runs.run import Run
from groundplan.solve.outcome import DEFAULT_LIMITS, Engine, Limits, Status

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """How to formalize; the defaults are those of the multi-role paper.

    `signals` names the checks of the result that are run: by default all that ask no model.
    """

    max_repairs: int = MAX_REPAIRS
    limits: Limits = DEFAULT_LIMITS
    sampling: Sampling = GREEDY
    judge: bool = True
    signals: frozenset[str] = SYMBOLIC


def formalize(
    text: str,
    model: Model,
    engine: Engine,
    run: Run,
    *,
    domain: str = "",
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Result:
    """Turn a text into PDDL that solves, within the run's budget; with `domain`, only the problem is written.

    `domain` must be a domain that reads without errors. `progress` is told in a few words what is done next.
    Everything is in the run's log; calling this again on the same run goes on where it stopped and pays for nothing
    twice.

    Raises InputError where the user must mend something (a key, a setting) and StorageError when the run cannot be
    written. A model or an engine that fails is a Result with status FAILED.
    """
    settings = settings or Settings()
    roles = Roles(RecordedModel(model, run), text, domain, settings.sampling)
    steps = _Steps(roles, RecordedEngine(engine, run), settings.limits, run, progress or _silent)
    try:
        refined = refine(steps, run, rounds=settings.max_repairs + 1, name="formalize")
    except _EngineFailed as fault:
        return replace(_result(text, roles, run, steps, Status.FAILED, str(fault)), blame=Blame.ENGINE)
    except _NothingToRepair as end:
        refined = Refined(Ending.ROUNDS, str(end), ())
    status, reason = _ending(refined, steps)
    judgement = _judged(roles, steps, refined, settings)
    result = _result(text, roles, run, steps, status, reason, _signals(steps, refined, settings), judgement)
    return replace(result, blame=_blame(refined, steps) if status is Status.FAILED else None)


def _silent(_: str) -> None:
    """No progress is shown."""


class _EngineFailed(GroundplanError):
    """The engine broke; another specification would fare no better."""


class _NothingToRepair(GroundplanError):
    """The Editor gave the specification back as it was. Greedy, it would answer the same question the same again."""


class _Steps:
    """What formalization brings to the shared loop."""

    def __init__(self, roles: Roles, engine: Engine, limits: Limits, run: Run, progress: Progress) -> None:
        self.roles = roles
        self.engine = engine
        self.limits = limits
        self.run = run
        self.progress = progress
        self.rounds: list[Round] = []

    def propose(self) -> Draft:
        self.progress(f"the Actor ({self.roles.model.name}) writes PDDL")
        return self.roles.act()

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
        step = str(len(self.rounds))
        known = self.run.recall("explanation", step)
        if known is None:
            self.run.event("explanation", step=step, text=found.explanation)
            return found
        return replace(found, explained=known.payload["text"])

    def revise(self, proposal: Draft, check: Verification) -> Draft:
        if engine_at_fault(check):
            raise _EngineFailed(check.reason)
        self.progress(f"not executable ({check.reason}); the Editor repairs it")
        draft = self.roles.edit(proposal.specification, check.explanation)
        if draft.specification == proposal.specification and not draft.faults and self.roles.is_greedy:
            raise _NothingToRepair(f"the Editor found nothing to repair; {check.reason}")
        return draft


def _ending(refined: Refined[Draft, Verification], steps: _Steps) -> tuple[Status, str]:
    """The status of the last specification, or FAILED where a model ended the loop before it could be mended."""
    last = steps.rounds[-1].verification if steps.rounds else None
    if refined.ending is Ending.ACCEPTED and last is not None:
        return Status.SOLVED, last.reason
    if refined.ending is Ending.MODEL:
        return Status.FAILED, f"the model failed: {refined.reason}"
    reason = last.reason if last else ""
    if refined.ending is Ending.BUDGET:
        reason = f"{refined.reason}; {reason}" if reason else refined.reason
        return Status.NOT_FOUND, reason
    outcome = last.outcome if last else None
    if outcome is None or outcome.status is Status.SOLVED:
        return Status.FAILED, f"no usable specification after {len(steps.rounds)} attempt(s): {reason}"
    return outcome.status, refined.reason if not refined.rounds else reason


def _blame(refined: Refined[Draft, Verification], steps: _Steps) -> Blame:
    if refined.ending is Ending.MODEL:
        return Blame.SERVER if isinstance(refined.error, ConnectionFailed | RateLimited) else Blame.MODEL
    last = steps.rounds[-1].verification
    if engine_at_fault(last):
        return Blame.ENGINE
    no_pddl = any(found.code == "no-pddl-in-reply" for found in last.diagnostics)
    return Blame.NO_PDDL if no_pddl else Blame.SPECIFICATION


def _judged(roles: Roles, steps: _Steps, refined: Refined[Draft, Verification], settings: Settings) -> Judgement | None:
    """The Judge's score of what is returned; a budget or a model that gives out now costs the score, not the result."""
    wanted = settings.judge and steps.rounds and refined.ending in (Ending.ACCEPTED, Ending.ROUNDS)
    specification = steps.rounds[-1].specification if steps.rounds else None
    if not wanted or specification is None or not specification.domain or not specification.problem:
        return None
    steps.progress("the Judge scores the result")
    try:
        return roles.judge(specification)
    except (ModelError, BudgetExhausted) as error:
        return Judgement(None, (f"no score: {error}",))


def _signals(steps: _Steps, refined: Refined[Draft, Verification], settings: Settings) -> tuple[Signal, ...]:
    """The signals of what is returned; a check that cannot ask its model says so, and costs nothing else."""
    last = steps.rounds[-1].verification if steps.rounds else None
    if last is None or last.task is None:
        return ()
    plan = last.outcome.plan if last.outcome else None
    return signals(steps.roles.text, last.task, plan, only=settings.signals, ask=_asker(steps, refined))


def _asker(steps: _Steps, refined: Refined[Draft, Verification]) -> Ask:
    """Asks the run's model, each time in a context of its own; not where a model or a budget has ended the run."""

    def ask(messages: tuple[Message, ...]) -> Reply:
        if refined.ending not in (Ending.ACCEPTED, Ending.ROUNDS):
            raise BudgetExhausted(f"the run has ended: {refined.reason}")
        steps.progress("a check asks the model about the result")
        return steps.roles.model.reply(messages, steps.roles.sampling)

    return ask


def _result(
    text: str,
    roles: Roles,
    run: Run,
    steps: _Steps,
    status: Status,
    reason: str,
    found: tuple[Signal, ...] = (),
    judgement: Judgement | None = None,
) -> Result:
    spent = run.spent
    return Result(
        text=text,
        status=status,
        reason=reason,
        rounds=tuple(steps.rounds),
        signals=found,
        judgement=judgement,
        model=roles.model.name,
        given_domain=bool(roles.domain),
        model_calls=spent.calls,
        tokens=spent.tokens,
        cost_usd=None if spent.unpriced else spent.usd,
        seconds=spent.seconds,
    )
