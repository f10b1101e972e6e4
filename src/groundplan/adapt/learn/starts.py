"""Where episodes begin: saved states of the world in which the plan has reached the operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from groundplan.adapt.operator import GroundOperator
from groundplan.adapt.worlds.world import World
from groundplan.errors import InputError


@dataclass(frozen=True)
class Start:
    """A saved state of the world, and the seed of the scene that led to it."""

    seed: int
    state: Any


@dataclass(frozen=True)
class Starts:
    """States to train from and others to be evaluated from. `left_out` are seeds whose scene did not get there, with
    the reason."""

    training: tuple[Start, ...]
    evaluation: tuple[Start, ...]
    left_out: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        if not self.training or not self.evaluation:
            raise InputError("learning wants at least one state to train from and one to be evaluated from")


def collect_starts(
    world: World,
    operator: GroundOperator,
    reach: Callable[[World], bool],
    training: Iterable[int],
    evaluation: Iterable[int],
) -> Starts:
    """Reset the world with each seed, let `reach` execute the plan up to the operator, and save the state.

    A seed is left out where `reach` says False, or where a precondition of the operator does not hold afterwards.
    Raises InputError where no seed gets there.
    """
    left_out: list[tuple[int, str]] = []

    def save(seeds: Iterable[int]) -> tuple[Start, ...]:
        found = []
        for seed in seeds:
            world.reset(seed)
            reason = "the plan before the operator failed" if not reach(world) else _missing(world, operator)
            if reason:
                left_out.append((seed, reason))
            else:
                found.append(Start(seed, world.save()))
        return tuple(found)

    first, second = save(training), save(evaluation)
    if not first or not second:
        told = f"; seed {left_out[0][0]}: {left_out[0][1]}" if left_out else ""
        raise InputError(f"operator `{operator.name}`: no scene reaches it{told}")
    return Starts(first, second, tuple(left_out))


def _missing(world: World, operator: GroundOperator) -> str:
    facts = world.facts()
    wrong = [str(item) for item in operator.preconditions if (item.fact in facts) is not item.positive]
    return f"{wrong[0]} does not hold" if wrong else ""


def from_resets(world: World, training: Sequence[int], evaluation: Sequence[int]) -> Starts:
    """Starts for an operator that is the first of its plan: the fresh scenes themselves."""

    def save(seed: int) -> Start:
        world.reset(seed)
        return Start(seed, world.save())

    return Starts(tuple(map(save, training)), tuple(map(save, evaluation)))
