"""An operator tried on recorded transitions, for every way in which its parameters may stand for the objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations, product

from groundplan.adapt.facts import Facts
from groundplan.adapt.planning.states import atom_of, fact_of
from groundplan.adapt.planning.transitions import Transition, objects_of
from groundplan.errors import InputError
from groundplan.pddl.ast import TRUE, Action, Domain, Formula, Problem, Step, Task, TypedName, conjuncts
from groundplan.pddl.ground_normal import negation_normal
from groundplan.pddl.simulate import Simulator, State
from groundplan.pddl.types import objects_by_type

MOST_BINDINGS = 5_000
MOST_PLACINGS = 720
PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Trial:
    """The operator with `objects` for its parameters, at one transition.

    `unmet` are the parts of its precondition that did not hold before, by number; `predicted` are the facts that its
    effects alone lead to.
    """

    objects: tuple[str, ...]
    unmet: frozenset[int]
    predicted: Facts

    @property
    def applicable(self) -> bool:
        return not self.unmet


Placing = tuple[int | None, ...]
"""For each parameter, which object of the recorded action it stands for (from 0); None: any object at all."""


class Trials:
    """All trials of an operator on some transitions. Parts of its precondition are numbered in `parts`."""

    def __init__(
        self, action: Action, domain: Domain, transitions: Sequence[Transition], declared: Sequence[TypedName] = ()
    ) -> None:
        self.action = action
        self.domain = domain
        self.transitions = tuple(transitions)
        self.parts: tuple[Formula, ...] = tuple(conjuncts(negation_normal(action.precondition, True)))
        self.objects = objects_of(domain, transitions, declared)
        action = replace(action, numeric_effects=())  # costs are no facts
        probes = [replace(action, name=f"{PROBE}-{n}", precondition=part) for n, part in enumerate(self.parts)]
        self._domain = replace(domain, actions=(replace(action, name=PROBE, precondition=TRUE), *probes))
        self._simulator = Simulator(Task(self._domain, Problem("transitions", objects=self._own_objects())))
        members = objects_by_type(self._simulator.task)
        self._members = [
            tuple(dict.fromkeys(name for kind in parameter.types for name in members.get(kind, ())))
            for parameter in action.parameters
        ]

    def _own_objects(self) -> tuple[TypedName, ...]:
        constants = {item.name for item in self.domain.constants}
        return tuple(item for item in self.objects if item.name not in constants)

    @cached_property
    def placings(self) -> tuple[Placing, ...]:
        """The ways to read the recorded actions: in order where the operator has their name and number of objects, and
        the types allow it, else every way that the types allow, those that keep the order first.

        Raises InputError where the action is recorded now with more, now with fewer objects.
        """
        counts = {len(transition.action) - 1 for transition in self.transitions}
        if len(counts) > 1:
            name = self.transitions[0].action[0]
            raise InputError(f"`{name}` is recorded with {' and '.join(map(str, sorted(counts)))} objects; make it one")
        given, wanted = next(iter(counts), 0), len(self.action.parameters)
        names = {transition.action[0] for transition in self.transitions}
        straight: Placing = tuple(range(given)) if given == wanted else ()
        if given == wanted and names <= {self.action.name} and self._fits(straight):
            return (straight,)
        found: dict[Placing, None] = {}
        for chosen in permutations(range(wanted), min(given, wanted)):
            for kept in _ordered(given, min(given, wanted)):
                placing: list[int | None] = [None] * wanted
                for place, number in zip(chosen, kept, strict=True):
                    placing[place] = number
                if len(found) < MOST_PLACINGS and self._fits(tuple(placing)):
                    found[tuple(placing)] = None
        return tuple(sorted(found, key=_disorder))

    def _fits(self, placing: Placing) -> bool:
        return all(
            number is None or transition.action[number + 1] in members
            for transition in self.transitions
            for number, members in zip(placing, self._members, strict=True)
        )

    def at(self, transition: Transition, placing: Placing) -> Iterator[Trial]:
        """Every trial at one transition, up to a bound; free parameters go over the objects spoken of there."""
        there = transition.objects
        choices = [
            (transition.action[number + 1],) if number is not None else tuple(name for name in members if name in there)
            for number, members in zip(placing, self._members, strict=True)
        ]
        before = self._state(transition.before)
        for count, objects in enumerate(product(*choices)):
            if count >= MOST_BINDINGS:
                return
            unmet = (
                n for n in range(len(self.parts)) if self._simulator.applicable(before, Step(f"{PROBE}-{n}", objects))
            )
            after = self._simulator.apply(before, Step(PROBE, objects))
            yield Trial(objects, frozenset(unmet), frozenset(map(fact_of, after.atoms)))

    def without_derived(self, facts: Facts) -> Facts:
        return frozenset(fact for fact in facts if fact[0] not in self.domain.derived_names)

    def _state(self, facts: Facts) -> State:
        tables: dict[str, set[tuple[str, ...]]] = {}
        for fact in self.without_derived(facts):
            tables.setdefault(fact[0], set()).add(atom_of(fact).terms)
        return State(tables)


def _ordered(given: int, size: int) -> Iterator[tuple[int, ...]]:
    """The ways to leave out some of the objects of an action and keep the order of the others."""
    if size == given:
        yield tuple(range(given))
        return
    for kept in permutations(range(given), size):
        if list(kept) == sorted(kept):
            yield kept


def _disorder(placing: Placing) -> tuple[int, Placing]:
    kept = [number for number in placing if number is not None]
    turns = sum(one > other for n, one in enumerate(kept) for other in kept[n + 1 :])
    return turns, tuple(-1 if number is None else number for number in placing)
