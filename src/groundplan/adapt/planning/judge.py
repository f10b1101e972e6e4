"""Proposed operators judged: can they be read, do they help, are they loopholes, does the world bear them out.

A plan found and an operator that is right are two things, told apart throughout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from groundplan.adapt.facts import Facts
from groundplan.adapt.planning.changes import Changes
from groundplan.adapt.planning.duplicates import duplicate_of
from groundplan.adapt.planning.in_task import MOST_STATES, Helps, helps, task_findings
from groundplan.adapt.planning.lifting import free_name
from groundplan.adapt.planning.loopholes import CANNOT_HELP, text_findings
from groundplan.adapt.planning.pddl_text import operators_in
from groundplan.adapt.planning.prune import Pruned, prune
from groundplan.adapt.planning.replay import Replay, Right, replay
from groundplan.adapt.planning.space import Ahead
from groundplan.adapt.planning.transitions import Transition
from groundplan.pddl.ast import Action, Domain, Problem, Task, atoms_in
from groundplan.pddl.diagnostics import Category, Diagnostic, Severity
from groundplan.pddl.source import Source, Span
from groundplan.pddl.write import write_action


class Standing(StrEnum):
    """What a proposal is worth, as far as it can be known without a world; in order of rank."""

    HELPFUL = "helpful"
    """Well formed, and there is a plan with it."""
    SUSPICIOUS = "suspicious"
    """There is a plan with it, but it looks like a way round the task: only execution can confirm it."""
    UNDECIDED = "undecided"
    """Well formed; no plan was found within the bound on states, which proves nothing, or no problem was given."""
    USELESS = "useless"
    """Well formed, but proved to be of no help in this task."""
    REJECTED = "rejected"
    """It is no operator of this domain: what is wrong is in the findings."""


LOOPHOLES = frozenset(("operator-reaches-goal-alone", "operator-breaks-invariant", "operator-without-precondition"))
"""The codes that make a proposal suspicious. Other warnings and notes only count among equals."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One proposal (a text with one operator or several that belong together) and all that was found.

    `operators` have the names under which they can be added to the domain; `renamed` has the old and the new name of
    those whose name was taken. `replays` and `pruned` are there where transitions were given.
    """

    name: str
    standing: Standing
    operators: tuple[Action, ...]
    findings: tuple[Diagnostic, ...]
    helps: Helps | None = None
    replays: tuple[Replay, ...] = ()
    pruned: tuple[Pruned, ...] = ()
    loose_ends: int = 0
    renamed: tuple[tuple[str, str], ...] = ()

    @property
    def right(self) -> Right:
        """Whether the transitions bear all its operators out."""
        found = {item.right for item in self.replays}
        if Right.REFUTED in found:
            return Right.REFUTED
        return Right.EXPLAINS if found == {Right.EXPLAINS} else Right.UNSUPPORTED

    @property
    def usable(self) -> bool:
        """Whether it is worth trying: neither rejected nor useless nor refuted."""
        return self.standing not in (Standing.USELESS, Standing.REJECTED) and self.right is not Right.REFUTED

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "standing": self.standing.value,
            "right": self.right.value,
            "usable": self.usable,
            "plan": None if self.helps is None or self.helps.steps is None else [str(step) for step in self.helps.plan],
            "steps": self.helps.steps if self.helps else None,
            "operators": [write_action(action) for action in self.operators],
            "renamed": [list(pair) for pair in self.renamed],
            "findings": [found.as_json() for found in self.findings],
            "replays": [item.as_json() for item in self.replays],
            "pruned": [item.as_json() for item in self.pruned],
        }


@dataclass(frozen=True)
class Bench:
    """What proposals are judged against.

    `changes` tell what is new since the task had a plan, `fixed` names predicates that nothing can change, `tried_as`
    is the name under which tries of the operator are recorded, where it is not its own. `max_states` bounds each
    search for a plan.
    """

    domain: Domain
    problem: Problem | None = None
    transitions: tuple[Transition, ...] = ()
    changes: Changes | None = None
    fixed: frozenset[str] = frozenset()
    tried_as: str = ""
    max_states: int = MOST_STATES

    @property
    def task(self) -> Task:
        return Task(self.domain, self.problem or Problem("none"))

    @cached_property
    def without(self) -> Helps:
        """Whether the task has a plan as it is."""
        return helps(self.task, (), self.max_states)

    @property
    def novelty(self) -> Facts:
        found = self.changes.facts if self.changes else ()
        return frozenset(change.fact for change in found if change.now.positive)


def judge_proposals(bench: Bench, proposals: Sequence[Source]) -> tuple[Judged, ...]:
    """Judge proposals, in their order; `ranking` puts them in the order in which to try them.

    A source's name is the proposal's name. Raises InputError for a task beyond classical planning.
    """
    return tuple(_judge(bench, source) for source in proposals)


def ranking(judged: Sequence[Judged]) -> list[Judged]:
    """The proposals that are worth trying, the likeliest first, suspicious ones last.

    What transitions confirm comes first. Among equals count warnings, then notes of something odd, then loose ends of
    the domain that a proposal ties up (facts that known operators bring about, or that hold, but that none needs).
    """
    return sorted((item for item in judged if item.usable), key=_rank)


def _rank(item: Judged) -> tuple[Any, ...]:
    standings = list(Standing)
    warnings = sum(found.severity is Severity.WARNING for found in item.findings)
    odd = sum(found.severity is Severity.INFO and found.code.startswith("operator-") for found in item.findings)
    return (
        standings.index(item.standing),
        item.right is not Right.EXPLAINS,
        warnings,
        -item.loose_ends,
        odd,
        len(item.operators),
        item.name,
    )


def _judge(bench: Bench, source: Source) -> Judged:
    read = operators_in(source, bench.task.domain, bench.task.objects)
    found = [item for one in read for item in one.diagnostics]
    if not read:
        message = "no operator was found in the text"
        hint = "write (:action name :parameters (...) :precondition (...) :effect (...))"
        empty = Diagnostic("operator-missing", Category.SYNTAX, Severity.ERROR, message, Span(0, 0), source, hint)
        return Judged(source.name, Standing.REJECTED, (), (empty,))
    actions = [one.action for one in read if one.action is not None]
    if not all(one.ok for one in read):
        return Judged(source.name, Standing.REJECTED, tuple(actions), tuple(found))
    actions = _not_repeated(actions, bench.task.domain)
    new, renamed = _free_names(actions, bench.task.domain)
    found += [_taken(old, name, source) for old, name in renamed]
    result = helps(bench.task, new, bench.max_states) if bench.problem else None
    standing, more = _standing(bench, new, result)
    replays, pruned = _of_world(bench, new)
    more += [*_refutations(new, replays), *(item for one in pruned for item in one.findings())]
    found += [item if item.source.text else replace(item, source=source) for item in more]
    ends = sum(_loose_ends(action, bench.task.domain) for action in new)
    return Judged(source.name, standing, tuple(new), tuple(found), result, replays, pruned, ends, tuple(renamed))


def _standing(bench: Bench, new: Sequence[Action], result: Helps | None) -> tuple[Standing, list[Diagnostic]]:
    """The standing of operators that read well, and the findings that it rests on."""
    task = bench.task
    each = [text_findings(action, task.domain, task.problem, bench.novelty, bench.fixed) for action in new]
    found = [item for one in each for item in one]
    idle = all(any(item.code in CANNOT_HELP for item in one) for one in each)
    if result is None:
        return (Standing.USELESS if idle else Standing.UNDECIDED), found
    if not idle:
        found += task_findings(task, new, result.plan)
    if bench.without.ending is Ahead.PLAN:
        message = f"the problem has a plan of {bench.without.steps} step(s) without it"
        found.append(Diagnostic("operator-not-needed", Category.SEARCH, Severity.INFO, message))
    if idle or any(item.code == "operator-changes-fixed" for item in found):
        return Standing.USELESS, found
    if result.ending is Ahead.NONE:
        if not any(item.code in CANNOT_HELP for item in found):
            message = "it does not help: the search with it ended, and the goal is out of reach"
            found.append(Diagnostic("operator-does-not-help", Category.SEARCH, Severity.ERROR, message))
        return Standing.USELESS, found
    if result.ending is Ahead.CAPPED:
        return Standing.UNDECIDED, found
    return (Standing.SUSPICIOUS if any(item.code in LOOPHOLES for item in found) else Standing.HELPFUL), found


def _of_world(bench: Bench, new: Sequence[Action]) -> tuple[tuple[Replay, ...], tuple[Pruned, ...]]:
    if not bench.transitions:
        return (), ()
    domain, objects = bench.task.domain, bench.task.objects
    return (
        tuple(replay(action, domain, bench.transitions, objects, name=bench.tried_as) for action in new),
        tuple(prune(action, domain, bench.transitions, objects, name=bench.tried_as) for action in new),
    )


def _refutations(new: Sequence[Action], replays: Sequence[Replay]) -> Iterator[Diagnostic]:
    for action, item in zip(new, replays, strict=False):
        if item.witness is not None:
            message = f"`{action.name}` is {item}"
            yield Diagnostic("operator-refuted", Category.CONDITION, Severity.ERROR, message)


def _not_repeated(actions: Sequence[Action], domain: Domain) -> list[Action]:
    """The operators without those that a text only repeats from the domain beside its own; all where it has no own."""
    own = [
        action
        for action in actions
        if action.name not in domain.action_by_name or duplicate_of(action, domain) != (action.name, True)
    ]
    return own or list(actions[:1])


def _free_names(actions: Sequence[Action], domain: Domain) -> tuple[list[Action], list[tuple[str, str]]]:
    """The operators under names that are free, and which were renamed."""
    taken = set(domain.action_by_name)
    new, renamed = [], []
    for action in actions:
        name = free_name(action.name, taken)
        taken.add(name)
        if name != action.name:
            renamed.append((action.name, name))
        new.append(replace(action, name=name))
    return new, renamed


def _taken(old: str, name: str, source: Source) -> Diagnostic:
    message = f"the name `{old}` is taken; the operator is added as `{name}`, nothing is overwritten"
    hint = "give it a name of its own"
    return Diagnostic("operator-name-taken", Category.PREDICATE, Severity.WARNING, message, Span(0, 0), source, hint)


def _loose_ends(action: Action, domain: Domain) -> int:
    """How many predicates an operator needs that no known operator needs: what they are there for is still open."""
    used = {atom.predicate for known in domain.actions for atom in atoms_in(known.precondition)}
    used |= {atom.predicate for rule in domain.derived for atom in atoms_in(rule.condition)}
    mine = {atom.predicate for atom in atoms_in(action.precondition)} - {"="}
    return len(mine - used)
