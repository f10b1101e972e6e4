"""Words that PDDL keeps for itself, and what a new name must look like."""

from __future__ import annotations

import re

RESERVED = frozenset(
    (
        "define domain problem object number either and or not imply forall exists when increase decrease assign "
        "scale-up scale-down minimize maximize total-cost total-time is-violated preference always sometime within "
        "at-most-once sometime-after sometime-before always-within hold-during hold-after at over all start end"
    ).split()
)
"""No new name may be one of these; names that are there already keep theirs."""

_NAME = re.compile(r"[a-z][a-z0-9_-]*")


def is_plain_name(text: str) -> bool:
    """Whether every PDDL reader takes it for a name: a letter, then letters, digits, `-` and `_`."""
    return _NAME.fullmatch(text) is not None and text not in RESERVED
