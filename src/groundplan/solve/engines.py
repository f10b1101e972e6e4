"""Engines by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, cast

from groundplan.errors import InputError
from groundplan.pddl.diagnostics import did_you_mean, listing
from groundplan.solve.outcome import Engine

ENGINES = ("fast-downward", "builtin")


def make_engine(name: str, **options: Any) -> Engine:
    """A new engine; `options` are those of its class (FastDownwardEngine, BuiltinEngine).

    Raises InputError for an unknown name or option. An engine that is not installed is made all the same: its
    outcomes say what is missing.
    """
    known = name.strip().lower()
    if known not in ENGINES:
        hint = did_you_mean(known, ENGINES) or f"known are {listing(ENGINES)}"
        raise InputError(f"no engine is called `{name}`: {hint}")
    make = _class(known)
    try:
        inspect.signature(make).bind(**options)
    except TypeError as error:
        accepted = list(inspect.signature(make).parameters)
        raise InputError(f"engine `{known}`: {error}; its options are {listing(accepted)}") from None
    return make(**options)


def _class(name: str) -> Callable[..., Engine]:
    if name == "builtin":
        from groundplan.solve.builtin import BuiltinEngine

        return cast("Callable[..., Engine]", BuiltinEngine)
    from groundplan.solve.fast_downward import FastDownwardEngine

    return FastDownwardEngine
