"""The environment of the multi-role paper: (b, d) = E(y), Eq. 1 and section B.1.

A specification is checked by our own reader first, then solved, and the plan judged by our own simulator. One thing is
stricter than in the paper: a problem whose goal is empty or already true is not counted as executable, because a plan
of no steps for a text that asks for work is how solver feedback is gamed.
"""

from __future__ import annotations

from groundplan.formalize.specification import Specification, Verification
from groundplan.pddl.ast import Task
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.read import CheckResult, check_sources
from groundplan.pddl.source import NO_SOURCE, Source
from groundplan.solve.outcome import Engine, Fault, Limits, Outcome, Status

EXPLAIN_S = 10.0
"""Seconds to explain why a task has no plan: small tasks need far less, so that what is said does not hang on speed."""


def verify(specification: Specification, engine: Engine, limits: Limits) -> Verification:
    """Check, solve and validate one specification. Never raises for what the specification says."""
    result = check_sources(Source(specification.domain, "domain.pddl"), Source(specification.problem, "problem.pddl"))
    if not result.ok:
        return Verification(False, result.diagnostics, None, None, _refusal(result))
    task = result.task()
    outcome = engine.solve(task, limits)
    return judge_outcome(task, outcome, result.diagnostics)


def judge_outcome(task: Task, outcome: Outcome, found: tuple[Diagnostic, ...]) -> Verification:
    """From an engine's outcome to the verification: what the Editor needs to know is added to the findings."""
    if outcome.status is Status.SOLVED and outcome.plan:
        return Verification(True, found, task, outcome, outcome.reason)
    if outcome.status is Status.SOLVED:
        return Verification(False, (*_without(found, "goal-already-true"), _no_work(task)), task, outcome, _NO_WORK)
    if outcome.status is Status.UNSOLVABLE:
        return Verification(False, (*found, *_why_unsolvable(task, outcome)), task, outcome, outcome.reason)
    return Verification(False, (*found, _ended(outcome)), task, outcome, outcome.reason)


_NO_WORK = "the goal holds at the start: the plan has no step, although the text asks for work"


def _no_work(task: Task) -> Diagnostic:
    return Diagnostic(
        "nothing-to-do",
        Category.GOAL,
        Severity.ERROR,
        _NO_WORK,
        task.problem.goal_span,
        task.problem.source,
        "state in `:goal` what must hold at the end, and in `:init` only what holds at the start",
    )


def _why_unsolvable(task: Task, outcome: Outcome) -> tuple[Diagnostic, ...]:
    from groundplan.pddl.explain import explain_unsolvable

    proof = Diagnostic(
        "unsolvable",
        Category.SEARCH,
        Severity.ERROR,
        f"no plan exists for this problem ({outcome.reason})",
        task.problem.goal_span,
        task.problem.source,
        "look for a missing fact in `:init`, a precondition that can never hold, or an effect that is missing",
    )
    return (proof, *explain_unsolvable(task, EXPLAIN_S))


def _ended(outcome: Outcome) -> Diagnostic:
    if outcome.status is Status.NOT_FOUND:
        limit = outcome.limit.value if outcome.limit else "limit"
        hint = "the problem may be too large or the goal out of reach; check the facts and the actions"
        return Diagnostic(
            "no-plan-found", Category.SEARCH, Severity.ERROR, f"no plan found ({limit}): {outcome.reason}", hint=hint
        )
    return Diagnostic(
        "engine-failed", Category.SEARCH, Severity.ERROR, f"{outcome.engine} failed: {outcome.reason}", source=NO_SOURCE
    )


def _refusal(result: CheckResult) -> str:
    errors = [found for found in result.diagnostics if found.is_error]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"the PDDL is refused: {errors[0].message}{more}"


def _without(found: tuple[Diagnostic, ...], code: str) -> tuple[Diagnostic, ...]:
    return tuple(diagnostic for diagnostic in found if diagnostic.code != code)


def engine_at_fault(verification: Verification) -> bool:
    """Whether the engine itself broke, so that another specification would fare no better."""
    outcome = verification.outcome
    return (
        outcome is not None
        and outcome.status is Status.FAILED
        and outcome.fault in (Fault.CRASH, Fault.MISSING, Fault.BAD_PLAN)
    )
