"""Control steps a CPU-second of each world, beside the bare physics of the same model, on one core.

    OMP_NUM_THREADS=1 python benchmarks/world_speed.py [--steps 2000] [--json FILE]

`world` is what a learner pays for: random actions, the observation and the facts at every step, the time of
a reset every 150 steps included. `physics` is `mj_step` alone on the same states: the servos get the same actions, and
nothing is read.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import mujoco
import numpy as np

from groundplan.adapt.worlds.base import HandWorld
from groundplan.adapt.worlds.hand import SUBSTEPS
from groundplan.adapt.worlds.registry import WORLD_NAMES, make_world

EPISODE = 150


def measure(name: str, steps: int) -> dict[str, float | str]:
    """Steps a CPU-second of the whole and of the physics, taken in turns, episode by episode."""
    world = make_world(name)
    assert isinstance(world, HandWorld)
    rng, whole, physics, resets = np.random.default_rng(0), 0.0, 0.0, 0.0
    for episode in range(max(1, steps // EPISODE)):
        actions = np.repeat(rng.uniform(-1, 1, (EPISODE // 5, 4)), 5, axis=0)
        began = time.process_time()
        world.reset(episode)
        resets += time.process_time() - began
        began = time.process_time()
        for action in actions:
            world.step(action)
            world.facts()
        whole += time.process_time() - began
        world.reset(episode)
        for action in actions:
            world._drive(action.tolist())
            began = time.process_time()
            mujoco.mj_step(world.model, world.data, nstep=SUBSTEPS)
            physics += time.process_time() - began
    count = max(1, steps // EPISODE) * EPISODE
    return {
        "world": name,
        "steps_per_cpu_s": count / (whole + resets),
        "physics_steps_per_cpu_s": count / physics,
        "share_of_physics": physics / (whole + resets),
        "reset_ms": 1000 * resets / (count / EPISODE),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    print(f"{'world':15} {'steps/s':>8} {'physics':>8} {'share':>6} {'reset ms':>9}")
    rows = []
    for name in WORLD_NAMES:
        row = measure(name, given.steps)
        rows.append(row)
        print(
            f"{name:15} {row['steps_per_cpu_s']:8.0f} {row['physics_steps_per_cpu_s']:8.0f} "
            f"{row['share_of_physics']:6.2f} {row['reset_ms']:9.2f}",
            flush=True,
        )
    if given.json:
        given.json.write_text(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
