"""What a robot world must offer: observations, a 4-D action, symbolic facts, and states that can be put back.

Planning knows none of this; learning and execution know nothing else. A world of one's own is a class with these
members in a file; `check_world` (see checking.py) tries it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from groundplan.adapt.facts import Facts

Array = NDArray[np.float64]
Observation = Mapping[str, Array]
"""One array a key, float64, in the units of its `Observable`."""

CONTROL_HZ = 20
"""Control steps a second, in every world."""
MAX_DISPLACEMENT = 0.016
"""Metres that the gripper moves at the most in one control step, along each axis, at action 1."""


@dataclass(frozen=True, slots=True)
class Observable:
    """One key of the observation.

    `size` is the length of its array; `unit` is "m", "rad" or "1" (a share in [0, 1]); `meaning` is one sentence for
    whoever writes a reward; `objects` are those of the problem that it is about (the gripper's own keys name the
    gripper). `scale` is what learning multiplies it with, so that its usual range is about 1.
    """

    name: str
    size: int
    unit: str
    meaning: str
    objects: tuple[str, ...]
    scale: float = 10.0


class World(Protocol):
    """One scene with one gripper.

    An action is (4,) float64 in [-1, 1]: displacement along x, y, z as shares of `MAX_DISPLACEMENT`, and the gripper:
    below -1/3 closes, above 1/3 opens, between them it stays.
    """

    @property
    def name(self) -> str: ...

    @property
    def observables(self) -> Sequence[Observable]: ...

    @property
    def objects(self) -> Mapping[str, str]:
        """The problem's objects that are in the scene, with their types, as the scenario's PDDL names them."""
        ...

    def reset(self, seed: int) -> Observation:
        """A fresh scene in which the scenario's initial facts hold; the same for the same seed."""
        ...

    def step(self, action: Array) -> Observation:
        """One control step (1 / CONTROL_HZ s). Values outside [-1, 1] are clipped; raises ValueError for NaN."""
        ...

    def observe(self) -> Observation:
        """The present observation; fresh arrays, which the caller may change."""
        ...

    def facts(self) -> Facts:
        """What the detectors see now, static facts included. "grasped" needs several steps in a row of holding."""
        ...

    def save(self) -> Any:
        """The whole state (physics, detectors' memory) as something picklable for `restore`."""
        ...

    def restore(self, state: Any) -> Observation:
        """Put a saved state back: the future under the same actions is the same, bit for bit."""
        ...

    def render(self, width: int, height: int) -> NDArray[np.uint8]:
        """(height, width, 3); raises RenderError where no off-screen renderer is installed."""
        ...

    def close(self) -> None: ...


class Executor(Protocol):
    """Moves the gripper so as to bring about one operator; scripted or learned."""

    def act(self, observation: Observation, facts: Facts) -> Array | None:
        """The next action, or None when it has done what it can (the caller checks the facts)."""
        ...


class ExecutorMaker(Protocol):
    """Makes an executor for one grounded operator at the moment it starts."""

    def __call__(self, world: World, objects: Sequence[str]) -> Executor: ...
