"""What can become true at all: relaxed reachability over a task's rules, by semi-naive evaluation.

Delete effects never take anything away here; they only make it possible for an atom to be false. So everything that
some plan can do is found, and more. Each new atom is joined with those known before, so every instance of a rule is
found once, when the last of its atoms arrives. An instance that also needs an atom to be false that is true at first
waits until some instance deletes it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from groundplan.pddl.ground_expand import ONE_OF, Conjunction, Expander, GroundLiteral
from groundplan.pddl.ground_join import Arrival, Binding, Join, Pattern
from groundplan.pddl.ground_limits import Meter
from groundplan.pddl.ground_normal import negation_normal
from groundplan.pddl.ground_rules import Rule, World, rules_of
from groundplan.pddl.ground_tables import Row, Table, row_getter

Instance = tuple[Row, Conjunction]
"""The values of a rule's places, and the literals that its `rest` came to."""


class Fixpoint:
    """The reached atoms and instances of a task, complete once `run` has returned.

    `goal` is the expanded goal, None when it is plainly false. `instances` has a list for every rule;
    `alternatives` the reached alternatives of artificial atoms. Raises GroundingLimit, and InputError for numeric
    conditions.
    """

    def __init__(self, world: World, meter: Meter) -> None:
        self.world = world
        self.meter = meter
        self.rules = list(rules_of(world))
        self.expander = Expander(world, meter)
        self.goal = self.expander.conjunction(negation_normal(world.task.problem.goal, True), {})
        self.instances: list[list[Instance]] = [[] for _ in self.rules]
        self.alternatives: list[tuple[str, Conjunction]] = []
        self.falsified: dict[str, set[Row]] = {name: set() for name in world.deleted}
        self._tables = self._empty_tables()
        self._reached: dict[str, set[Row]] = {name: set() for name in self._tables if self._is_growing(name)}
        self._queue: deque[GroundLiteral] = deque()
        self._waiting: dict[GroundLiteral, list[tuple[list[GroundLiteral], Callable[[], None]]]] = {}
        self._arrivals: dict[str, list[Arrival]] = {}
        self._named = 0

    def run(self) -> None:
        for predicate in self._reached:
            for row in self.world.rows(predicate):
                self._make_true(predicate, row)
        starts = [start for number, rule in enumerate(self.rules) for start in self._connect(number, rule)]
        for start in starts:
            start()
        self._name_new()
        while self._queue:
            literal = self._queue.popleft()
            positive, predicate, row = literal
            if positive:
                table = self._tables.get(predicate)
                if table is not None:
                    table.add(row)
                for arrive in self._arrivals.get(predicate, ()):
                    arrive(row)
            for needs, activate in self._waiting.pop(literal, ()):
                self._when_met(needs, activate)
            self._name_new()

    def is_reached(self, literal: GroundLiteral) -> bool:
        """Whether a literal can hold, as far as is known so far."""
        positive, predicate, row = literal
        if positive:
            reached = self._reached.get(predicate)
            return row in (self.world.rows(predicate) if reached is None else reached)
        if row not in self.world.rows(predicate):
            return True
        return row in self.falsified.get(predicate, ())

    def reached_rows(self, predicate: str) -> Iterable[Row]:
        """All rows of a predicate that can be true."""
        reached = self._reached.get(predicate)
        return self._tables[predicate].rows if reached is not None else self.world.rows(predicate)

    @property
    def tables(self) -> dict[str, Table]:
        """The atoms that can be true; for further joins once `run` has returned."""
        return self._tables

    def _empty_tables(self) -> dict[str, Table]:
        """Tables of all predicates; those that no rule adds to are complete at once."""
        names = {pattern.predicate for rule in self.rules for pattern in (*rule.query.positive, *rule.adds)}
        names |= {*self.world.added, *self.world.derived, *self.world.init}
        tables = {}
        for name in sorted(names):
            tables[name] = Table(() if self._is_growing(name) else self.world.rows(name))
        return tables

    def _is_growing(self, predicate: str) -> bool:
        return self.world.grows(predicate) or predicate.startswith("apply ")

    def _connect(self, number: int, rule: Rule) -> list[Callable[[], None]]:
        """Join a rule to the atoms it waits for; a rule that waits for none is returned, to be started."""
        fixed = {name for name in self._tables if not self._is_growing(name)}
        if any(pattern.predicate in fixed and not self._tables[pattern.predicate] for pattern in rule.query.positive):
            return []
        if not all(rule.query.domains):
            return []
        join = Join(rule.query, self._tables, fixed, len(self.world.objects), self.meter)
        growing = [at for at, pattern in enumerate(rule.query.positive) if pattern.predicate not in fixed]
        names = [rule.query.positive[at].predicate for at in growing]
        # Found twice can only be what one new atom completes in two places.
        emit = self._found(number, rule, set() if len(names) > len(set(names)) else None)
        if not growing:
            return [join.whole(emit)]
        for at in growing:
            self._arrivals.setdefault(rule.query.positive[at].predicate, []).append(join.on_arrival(at, emit))
        return []

    def _found(self, number: int, rule: Rule, seen: set[Row] | None) -> Callable[[Binding], None]:
        """What to do with an answer of a rule's query."""
        negative = [(item.predicate, row_getter(item.places)) for item in rule.negative if self._may_block(item)]
        adds = [(item.predicate, row_getter(item.places)) for item in rule.adds]
        deletes = [(item.predicate, row_getter(item.places)) for item in rule.deletes]
        instances, meter, initial, falsified = self.instances[number], self.meter, self.world.rows, self.falsified

        def activate(row: Row, extra: Conjunction) -> None:
            instances.append((row, extra))
            for predicate, row_of in adds:
                self._make_true(predicate, row_of(row))
            for predicate, row_of in deletes:
                self._make_false(predicate, row_of(row))

        def found(binding: Binding) -> None:
            row = tuple(binding)
            if seen is not None:
                if row in seen:
                    return
                seen.add(row)
            meter.instance(rule.name, rule.kind)
            needs: list[GroundLiteral] = []
            for predicate, row_of in negative:
                false = row_of(row)
                if false in initial(predicate) and false not in falsified[predicate]:
                    needs.append((False, predicate, false))
            extra: Conjunction = ()
            if rule.rest:
                expanded = self._expand_rest(rule, row)
                if expanded is None:
                    return
                extra = expanded
                needs += [literal for literal in extra if not self.is_reached(literal)]
            if needs:
                self._when_met(needs, lambda: activate(row, extra))
            else:
                activate(row, extra)

        return found

    def _may_block(self, pattern: Pattern) -> bool:
        """Whether a negative literal can be one that waits: true at first, and something deletes such atoms."""
        return pattern.predicate in self.world.deleted and bool(self.world.rows(pattern.predicate))

    def _expand_rest(self, rule: Rule, row: Row) -> Conjunction | None:
        env = {name: row[place] for name, place in rule.places.items()}
        literals: dict[GroundLiteral, None] = {}
        for formula in rule.rest:
            more = self.expander.conjunction(formula, env)
            if more is None:
                return None
            literals.update(dict.fromkeys(more))
        return tuple(literals)

    def _when_met(self, needs: list[GroundLiteral], activate: Callable[[], None]) -> None:
        """Call `activate` once all literals are reached: at once, or when the one it now waits for is."""
        while needs:
            if not self.is_reached(needs[-1]):
                self._waiting.setdefault(needs[-1], []).append((needs, activate))
                return
            needs.pop()
        activate()

    def _name_new(self) -> None:
        """Take up the artificial atoms that expanding conditions has made since the last call."""
        while self._named < len(self.expander.named):
            number = str(self._named)
            self._reached.setdefault(ONE_OF, set())
            for conjunction in self.expander.named[self._named]:
                self.meter.instance(ONE_OF, "alternative")
                self._when_met(list(conjunction), self._alternative_holds(number, conjunction))
            self._named += 1

    def _alternative_holds(self, number: str, conjunction: Conjunction) -> Callable[[], None]:
        def holds() -> None:
            self.alternatives.append((number, conjunction))
            self._make_true(ONE_OF, (number,))

        return holds

    def _make_true(self, predicate: str, row: Row) -> None:
        reached = self._reached[predicate]
        if row not in reached:
            reached.add(row)
            self._queue.append((True, predicate, row))

    def _make_false(self, predicate: str, row: Row) -> None:
        if row in self.world.rows(predicate):
            falsified = self.falsified[predicate]
            if row not in falsified:
                falsified.add(row)
                self._queue.append((False, predicate, row))


def reach(world: World, meter: Meter) -> Fixpoint:
    """Relaxed reachability of a task, complete."""
    fixpoint = Fixpoint(world, meter)
    fixpoint.run()
    return fixpoint
