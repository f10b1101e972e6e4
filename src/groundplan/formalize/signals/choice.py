"""Choosing checks on the command line."""

from __future__ import annotations

from groundplan.errors import InputError
from groundplan.formalize.signals.registry import CHECKS, SYMBOLIC, refuse_unknown


def chosen_checks(words: str) -> frozenset[str]:
    """The checks that a list such as `dead-action,mutation`, `+back-translation` or `all,-mutation` chooses.

    Names are taken in order: `all` and `none` mean what they say, `+name` adds, `-name` takes away. A list that begins
    with a sign starts from the symbolic checks, any other one from nothing. Raises InputError for an unknown name.
    """
    items = [item.strip().lower() for item in words.split(",") if item.strip()]
    if not items:
        raise InputError(f"no checks are named; write `none`, or some of: {', '.join(CHECKS)}")
    names = set(SYMBOLIC if items[0][0] in "+-" else ())
    for item in items:
        if item == "all":
            names = set(CHECKS)
        elif item == "none":
            names = set()
        elif item.startswith("-"):
            refuse_unknown([item[1:].strip()])
            names.discard(item[1:].strip())
        else:
            refuse_unknown([item.removeprefix("+").strip()])
            names.add(item.removeprefix("+").strip())
    return frozenset(names)
