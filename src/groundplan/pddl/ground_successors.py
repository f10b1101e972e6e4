"""Finding a state's successors fast.

Every operator is filed under the one of its preconditions that the fewest operators need. A state is cut into bytes;
for every byte that comes up, the operators filed under one of its bits are collected once and kept. So a state costs
one look-up for every eight facts, and only operators with at least one true precondition are tested.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from groundplan.pddl.ground_task import GroundOperator, GroundTask, bits

Entry: TypeAlias = tuple[int, int, int, int, bool, GroundOperator]
"""pos, neg, add, delete, whether there are conditional effects, the operator."""


class Successors:
    """`successors(state)` gives the applicable operators, each with the state it leads to, in a fixed order."""

    def __init__(self, task: GroundTask) -> None:
        needed = Counter(bit for operator in task.operators for bit in bits(operator.pos))
        filed: dict[int, list[Entry]] = {}
        always: list[Entry] = []
        for operator in task.operators:
            entry = (
                operator.pos,
                operator.neg,
                operator.add,
                operator.delete,
                bool(operator.conditional),
                operator,
            )
            rarest = min(bits(operator.pos), key=lambda bit: (needed[bit], bit), default=None)
            (always if rarest is None else filed.setdefault(rarest, [])).append(entry)
        self._always = tuple(always)
        self._width = (len(task.facts) + 7) // 8
        self._bytes = [_Byte([filed.get(8 * at + bit, []) for bit in range(8)]) for at in range(self._width)]
        self._closed = task.closed if task.axioms else None

    def __call__(self, state: int) -> list[tuple[GroundOperator, int]]:
        closed = state if self._closed is None else self._closed(state)
        found = []
        for _, neg, add, delete, conditional, operator in self._always:
            if not closed & neg:
                new = operator.apply(state, closed) if conditional else (state | delete) ^ delete | add
                found.append((operator, new))
        for byte, value in zip(self._bytes, closed.to_bytes(self._width, "little"), strict=True):
            if value:
                for pos, neg, add, delete, conditional, operator in byte[value]:
                    if closed & pos == pos and not closed & neg:
                        new = operator.apply(state, closed) if conditional else (state | delete) ^ delete | add
                        found.append((operator, new))
        return found


class _Byte(dict[int, tuple[Entry, ...]]):
    """For each value of one byte of a state, the operators filed under its bits; filled when first asked for."""

    def __init__(self, filed: list[list[Entry]]) -> None:
        super().__init__()
        self._filed = filed

    def __missing__(self, value: int) -> tuple[Entry, ...]:
        found = tuple(entry for bit in range(8) if value >> bit & 1 for entry in self._filed[bit])
        self[value] = found
        return found
