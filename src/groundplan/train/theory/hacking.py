"""Theorem 3.1 simulated: how far the Actor's reward can be raised past correctness by a step of length one.

The local hacking gradient g = grad J_A - a grad C (Eq. 8) is drawn from N(0, sigma^2 I), as Assumption E.2 has it. The
largest gain over all unit steps of an admissible subspace is the norm of g's part in it (Lemma E.1); so the three arms
differ only in that subspace's dimension:

- separate: all P parameters are the Actor's own (Eq. 20);
- shared: p = P - h parameters are the backbone, and the Judge and the Editor see all of its directions
  (Assumption E.1); the h parameters of the Actor's head are left (Eq. 21);
- neutral: they see only r directions of the backbone; p - r + h are left (effective-rank variant at the end of
  Appendix E).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np


class Arm(StrEnum):
    SEPARATE = "separate"
    SHARED = "shared"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Row:
    """One arm at one size: the mean of the largest gain over the draws, its standard error, and the exact mean."""

    arm: Arm
    parameters: int
    dimension: int
    gain: float
    error: float
    predicted: float


@dataclass(frozen=True, slots=True)
class Simulation:
    """`exponents` holds for each arm the slope of log gain over log P: about 1/2 where hacking grows with the model,
    about 0 where it does not."""

    rows: tuple[Row, ...]
    exponents: Mapping[Arm, float]


def simulate(
    parameters: Sequence[int], head: int, rank: float | int = 1.0, sigma: float = 1.0, draws: int = 200, seed: int = 0
) -> Simulation:
    """Draw `draws` hacking gradients for each number P of parameters, `head` of which are the Actor's own.

    `rank` sets the neutral arm: a float in [0, 1] is the share of the p backbone directions that the Judge and the
    Editor see, an int their number, r (at most p is used). All arms look at the same draws. An isotropic gaussian looks
    the same in every orthonormal frame, so that the seen directions can be the first r coordinates.

    Raises ValueError for fewer than two sizes, a size not above `head`, or a `head`, `rank`, `sigma` or `draws` out of
    range.
    """
    sizes = sorted(set(parameters))
    if len(sizes) < 2 or head < 1 or sizes[0] <= head:
        raise ValueError(f"give two or more sizes above the head's, which is at least 1; not {sizes} for head {head}")
    if not sigma > 0 or draws < 2:
        raise ValueError(f"sigma is above 0 and there are two draws or more; not {sigma} and {draws}")
    generator = np.random.default_rng(seed)
    rows: list[Row] = []
    for size in sizes:
        seen = _seen(rank, size - head)
        starts = {Arm.SEPARATE: 0, Arm.SHARED: size - head, Arm.NEUTRAL: seen}
        norms: dict[Arm, list[float]] = {arm: [] for arm in Arm}
        for _ in range(draws):
            gradient = sigma * generator.standard_normal(size)
            for arm, start in starts.items():
                norms[arm].append(float(np.linalg.norm(gradient[start:])))
        rows += [_row(arm, size, size - start, norms[arm], sigma) for arm, start in starts.items()]
    exponents = {arm: exponent([row for row in rows if row.arm is arm]) for arm in Arm}
    return Simulation(tuple(rows), exponents)


def expected_norm(dimension: int, sigma: float = 1.0) -> float:
    """E||g|| for g ~ N(0, sigma^2 I_d): sigma sqrt(2) Gamma((d + 1) / 2) / Gamma(d / 2), the mean of a chi variable;
    between sigma sqrt(d - 1) and sigma sqrt(d) (Eq. 70)."""
    if dimension < 1:
        return 0.0
    if dimension > 10_000:  # the difference of large log-gammas would lose digits; the series is exact to 1e-13 here
        return sigma * math.sqrt(dimension) * (1 - 1 / (4 * dimension) + 1 / (32 * dimension**2))
    return sigma * math.sqrt(2) * math.exp(math.lgamma((dimension + 1) / 2) - math.lgamma(dimension / 2))


def exponent(rows: Sequence[Row]) -> float:
    """The least-squares slope of log gain over log P."""
    sizes = np.log([row.parameters for row in rows])
    gains = np.log([row.gain for row in rows])
    away = sizes - sizes.mean()
    return float(away @ gains / (away @ away))


def _seen(rank: float | int, backbone: int) -> int:
    """r, the directions that the Judge and the Editor see."""
    if isinstance(rank, float):
        if not 0 <= rank <= 1:
            raise ValueError(f"as a share, rank lies in [0, 1], not {rank}; give the number of directions as an int")
        return round(rank * backbone)
    if rank < 0:
        raise ValueError(f"as a number of directions, rank is 0 or more, not {rank}")
    return min(rank, backbone)


def _row(arm: Arm, size: int, dimension: int, norms: Sequence[float], sigma: float) -> Row:
    error = float(np.std(norms, ddof=1)) / math.sqrt(len(norms))
    return Row(arm, size, dimension, float(np.mean(norms)), error, expected_norm(dimension, sigma))
