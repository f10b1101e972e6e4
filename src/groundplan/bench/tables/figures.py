"""The figures of section H from what was measured: repairs, gap, Judge."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path

from groundplan.bench.figure import COLOURS, Drawing
from groundplan.bench.plots import repair_plot, slope_plot, violin_plot
from groundplan.bench.tables.measures import Measured, average
from groundplan.errors import InputError


def can_draw() -> bool:
    """Whether matplotlib is installed (the `bench` extra)."""
    return importlib.util.find_spec("matplotlib") is not None


def draw_figures(measured: Sequence[Measured], folder: Path, ending: str = "png") -> tuple[Path, ...]:
    """Figure 3 for each method with several candidates, Figure 4 (bars and slopes), Figure 5 for each that judged.

    Raises InputError where matplotlib is missing. Nothing is drawn of sets that are not about PDDL.
    """
    planning = [item for item in measured if item.about_pddl]
    drawn = []
    for item in planning:
        if any(candidate.step for candidate in item.candidates):
            drawn.append(repair_plot(item.candidates, folder / f"repair-{file_name(item)}.{ending}"))
        if any(candidate.score is not None for candidate in item.candidates):
            drawn.append(violin_plot(item.candidates, folder / f"judge-{file_name(item)}.{ending}"))
    if planning:
        drawn.append(gap_bars(planning, folder / f"gap.{ending}"))
        drawn.append(slope_plot({item.name: item.candidates for item in planning}, folder / f"slopes.{ending}"))
    return tuple(drawn)


def file_name(item: Measured) -> str:
    """The method and the model in letters that every file system takes."""
    return re.sub(r"[^a-z0-9]+", "-", f"{item.method}-{item.model}".lower()).strip("-")


def gap_bars(measured: Sequence[Measured], path: Path | str, size: tuple[float, float] = (8, 4.5)) -> Path:
    """Figure 4, left: solver success and faithful success side by side, means over groups, with standard errors.

    Raises InputError without a method.
    """
    if not measured:
        raise InputError("bars of the gap need at least one method")
    with Drawing(path, size) as drawing:
        axes = drawing.axes[0]
        for side, (words, colour) in enumerate((("solved", COLOURS[5]), ("solved and faithful", COLOURS[0]))):
            means = [average(list((item.faithful if side else item.solved).values())) for item in measured]
            places = [place + 0.4 * side - 0.2 for place in range(len(measured))]
            heights = [100 * (mean.value or 0.0) for mean in means]
            errors = [100 * (mean.standard_error or 0.0) for mean in means]
            axes.bar(places, heights, 0.4, yerr=errors, color=colour, capsize=3, label=words)
            for place, mean, height in zip(places, means, heights, strict=True):
                axes.annotate(
                    "?" if mean.value is None else f"{height:.0f}",
                    (place, 2),
                    ha="center",
                    color=("black", "white")[side],
                )
        axes.set(ylim=(0, 105), ylabel="share of tasks (%)", xticks=range(len(measured)))
        axes.set_xticklabels([item.name.replace(" (", "\n(") for item in measured])
        axes.legend(frameon=False)
        return drawing.save()
