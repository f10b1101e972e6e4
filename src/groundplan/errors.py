"""What groundplan raises.

GroundplanError
├── InputError          the input or the command line is wrong: exit code 2
│   └── PddlError       PDDL text was refused; carries the diagnostics
├── StorageError        a run's files cannot be written (disk full, no permission): exit code 2
└── ModelError          a language model could not answer: exit code 3 (see groundplan.models.errors)

Planner faults are no exceptions: they are an Outcome with status FAILED.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundplan.pddl.diagnostics import Diagnostic


class GroundplanError(Exception):
    """Base of all errors that groundplan raises on purpose."""


class InputError(GroundplanError):
    """The input or the command line is wrong; the message names the place and the way out."""


class PddlError(InputError):
    """PDDL text was refused.

    `diagnostics` holds every finding, errors and warnings.
    """

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class StorageError(GroundplanError):
    """A file of a run could not be written; what was written before is intact."""


class ModelError(GroundplanError):
    """A language model could not answer."""
