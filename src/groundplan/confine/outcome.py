"""What a confined run of a program gave: data, whatever the program did."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

Plain: TypeAlias = object
"""None, bool, int, float, str, and lists, tuples, sets, frozensets and dicts of them; `Opaque` for all else."""


class Ending(StrEnum):
    """How a confined run ended; the values are stable codes."""

    RETURNED = "returned"
    RAISED = "raised"
    """An exception left the function, or the program's own top level."""
    BAD_SOURCE = "bad-source"
    """No such function, or a text that is no Python: nothing was run."""
    TIME_OUT = "time-out"
    """The wall or CPU limit was reached; `trace` and `variables` say where the program was."""
    MEMORY = "out-of-memory"
    OUTPUT = "too-much-output"
    """It printed, or returned, more than the limit."""
    EXITED = "exited"
    """It ended its process by itself (`sys.exit`, `os._exit`)."""
    FORBIDDEN = "forbidden"
    """It tried what a confined program must not: a file, a process, the network, another process's memory."""
    KILLED = "killed"
    """A signal ended it, for a reason that is none of the above."""
    BROKEN = "broken"
    """The confinement itself failed; nothing is known about the program."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value that is no plain data: its type's name and a short `repr`."""

    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A place in the program: line from 1, the function, the source line."""

    line: int
    function: str
    code: str


@dataclass(frozen=True, slots=True)
class ConfineLimits:
    """Bounds of one run. 45 s as in the generalized-planning paper; the rest is ours.

    `wall_s` and `cpu_s` in seconds; `memory_mib` bounds the address space of the run beyond that of the server;
    `output_bytes` bounds what it prints, and `value_bytes` what it returns, in bytes of JSON.
    """

    wall_s: float = 45.0
    cpu_s: float = 45.0
    memory_mib: int = 1024
    output_bytes: int = 64_000
    value_bytes: int = 64_000_000


@dataclass(frozen=True, slots=True)
class Ran:
    """The outcome of one confined run.

    `value` is what the function returned (RETURNED only). `error` is the exception's type and `message` what it, or
    the confinement, says; `trace` has the program's own frames, outermost first, without any path of the machine;
    `variables` are the locals of the innermost one, shortened. `output` is what was printed. `seconds` is the wall
    time of the whole run as the caller saw it, `cpu_s` the CPU time of the confined process.
    """

    ending: Ending
    value: Plain = None
    error: str = ""
    message: str = ""
    trace: tuple[Frame, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    output: str = ""
    seconds: float = 0.0
    cpu_s: float = 0.0

    @property
    def returned(self) -> bool:
        return self.ending is Ending.RETURNED
