"""A small observation for the tests of reward functions."""

from __future__ import annotations

import numpy as np

from groundplan.adapt.rewards.layout import Layout
from groundplan.adapt.worlds.world import MAX_DISPLACEMENT, Observable, Observation

LAYOUT = Layout(
    (
        Observable("hand_pos", 3, "m", "Where the gripper is.", ("hand",), 10.0),
        Observable("hand_aperture", 1, "1", "How far the gripper is open.", ("hand",), 1.0),
        Observable("lid_pos", 3, "m", "Where the lid's handle is.", ("lid",), 10.0),
    )
)
SIZES = [(item.name, item.size) for item in LAYOUT.observables]

REACH = """\
import math

def shaping(previous, current):
    before = math.dist(previous["hand_pos"], previous["lid_pos"])
    after = math.dist(current["hand_pos"], current["lid_pos"])
    return max(-1.0, min(1.0, (before - after) / 0.016))
"""
REACH_OTHERWISE = """\
from math import sqrt

def gap(o):
    \"\"\"Metres.\"\"\"
    return sqrt(sum((a - b) ** 2 for a, b in zip(o["hand_pos"], o["lid_pos"])))

def shaping(previous: dict[str, tuple[float, ...]], current: dict) -> float:
    progress = gap(previous) - gap(current)
    progress /= 0.016
    if progress > 1:
        return 1.0
    elif progress < -1:
        return -1.0
    return progress
"""


def reference(steps: int = 12) -> list[Observation]:
    """The gripper goes straight to the lid."""
    start, lid = np.array([0.0, 0.0, 0.2]), np.array([0.08, 0.04, 0.02])
    length = float(np.linalg.norm(lid - start))
    path = [start + (lid - start) * min(1.0, n * MAX_DISPLACEMENT * 0.9 / length) for n in range(steps)]
    return [{"hand_pos": place, "hand_aperture": np.array([1.0]), "lid_pos": lid} for place in path]
