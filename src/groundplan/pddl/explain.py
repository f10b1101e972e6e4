"""Why a task has no plan, and what small changes would give it one."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from groundplan.errors import InputError
from groundplan.pddl.ast import Exists, Or, Task
from groundplan.pddl.classical import refuse_beyond_classical
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.explain_chain import Chain, back_chain
from groundplan.pddl.explain_repairs import Repair, find_repairs
from groundplan.pddl.explain_search import all_states_searched, goal_sets
from groundplan.pddl.explain_text import Sentences, literal, subject
from groundplan.pddl.ground import assemble
from groundplan.pddl.ground_greedy import greedy
from groundplan.pddl.ground_limits import GroundingLimit
from groundplan.pddl.ground_search import Bounds
from groundplan.pddl.reach import GoalPart, Reachability

MOST_GOALS = 8
MOST_NEEDED = 6
MOST_CAUSES = 10


def explain_unsolvable(task: Task, deadline: float = 2.0) -> list[Diagnostic]:
    """Explain why a task has no plan, within `deadline` seconds; an empty list when it has one after all.

    All diagnostics are of the category SEARCH. The goal first (`goal-unreachable`), then the facts that it would take
    (`unreachable-fact`), then every cause found: `no-object-of-type`, `wrong-type`, `never-true`, `static-blocks`,
    `no-achiever`, `no-value`, `circular`, `never-together`. Where every part of the goal is reachable by itself, all
    states are searched instead (`search-exhausted`, `never-together`). `search-unfinished` says that time ran out.
    Repairs (`repair-candidate`) come last; each was checked and none was applied. Beyond classical planning:
    `unsupported-feature`.
    """
    ends = time.monotonic() + deadline
    try:
        refuse_beyond_classical(task)
        analysis = Reachability(task, deadline=deadline)
    except InputError as error:
        return [_plain(task, "unsupported-feature", Severity.ERROR, str(error))]
    except GroundingLimit as error:
        return [_unfinished(task, str(error))]
    parts = analysis.unreachable_goals()
    if parts:
        found = list(_from_chain(analysis, parts))
    else:
        try:
            found = _from_search(analysis, ends)
        except GroundingLimit as error:
            return [_unfinished(task, str(error))]
    if not any(item.is_error for item in found):
        return found
    return found + [_repair(task, repair) for repair in find_repairs(task, ends)]


def _from_chain(analysis: Reachability, parts: tuple[GoalPart, ...]) -> Iterator[Diagnostic]:
    source = analysis.task.problem.source
    for part in parts[:MOST_GOALS]:
        message = f"the goal needs {_wanted(part)}, which can never hold, even if no action deleted anything"
        span = next((atom.span for _, atom in part.literals), analysis.task.problem.goal_span)
        span = span if span.end else analysis.task.problem.goal_span
        yield Diagnostic("goal-unreachable", Category.SEARCH, Severity.ERROR, message, span, source)
    if len(parts) > MOST_GOALS:
        message = f"{len(parts) - MOST_GOALS} more parts of the goal can never hold"
        yield _plain(analysis.task, "goal-unreachable", Severity.ERROR, message)
    chain = back_chain(analysis, parts)
    yield from _once(_reasons(analysis, chain))
    if not chain.is_complete:
        yield _unfinished(analysis.task, "not every chain of reasons was followed to its end")


def _wanted(part: GoalPart) -> str:
    names = [literal(atom, positive) for positive, atom in part.literals]
    if not names:
        return "something that is false by itself"
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    joined = ", ".join(names[:4]) + more
    return f"one of {joined}" if len(names) > 1 and isinstance(part.formula, Or | Exists) else joined


def _reasons(analysis: Reachability, chain: Chain) -> Iterator[Diagnostic]:
    sentences = Sentences(analysis.fixpoint.world)
    for link in [link for link in chain.links if link.needed_by is not None][:MOST_NEEDED]:
        yield sentences.needed(link)
    for link in chain.links:
        if not link.ways:
            yield sentences.no_way(link)
    causes = {subject(cause): (link, cause) for link, cause in reversed(chain.roots)}
    roots = list(causes.values())[::-1]
    for link, cause in roots[:MOST_CAUSES]:
        yield sentences.of(link, cause)
    if len(roots) > MOST_CAUSES:
        message = f"{len(roots) - MOST_CAUSES} more causes of these kinds"
        yield _plain(analysis.task, "more-causes", Severity.INFO, message)
    if chain.circular:
        yield sentences.circular(chain.circular)


def _from_search(analysis: Reachability, ends: float) -> list[Diagnostic]:
    """Nothing when there is a plan; else what a search of all states shows, as far as time allows."""
    task = assemble(analysis.fixpoint, analysis.meter)
    sets = goal_sets(task, time.monotonic() + (ends - time.monotonic()) / 2)
    assert task.goal is not None
    if sets is not None:
        complete = task.goal[0] | task.goal[1]
        return [] if complete in sets[1] else all_states_searched(task, *sets)
    result = greedy(task, Bounds(wall_s=max(0.01, (ends - time.monotonic()) * 0.8)))
    if result.plan is not None:
        return []
    if result.stopped is None:
        message = (
            f"no plan: a complete search ended after {result.states} states; every other state that can be reached "
            "can be seen to lead nowhere"
        )
        return [_plain(analysis.task, "search-exhausted", Severity.ERROR, message)]
    reason = f"{result.states} states were searched without finding a plan; that proves nothing"
    return [_unfinished(analysis.task, f"every part of the goal is reachable if nothing is deleted, and {reason}")]


def _repair(task: Task, repair: Repair) -> Diagnostic:
    steps = f"{len(repair.plan)} step{'' if len(repair.plan) == 1 else 's'}"
    plan = f"a plan of {steps}" + (" (checked by search, the shortest)" if repair.is_shortest else " (checked)")
    texts = [change.text for change in repair.changes]
    if len(texts) == 1:
        message = f"candidate repair: {texts[0]}; then there is {plan}"
    else:
        message = f"candidate repair, together: {' and '.join(texts)}; then there is {plan}; none can be left out"
    return _plain(task, "repair-candidate", Severity.INFO, message, "apply it only if it is what was meant")


def _plain(task: Task, code: str, severity: Severity, message: str, hint: str = "") -> Diagnostic:
    problem = task.problem
    return Diagnostic(code, Category.SEARCH, severity, message, problem.goal_span, problem.source, hint)


def _unfinished(task: Task, reason: str) -> Diagnostic:
    return _plain(task, "search-unfinished", Severity.INFO, f"not explained to the end: {reason}")


def _once(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each message once."""
    return list({(item.code, item.message): item for item in reversed(list(diagnostics))}.values())[::-1]
