"""Meta-World's `drawer-open-v3` as a world: the arm of that benchmark, its drawer, its physics.

Wants the extra `metaworld`, which pins an older MuJoCo than our own worlds may have. The world's name for the command
line is `groundplan.adapt.worlds.adapters.metaworld_drawer:MetaworldDrawer`; `DOMAIN` and `PROBLEM` are its PDDL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.worlds.executors.moves import OPEN as OPENED
from groundplan.adapt.worlds.executors.moves import Move, Script
from groundplan.adapt.worlds.world import MAX_DISPLACEMENT, Array, Observable, Observation, World
from groundplan.errors import InputError

DRAWER, HAND = "drawer1", "gripper1"
SUBSTEPS = 4
"""Meta-World moves the hand 80 times a second, a world 20 times."""
NEAR, OPEN = 0.05, 0.15
"""How near (m) the fingertips count as at the handle; how far (m) out the drawer counts as open."""

DOMAIN = """\
(define (domain metaworld-drawer)
  (:requirements :strips :typing :negative-preconditions)
  (:types drawer gripper)
  (:predicates (at-handle ?g - gripper ?d - drawer) (open ?d - drawer))
  (:action reach-for-handle
    :parameters (?g - gripper ?d - drawer)
    :precondition (not (at-handle ?g ?d))
    :effect (at-handle ?g ?d)))
"""
PROBLEM = """\
(define (problem open-it)
  (:domain metaworld-drawer)
  (:objects drawer1 - drawer gripper1 - gripper)
  (:init)
  (:goal (open drawer1)))
"""


@dataclass(frozen=True)
class Saved:
    """MuJoCo's integration state, how the gripper was last told to be, and where the drawer stands: Meta-World moves
    the body in the model, which no state of MuJoCo holds."""

    physics: Array
    grip: float
    place: Array


class MetaworldDrawer:
    """A closed drawer before the arm; where it stands depends on the seed. Raises InputError without Meta-World."""

    name = "metaworld_drawer"
    objects: ClassVar = {DRAWER: "drawer", HAND: "gripper"}
    observables: ClassVar[Sequence[Observable]] = (
        Observable("gripper_pos", 3, "m", "Between the fingertips of gripper1: x right, y away, z up.", (HAND,)),
        Observable("gripper_opening", 1, "1", "How far gripper1 is open: 0 is shut, 1 wide open.", (HAND,), 1.0),
        Observable("drawer1_handle_pos", 3, "m", "The middle of the handle of drawer1.", (DRAWER,)),
        Observable("gripper_to_drawer1_handle", 3, "m", "From gripper1 to the handle of drawer1.", (DRAWER, HAND)),
        Observable("drawer1_travel", 1, "m", f"How far drawer1 is out; open from {OPEN} on.", (DRAWER,)),
    )

    def __init__(self) -> None:
        try:
            import mujoco
            from metaworld.envs.sawyer_drawer_open_v3 import SawyerDrawerOpenEnvV3

            from groundplan.adapt.worlds.rendering import Camera
        except ImportError as error:
            raise InputError(
                f"the world {self.name} needs Meta-World ({error.name} is missing): pip install "
                "'groundplan[metaworld]', in an environment of its own"
            ) from error
        self._mujoco = mujoco
        self._env: Any = SawyerDrawerOpenEnvV3()
        self._env._freeze_rand_vec, self._env.seeded_rand_vec = False, True
        self._env._set_task_called = True  # its tasks are draws of the same places
        self._state = mujoco.mjtState.mjSTATE_INTEGRATION
        self._grip = 0.0
        self._camera = Camera(self._env.model, "corner")
        self.reset(0)

    def reset(self, seed: int) -> Observation:
        """See World."""
        self._env.seed(seed)
        self._env.reset()
        self._mujoco.mj_forward(self._env.model, self._env.data)  # the drawer was moved after the last look
        self._grip = -1.0
        return self.observe()

    def step(self, action: Array) -> Observation:
        """See World. Between -1/3 and 1/3 the gripper keeps to what it was last told."""
        given = np.asarray(action, dtype=np.float64)
        if given.shape != (4,) or np.isnan(given).any():
            raise ValueError(f"an action is 4 numbers in [-1, 1], not {action!r}")
        if abs(given[3]) > 1 / 3:
            self._grip = -1.0 if given[3] > 0 else 1.0  # Meta-World closes at 1
        share = MAX_DISPLACEMENT / SUBSTEPS / self._env.action_scale
        for _ in range(SUBSTEPS):
            self._env.set_xyz_action(np.clip(given[:3], -1.0, 1.0) * share)
            self._env.do_simulation([self._grip, -self._grip], n_frames=self._env.frame_skip)
        return self._look()

    def observe(self) -> Observation:
        """See World."""
        hand = np.array(self._env.tcp_center, dtype=np.float64)
        handle = np.array(self._env._get_pos_objects(), dtype=np.float64)
        fingers = np.linalg.norm(self._env.data.body("rightclaw").xpos - self._env.data.body("leftclaw").xpos)
        return {
            "gripper_pos": hand,
            "gripper_opening": np.array([float(np.clip(fingers / 0.1, 0.0, 1.0))]),
            "drawer1_handle_pos": handle,
            "gripper_to_drawer1_handle": handle - hand,
            "drawer1_travel": np.array([self._travel()]),
        }

    def facts(self) -> Facts:
        """See World."""
        found: set[Fact] = set()
        if np.linalg.norm(self.observe()["gripper_to_drawer1_handle"]) < NEAR:
            found.add(("at-handle", HAND, DRAWER))
        if self._travel() > OPEN:
            found.add(("open", DRAWER))
        return frozenset(found)

    def _travel(self) -> float:
        return -float(self._env.data.joint("goal_slidey").qpos[0])

    def save(self) -> Saved:
        """See World."""
        physics = np.empty(self._mujoco.mj_stateSize(self._env.model, self._state))
        self._mujoco.mj_getState(self._env.model, self._env.data, physics, self._state)
        return Saved(physics, self._grip, self._env.model.body("drawer").pos.copy())

    def restore(self, state: Saved) -> Observation:
        """See World."""
        model, data = self._env.model, self._env.data
        model.body("drawer").pos = state.place
        self._mujoco.mj_setState(model, data, state.physics, self._state)
        self._grip = state.grip
        return self._look()

    def _look(self) -> Observation:
        # After a step, positions lag one physics step behind the joints; put them level.
        self._mujoco.mj_kinematics(self._env.model, self._env.data)
        return self.observe()

    def render(self, width: int, height: int) -> NDArray[np.uint8]:
        """See World."""
        return self._camera.picture(self._env.data, width, height)

    def close(self) -> None:
        """See World."""
        self._camera.close()


def reach(world: World, objects: Sequence[str]) -> Script:
    """The script of `reach-for-handle`: over the handle, then down until the open fingers are behind it."""

    def handle(seen: Observation, up: float) -> Array:
        above: Array = seen["drawer1_handle_pos"] + np.array([0.0, 0.0, up])
        return above

    return Script([Move(lambda seen: handle(seen, 0.12), OPENED), Move(lambda seen: handle(seen, -0.03), OPENED)])


MetaworldDrawer.SCRIPTS = {"reach-for-handle": reach}  # type: ignore[attr-defined]
