"""What the worlds of this package share: a model, the hand's control, reset, save and restore, and detectors' memory.

A scene is a subclass in a file of its own: its MJCF, its objects, where they start, what it observes and what it
detects.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import mujoco
import numpy as np
from numpy.typing import NDArray

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.worlds.errors import PhysicsError
from groundplan.adapt.worlds.grasping import Grasping, Memory
from groundplan.adapt.worlds.hand import (
    FINGER_SPEED,
    FINGER_TRAVEL,
    GRIP_LEAD,
    HAND_LEAD,
    PHYSICS_DT,
    SUBSTEPS,
    model_text,
)
from groundplan.adapt.worlds.mjcf import Point
from groundplan.adapt.worlds.rendering import Camera
from groundplan.adapt.worlds.sensing import Sensing, Sight, hand_sights
from groundplan.adapt.worlds.world import MAX_DISPLACEMENT, Array, Observable, Observation

GRIPPER = "gripper1"
TABLE = "table1"
SETTLE_STEPS = 40
"""Physics steps after a reset, in which things come to rest."""
START_NOISE = 0.03
"""Half the width (m) of the cube that the gripper starts in."""

_STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)


@dataclass(frozen=True, slots=True)
class SavedState:
    """Everything that a world's future depends on."""

    world: str
    physics: Array
    memory: Memory


class HandWorld(ABC):
    """A `World` with the hand of hand.py over a table top at z = 0."""

    name: ClassVar[str]
    objects: ClassVar[Mapping[str, str]]
    static_facts: ClassVar[frozenset[Fact]]
    bodies: ClassVar[Mapping[str, Sequence[str]]]
    """The bodies of each object that could be grasped, fixtures included."""
    hand_start: ClassVar[Point]

    def __init__(self) -> None:
        self.model = mujoco.MjModel.from_xml_string(model_text(self.name, self.scene()))
        self.data = mujoco.MjData(self.model)
        self._sensing = Sensing(self.model, (*hand_sights(GRIPPER), *self.sights()))
        self._grasping = Grasping(self.model, self.bodies)
        self._body = {self.model.body(index).name: index for index in range(self.model.nbody)}
        self._joint = {
            self.model.joint(index).name: int(self.model.jnt_qposadr[index]) for index in range(self.model.njnt)
        }
        self._camera = Camera(self.model)
        self._facts: Facts | None = None
        self._places: list[Point] | None = None
        self.reset(0)

    # What a scene says of itself

    @abstractmethod
    def scene(self) -> str:
        """MJCF of what is on the table."""

    @abstractmethod
    def sights(self) -> Sequence[Sight]:
        """The observation besides the gripper's own keys."""

    @abstractmethod
    def place(self, rng: np.random.Generator) -> None:
        """Move things in `data.qpos` from where the MJCF has them."""

    @abstractmethod
    def detect(self) -> Iterable[Fact]:
        """The facts that can change, but for `grasped` and `free`."""

    # The interface

    @property
    def observables(self) -> Sequence[Observable]:
        return self._sensing.observables

    def reset(self, seed: int) -> Observation:
        """See `World.reset`; the objects and the gripper are moved by a few centimetres."""
        rng = np.random.default_rng(seed)
        mujoco.mj_resetData(self.model, self.data)
        start = np.array(self.hand_start) + rng.uniform(-START_NOISE, START_NOISE, 3)
        self.data.qpos[:5] = (*start, FINGER_TRAVEL, FINGER_TRAVEL)
        self.data.act[:] = self.data.qpos[:5]
        self.place(rng)
        mujoco.mj_step(self.model, self.data, nstep=SETTLE_STEPS)
        self._grasping.forget()
        return self._look()

    def step(self, action: Array) -> Observation:
        """See `World.step`; raises PhysicsError should the simulation become unstable."""
        given = np.asarray(action, dtype=np.float64)
        if given.shape != (4,) or np.isnan(given).any():
            raise ValueError(f"an action is 4 numbers in [-1, 1], not {action!r}")
        self._drive(given.tolist())
        before = self.data.time
        mujoco.mj_step(self.model, self.data, nstep=SUBSTEPS)
        if self.data.time <= before:  # the physics engine starts afresh when numbers overflow
            raise PhysicsError(f"the physics of {self.name} became unstable; restore an earlier state or reset")
        self._grasping.update(self.data)
        return self._look()

    def observe(self) -> Observation:
        return self._sensing.read(self.data)

    def facts(self) -> Facts:
        if self._facts is None:
            grasped = self._grasping.grasped()
            hand: list[Fact] = [("grasped", name, GRIPPER) for name in grasped] or [("free", GRIPPER)]
            self._facts = self.static_facts.union(hand, self.detect())
        return self._facts

    def save(self) -> SavedState:
        physics = np.empty(mujoco.mj_stateSize(self.model, _STATE))
        mujoco.mj_getState(self.model, self.data, physics, _STATE)
        return SavedState(self.name, physics, self._grasping.remembered())

    def restore(self, state: SavedState) -> Observation:
        """See `World.restore`; raises ValueError for a state of another world."""
        if state.world != self.name:
            raise ValueError(f"a state of the world {state.world} cannot be put into {self.name}")
        mujoco.mj_setState(self.model, self.data, state.physics, _STATE)
        self._grasping.recall(state.memory)
        return self._look()

    def render(self, width: int, height: int) -> NDArray[np.uint8]:
        return self._camera.picture(self.data, width, height)

    def close(self) -> None:
        self._camera.close()

    # For scenes

    def at(self, body: str) -> Point:
        """Where a body's frame is (m)."""
        if self._places is None:
            self._places = [(x, y, z) for x, y, z in self.data.xpos.tolist()]
        return self._places[self._body[body]]

    def uprightness(self, body: str) -> float:
        """Cosine of the tilt: 1 is upright, 0 lies on its side."""
        return float(self.data.xmat[self._body[body], 8])

    def lowest(self, body: str, half: Point) -> float:
        """Height (m) of the lowest point of a body with these half sizes around its frame."""
        turned = self.data.xmat[self._body[body], 6:9].tolist()
        below: float = sum(abs(share) * size for share, size in zip(turned, half, strict=True))
        return self.at(body)[2] - below

    def joint_at(self, name: str) -> float:
        """Position of a joint with one degree of freedom (m or rad)."""
        return float(self.data.qpos[self._joint[name]])

    def shift(self, free_joint: str, dx: float, dy: float) -> None:
        """Move a free body before the world settles."""
        address = self._joint[free_joint]
        self.data.qpos[address : address + 2] += (dx, dy)

    def turn(self, free_joint: str, yaw: float) -> None:
        """Turn a free body about the vertical (rad) before the world settles."""
        address = self._joint[free_joint] + 3
        self.data.qpos[address : address + 4] = (np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2))

    def _drive(self, action: list[float]) -> None:
        """Set the servos' speeds from an action, after reining in targets that ran ahead of what was blocked."""
        data: Any = self.data
        targets, present = data.act.tolist(), data.qpos[:5].tolist()
        leads = (HAND_LEAD, HAND_LEAD, HAND_LEAD, GRIP_LEAD, GRIP_LEAD)
        data.act[:] = [
            min(max(target, now - lead), now + lead) for target, now, lead in zip(targets, present, leads, strict=True)
        ]
        speed = MAX_DISPLACEMENT / (SUBSTEPS * PHYSICS_DT)
        moves = [min(max(share, -1.0), 1.0) * speed for share in action[:3]]
        finger = FINGER_SPEED if action[3] > 1 / 3 else -FINGER_SPEED if action[3] < -1 / 3 else 0.0
        data.ctrl[:] = (*moves, finger, finger)

    def _look(self) -> Observation:
        # After a step, positions lag one physics step behind the joints; put them level.
        mujoco.mj_kinematics(self.model, self.data)
        self._facts = self._places = None
        return self.observe()
