"""Small changes of a problem that would make it solvable: found from the causes, and checked before they are offered.

A candidate changes one fact or one declaration. Sets of up to three are tried, the most plausible first; each is
checked by relaxed reachability and then by a bounded search for a plan. Nothing is ever applied.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count, islice, product

from groundplan.pddl.ast import OBJECT, Atom, Plan, Task, TypedName, atoms_in
from groundplan.pddl.explain_chain import Chain, back_chain, is_guess
from groundplan.pddl.explain_text import loose_supertypes
from groundplan.pddl.ground import assemble
from groundplan.pddl.ground_greedy import greedy
from groundplan.pddl.ground_limits import GroundingLimit
from groundplan.pddl.ground_rules import World
from groundplan.pddl.ground_search import Bounds, breadth_first
from groundplan.pddl.reach import Cause, CauseKind, Reachability

MOST_CHANGES = 3
MOST_OFFERED = 4
MOST_TRIED = 80
MOST_OF_A_CAUSE = 6
SEARCH_STATES = 30_000


@dataclass(frozen=True)
class Change:
    """One change; exactly one of the last four is set. The lower `weight`, the more plausible it is."""

    weight: int
    text: str
    add: Atom | None = None
    drop: Atom | None = None
    retype: TypedName | None = None
    declare: TypedName | None = None

    def applied(self, task: Task) -> Task:
        problem, domain = task.problem, task.domain
        if self.add is not None:
            problem = replace(problem, init=(*problem.init, self.add))
        if self.drop is not None:
            problem = replace(problem, init=tuple(atom for atom in problem.init if atom != self.drop))
        if self.declare is not None:
            problem = replace(problem, objects=(*problem.objects, self.declare))
        if self.retype is not None:
            new = self.retype
            problem = replace(
                problem, objects=tuple(new if item.name == new.name else item for item in problem.objects)
            )
            domain = replace(
                domain, constants=tuple(new if item.name == new.name else item for item in domain.constants)
            )
        return Task(domain, problem)


@dataclass(frozen=True)
class Repair:
    """Changes that together make a task solvable. `is_shortest`: no plan of the repaired task has fewer steps."""

    changes: tuple[Change, ...]
    plan: Plan
    is_shortest: bool


def find_repairs(task: Task, ends: float) -> list[Repair]:
    """Repairs of a task without a plan, the most plausible first, until `ends` (a time of `time.monotonic`)."""
    ticket = count()
    queue: list[tuple[int, int, tuple[Change, ...], Task]] = [(0, next(ticket), (), task)]
    tried: set[frozenset[str]] = set()
    found: list[Repair] = []
    for _ in range(MOST_TRIED):
        if not queue or len(found) == MOST_OFFERED or time.monotonic() > ends:
            break
        weight, _, changes, changed = heappop(queue)
        texts = frozenset(change.text for change in changes)
        if texts in tried or any({change.text for change in repair.changes} <= texts for repair in found):
            continue
        if found and weight > sum(change.weight for change in found[0].changes) + 1:
            break
        tried.add(texts)
        try:
            plan, further = _examine(changed, ends)
        except GroundingLimit:
            continue
        if plan is not None and changes:
            found.append(_smallest(task, Repair(changes, *plan), ends))
            tried.add(frozenset(change.text for change in found[-1].changes))
        elif len(changes) < MOST_CHANGES:
            for change in further:
                heappush(queue, (weight + change.weight, next(ticket), (*changes, change), change.applied(changed)))
    return found


def _smallest(task: Task, repair: Repair, ends: float) -> Repair:
    """The repair without the changes that it does not need."""
    for change in repair.changes:
        fewer = tuple(other for other in repair.changes if other != change)
        changed = task
        for other in fewer:
            changed = other.applied(changed)
        plan = _examine(changed, ends)[0] if fewer else None
        if plan is not None:
            return _smallest(task, Repair(fewer, *plan), ends)
    return repair


def _examine(task: Task, ends: float) -> tuple[tuple[Plan, bool] | None, list[Change]]:
    """A plan of a changed task, if one is found (and whether it is a shortest one), else further changes to try."""
    analysis = Reachability(task, deadline=max(0.01, ends - time.monotonic()))
    parts = analysis.unreachable_goals()
    if parts:
        return None, list(_changes(task, analysis, back_chain(analysis, parts)))
    ground_task = assemble(analysis.fixpoint, analysis.meter, 256)
    seconds = max(0.01, (ends - time.monotonic()) / 3)
    result = breadth_first(ground_task, Bounds(wall_s=seconds, states=SEARCH_STATES))
    if result.steps is not None:
        return (result.steps, True), []
    if result.stopped is not None:
        result = greedy(ground_task, Bounds(wall_s=seconds))
    if result.steps is not None:
        return (result.steps, False), []
    return None, list(_one_way_facts(analysis.fixpoint.world))


def _changes(task: Task, analysis: Reachability, chain: Chain) -> Iterator[Change]:
    """The changes that would take away a cause."""
    world = analysis.fixpoint.world
    goals = set(atoms_in(task.problem.goal))
    for link in chain.links:
        for cause in [cause for way in link.ways for cause in way]:
            match cause.kind:
                case CauseKind.NO_OBJECT | CauseKind.WRONG_TYPE:
                    yield from _type_changes(task, cause)
                case CauseKind.MISSING if cause.atom is not None and " " not in cause.atom.predicate:
                    yield from _additions(world, cause, goals)
                case CauseKind.BLOCKING if cause.atom is not None:
                    yield _removal(cause.atom, 1)
        # A fact that actions deal with may have been forgotten in `:init`: less likely, since anything would do.
        if link.needed_by is not None and link.atom.predicate not in world.derived:
            if not link.target.positive:
                yield _removal(link.atom, 3)
            else:
                weight = 2 if link in chain.circular else 4
                for atom in _instances(world, link.needed_by):
                    if atom not in goals:
                        yield _addition(atom, weight)


def _additions(world: World, cause: Cause, goals: set[Atom]) -> Iterator[Change]:
    weight = 3 if is_guess(cause) else 2
    for atom in _instances(world, cause):
        if atom not in goals:
            yield _addition(atom, 1 if cause.turned else weight)


def _addition(atom: Atom, weight: int) -> Change:
    return Change(weight, f"add `{atom}` to `:init`", add=atom)


def _removal(atom: Atom, weight: int) -> Change:
    return Change(weight, f"remove `{atom}` from `:init`", drop=atom)


def _instances(world: World, cause: Cause) -> Iterator[Atom]:
    """A missing fact with objects in the place of its open variables, as their types allow; at most some."""
    atom = cause.atom
    assert atom is not None
    types = {item.name: item.types for item in cause.way.variables}
    names = [term for term in dict.fromkeys(atom.terms) if term.startswith("?")]
    choices = product(*(world.members(types.get(name, (OBJECT,))) for name in names))
    for values in islice(choices, MOST_OF_A_CAUSE):
        chosen = dict(zip(names, values, strict=True))
        yield Atom(atom.predicate, tuple(chosen.get(term, term) for term in atom.terms))


def _type_changes(task: Task, cause: Cause) -> Iterator[Change]:
    wanted = cause.parameter
    assert wanted is not None
    loose = loose_supertypes(task, wanted)
    if cause.kind is CauseKind.WRONG_TYPE:
        loose = tuple(item for item in loose if item.name == cause.values[wanted.name])
    for item in loose[:MOST_OF_A_CAUSE]:
        text = f"declare `{item.name}` as `{wanted.types[0]}`"
        yield Change(1, text, retype=TypedName(item.name, wanted.types[:1]))
    if not loose and cause.kind is CauseKind.NO_OBJECT:
        taken = {item.name for item in task.objects}
        name = next(f"{wanted.types[0]}{number}" for number in count(1) if f"{wanted.types[0]}{number}" not in taken)
        text = f"declare an object of type `{wanted.types[0]}` (here `{name}`)"
        yield Change(2, text, declare=TypedName(name, wanted.types[:1]))


def _one_way_facts(world: World) -> Iterator[Change]:
    """For predicates whose facts mostly come in both directions: the directions that are missing."""
    predicates = Counter(atom.predicate for atom in world.task.problem.init if len(atom.terms) == 2)
    for predicate in predicates:
        rows = world.rows(predicate)
        alone = [row for row in rows if row[::-1] not in rows]
        if not world.changes(predicate) and 0 < len(alone) <= min(MOST_OF_A_CAUSE, len(rows) // 2):
            for row in alone:
                yield _addition(Atom(predicate, row[::-1]), 1)
