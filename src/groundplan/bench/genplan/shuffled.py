"""What all generators share: names and orders that tell nothing, and the refusal of parameters."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from groundplan.errors import InputError
from groundplan.pddl.ast import And, Atom, Problem, TypedName

Item = TypeVar("Item")


def numbered(rng: random.Random, word: str, count: int) -> list[str]:
    """`word1` to `word<count>` in random order: the number of a name tells nothing about its object."""
    names = [f"{word}{number}" for number in range(1, count + 1)]
    rng.shuffle(names)
    return names


def fact(predicate: str, *terms: str) -> Atom:
    return Atom(predicate, terms)


def shuffled_problem(
    rng: random.Random,
    domain_name: str,
    objects: Mapping[str, Iterable[str]],
    facts: Iterable[Atom],
    goal: Sequence[Atom],
) -> Problem:
    """A problem whose facts and goal are in random order, and its objects (by type) as well. A lone goal stays bare."""
    declared: list[TypedName] = []
    for kind, names in objects.items():
        declared += _shuffled(rng, [TypedName(name, (kind,)) for name in names])
    parts = _shuffled(rng, goal)
    return Problem(
        name=f"{domain_name}-generated",
        domain_name=domain_name,
        objects=tuple(declared),
        init=tuple(_shuffled(rng, facts)),
        goal=parts[0] if len(parts) == 1 else And(tuple(parts)),
    )


def require(domain: str, least: int, most: int | None = None, /, **parameters: int) -> None:
    """Raises InputError where a parameter is under `least` or over `most`."""
    for name, value in parameters.items():
        if value < least:
            raise InputError(f"{domain}: `{name}` must be at least {least}, not {value}")
        if most is not None and value > most:
            raise InputError(f"{domain}: `{name}` must be at most {most}, not {value}")


def share(percent: int, count: int) -> int:
    """This percentage of `count`, rounded, but at least 1."""
    return max(1, round(percent * count / 100))


def _shuffled(rng: random.Random, items: Iterable[Item]) -> list[Item]:
    ordered = list(items)
    rng.shuffle(ordered)
    return ordered
