"""What a world's observation is made of: positions of marked points, offsets from the gripper to them, joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from groundplan.adapt.worlds.hand import FINGER_JOINTS, GRIP_SITE
from groundplan.adapt.worlds.world import Array, Observable


class Kind(Enum):
    POINT = "point"
    OFFSET = "offset"
    JOINT = "joint"
    APERTURE = "aperture"


@dataclass(frozen=True, slots=True)
class Sight:
    """One key of the observation and the site or joint of the model that it is read from."""

    observable: Observable
    kind: Kind
    element: str


def point(name: str, site: str, meaning: str, objects: tuple[str, ...]) -> Sight:
    """The world position (m) of a site."""
    return Sight(Observable(name, 3, "m", meaning, objects, 10.0), Kind.POINT, site)


def offset(name: str, site: str, meaning: str, objects: tuple[str, ...]) -> Sight:
    """From the gripper to a site (m)."""
    return Sight(Observable(name, 3, "m", meaning, objects, 10.0), Kind.OFFSET, site)


def joint(name: str, element: str, unit: str, meaning: str, objects: tuple[str, ...], scale: float) -> Sight:
    """The position of a joint with one degree of freedom."""
    return Sight(Observable(name, 1, unit, meaning, objects, scale), Kind.JOINT, element)


def thing(name: str, site: str, what: str, objects: tuple[str, ...]) -> tuple[Sight, Sight]:
    """A point and the gripper's offset to it, the two keys that most objects have."""
    return (
        point(f"{name}_pos", site, f"Position of {what}: x to the right, y away from the robot, z up.", objects),
        offset(f"gripper_to_{name}", site, f"From the gripper to {what}, along x, y, z.", objects),
    )


def hand_sights(gripper: str) -> tuple[Sight, Sight]:
    """The gripper's own keys."""
    where = f"Position of the point between the fingertips of {gripper}: x to the right, y away from the robot, z up."
    wide = f"Distance between the two fingers of {gripper}: 0 is shut, 0.08 is wide open; they close along y."
    return (
        Sight(Observable("gripper_pos", 3, "m", where, (gripper,), 10.0), Kind.POINT, GRIP_SITE),
        Sight(Observable("gripper_aperture", 1, "m", wide, (gripper,), 20.0), Kind.APERTURE, FINGER_JOINTS[0]),
    )


class Sensing:
    """Reads all sights of one model at once."""

    def __init__(self, model: Any, sights: Sequence[Sight]) -> None:
        self.observables = tuple(sight.observable for sight in sights)
        placed = [sight for sight in sights if sight.kind in (Kind.POINT, Kind.OFFSET)]
        jointed = [sight for sight in sights if sight.kind is Kind.JOINT]
        self._place_names = [sight.observable.name for sight in placed]
        self._sites = np.array([model.site(sight.element).id for sight in placed])
        self._relative = np.array([[float(sight.kind is Kind.OFFSET)] for sight in placed])
        self._joint_names = [sight.observable.name for sight in jointed]
        self._joints = np.array([int(model.joint(sight.element).qposadr[0]) for sight in jointed], dtype=np.intp)
        self._apertures = [sight.observable.name for sight in sights if sight.kind is Kind.APERTURE]
        self._fingers = np.array([int(model.joint(name).qposadr[0]) for name in FINGER_JOINTS])
        self._grip = model.site(GRIP_SITE).id
        self._order = tuple(observable.name for observable in self.observables)

    def read(self, data: Any) -> dict[str, Array]:
        """Fresh arrays, in the order of the observables."""
        qpos, sites = data.qpos, data.site_xpos
        places = sites[self._sites] - self._relative * sites[self._grip]
        found: dict[str, Array] = dict(zip(self._place_names, places, strict=True))
        joints = qpos[self._joints]
        for index, name in enumerate(self._joint_names):
            found[name] = joints[index : index + 1]
        for name in self._apertures:
            found[name] = qpos[self._fingers].sum(keepdims=True)
        return {name: found[name] for name in self._order}
