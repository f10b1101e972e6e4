"""Running a plan on a state that changes in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from groundplan.pddl.axioms import Axioms
from groundplan.pddl.compiled import CompiledAction, Literal
from groundplan.pddl.rows import Row, RowsOf

Literals: TypeAlias = tuple[tuple[set[Row], int], ...]


class _Bound(NamedTuple):
    """A compiled action with the tables of this walk in the place of predicate names.

    A plain action has literals only, and a fixed cost. Its atoms that are both needed and deleted are `consumed`:
    removing them is the test. `needed` and `deletes` are the other ones.
    """

    size: int
    rows_of: RowsOf
    fitting: tuple[tuple[Callable[[Row], bool], int], ...]
    plain: bool
    needed: Literals
    forbidden: Literals
    consumed: Literals
    deletes: Literals
    adds: Literals
    cost: float
    action: CompiledAction


class Walk:
    """A state that steps change in place.

    `tables` belong to the walk; `cost` grows by the steps' costs; `stale` says that the tables of derived
    predicates, which stand among the others, are not up to date.
    """

    def __init__(
        self,
        compiled: Callable[[str], CompiledAction | None],
        tables: dict[str, set[Row]],
        axioms: Axioms | None,
        cost: float = 0.0,
        *,
        stale: bool = True,
    ) -> None:
        self.tables = tables
        self.cost = cost
        self._compiled = compiled
        self._axioms = axioms
        self._bound: dict[str, _Bound] = {}
        self._stale = stale

    def advance(self, plan: Iterable[Row]) -> int:
        """Take steps `(action, *args)` until one is not applicable; returns how many were taken."""
        bound = self._bound
        taken = 0
        for step in plan:
            known = bound.get(step[0]) or self._bind(step[0])
            if known is None:
                return taken
            size, rows_of, fitting, plain, needed, forbidden, consumed, deletes, adds, cost, action = known
            if len(step) != size:
                return taken
            rows = rows_of(step)
            for covers, place in fitting:
                if not covers(rows[place]):
                    return taken
            if plain:
                for table, place in needed:
                    if rows[place] not in table:
                        return taken
                for table, place in forbidden:
                    if rows[place] in table:
                        return taken
                try:
                    for table, place in consumed:
                        table.remove(rows[place])
                except KeyError:
                    _put_back(rows, consumed, table, place)
                    plain = False  # it is missing, or the same atom as one that was removed before it
                else:
                    for table, place in deletes:
                        table.discard(rows[place])
                    for table, place in adds:
                        table.add(rows[place])
                    self.cost += cost
            if not plain and not self._take_exactly(step, rows, action):
                return taken
            self._stale = True
            taken += 1
        return taken

    def refresh(self) -> None:
        """Bring the tables of derived predicates up to date."""
        if self._stale and self._axioms is not None:
            self._axioms.refresh(self.tables)
        self._stale = False

    def _take_exactly(self, step: Row, rows: tuple[Row, ...], action: CompiledAction) -> bool:
        """Take a step with all that an action can have; false, with nothing changed, when it is not applicable."""
        tables = self.tables
        if action.uses_derived:
            self.refresh()
        cost = action.cost(step) if callable(action.cost) else action.cost
        if (
            cost is None
            or not all(rows[place] in self._table(predicate) for predicate, place in action.positive)
            or any(rows[place] in self._table(predicate) for predicate, place in action.negative)
            or not all(check(step, tables) for check in action.checks)
        ):
            return False
        gone = [(predicate, rows[place]) for predicate, place in action.deletes]
        new = [(predicate, rows[place]) for predicate, place in action.adds]
        for item in action.conditional:
            for env in item.join.rows(step, tables):
                for predicate, row, positive in item.literals:
                    (new if positive else gone).append((predicate, row(env)))
        for predicate, values in gone:
            self._table(predicate).discard(values)
        for predicate, values in new:
            self._table(predicate).add(values)
        self.cost += cost
        return True

    def _bind(self, name: str) -> _Bound | None:
        action = self._compiled(name)
        if action is None:
            return None
        consumed = [literal for literal in dict.fromkeys(action.positive) if literal in action.deletes]
        self._bound[name] = bound = _Bound(
            action.scope.depth,
            action.rows,
            tuple((objects.issuperset, place) for objects, place in action.fitting),
            not (action.checks or action.conditional or action.uses_derived or callable(action.cost)),
            self._literals(literal for literal in action.positive if literal not in consumed),
            self._literals(action.negative),
            self._literals(consumed),
            self._literals(literal for literal in action.deletes if literal not in consumed),
            self._literals(action.adds),
            0.0 if callable(action.cost) else action.cost,
            action,
        )
        return bound

    def _literals(self, literals: Iterable[Literal]) -> Literals:
        return tuple((self._table(predicate), place) for predicate, place in literals)

    def _table(self, predicate: str) -> set[Row]:
        return self.tables.setdefault(predicate, set())


def _put_back(rows: tuple[Row, ...], removed: Literals, last: set[Row], last_place: int) -> None:
    """Undo removals up to the one that failed."""
    for table, place in removed:
        if table is last and place == last_place:
            return
        table.add(rows[place])
