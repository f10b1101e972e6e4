"""Coverage by domain, time against FF, and plan length against FF.

Every function writes one file (.png, .svg or .pdf; `size` in inches at 150 dots) and returns its path. All raise
InputError where matplotlib is missing, the ending is another one or there is nothing to draw, and StorageError when
the file cannot be written.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundplan.bench.figure import COLOURS, MARKERS, Drawing
from groundplan.bench.genplan.against_ff import Timing
from groundplan.bench.genplan.figures import Figures
from groundplan.bench.genplan.paper import paper_column
from groundplan.errors import InputError

Size = tuple[float, float]


def coverage_plot(rows: Sequence[Figures], path: Path | str, *, paper: str = "", size: Size | None = None) -> Path:
    """A bar for each suite: mean coverage with its standard error, the best run as a dot, the paper's as a line."""
    known = [row for row in rows if row.mean is not None]
    if not known:
        raise InputError("no coverage to draw")
    column = paper_column(paper) if paper else {}
    with Drawing(path, size or (max(5.0, 2 + 0.55 * len(known)), 4.2)) as drawing:
        axes = drawing.axes[0]
        places = list(range(len(known)))
        errors = [100 * (row.standard_error or 0.0) for row in known]
        heights = [100 * (row.mean or 0.0) for row in known]
        axes.bar(places, heights, yerr=errors, color=COLOURS[5], error_kw={"capsize": 2, "lw": 1}, label="mean")
        if any(row.runs > 1 for row in known):
            axes.plot(places, [100 * (row.best or 0.0) for row in known], "o", color=COLOURS[0], label="best run")
        drawn = [(place, column[row.domain]) for place, row in zip(places, known, strict=True) if row.domain in column]
        if drawn:
            axes.hlines(
                [value for _, value in drawn],
                [place - 0.45 for place, _ in drawn],
                [place + 0.45 for place, _ in drawn],
                color=COLOURS[1],
                label=f"paper, {paper}",
            )
        axes.set(ylabel="tasks solved (%)", ylim=(0, 105), xticks=places)
        axes.set_xticklabels([row.label for row in known], rotation=60, ha="right")
        axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
        return drawing.save()


def time_plot(timings: Sequence[Timing], path: Path | str, *, size: Size = (6, 5.5)) -> Path:
    """A mark for each task that both solve: FF's seconds across, the program's up; below the line it is faster."""
    both = [item for item in timings if item.time_ratio is not None]
    if not both:
        raise InputError("no task is solved by both a program and FF; there are no times to draw")
    with Drawing(path, size) as drawing:
        axes = drawing.axes[0]
        for index, domain in enumerate(_domains(both)):
            own = [item for item in both if item.domain == domain]
            axes.plot(
                [item.ff_s for item in own],
                [item.ours_s for item in own],
                ls="",
                marker=MARKERS[index // len(COLOURS) % len(MARKERS)],
                color=COLOURS[index % len(COLOURS)],
                ms=4,
                alpha=0.7,
                label=domain,
            )
        across, up = ([value for item in both if (value := getattr(item, name))] for name in ("ff_s", "ours_s"))
        ends = (min(*across, *up) / 1.5, max(*across, *up) * 1.5)
        axes.plot(ends, ends, color="grey", ls="--", lw=1)
        axes.set(xscale="log", yscale="log", xlabel="FF (s)", ylabel="program (s)")
        axes.set(xlim=(min(across) / 1.5, max(across) * 1.5), ylim=(min(up) / 1.5, max(*up, min(across)) * 1.5))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter("")
        faster = sum(item.time_ratio is not None and item.time_ratio < 1 for item in both)
        axes.set_title(f"{len(both)} tasks, the program is faster on {100 * faster / len(both):.0f} %")
        axes.legend(frameon=False, fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
        return drawing.save()


def length_plot(timings: Sequence[Timing], path: Path | str, *, size: Size | None = None) -> Path:
    """Plan length over FF's for each task that both solve, a box for each domain; whiskers end at 5 and 95 %."""
    ratios = {
        domain: [item.length_ratio for item in timings if item.domain == domain and item.length_ratio is not None]
        for domain in _domains(timings)
    }
    ratios = {domain: values for domain, values in ratios.items() if values}
    if not ratios:
        raise InputError("no task is solved by both a program and FF; there are no lengths to draw")
    with Drawing(path, size or (max(5.0, 2 + 0.55 * len(ratios)), 4.2)) as drawing:
        axes = drawing.axes[0]
        parts = axes.boxplot(
            list(ratios.values()), whis=(5, 95), widths=0.6, patch_artist=True, flierprops={"markersize": 3}
        )
        for box in parts["boxes"]:
            box.set(facecolor=COLOURS[5], alpha=0.6)
        for line in parts["medians"]:
            line.set(color=COLOURS[0])
        axes.axhline(1, color="grey", ls="--", lw=1)
        axes.set(ylabel="plan length, program over FF", xticks=range(1, len(ratios) + 1))
        axes.set_xticklabels(
            [f"{domain} (n {len(values)})" for domain, values in ratios.items()], rotation=60, ha="right"
        )
        return drawing.save()


def _domains(timings: Sequence[Timing]) -> list[str]:
    return list(dict.fromkeys(item.domain for item in timings))
