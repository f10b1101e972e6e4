"""robosuite's `Lift` with a Panda arm as a world: a cube on a table, to be grasped and lifted.

Wants the extra `robosuite`, which needs an older MuJoCo than our own worlds may have. The world's name for the command
line is `groundplan.adapt.worlds.adapters.robosuite_lift:RobosuiteLift`; `DOMAIN` and `PROBLEM` are its PDDL.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from groundplan.adapt.facts import Fact, Facts
from groundplan.adapt.worlds.executors.moves import OPEN, Move, Script
from groundplan.adapt.worlds.world import CONTROL_HZ, MAX_DISPLACEMENT, Array, Observable, Observation, World
from groundplan.errors import InputError

CUBE, TABLE, HAND = "cube1", "table1", "gripper1"
HOLD_STEPS = 3
"""Control steps that both fingers must touch the cube before it counts as grasped."""
LIFTED, NEAR = 0.04, 0.03
"""Height (m) above where it lay at which the cube is off the table; how near (m) the gripper counts as at it."""

DOMAIN = """\
(define (domain robosuite-lift)
  (:requirements :strips :typing :negative-preconditions)
  (:types cube table gripper)
  (:predicates (at-cube ?g - gripper ?c - cube) (grasped ?c - cube ?g - gripper) (free ?g - gripper)
    (on-table ?c - cube ?t - table))
  (:action reach-for-cube
    :parameters (?g - gripper ?c - cube)
    :precondition (and (free ?g) (not (at-cube ?g ?c)))
    :effect (at-cube ?g ?c)))
"""
PROBLEM = """\
(define (problem lift-it)
  (:domain robosuite-lift)
  (:objects cube1 - cube table1 - table gripper1 - gripper)
  (:init (free gripper1) (on-table cube1 table1))
  (:goal (and (grasped cube1 gripper1) (not (on-table cube1 table1)))))
"""


@dataclass(frozen=True)
class Saved:
    """MuJoCo's integration state, the controllers' and the gripper's own state, and the detectors' memory."""

    physics: Array
    controllers: dict[str, Any]
    held: int
    lay: float
    grip: float


class RobosuiteLift:
    """A cube before the arm; where it lies depends on the seed. Raises InputError without robosuite."""

    name = "robosuite_lift"
    objects: ClassVar = {CUBE: "cube", TABLE: "table", HAND: "gripper"}
    observables: ClassVar[Sequence[Observable]] = (
        Observable("gripper_pos", 3, "m", "Between the fingertips of gripper1: z is up.", (HAND,)),
        Observable("gripper_opening", 1, "m", "Distance between the fingers of gripper1; 0.08 is wide open.", (HAND,)),
        Observable("cube1_pos", 3, "m", "The middle of cube1.", (CUBE,)),
        Observable("gripper_to_cube1", 3, "m", "From gripper1 to the middle of cube1.", (CUBE, HAND)),
        Observable("cube1_height", 1, "m", "How far cube1 is above where it lay on table1.", (CUBE, TABLE)),
    )

    def __init__(self) -> None:
        try:
            import mujoco
            import robosuite
            from robosuite.controllers import load_composite_controller_config

            from groundplan.adapt.worlds.rendering import Camera
        except ImportError as error:
            raise InputError(
                f"the world {self.name} needs robosuite ({error.name} is missing): pip install "
                "'groundplan[robosuite]', in an environment of its own"
            ) from error
        self._mujoco = mujoco
        arm = load_composite_controller_config(controller="BASIC")
        arm["body_parts"] = {"right": arm["body_parts"]["right"]}
        right = arm["body_parts"]["right"]
        reach = [MAX_DISPLACEMENT] * 3 + [0.5] * 3
        right["output_max"], right["output_min"] = reach, [-each for each in reach]
        self._env: Any = robosuite.make(
            "Lift",
            robots="Panda",
            controller_configs=arm,
            has_renderer=False,
            has_offscreen_renderer=False,
            use_camera_obs=False,
            control_freq=CONTROL_HZ,
            horizon=10**9,
            hard_reset=False,
        )
        self._state = mujoco.mjtState.mjSTATE_INTEGRATION
        self._camera = Camera(self._model, "frontview")
        self.reset(0)

    @property
    def _model(self) -> Any:
        return self._env.sim.model._model

    @property
    def _data(self) -> Any:
        return self._env.sim.data._data

    def reset(self, seed: int) -> Observation:
        """See World."""
        self._env.rng = np.random.default_rng(seed)
        self._env.placement_initializer.rng = self._env.rng
        self._env.robots[0].rng = self._env.rng
        self._env.reset()
        self._level()
        self._held, self._grip = 0, -1.0
        self._lay = float(self._cube()[2])
        return self.observe()

    def step(self, action: Array) -> Observation:
        """See World. Between -1/3 and 1/3 the gripper keeps to what it was last told."""
        given = np.asarray(action, dtype=np.float64)
        if given.shape != (4,) or np.isnan(given).any():
            raise ValueError(f"an action is 4 numbers in [-1, 1], not {action!r}")
        if abs(given[3]) > 1 / 3:
            self._grip = -1.0 if given[3] > 0 else 1.0  # robosuite closes at 1
        self._env.step(np.array([*np.clip(given[:3], -1.0, 1.0), 0.0, 0.0, 0.0, self._grip]))
        self._level()
        holds = self._env._check_grasp(gripper=self._env.robots[0].gripper, object_geoms=self._env.cube)
        self._held = self._held + 1 if holds else 0
        return self.observe()

    def _level(self) -> None:
        # After a step, what is derived (positions, the mass matrix that the arm's controller reads) lags one physics
        # step behind the joints, and no saved state holds it: put it level, always, and what the controller read too.
        self._mujoco.mj_forward(self._model, self._data)
        self._env.robots[0].part_controllers["right"].update(force=True)

    def _cube(self) -> Array:
        return np.array(self._data.body(self._env.cube.root_body).xpos, dtype=np.float64)

    def observe(self) -> Observation:
        """See World."""
        arm = self._env.robots[0]
        hand = np.array(self._data.site_xpos[arm.eef_site_id["right"]], dtype=np.float64)
        fingers = self._data.qpos[arm._ref_gripper_joint_pos_indexes["right"]]
        cube = self._cube()
        return {
            "gripper_pos": hand,
            "gripper_opening": np.array([float(np.abs(fingers).sum())]),
            "cube1_pos": cube,
            "gripper_to_cube1": cube - hand,
            "cube1_height": np.array([float(cube[2]) - self._lay]),
        }

    def facts(self) -> Facts:
        """See World."""
        seen = self.observe()
        found: set[Fact] = {("grasped", CUBE, HAND) if self._held >= HOLD_STEPS else ("free", HAND)}
        if seen["cube1_height"][0] < LIFTED:
            found.add(("on-table", CUBE, TABLE))
        if np.linalg.norm(seen["gripper_to_cube1"]) < NEAR:
            found.add(("at-cube", HAND, CUBE))
        return frozenset(found)

    def save(self) -> Saved:
        """See World."""
        physics = np.empty(self._mujoco.mj_stateSize(self._model, self._state))
        self._mujoco.mj_getState(self._model, self._data, physics, self._state)
        return Saved(physics, self._controllers(), self._held, self._lay, self._grip)

    def _controllers(self) -> dict[str, Any]:
        """What the arm's controller and the gripper remember between steps: goals and the last action."""
        arm = self._env.robots[0]
        part = arm.part_controllers["right"]
        kept = {name: copy.deepcopy(getattr(part, name)) for name in _REMEMBERED if hasattr(part, name)}
        return {"part": kept, "gripper": copy.deepcopy(arm.gripper["right"].current_action)}

    def restore(self, state: Saved) -> Observation:
        """See World."""
        self._mujoco.mj_setState(self._model, self._data, state.physics, self._state)
        self._level()
        self._mujoco.mj_setState(self._model, self._data, state.physics, self._state)  # the solver's warm start
        arm = self._env.robots[0]
        part = arm.part_controllers["right"]
        for name, value in state.controllers["part"].items():
            setattr(part, name, copy.deepcopy(value))
        arm.gripper["right"].current_action = copy.deepcopy(state.controllers["gripper"])
        self._held, self._lay, self._grip = state.held, state.lay, state.grip
        return self.observe()

    def render(self, width: int, height: int) -> NDArray[np.uint8]:
        """See World."""
        return self._camera.picture(self._data, width, height)

    def close(self) -> None:
        """See World."""
        self._camera.close()


_REMEMBERED = ("goal_pos", "goal_ori", "relative_ori", "ori_ref", "initial_joint", "torques", "new_update")


def reach(world: World, objects: Sequence[str]) -> Script:
    """The script of `reach-for-cube`: over the cube, then down to it, open."""

    def over(seen: Observation, up: float) -> Array:
        above: Array = seen["cube1_pos"] + np.array([0.0, 0.0, up])
        return above

    return Script([Move(lambda seen: over(seen, 0.1), OPEN), Move(lambda seen: over(seen, 0.0), OPEN, tolerance=0.01)])


RobosuiteLift.SCRIPTS = {"reach-for-cube": reach}  # type: ignore[attr-defined]
