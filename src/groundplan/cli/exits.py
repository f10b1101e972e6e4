"""Exit codes, the same for every verb."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    YES = 0
    """Solved, valid, no error found."""
    NO = 1
    """Not ok, invalid, unsolvable, no plan found."""
    INPUT = 2
    """The input, the command line, the key, the model's address or account, the choice of the model, or the place for
    the run is wrong: the user can mend it."""
    FAILED = 3
    """An engine or a language model failed."""
    INTERRUPTED = 130
    """Ctrl-C; what was done so far is kept."""
