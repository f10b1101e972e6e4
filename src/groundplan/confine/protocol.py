"""The contract of every confinement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from groundplan.confine.outcome import ConfineLimits, Plain, Ran

DEFAULT_LIMITS = ConfineLimits()


class Confinement(Protocol):
    """Runs functions of programs that nobody trusts.

    `run` executes `source` in a fresh process that can read no file outside the standard library and its own empty
    directory, write none outside that directory, see no environment, open no socket, start no process and signal none,
    then calls `function(*arguments)`. The arguments and the result travel as tagged JSON: lists, tuples, sets,
    frozensets and dicts arrive as what they were, iterators are listed, other values become Opaque. Sets are built
    in the order in which the caller's arguments iterate; pass a tuple wrapped by `ordered_set` to choose it.
    `hash_seed` is Python's PYTHONHASHSEED for the run. Nothing of one run reaches another.

    Never raises for what a program does: that is a Ran. Thread-safe. Raises CannotConfine when the machine lacks what
    it takes (see `open_confinement`), ValueError for arguments that are no plain data, RuntimeError once closed.
    """

    @property
    def name(self) -> str: ...

    def run(
        self,
        source: str,
        function: str,
        arguments: Sequence[Plain],
        limits: ConfineLimits = DEFAULT_LIMITS,
        *,
        hash_seed: int = 0,
    ) -> Ran: ...

    def close(self) -> None:
        """End every process that is still held; calling it twice is harmless."""
