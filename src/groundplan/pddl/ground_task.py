"""A ground task: facts as bits of a Python integer, operators and axioms as masks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from groundplan.pddl.ast import Atom, Step, Task


@dataclass(frozen=True, slots=True)
class ConditionalEffect:
    """Happens on top of an operator's own effects where all of `pos` and none of `neg` held before the step."""

    pos: int
    neg: int
    add: int
    delete: int


@dataclass(frozen=True, slots=True)
class GroundOperator:
    """One way to take a step: needs all facts of `pos` and none of `neg`. Adding wins over deleting.

    `cost` is what the step adds to the task's measure: its total-cost where the task minimizes that, else 1. A step
    whose precondition has several alternatives has several operators.
    """

    step: Step
    pos: int
    neg: int
    add: int
    delete: int
    conditional: tuple[ConditionalEffect, ...] = ()
    cost: float = 1.0

    def apply(self, state: int, closed: int) -> int:
        """The state after the step; `closed` is the state before it with its derived facts."""
        add, delete = self.add, self.delete
        for effect in self.conditional:
            if closed & effect.pos == effect.pos and not closed & effect.neg:
                add |= effect.add
                delete |= effect.delete
        return (state | delete) ^ delete | add


@dataclass(frozen=True, slots=True)
class GroundAxiom:
    """The derived fact `head` (one bit) follows where all of `pos` and none of `neg` hold."""

    head: int
    pos: int
    neg: int


@dataclass(frozen=True)
class GroundTask:
    """A task over bits: bit `i` stands for `facts[i]`.

    `facts` are the atoms whose truth can differ between reachable states, derived ones last (`basic` masks the
    others); what is true in all of them or in none is compiled away. Artificial facts have predicates with a blank
    in them. States (`init` too) are integers without derived facts. `goal` is a pair of masks, what must hold and what
    must not; None when the goal cannot be reached even if nothing were ever deleted. Unless grounded without merging,
    `operators` has no two that do the same; none of them never changes anything. `axioms` are grouped in strata, in
    the order of evaluation.
    """

    task: Task
    facts: tuple[Atom, ...]
    basic: int
    init: int
    goal: tuple[int, int] | None
    operators: tuple[GroundOperator, ...]
    axioms: tuple[tuple[GroundAxiom, ...], ...] = ()

    def closed(self, state: int) -> int:
        """A state together with the derived facts that follow from it (least fixpoint, stratum by stratum)."""
        for stratum in self.axioms:
            open_axioms: Iterable[GroundAxiom] = stratum
            grown = True
            while grown:
                grown = False
                later = []
                for axiom in open_axioms:
                    if state & axiom.head:
                        continue
                    if state & axiom.pos == axiom.pos and not state & axiom.neg:
                        state |= axiom.head
                        grown = True
                    else:
                        later.append(axiom)
                open_axioms = later
        return state

    def is_goal(self, state: int) -> bool:
        if self.goal is None:
            return False
        closed = self.closed(state) if self.axioms else state
        return closed & self.goal[0] == self.goal[0] and not closed & self.goal[1]

    def successors(self, state: int) -> Iterator[tuple[GroundOperator, int]]:
        """Every applicable operator with the state it leads to. Plain and slow: see `ground_successors` for search."""
        closed = self.closed(state)
        for operator in self.operators:
            if closed & operator.pos == operator.pos and not closed & operator.neg:
                yield operator, operator.apply(state, closed)

    def atoms(self, state: int) -> frozenset[Atom]:
        """The facts of a state. Atoms that hold in every reachable state are not among them."""
        return frozenset(self.facts[bit] for bit in bits(state))

    @cached_property
    def bit_of(self) -> dict[Atom, int]:
        """The mask (one bit) of every fact."""
        return {atom: 1 << number for number, atom in enumerate(self.facts)}


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
