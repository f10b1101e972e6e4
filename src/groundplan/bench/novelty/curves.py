"""Learning curves over seeds, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from groundplan.bench.figure import COLOURS, MARKERS, Drawing
from groundplan.bench.novelty.outcome import Outcome
from groundplan.bench.novelty.tables import NAMES

POINTS = 60
ROUNDS = 500
"""Draws of seeds for an interval."""


def curves_plot(outcomes: Sequence[Outcome], path: Path | str, size: tuple[float, float] | None = None) -> Path:
    """The share of the sub-goals reached against control steps (of the winning candidates, phase after phase): a panel
    an operator, a line a method: the mean over seeds with the 95 % interval of a bootstrap over seeds (none for one).

    A curve that ended early keeps its last value. Raises InputError where matplotlib is missing.
    """
    operators = list(dict.fromkeys((item.scenario, item.operator) for item in outcomes))
    with Drawing(path, size or (5.0 * max(1, len(operators)), 3.8), columns=max(1, len(operators))) as drawing:
        for axes, operator in zip(drawing.axes, operators, strict=False):
            here = [item for item in outcomes if (item.scenario, item.operator) == operator and item.curve]
            most = max((item.curve[-1][0] for item in here), default=1)
            grid = np.linspace(0, most, POINTS)
            for place, method in enumerate(dict.fromkeys(item.method for item in here)):
                rows = np.array([_at(item, grid) for item in here if item.method == method])
                colour = COLOURS[place % len(COLOURS)]
                if len(rows) > 1:
                    low, high = interval(rows)
                    axes.fill_between(grid, low, high, color=colour, alpha=0.25, lw=0)
                mark = MARKERS[place % len(MARKERS)]
                axes.plot(grid, rows.mean(0), color=colour, marker=mark, markevery=10, label=NAMES[method])
            axes.set(xlabel="control steps", ylabel="share of the sub-goals", ylim=(-0.02, 1.02))
            axes.set_title(operator[1])
            if here:
                axes.legend(frameon=False, fontsize=8)
        return drawing.save()


def interval(rows: np.ndarray, rounds: int = ROUNDS) -> tuple[np.ndarray, np.ndarray]:
    """The 95 % bootstrap interval of the mean over rows, shape (points,) each; drawn from a fixed seed."""
    rng = np.random.default_rng(0)
    drawn = rows[rng.integers(len(rows), size=(rounds, len(rows)))].mean(1)
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    return low, high


def _at(item: Outcome, grid: np.ndarray) -> np.ndarray:
    """The curve's last value at or before each point; 0 before its first evaluation."""
    steps = np.array([0, *(step for step, _ in item.curve)])
    shares = np.array([0.0, *(share for _, share in item.curve)])
    return shares[np.searchsorted(steps, grid, side="right") - 1]
