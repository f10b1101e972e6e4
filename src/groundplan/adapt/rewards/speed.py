"""`python -m groundplan.adapt.rewards.speed`: what a call of a confined shaping function costs, in microseconds."""

from __future__ import annotations

import sys
import time

import numpy as np

from groundplan.adapt.rewards.shaping import ConfinedShaping

_SOURCE = """
import math

def shaping(previous, current):
    before = math.dist(previous["gripper"], previous["handle"])
    after = math.dist(current["gripper"], current["handle"])
    return max(-1.0, min(1.0, (before - after) / 0.016))
"""
_LAYOUT = (("gripper", 3), ("aperture", 1), ("handle", 3), ("pot", 3), ("lid", 3), ("lid_to_pot", 3))


def microseconds(batch: int, repeats: int = 2000) -> float:
    """Median time of a batch, over `repeats` of them."""
    width = sum(size for _, size in _LAYOUT)
    random = np.random.default_rng(0)
    previous = random.normal(size=(batch, width))
    current = previous + random.normal(0, 0.01, (batch, width))
    took = []
    with ConfinedShaping([_SOURCE], _LAYOUT) as shaping:
        for _ in range(repeats):
            started = time.perf_counter()
            shaping.values([0] * batch, previous, current)
            took.append(time.perf_counter() - started)
    return float(np.median(took)) * 1e6


if __name__ == "__main__":
    for size in (1, 8, 16, 64):
        each = microseconds(size)
        sys.stdout.write(f"{size:3d} environments: {each:6.1f} us a batch, {each / size:6.1f} us a call\n")
