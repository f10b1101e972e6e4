"""What a shaping function does when it is tried, confined, before any training is spent on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from groundplan.adapt.rewards.layout import Layout
from groundplan.adapt.rewards.noisy import PAIRS, Pairs, noisy_pairs, rewards_on
from groundplan.adapt.rewards.shaping import ConfinedShaping, ShapingFailed, ShapingLimits
from groundplan.adapt.rewards.static import Fault, check_source
from groundplan.adapt.worlds.world import Array, Observation

TRIED_ON = 64
"""Noisy pairs that it runs on."""
SMALLEST_RANGE = 1e-4
"""Of rewards on noisy pairs: a function that stays within it says nothing."""
SMALLEST_STEP, LARGEST_SHARE = 0.02, 0.8
"""Scale on a reference trajectory: the mean size of the rewards must be above the first, and the share of steps whose
reward is cut off at -1 or 1 below the second."""
ROUND_TRIP = 0.05
"""Mean reward of going there and back above which a function can be farmed: collected for ever by moving to and fro."""
LIMITS = ShapingLimits(most_faults=1_000_000)
"""All failed calls of a trial are counted, and none is allowed."""
_SEED = 20_260_311


@dataclass(frozen=True)
class Trial:
    """`faults` make a candidate unusable; `warnings` do not. `rewards` are those that tell candidates apart."""

    faults: tuple[Fault, ...]
    warnings: tuple[Fault, ...] = ()
    rewards: Array | None = None

    @property
    def passed(self) -> bool:
        return not self.faults


@dataclass(frozen=True)
class Trier:
    """Tries sources over one layout.

    `around` is a real observation, where there is one. `reference` is a trajectory of observations on which the
    sub-goal is reached, by a script or by hand: a right function's rewards add up to more than zero on it.
    """

    layout: Layout
    around: Observation | None = None
    reference: Sequence[Observation] = ()
    limits: ShapingLimits = LIMITS
    unconfined: bool = False

    def try_out(self, source: str) -> Trial:
        """Check the source; run it on noise, and on the reference. Raises CannotConfine where nothing can be run."""
        faults = check_source(source, self.layout.sizes)
        if faults:
            return Trial(faults)
        sizes = [(item.name, item.size) for item in self.layout.observables]
        try:
            with ConfinedShaping([source], sizes, self.limits, unconfined=self.unconfined) as shaping:
                return self._run(shaping)
        except ShapingFailed as error:
            return Trial((Fault(error.kind, str(error)),))

    def _run(self, shaping: ConfinedShaping) -> Trial:
        around = None if self.around is None else self.layout.flat(self.around)
        pairs = noisy_pairs(self.layout, TRIED_ON, _SEED, around)
        values = shaping.values([0] * TRIED_ON, pairs.previous, pairs.current)
        path = self._path()
        along = None if path is None else shaping.values([0] * len(path.previous), path.previous, path.current)
        if shaping.faults:
            kind = shaping.faults.most_common(1)[0][0]
            failed = f"{sum(shaping.faults.values())} of {shaping.calls} calls failed; the first: {shaping.first_fault}"
            return Trial((Fault(kind, failed),))
        faults = []
        if float(np.ptp(np.clip(values, -1, 1))) < SMALLEST_RANGE:
            faults.append(Fault("constant", "it returns the same value whatever happens"))
        elif along is not None:
            faults += _along(along)
        back = shaping.values([0] * TRIED_ON, pairs.current, pairs.previous)
        alike = noisy_pairs(self.layout, PAIRS, _SEED + 1, around)
        return Trial(tuple(faults), tuple(_warnings(values, back)), rewards_on(shaping, alike))

    def _path(self) -> Pairs | None:
        if len(self.reference) < 2:
            return None
        rows = np.stack([self.layout.flat(item) for item in self.reference])
        return Pairs(rows[:-1], rows[1:])


def _along(values: Array) -> list[Fault]:
    """Sign and scale on the reference."""
    rewards = np.clip(values, -1.0, 1.0)
    total, size = float(rewards.sum()), float(np.abs(rewards).mean())
    at_limit = float((np.abs(values) >= 1.0).mean())
    if size < SMALLEST_STEP:
        return [Fault("scale", f"on steps that lead to the sub-goal it is {size:.2g} on the average: far too small")]
    if at_limit > LARGEST_SHARE:
        return [
            Fault("scale", f"on steps that lead to the sub-goal it is at -1 or 1 in {at_limit:.0%} of them: too large")
        ]
    if total <= 0:
        return [Fault("sign", f"on steps that lead to the sub-goal its rewards add up to {total:.2g}, not to progress")]
    return []


def _warnings(there: Array, back: Array) -> list[Fault]:
    found = []
    if float(np.abs(there).max()) > 1.0 + 1e-9:
        found.append(Fault("range", f"it returns up to {float(np.abs(there).max()):.3g}; rewards are cut to [-1, 1]"))
    round_trip = float((np.clip(there, -1, 1) + np.clip(back, -1, 1)).mean())
    if round_trip > ROUND_TRIP:
        found.append(
            Fault("farmable", f"a step and the step back pay {round_trip:.2g} together: moving to and fro is rewarded")
        )
    return found
