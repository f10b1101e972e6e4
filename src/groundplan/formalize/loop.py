"""Formalization: Algorithm 1 of the multi-role paper at inference.

Actor, solver, then at most H_max Editor repairs, each with the text, the present specification and the latest
diagnostics. The first executable specification is returned, else the last one. K = H_max + 1 solver calls at most.
With several samples, all of that is done for each of them, and one of those that most agree on is returned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from groundplan.formalize.attempt import Attempt, Progress, attempt
from groundplan.formalize.recorded import RecordedEngine
from groundplan.formalize.roles import GREEDY, Draft, Roles
from groundplan.formalize.sampling import Sampled, refuse_samples, sample
from groundplan.formalize.signals import SYMBOLIC, Ask, signals
from groundplan.formalize.specification import MAX_REPAIRS, Blame, Judgement, Result, Signal, Verification
from groundplan.formalize.verify import engine_at_fault
from groundplan.models.errors import ConnectionFailed, ModelError, RateLimited
from groundplan.models.protocol import Message, Model, Reply, Sampling
from groundplan.runs.budget import BudgetExhausted
from groundplan.runs.paid import RecordedModel
from groundplan.runs.refine import Ending, Refined
from groundplan.runs.run import Run
from groundplan.solve.outcome import DEFAULT_LIMITS, Engine, Limits, Status


@dataclass(frozen=True, slots=True)
class Settings:
    """How to formalize; the defaults are those of the multi-role paper.

    `signals` names the checks of the result that are run: by default all that ask no model. With `samples` above 1 the
    text is formalized that often, and the result is what most samples agree on. Raises InputError for several samples
    at temperature 0.
    """

    max_repairs: int = MAX_REPAIRS
    limits: Limits = DEFAULT_LIMITS
    sampling: Sampling = GREEDY
    judge: bool = True
    signals: frozenset[str] = SYMBOLIC
    samples: int = 1

    def __post_init__(self) -> None:
        refuse_samples(self.samples, self.sampling)


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
    progress = progress or _silent
    roles = Roles(RecordedModel(model, run), text, domain, settings.sampling)
    recorded = RecordedEngine(engine, run)

    def take(number: int) -> Attempt:
        tell = progress if settings.samples == 1 else _of_sample(progress, number, settings.samples)
        return attempt(roles, recorded, settings.limits, run, tell, settings.max_repairs + 1, number)

    found = sample(take, settings.samples, run, progress)
    if found.ended.engine_fault and not found.chosen.executable:
        return replace(_result(roles, run, found, Status.FAILED, found.ended.engine_fault), blame=Blame.ENGINE)
    status, reason = _ending(found)
    judgement = _judged(roles, found, settings, progress)
    result = _result(roles, run, found, status, reason, _signals(roles, found, settings, progress), judgement)
    return replace(result, blame=_blame(found) if status is Status.FAILED else None)


def _silent(_: str) -> None:
    """No progress is shown."""


def _of_sample(progress: Progress, number: int, samples: int) -> Progress:
    return lambda words: progress(f"sample {number + 1} of {samples}: {words}")


def _ending(found: Sampled) -> tuple[Status, str]:
    """The status of the last specification, or FAILED where a model ended the loop before it could be mended."""
    last, rounds, refined = found.chosen.last, found.chosen.rounds, found.ended.refined
    if found.chosen.executable and last is not None:
        return Status.SOLVED, "; ".join(filter(None, (last.reason, found.cut_short)))
    if refined.ending is Ending.MODEL:
        return Status.FAILED, f"the model failed: {refined.reason}"
    reason = last.reason if last else ""
    if refined.ending is Ending.BUDGET:
        reason = f"{refined.reason}; {reason}" if reason else refined.reason
        return Status.NOT_FOUND, reason
    outcome = last.outcome if last else None
    if outcome is None or outcome.status is Status.SOLVED:
        return Status.FAILED, f"no usable specification after {len(rounds)} attempt(s): {reason}"
    return outcome.status, refined.reason if not refined.rounds else reason


def _blame(found: Sampled) -> Blame:
    refined, last = found.ended.refined, found.chosen.last
    if refined.ending is Ending.MODEL or last is None:
        return Blame.SERVER if isinstance(refined.error, ConnectionFailed | RateLimited) else Blame.MODEL
    if engine_at_fault(last):
        return Blame.ENGINE
    no_pddl = any(item.code == "no-pddl-in-reply" for item in last.diagnostics)
    return Blame.NO_PDDL if no_pddl else Blame.SPECIFICATION


def _has_ended(refined: Refined[Draft, Verification]) -> bool:
    """Whether a model or a budget gave out, so that nothing more can be asked."""
    return refined.ending not in (Ending.ACCEPTED, Ending.ROUNDS)


def _judged(roles: Roles, found: Sampled, settings: Settings, progress: Progress) -> Judgement | None:
    """The Judge's score of what is returned; a budget or a model that gives out now costs the score, not the result."""
    rounds = found.chosen.rounds
    specification = rounds[-1].specification if rounds else None
    if not settings.judge or _has_ended(found.ended.refined):
        return None
    if specification is None or not specification.domain or not specification.problem:
        return None
    progress("the Judge scores the result")
    try:
        return roles.judge(specification)
    except (ModelError, BudgetExhausted) as error:
        return Judgement(None, (f"no score: {error}",))


def _signals(roles: Roles, found: Sampled, settings: Settings, progress: Progress) -> tuple[Signal, ...]:
    """The signals of what is returned; a check that cannot ask its model says so, and costs nothing else."""
    last = found.chosen.last
    if last is None or last.task is None:
        return ()
    plan = last.outcome.plan if last.outcome else None
    return signals(roles.text, last.task, plan, only=settings.signals, ask=_asker(roles, found, progress))


def _asker(roles: Roles, found: Sampled, progress: Progress) -> Ask:
    """Asks the run's model, each time in a context of its own; not where a model or a budget has ended the run."""

    def ask(messages: tuple[Message, ...]) -> Reply:
        if _has_ended(found.ended.refined):
            raise BudgetExhausted(f"the run has ended: {found.ended.refined.reason}")
        progress("a check asks the model about the result")
        return roles.model.reply(messages, roles.sampling)

    return ask


def _result(
    roles: Roles,
    run: Run,
    found: Sampled,
    status: Status,
    reason: str,
    signs: tuple[Signal, ...] = (),
    judgement: Judgement | None = None,
) -> Result:
    spent = run.spent
    return Result(
        text=roles.text,
        status=status,
        reason=reason,
        rounds=found.chosen.rounds,
        signals=signs if found.signal is None else _with_agreement(signs, found.signal),
        judgement=judgement,
        model=roles.model.name,
        given_domain=bool(roles.domain),
        model_calls=spent.calls,
        tokens=spent.tokens,
        cost_usd=None if spent.unpriced else spent.usd,
        seconds=spent.seconds,
        agreement=found.agreement,
    )


def _with_agreement(signs: tuple[Signal, ...], signal: Signal) -> tuple[Signal, ...]:
    """Among the signals of its severity, the share of agreement comes first."""
    order = ("error", "warning", "info")
    return tuple(sorted((signal, *signs), key=lambda item: order.index(item.severity)))
