"""What is new since a task had a plan, and which of it no operator can undo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from groundplan.adapt.facts import Fact
from groundplan.adapt.operator import Literal
from groundplan.adapt.planning.space import Ahead, Space
from groundplan.adapt.planning.states import at_facts, atom_of, initial_facts, text_of
from groundplan.pddl.ast import Problem, Task
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity, listing
from groundplan.pddl.ground import GroundingLimit
from groundplan.pddl.ground_search import reachable_states
from groundplan.pddl.reach import Reachability

MOST_STATES = 50_000
MOST_TRIED = 40
MOST_LOOKED_AT = 20_000


@dataclass(frozen=True, slots=True)
class Change:
    """A fact that differs: `now` says how it is now. `undone_by` names the known operators with an effect that may turn
    it back in this task; none means, proved, that it stays as it is whatever the known operators do.

    `steps_without` is the length of the shortest plan with this change alone turned back; None where there is none,
    or none was found.
    """

    now: Literal
    undone_by: tuple[str, ...]
    steps_without: int | None = None

    @property
    def fact(self) -> Fact:
        return self.now.fact

    @property
    def is_final(self) -> bool:
        return not self.undone_by

    def __str__(self) -> str:
        return text_of(self.now.fact, self.now.positive)


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs between a problem before and after the novelty.

    `steps_before` is the length of the plan before; `steps_without` that of a plan now with all final changes turned
    back at once. None where there is none, or none was found.
    """

    facts: tuple[Change, ...]
    new_objects: tuple[str, ...] = ()
    lost_objects: tuple[str, ...] = ()
    goal_differs: bool = False
    steps_before: int | None = None
    steps_without: int | None = None

    @property
    def final(self) -> tuple[Change, ...]:
        """The facts that differ and that no known operator turns back, those whose undoing helps first."""
        found = [change for change in self.facts if change.is_final]
        return tuple(sorted(found, key=lambda change: change.steps_without is None))

    def as_json(self) -> dict[str, Any]:
        return {
            "facts": [
                {
                    "fact": str(change),
                    "undone_by": list(change.undone_by),
                    "steps_without": change.steps_without,
                }
                for change in self.facts
            ],
            "new_objects": list(self.new_objects),
            "lost_objects": list(self.lost_objects),
            "goal_differs": self.goal_differs,
            "steps_before": self.steps_before,
            "steps_without": self.steps_without,
        }


def changes_between(task: Task, before: Problem) -> Changes:
    """Compare the problem before the novelty with the present one; both are of the task's domain.

    Raises InputError beyond classical planning.
    """
    now, then = initial_facts(task), initial_facts(Task(task.domain, before))
    names, earlier = {item.name for item in task.objects}, {item.name for item in Task(task.domain, before).objects}
    turned = _turned(task)
    found = [Change(Literal(fact), _undoers(task, fact, turned, True)) for fact in sorted(now - then)]
    gone = [fact for fact in sorted(then - now) if names.issuperset(fact[1:])]
    found += [Change(Literal(fact, False), _undoers(task, fact, turned, False)) for fact in gone]
    tried = [
        replace(change, steps_without=_steps_without(task, [change])) if change.is_final and n < MOST_TRIED else change
        for n, change in enumerate(found)
    ]
    final = [change for change in tried if change.is_final]
    return Changes(
        tuple(tried),
        tuple(sorted(names - earlier)),
        tuple(sorted(earlier - names)),
        before.goal != task.problem.goal,
        _steps(Task(task.domain, before)),
        _steps_without(task, final) if final else None,
    )


def _turned(task: Task) -> Callable[[Fact, bool], bool]:
    """Whether known operators may ever turn a fact round, given whether it holds now.

    Exact where all states can be looked at; else by relaxed reachability, which only ever errs towards "may".
    """
    try:
        space = Space(task)
        seen_true, seen_always, count = 0, space.ground.basic, 0
        for state in reachable_states(space.ground, MOST_LOOKED_AT + 1):
            seen_true |= state
            seen_always &= state
            count += 1
        if count <= MOST_LOOKED_AT:
            bits = space.ground.bit_of

            def exactly(fact: Fact, holds: bool) -> bool:
                bit = bits.get(atom_of(fact), 0)
                return bool(bit & ~seen_always if holds else bit & seen_true)

            return exactly
        reach = Reachability(task)
    except GroundingLimit:
        return lambda fact, holds: True
    return lambda fact, holds: reach.can_fail(atom_of(fact)) if holds else reach.can_hold(atom_of(fact))


def _undoers(task: Task, fact: Fact, turned: Callable[[Fact, bool], bool], holds: bool) -> tuple[str, ...]:
    """The operators with an effect that may turn a fact back; none where it is proved that it stays."""
    if not turned(fact, holds):
        return ()
    return tuple(
        action.name
        for action in task.domain.actions
        if any(effect.atom.predicate == fact[0] and effect.positive is not holds for effect in action.effects)
    )


def _steps_without(task: Task, changes: list[Change]) -> int | None:
    facts = set(initial_facts(task))
    for change in changes:
        (facts.discard if change.now.positive else facts.add)(change.fact)
    return _steps(at_facts(task, frozenset(facts)))


def _steps(task: Task) -> int | None:
    try:
        space = Space(task)
    except GroundingLimit:
        return None
    ending, plan = space.ahead(space.initial, MOST_STATES)
    return len(plan) if ending is Ahead.PLAN else None


def change_findings(changes: Changes) -> Iterator[Diagnostic]:
    """The changes in words: `novelty-fact` for one that no known operator turns back, `novelty-object`, and so on."""
    for change in changes.final:
        appeared = change.now.positive
        helps = ""
        if change.steps_without is not None:
            helps = f"; without it there is a plan of {change.steps_without} step(s)"
        what = "holds now and did not before" if appeared else "does not hold now and did before"
        yield _found(
            "novelty-fact",
            f"`{text_of(change.fact)}` {what}, and no known operator "
            f"{'removes it' if appeared else 'brings it about'}{helps}",
            Severity.WARNING,
            f"an operator with the effect `{text_of(change.fact, not appeared)}` may be missing",
        )
    if changes.final and changes.steps_without is not None and all(c.steps_without is None for c in changes.final):
        yield _found(
            "novelty-facts-together",
            f"only with all of {listing([str(change) for change in changes.final])} turned back there is a plan, of "
            f"{changes.steps_without} step(s)",
            Severity.WARNING,
        )
    for name in changes.new_objects:
        yield _found("novelty-object", f"`{name}` is an object that was not there before")
    for name in changes.lost_objects:
        yield _found("novelty-object-gone", f"`{name}` was an object before and is none now")
    if changes.goal_differs:
        yield _found("novelty-goal", "the goal is another one than before")
    if changes.steps_before is None:
        yield _found("novelty-no-plan-before", "no plan was found for the problem before either", Severity.WARNING)


def _found(code: str, message: str, severity: Severity = Severity.INFO, hint: str = "") -> Diagnostic:
    return Diagnostic(code, Category.SEARCH, severity, message, hint=hint)
