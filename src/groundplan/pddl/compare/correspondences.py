"""The correspondences that may make two tasks the same, the likeliest first.

The very first is given whatever speaks against it: its witness is what people will want to see. All others must agree
with what short searches of both tasks show (`depths`); what these rule out cannot make the tasks bisimilar.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from groundplan.pddl.ast import Step, Task
from groundplan.pddl.compare.bijections import Scene, aligned, bijections, projected, scene, twins_of
from groundplan.pddl.compare.budget import Budget
from groundplan.pddl.compare.depths import MOST_STATES, NEVER, Depth, earliest, first_depths
from groundplan.pddl.compare.isomorphism import TooManyTries
from groundplan.pddl.compare.labelled import label_of
from groundplan.pddl.compare.lifted import Lifted
from groundplan.pddl.compare.literal_lists import match_literals, reread_atom
from groundplan.pddl.compare.result import ActionMatch, Maps
from groundplan.pddl.compare.schemas import Option, assignments, count_of, leaves_out, options
from groundplan.pddl.ground_successors import Successors
from groundplan.pddl.ground_task import GroundTask

MOST_MAPS = 2_000
"""Maps of actions that are looked at; nearly all fall by the depths of their steps alone."""
SHALLOW_CHECKS = 8
"""Correspondences that may be given before the depths are worth a longer search."""
DEEP_STATES = 20_000
WALKS = 20
WALK_STEPS = 50


class Correspondences:
    """Iterate for the maps; then `is_complete` says whether no other can make the tasks the same."""

    def __init__(
        self,
        reference: Task,
        candidate: Task,
        grounds: tuple[GroundTask, GroundTask],
        kept: Mapping[str, str],
        actions: Mapping[str, ActionMatch],
        free: bool,
        domains: Sequence[Lifted],
        budget: Budget,
    ) -> None:
        self.budget = budget
        self.reference, self.candidate, self.grounds = reference, candidate, grounds
        self.kept, self.given, self.free, self.domains = kept, actions, free, domains
        self.first: tuple[dict[Step, Depth], dict[Step, Depth]] = {}, {}
        self.is_complete = True

    def __iter__(self) -> Iterator[Maps]:
        seen: list[Maps] = []
        for states in (MOST_STATES, DEEP_STATES):
            if seen and self.budget.is_over:
                self.is_complete = False
                return
            self.is_complete = True
            is_all = self._look(states)
            for maps in self._likely(not seen):
                if maps in seen:
                    continue
                if not is_all and states < DEEP_STATES and len(seen) >= SHALLOW_CHECKS:
                    break
                seen.append(maps)
                yield maps
            else:
                if self.is_complete or is_all:
                    return

    def _look(self, states: int) -> bool:
        """Fill the tables of depths; says whether all reachable states were seen."""
        found = [first_depths(task, states, max(0.05, self.budget.left / 4)) for task in self.grounds]
        complete = min(item.complete for item in found)  # beyond it one side's table says nothing
        self.first = found[0].within(complete), found[1].within(complete)
        return complete >= NEVER - 1

    def _likely(self, anything: bool) -> Iterator[Maps]:
        for number, actions in enumerate(self._actions(anything)):
            if self.free:
                yield from (Maps(objects, actions) for objects in self._free_objects(actions, anything and not number))
            else:
                maps = Maps(self.kept, actions)
                if (anything and not number) or (self._covers(actions) and self._depths_agree(maps)):
                    yield maps
            if number + 1 >= MOST_MAPS:
                self.is_complete = False
                return

    def _actions(self, anything: bool) -> Iterator[Mapping[str, ActionMatch]]:
        seen = []
        for lifted in self.domains:
            seen.append(dict(lifted.maps.actions))
            yield seen[-1]
        table = options(self.reference, self.candidate, self.kept, self.given)
        best = next(assignments(table, 1))
        if anything and dict(best) not in seen:
            seen.append(dict(best))
            yield best
        if leaves_out(self.reference, self.candidate):
            self.is_complete = False
        table = {name: self._open_options(name, ranked) for name, ranked in table.items()}
        if not all(table.values()):
            return
        self.is_complete = self.is_complete and count_of(table) <= MOST_MAPS
        for actions in assignments(table, MOST_MAPS):
            if dict(actions) not in seen:
                yield actions

    def _open_options(self, name: str, ranked: Sequence[Option]) -> list[Option]:
        """The matches of an action that nothing rules out; of those that can make no difference, one."""
        possible = [step for step in self._possible[1] if step.action == name]
        if not possible:
            return list(ranked[:1])
        found = []
        for option in ranked:
            if option.match is not None and not self.free:
                maps = Maps(self.kept, {name: option.match})
                if not any(label_of(step, maps) in self._possible[0] for step in possible):
                    continue  # right only if the action never happens: then it may as well stand for nothing
            if self._may_be(name, option.match):
                found.append(option)
        return found

    def _may_be(self, name: str, match: ActionMatch | None) -> bool:
        """Whether an action's steps allow the match: each must be possible in the reference, and no later."""
        own = {step: depth for step, depth in self.first[1].items() if step.action == name}
        taken = [step for step in self._taken[1] if step.action == name]
        if match is None or not taken:
            return not taken
        if self.free:
            known = [depth.at_all for step, depth in self.first[0].items() if step.action == match.action]
            return not own or (bool(known) and min(known) <= min(depth.at_all for depth in own.values()))
        maps = Maps(self.kept, {name: match})
        if not all(label_of(step, maps) in self._possible[0] for step in taken):
            return False
        for label, depth in projected(own, {name: match}).items():
            known_depth = self.first[0].get(Step(label.action, tuple(self.kept[arg] for arg in label.args)))
            if known_depth is None or not known_depth.is_no_later(depth):
                return False
        return True

    @cached_property
    def _possible(self) -> tuple[frozenset[Step], frozenset[Step]]:
        """All steps that may be possible at all, in both tasks."""
        left, right = (frozenset(operator.step for operator in task.operators) for task in self.grounds)
        return left, right

    @cached_property
    def _taken(self) -> tuple[frozenset[Step], frozenset[Step]]:
        """Steps that were taken, and changed something, in short searches and random walks of both tasks."""
        left, right = (
            frozenset((*first, *_walked(task))) for first, task in zip(self.first, self.grounds, strict=True)
        )
        return left, right

    def _covers(self, actions: Mapping[str, ActionMatch]) -> bool:
        """Whether each step that the reference was seen to take may be possible in the candidate."""
        maps = Maps(self.kept, actions)
        return self._taken[0] <= {label_of(step, maps) for step in self._possible[1]}

    def _depths_agree(self, maps: Maps) -> bool:
        return earliest((label_of(step, maps), depth) for step, depth in self.first[1].items()) == self.first[0]

    def _free_objects(self, actions: Mapping[str, ActionMatch], anything: bool) -> Iterator[Mapping[str, str]]:
        left = scene(self.reference, {name: name for name in self.kept.values()}, self.first[0])
        right = self._reread(scene(self.candidate, self.kept, projected(self.first[1], actions)), actions)
        given = 0
        try:
            for objects in bijections(left, right, twins_of(self.candidate)):
                given += 1
                yield objects
        except TooManyTries:
            self.is_complete = False
        if not given and anything:
            yield aligned(left, right)

    def _reread(self, side: Scene, actions: Mapping[str, ActionMatch]) -> Scene:
        """The candidate's facts with the reference's predicates."""
        maps = Maps({name: name for name in side.objects}, actions)
        match = match_literals(self.reference, self.candidate, maps)
        init = tuple(reread_atom(atom, match, maps) for atom in side.init)
        return replace(side, init=init, goal=tuple(reread_atom(atom, match, maps) for atom in side.goal))


def _walked(task: GroundTask) -> set[Step]:
    """Steps of some random walks."""
    chance = random.Random(0)
    successors = Successors(task)
    found = set()
    for _ in range(WALKS):
        state = task.init
        for _ in range(WALK_STEPS):
            moves = [(operator, new) for operator, new in successors(state) if new != state]
            if not moves:
                break
            operator, state = chance.choice(moves)
            found.add(operator.step)
    return found
