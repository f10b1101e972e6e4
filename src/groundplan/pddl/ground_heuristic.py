"""The FF heuristic: the length of a plan for the task without delete effects (Hoffmann and Nebel 2001).

Best supporters are chosen by the additive heuristic (Keyder and Geffner 2008). A negative precondition is a fact of
its own that is true while the atom is false and that deleting the atom makes true; axioms are operators without cost.
That an atom must not be *derived* is left out of the relaxation, which keeps it a relaxation: a state from which
the goal cannot be reached here is a dead end.
"""

from __future__ import annotations

from heapq import heappop, heappush

from groundplan.pddl.ground_task import GroundOperator, GroundTask, bits

FAR = 1 << 60
_BITS_OF_BYTE = [tuple(bit for bit in range(8) if value >> bit & 1) for value in range(256)]


class FFHeuristic:
    """`heuristic(state)` gives the estimate and the preferred operators, or None for a dead end."""

    def __init__(self, task: GroundTask) -> None:
        self._task = task
        self._width = (len(task.facts) + 7) // 8
        self._tracked = _negative(task) & task.basic
        self._numbers = {bit: len(task.facts) + at for at, bit in enumerate(bits(self._tracked))}
        self._size = len(task.facts) + len(self._numbers)
        self._uses: list[list[int]] = [[] for _ in range(self._size)]
        self._needs: list[tuple[int, ...]] = []
        self._effects: list[tuple[int, ...]] = []
        self._owner: list[int] = []
        self._free: list[int] = []
        self._base: list[int] = []
        for number, operator in enumerate(task.operators):
            self._add(operator.pos, operator.neg, operator.add, operator.delete, number)
            for effect in operator.conditional:
                pos, neg = operator.pos | effect.pos, operator.neg | effect.neg
                self._add(pos, neg, effect.add, effect.delete, number)
        for stratum in task.axioms:
            for axiom in stratum:
                self._add(axiom.pos, axiom.neg, axiom.head, 0, None)
        self._counts = [len(needs) for needs in self._needs]
        self._goal = self._propositions(*task.goal) if task.goal is not None else ()

    def __call__(self, state: int) -> tuple[int, list[GroundOperator]] | None:
        supporters = self._explore(state)
        if supporters is None:
            return None
        operators = self._relaxed_plan(supporters)
        closed = self._task.closed(state) if self._task.axioms else state
        found = (self._task.operators[number] for number in sorted(operators))
        preferred = [item for item in found if closed & item.pos == item.pos and not closed & item.neg]
        return len(operators), preferred

    def _add(self, pos: int, neg: int, add: int, delete: int, owner: int | None) -> None:
        """A relaxed operator; `owner` is the number of the real one, None for an axiom."""
        needs = self._propositions(pos, neg)
        effects = self._propositions(add & ~pos, delete & self._tracked & ~neg & ~add)
        if not effects:
            return
        number = len(self._needs)
        self._needs.append(needs)
        self._effects.append(effects)
        self._owner.append(-1 if owner is None else owner)
        self._base.append(0 if owner is None else 1)
        for proposition in needs:
            self._uses[proposition].append(number)
        if not needs:
            self._free.append(number)

    def _propositions(self, pos: int, neg: int) -> tuple[int, ...]:
        return (*bits(pos), *(self._numbers[bit] for bit in bits(neg & self._tracked)))

    def _start(self, state: int) -> list[int]:
        """The propositions that hold in a state."""
        found = [
            8 * at + bit
            for at, value in enumerate(state.to_bytes(self._width, "little"))
            if value
            for bit in _BITS_OF_BYTE[value]
        ]
        if self._tracked:
            found += [self._numbers[bit] for bit in bits(self._tracked & ~state)]
        return found

    def _explore(self, state: int) -> list[int] | None:
        """The best supporter of every proposition, -1 for those that hold; None when the goal is out of reach."""
        goal = set(self._goal)
        costs = [FAR] * self._size
        supporters = [-1] * self._size
        left, total = self._counts[:], self._base[:]
        uses, all_effects = self._uses, self._effects
        start = self._start(state)
        for proposition in start:
            costs[proposition] = 0
        buckets = {0: start}
        levels = [0]
        for number in self._free:
            cost = total[number]
            for effect in all_effects[number]:
                if cost < costs[effect]:
                    costs[effect], supporters[effect] = cost, number
                    _push(buckets, levels, cost, effect)
        while levels and goal:
            level = heappop(levels)
            for proposition in buckets[level]:
                if costs[proposition] != level:
                    continue
                if proposition in goal:
                    goal.discard(proposition)
                    if not goal:
                        break
                for number in uses[proposition]:
                    left[number] -= 1
                    total[number] += level
                    if not left[number]:
                        cost = total[number]
                        for effect in all_effects[number]:
                            if cost < costs[effect]:
                                costs[effect] = cost
                                supporters[effect] = number
                                bucket = buckets.get(cost)
                                if bucket is None:
                                    buckets[cost] = [effect]
                                    heappush(levels, cost)
                                else:
                                    bucket.append(effect)
        return None if goal else supporters

    def _relaxed_plan(self, supporters: list[int]) -> set[int]:
        """The real operators of a relaxed plan."""
        chosen: set[int] = set()
        operators: set[int] = set()
        open_ = list(self._goal)
        while open_:
            number = supporters[open_.pop()]
            if number >= 0 and number not in chosen:
                chosen.add(number)
                open_.extend(self._needs[number])
                if self._owner[number] >= 0:
                    operators.add(self._owner[number])
        return operators


def _push(buckets: dict[int, list[int]], levels: list[int], cost: int, item: int) -> None:
    if cost not in buckets:
        buckets[cost] = []
        heappush(levels, cost)
    buckets[cost].append(item)


def _negative(task: GroundTask) -> int:
    """The facts whose absence some condition asks for."""
    mask = task.goal[1] if task.goal is not None else 0
    for operator in task.operators:
        mask |= operator.neg
        for effect in operator.conditional:
            mask |= effect.neg
    for stratum in task.axioms:
        for axiom in stratum:
            mask |= axiom.neg
    return mask
