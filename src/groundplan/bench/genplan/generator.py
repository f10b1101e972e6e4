"""The contract of an instance generator, and the registry of them."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

from groundplan.errors import InputError
from groundplan.pddl.ast import Domain, Problem, Task
from groundplan.pddl.diagnostics import did_you_mean, listing
from groundplan.pddl.read import domain_from_text

DOMAINS = (
    "beluga",
    "blocksworld",
    "delivery",
    "ferry",
    "goldminer",
    "gripper",
    "grippers",
    "heavy",
    "hiking",
    "logistics",
    "miconic",
    "minigrid",
    "rovers",
    "satellite",
    "spanner",
    "transport",
    "visitall",
)

Size: TypeAlias = Literal["small", "large", "huge"]
"""small: debugging tasks; large: evaluation tasks, both as in the paper; huge: about ten times the objects of large."""

SIZES: tuple[Size, ...] = ("small", "large", "huge")

Ranges: TypeAlias = Mapping[str, tuple[int, int]]
"""Each parameter's least and greatest value."""


@dataclass(frozen=True, slots=True)
class Generator:
    """`make(rng, **parameters)` writes one problem from the seeded `rng` alone, solvable by construction or by a check.

    It raises InputError for parameters that allow no solvable problem. `ranges` has the parameters' ranges by size;
    `adjust` brings drawn parameters that contradict each other in line (no more nuts than spanners).
    """

    make: Callable[..., Problem]
    ranges: Mapping[Size, Ranges]
    adjust: Callable[[dict[str, int]], dict[str, int]] = lambda drawn: drawn


@cache
def benchmark_domain(name: str) -> Domain:
    """The domain of this name, as the project writes it. Raises InputError for an unknown name."""
    return domain_from_text(domain_text(name))


def domain_text(name: str) -> str:
    """The domain's PDDL text. Raises InputError for an unknown name."""
    _refuse_unknown(name)
    return (files("groundplan.bench.genplan") / "domains" / f"{name}.pddl").read_text(encoding="utf-8")


def generator(name: str) -> Generator:
    """The generator of a domain. Raises InputError for an unknown name."""
    _refuse_unknown(name)
    module = importlib.import_module(f"groundplan.bench.genplan.generators.{name}")
    found = module.GENERATOR
    assert isinstance(found, Generator)
    return found


def generate(name: str, size: Size = "small", seed: int = 0, **parameters: int) -> Task:
    """A solvable task of a domain; the same arguments give the same task.

    Parameters that are not given are drawn from the ranges of `size`. Raises InputError for an unknown domain or
    parameter, and for parameters that allow no solvable task.
    """
    made = generator(name)
    ranges = made.ranges[size]
    for parameter in parameters:
        if parameter not in ranges:
            hint = did_you_mean(parameter, tuple(ranges)) or f"there are {listing(tuple(ranges))}"
            raise InputError(f"{name}: no parameter is called `{parameter}`: {hint}")
    rng = random.Random(f"{name}/{size}/{seed}")
    drawn = {parameter: rng.randint(*bounds) for parameter, bounds in ranges.items()}
    problem = made.make(rng, **made.adjust({**drawn, **parameters}))
    return Task(benchmark_domain(name), problem)


def _refuse_unknown(name: str) -> None:
    if name not in DOMAINS:
        hint = did_you_mean(name, DOMAINS) or f"there are {listing(DOMAINS)}"
        raise InputError(f"no benchmark domain is called `{name}`: {hint}")
