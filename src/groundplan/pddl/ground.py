"""Grounding: from a task with variables to facts, operators and axioms over bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from groundplan.pddl.ast import Atom, Step, Task
from groundplan.pddl.classical import refuse_beyond_classical
from groundplan.pddl.ground_axioms import levels_of, named_levels
from groundplan.pddl.ground_expand import ONE_OF, Conjunction
from groundplan.pddl.ground_fixpoint import Fixpoint
from groundplan.pddl.ground_join import Pattern
from groundplan.pddl.ground_limits import GroundingLimit, Meter
from groundplan.pddl.ground_rules import Rule, World, cost_parts
from groundplan.pddl.ground_tables import Row, row_getter
from groundplan.pddl.ground_task import ConditionalEffect, GroundAxiom, GroundOperator, GroundTask

__all__ = ["ConditionalEffect", "GroundAxiom", "GroundOperator", "GroundTask", "GroundingLimit", "ground"]

MAX_ACTIONS = 200_000
MEMORY_MIB = 1024

Masks: TypeAlias = tuple[int, int]
EffectsOf: TypeAlias = Mapping[tuple[str, Row], Sequence[tuple[Masks, Masks]]]


def ground(
    task: Task,
    *,
    max_actions: int = MAX_ACTIONS,
    deadline: float | None = None,
    memory_mib: int = MEMORY_MIB,
    merge: bool = True,
) -> GroundTask:
    """Ground a task: only what is reachable when delete effects are ignored.

    With `merge`, of several steps that do the same only the cheapest is kept; without it every step is there under
    its own name. `deadline` is the time that grounding may take, in seconds from now. Raises GroundingLimit at that
    time, at `max_actions` instances of actions, before the masks of all operators take more than `memory_mib`, and
    when conditions run away; InputError when the task has features beyond classical planning (named, with their
    lines) or derived predicates without strata.
    """
    refuse_beyond_classical(task)
    world = World(task, merge)
    meter = Meter(max_actions, deadline)
    fixpoint = Fixpoint(world, meter)
    fixpoint.run()
    return assemble(fixpoint, meter, memory_mib)


def assemble(fixpoint: Fixpoint, meter: Meter, memory_mib: int = MEMORY_MIB) -> GroundTask:
    """The ground task of a reachability analysis that has run. Raises GroundingLimit for time and memory."""
    return _Assembler(fixpoint, meter).task(memory_mib)


class _Assembler:
    def __init__(self, fixpoint: Fixpoint, meter: Meter) -> None:
        self.fixpoint = fixpoint
        self.world = fixpoint.world
        self.meter = meter
        self.facts: list[Atom] = []
        self.masks: dict[str, dict[Row, int]] = {}
        """The bit of every fact, by predicate; an atom that is missing has the same truth in every state."""
        self._number(name for name in sorted(self.world.added | self.world.deleted))
        self.basic = (1 << len(self.facts)) - 1
        self._number(sorted(self.world.derived))
        self._number_named()

    def task(self, memory_mib: int) -> GroundTask:
        instances = sum(map(len, self.fixpoint.instances))
        # Three masks of an operator reach up to its highest bit: on average most of the facts' length.
        needed = instances * 3 * (len(self.facts) // 8) >> 20
        if needed > memory_mib:
            raise GroundingLimit(
                "memory",
                f"grounding stopped: {instances} instances over {len(self.facts)} facts would take about "
                f"{needed} MiB, more than {memory_mib} MiB",
            )
        init = 0
        for predicate, masks in self.masks.items():
            rows = self.world.rows(predicate)
            for row, mask in masks.items():
                if row in rows:
                    init |= mask
        goal = self.fixpoint.goal
        is_reached = goal is not None and all(map(self.fixpoint.is_reached, goal))
        return GroundTask(
            self.world.task,
            tuple(self.facts),
            self.basic,
            init,
            self._conjunction(goal) if goal is not None and is_reached else None,
            tuple(self._operators()),
            self._axioms(),
        )

    def _number(self, predicates: Iterator[str] | Sequence[str]) -> None:
        for predicate in predicates:
            initial, falsified = self.world.rows(predicate), self.fixpoint.falsified.get(predicate, ())
            masks = self.masks.setdefault(predicate, {})
            for row in self.fixpoint.reached_rows(predicate):
                if row not in initial or row in falsified:
                    masks[row] = 1 << len(self.facts)
                    self.facts.append(Atom(predicate, row))

    def _number_named(self) -> None:
        masks = self.masks.setdefault(ONE_OF, {})
        for number in dict.fromkeys(number for number, _ in self.fixpoint.alternatives):
            masks[(number,)] = 1 << len(self.facts)
            self.facts.append(Atom(ONE_OF, (number,)))

    def _operators(self) -> Iterator[GroundOperator]:
        """All operators; when merging, of several that do the same the first of the cheapest."""
        effects = self._conditional_effects()
        best: dict[tuple[object, ...], GroundOperator] = {}
        for rule, instances in zip(self.fixpoint.rules, self.fixpoint.instances, strict=True):
            if rule.kind != "action":
                continue
            condition_of, heads_of, cost_of = self._conditions(rule), self._heads(rule), self._cost(rule)
            for row, extra in instances:
                self.meter.rows(1)
                pos, neg = condition_of(row, extra)
                if pos & neg:
                    continue
                add, delete = heads_of(row)
                params = row[: rule.arity]
                conditional = []
                for (when, unless), (more, less) in effects.get((rule.name, params), ()):
                    if (when | pos) == pos and (unless | neg) == neg:
                        add, delete = add | more, delete | less
                    elif not (pos | when) & (neg | unless):
                        conditional.append(ConditionalEffect(when & ~pos, unless & ~neg, more, less))
                delete = (delete | add) ^ add
                # What already holds need not be added, nor deleted what cannot be there.
                if (add | pos) == pos and (delete | neg) == neg and not conditional:
                    continue
                key: tuple[object, ...] = (pos, neg, add, delete, *conditional)
                if not self.world.merge:
                    key = (rule.name, params, *key)
                cost = cost_of(row)
                known = best.get(key)
                if known is None or cost < known.cost:
                    best[key] = GroundOperator(Step(rule.name, params), pos, neg, add, delete, tuple(conditional), cost)
        return iter(best.values())

    def _conditional_effects(self) -> dict[tuple[str, Row], list[tuple[Masks, Masks]]]:
        """For every applied action, its effects with conditions: (condition, (add, delete))."""
        found: dict[tuple[str, Row], list[tuple[Masks, Masks]]] = {}
        for rule, instances in zip(self.fixpoint.rules, self.fixpoint.instances, strict=True):
            if rule.kind != "effect":
                continue
            condition_of, heads_of = self._conditions(rule), self._heads(rule)
            for row, extra in instances:
                self.meter.rows(1)
                heads = heads_of(row)
                if heads != (0, 0):
                    found.setdefault((rule.name, row[: rule.arity]), []).append((condition_of(row, extra), heads))
        return found

    def _conditions(self, rule: Rule) -> Callable[[Row, Conjunction], Masks]:
        pos_of, neg_of = self._mask(rule.query.positive), self._mask(rule.negative)

        def condition(row: Row, extra: Conjunction) -> Masks:
            if not extra:
                return pos_of(row), neg_of(row)
            pos, neg = self._conjunction(extra)
            return pos | pos_of(row), neg | neg_of(row)

        return condition

    def _heads(self, rule: Rule) -> Callable[[Row], Masks]:
        add_of, delete_of = self._mask(rule.adds), self._mask(rule.deletes)
        return lambda row: (add_of(row), delete_of(row))

    def _mask(self, patterns: Sequence[Pattern]) -> Callable[[Row], int]:
        """The mask of some literals, given the values of a rule's places; atoms without a bit are left out."""
        parts = [(row_getter(item.places), self.masks[item.predicate]) for item in patterns if self._has_bits(item)]

        def mask_of(row: Row) -> int:
            mask = 0
            for row_of, masks in parts:
                mask |= masks.get(row_of(row), 0)
            return mask

        return mask_of

    def _has_bits(self, pattern: Pattern) -> bool:
        return bool(self.masks.get(pattern.predicate))

    def _conjunction(self, literals: Conjunction) -> Masks:
        pos = neg = 0
        for positive, predicate, row in literals:
            mask = self.masks[predicate].get(row, 0)
            if positive:
                pos |= mask
            else:
                neg |= mask
        return pos, neg

    def _cost(self, rule: Rule) -> Callable[[Row], float]:
        task = self.world.task
        fixed, terms = cost_parts(task, task.domain.action_by_name[rule.name])
        if not terms:
            return lambda row: fixed
        values = {(item.function.name, item.function.terms): item.value for item in task.problem.values}
        parts = [(term.name, row_getter(tuple(rule.places[name] for name in term.terms))) for term in terms]
        return lambda row: fixed + sum(values[name, row_of(row)] for name, row_of in parts)

    def _axioms(self) -> tuple[tuple[GroundAxiom, ...], ...]:
        if not self.masks[ONE_OF] and not self.world.derived:
            return ()
        levels = levels_of(self.world.task.domain)
        named = named_levels(self.fixpoint.expander.named, levels)
        strata: list[dict[GroundAxiom, None]] = [{} for _ in range(max([*levels.values(), *named], default=0) + 1)]
        for rule, instances in zip(self.fixpoint.rules, self.fixpoint.instances, strict=True):
            if rule.kind == "axiom":
                condition_of, heads_of = self._conditions(rule), self._heads(rule)
                for row, extra in instances:
                    strata[levels[rule.name]][GroundAxiom(heads_of(row)[0], *condition_of(row, extra))] = None
        for number, conjunction in self.fixpoint.alternatives:
            axiom = GroundAxiom(self.masks[ONE_OF][(number,)], *self._conjunction(conjunction))
            strata[named[int(number)]][axiom] = None
        return tuple(tuple(stratum) for stratum in strata if stratum)
