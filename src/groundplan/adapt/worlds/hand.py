"""The hand that all worlds share: its MJCF and how it is driven.

The hand hangs on three slide joints and points straight down; two fingers close along y. All five joints have servos
whose target is integrated from a speed (MuJoCo's `intvelocity`), so that one control step is one call of the physics:
the action sets speeds, and between the bands of the gripper the target, hence the grip, stays as it is.
"""

from __future__ import annotations

PHYSICS_DT = 0.005
"""Seconds of one physics step."""
SUBSTEPS = 10
"""Physics steps in one control step (50 ms)."""

FINGER_TRAVEL = 0.04
"""Metres from the middle to a finger that is wide open; the aperture is twice that at the most."""
FINGER_SPEED = 0.13
"""Metres a second of one finger: closed to open takes six control steps."""
GRIP_LEAD = 0.01
"""How far (m) a finger's target runs ahead of the finger: with the servo's stiffness it is the force of the grip."""
HAND_LEAD = 0.008
"""How far (m) the hand's target may be from the hand when a control step begins, so that pushing stores nothing up."""

WORKSPACE_LOW = (-0.32, -0.32, 0.01)
WORKSPACE_HIGH = (0.32, 0.32, 0.45)
"""Where the point between the fingertips can go (m)."""

LEFT, RIGHT = "finger_left", "finger_right"
GRIP_SITE = "grip"
HAND_JOINTS = ("hand_x", "hand_y", "hand_z")
FINGER_JOINTS = ("finger_left_slide", "finger_right_slide")

OPTIONS = f"""
  <compiler angle="radian" autolimits="true"/>
  <option timestep="{PHYSICS_DT}" integrator="implicitfast" cone="elliptic" impratio="5" iterations="20"
          tolerance="1e-7" ls_iterations="20"><flag multiccd="disable"/></option>
  <size memory="4M"/>
  <asset><texture type="skybox" builtin="gradient" rgb1=".75 .82 .9" rgb2=".35 .42 .5" width="64" height="64"/></asset>
  <visual><global offwidth="1280" offheight="1280"/><headlight ambient=".4 .4 .4" diffuse=".5 .5 .5"/></visual>
  <default>
    <geom friction="0.8 0.01 0.0005" density="300" solref="0.01 1"/>
    <joint solreflimit=".01 1" solimplimit=".98 .999 .001"/>
    <default class="seen"><geom contype="0" conaffinity="0" mass="0"/></default>
    <default class="finger">
      <geom friction="1.6 0.02 0.0005" condim="4" priority="1" conaffinity="3" rgba=".2 .2 .22 1"/>
    </default>
  </default>
"""

_LOW = tuple(f"{low:.3f}" for low in WORKSPACE_LOW)
_HIGH = tuple(f"{high:.3f}" for high in WORKSPACE_HIGH)

BODY = f"""
    <body name="hand" gravcomp="1">
      <joint name="hand_x" type="slide" axis="1 0 0"/>
      <joint name="hand_y" type="slide" axis="0 1 0"/>
      <joint name="hand_z" type="slide" axis="0 0 1"/>
      <site name="{GRIP_SITE}" size=".004" rgba="1 0 0 0"/>
      <geom name="palm" type="box" size=".016 .018 .015" pos="0 0 .075" mass=".8" conaffinity="3" rgba=".85 .85 .88 1"/>
      <geom class="seen" type="box" size=".01 .052 .006" pos="0 0 .062" rgba=".6 .6 .65 1"/>
      <body name="{LEFT}" gravcomp="1">
        <joint name="finger_left_slide" type="slide" axis="0 1 0" range="0 {FINGER_TRAVEL}"/>
        <geom name="{LEFT}" class="finger" type="box" size=".009 .004 .033" pos="0 .004 .025" mass=".1"/>
      </body>
      <body name="{RIGHT}" gravcomp="1">
        <joint name="finger_right_slide" type="slide" axis="0 -1 0" range="0 {FINGER_TRAVEL}"/>
        <geom name="{RIGHT}" class="finger" type="box" size=".009 .004 .033" pos="0 -.004 .025" mass=".1"/>
      </body>
    </body>
"""
"""Its frame is the point between the fingertips' pads; the fingers reach 8 mm below it."""

ACTUATORS = f"""
  <contact><exclude body1="{LEFT}" body2="{RIGHT}"/></contact>
  <actuator>
    <intvelocity joint="hand_x" kp="10000" kv="200" actrange="{_LOW[0]} {_HIGH[0]}" forcerange="-40 40"/>
    <intvelocity joint="hand_y" kp="10000" kv="200" actrange="{_LOW[1]} {_HIGH[1]}" forcerange="-40 40"/>
    <intvelocity joint="hand_z" kp="10000" kv="200" actrange="{_LOW[2]} {_HIGH[2]}" forcerange="-40 40"/>
    <intvelocity joint="finger_left_slide" kp="1000" kv="20" actrange="-{GRIP_LEAD} {FINGER_TRAVEL}"/>
    <intvelocity joint="finger_right_slide" kp="1000" kv="20" actrange="-{GRIP_LEAD} {FINGER_TRAVEL}"/>
  </actuator>
"""


def model_text(name: str, scene: str) -> str:
    """The MJCF of a world: `scene` is what lies in the world's body besides the table top (z = 0) and the hand."""
    return f"""<mujoco model="{name}">{OPTIONS}
  <worldbody>
    <light pos="0 -.4 1.2" dir="0 .3 -1"/>
    <camera name="front" pos="0 -.78 .72" xyaxes="1 0 0 0 .62 .78" fovy="50"/>
    <geom name="table" type="plane" size=".5 .5 .05" conaffinity="3" rgba=".72 .62 .5 1"/>
    {BODY}
    {scene}
  </worldbody>{ACTUATORS}
</mujoco>"""
