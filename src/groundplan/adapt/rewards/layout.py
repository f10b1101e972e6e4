"""Which keys of the observation an operator's learning sees, and where each lies in a flat vector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from groundplan.adapt.operator import GroundOperator
from groundplan.adapt.worlds.world import Array, Observable, Observation

GRIPPER = "gripper"


@dataclass(frozen=True)
class Layout:
    """Observables one after the other in a vector of `width` numbers."""

    observables: tuple[Observable, ...]

    @property
    def width(self) -> int:
        return sum(item.size for item in self.observables)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(item.name for item in self.observables)

    @property
    def sizes(self) -> dict[str, int]:
        return {item.name: item.size for item in self.observables}

    @property
    def scale(self) -> Array:
        """What learning multiplies each number with."""
        return np.concatenate([np.full(item.size, item.scale) for item in self.observables])

    def flat(self, observation: Observation) -> Array:
        """The vector of an observation, in the observables' own units."""
        return np.concatenate([observation[item.name] for item in self.observables], dtype=np.float64)

    def spread(self, vector: Array) -> dict[str, Array]:
        """The inverse of `flat`."""
        found, at = {}, 0
        for item in self.observables:
            found[item.name] = vector[at : at + item.size]
            at += item.size
        return found


def layout_for(operator: GroundOperator, observables: Sequence[Observable], objects: Mapping[str, str]) -> Layout:
    """The gripper's own keys, and those that are about objects of the operator alone.

    `objects` are the world's, with their types. Raises ValueError where nothing but the gripper is seen: an operator
    whose objects the world does not observe cannot be learned.
    """
    hands = {name for name, kind in objects.items() if kind == GRIPPER}
    seen = [item for item in observables if set(item.objects) <= hands or set(item.objects) <= set(operator.objects)]
    if all(set(item.objects) <= hands for item in seen):
        raise ValueError(
            f"operator `{operator.name}`: the world observes none of its objects ({_listed(operator.objects)}); "
            f"it observes {_listed({name for item in observables for name in item.objects})}"
        )
    return Layout(tuple(seen))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
