"""The figures of the multi-role paper (3 to 5) and a reliability diagram, from candidates.

Every function writes one file (.png, .svg or .pdf; `size` in inches at 150 dots) and returns its path. All raise
InputError where matplotlib is missing or the ending is another one, and StorageError when the file cannot be written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from groundplan.bench.candidate import Candidate
from groundplan.bench.figure import COLOURS, MARKERS, Drawing
from groundplan.bench.groups import Group, group_of
from groundplan.bench.rate import Rate
from groundplan.bench.reliability import Calibration
from groundplan.bench.repair import cumulative_success, marginal_gains, remaining_diagnostics
from groundplan.bench.success import faithful_success, solvability
from groundplan.errors import InputError

Size = tuple[float, float]


def repair_plot(
    candidates: Sequence[Candidate], path: Path | str, *, horizon: int | None = None, size: Size = (11, 4.2)
) -> Path:
    """Figure 3: cumulative success by repair step with Wilson's 95 % band, bars of the marginal gain of each step, and
    what is wrong with the unsolved cases.

    The heatmap shows each row's share of the cases not solved after the step; the cells hold their numbers. Tool
    failures are in the heatmap, in a row of their own, and not in the curve.
    """
    curve = cumulative_success(candidates, horizon)
    with Drawing(path, size, columns=2, width_ratios=(1, 1.35)) as drawing:
        left, right = drawing.axes
        steps = list(range(len(curve)))
        known = [(step, rate) for step, rate in zip(steps, curve, strict=True) if rate.value is not None]
        bands = [rate.wilson() for _, rate in known]
        at = [step for step, _ in known]
        left.fill_between(
            at, [100 * b[0] for b in bands], [100 * b[1] for b in bands], color=COLOURS[5], alpha=0.4, lw=0
        )
        gains = [(step, gain) for step, gain in enumerate(marginal_gains(curve), start=1) if gain is not None]
        left.bar(
            [step for step, _ in gains], [100 * gain for _, gain in gains], 0.5, color=COLOURS[1], label="gain Δ(h)"
        )
        left.plot(at, [100 * (rate.value or 0.0) for _, rate in known], color=COLOURS[0], marker="o", label="CSR(h)")
        left.legend(frameon=False, loc="upper left")
        left.set(xlabel="repair step", ylabel="solved so far (%)", ylim=(0, 100), xticks=steps)
        left.set_title(f"cumulative success, {curve[0].n} episodes")
        _heatmap(drawing, right, candidates, horizon)
        return drawing.save()


def _heatmap(drawing: Drawing, axes: Any, candidates: Sequence[Candidate], horizon: int | None) -> None:
    remaining = remaining_diagnostics(candidates, horizon)
    totals = remaining.unsolved
    shares = [[n / total if total else 0.0 for n, total in zip(row, totals, strict=True)] for row in remaining.counts]
    brightest = max(0.01, *(share for row in shares for share in row))
    image = axes.imshow(shares, cmap="cividis", vmin=0, vmax=brightest, aspect="auto")
    for y, row in enumerate(remaining.counts):
        for x, count in enumerate(row):
            axes.text(
                x, y, str(count), ha="center", va="center", color="black" if shares[y][x] > brightest / 2 else "white"
            )
    axes.set(xlabel="repair step", xticks=range(len(totals)), yticks=range(len(remaining.rows)))
    axes.set_yticklabels(remaining.rows)
    axes.set_title("cases not solved")
    drawing.figure.colorbar(image, ax=axes, label="share of the cases not solved")


def slope_plot(methods: Mapping[str, Sequence[Candidate]], path: Path | str, *, size: Size = (7, 5)) -> Path:
    """Figure 4: from solvability down to faithful success, a line for each method (or domain).

    Bars are binomial standard errors. A method without a known label at either end is named without a line. Raises
    InputError where no method is given.
    """
    if not methods:
        raise InputError("a slope plot needs at least one method")
    ends = {name: (solvability(candidates), faithful_success(candidates)) for name, candidates in methods.items()}
    with Drawing(path, size) as drawing:
        axes = drawing.axes[0]
        heights = {name: rates[1].value for name, rates in ends.items()}
        labels = _apart({name: 100 * value for name, value in heights.items() if value is not None}, least=4.5)
        for index, (name, rates) in enumerate(ends.items()):
            colour, mark = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
            if name not in labels or rates[0].value is None:
                axes.plot([], [], color=colour, marker=mark, label=f"{name}: no labels")
                continue
            values = [100 * (rate.value or 0.0) for rate in rates]
            errors = [100 * (rate.standard_error or 0.0) for rate in rates]
            axes.errorbar([0, 1], values, yerr=errors, color=colour, marker=mark, capsize=3)
            text = f"{name} ({values[0]:.1f} → {values[1]:.1f})"
            axes.annotate(text, (1, values[1]), (1.06, labels[name]), va="center", color=colour, annotation_clip=False)
        if len(labels) < len(ends):
            axes.legend(frameon=False)
        axes.set(xlim=(-0.1, 1.9), ylim=(0, 105), xticks=(0, 1), ylabel="share of episodes (%)", xlabel="measure")
        axes.set_xticklabels(("solvability", "faithful success"))
        return drawing.save()


def _apart(heights: Mapping[str, float], least: float) -> dict[str, float]:
    """The heights moved so that labels are `least` apart: from the lowest up, then down again below 103."""
    placed: dict[str, float] = {}
    floor = 0.0
    for name, height in sorted(heights.items(), key=lambda item: item[1]):
        placed[name] = max(height, floor)
        floor = placed[name] + least
    ceiling = 103.0
    for name in reversed(list(placed)):
        placed[name] = min(placed[name], ceiling)
        ceiling = placed[name] - least
    return placed


def violin_plot(
    candidates: Sequence[Candidate], path: Path | str, *, by_domain: bool = False, size: Size | None = None
) -> Path:
    """Figure 5: how the Judge's scores are spread in the groups U, D and F; with `by_domain`, a panel for each domain.

    Quartiles are drawn as lines, and single scores as dots where a group has fewer than five.
    """
    domains = sorted({candidate.domain for candidate in candidates}) if by_domain else [""]
    panels = {domain: [c for c in candidates if not by_domain or c.domain == domain] for domain in domains or [""]}
    with Drawing(path, size or (1 + 4 * len(panels), 4.2), columns=len(panels), sharey=True) as drawing:
        for axes, (domain, members) in zip(drawing.axes, panels.items(), strict=True):
            _violins(axes, members)
            axes.set_title(domain)
        drawing.axes[0].set_ylabel("Judge's score")
        return drawing.save()


def _violins(axes: Any, candidates: Sequence[Candidate]) -> None:
    names = []
    for place, group in enumerate(Group):
        scores = [c.score for c in candidates if group_of(c) is group and c.score is not None]
        colour = COLOURS[(0, 1, 2)[place]]
        names.append("\n".join((f"{group.value}:", *group.words.split(", "), f"n = {len(scores)}")))
        if len(scores) >= 5:
            quantiles = (0.25, 0.5, 0.75)
            parts = axes.violinplot(scores, [place], widths=0.8, quantiles=quantiles, showextrema=False)
            parts["bodies"][0].set(facecolor=colour, alpha=0.6)
            parts["cquantiles"].set(color="black", lw=1)
        else:
            axes.plot([place] * len(scores), scores, "o", color=colour)
    axes.set(xlim=(-0.6, 2.6), ylim=(-0.05, 1.05), xticks=range(3), xlabel="label given afterwards")
    axes.set_xticklabels(names)


def reliability_plot(data: Calibration, path: Path | str, *, target: str = "solved", size: Size = (5, 5)) -> Path:
    """Reliability diagram: in each bin, the share of `target` against the mean score, with Wilson's 95 % intervals.

    The area of a mark grows with the number of scores in its bin; on the diagonal the Judge is calibrated.
    """
    with Drawing(path, size) as drawing:
        axes = drawing.axes[0]
        axes.plot([0, 1], [0, 1], color="grey", ls="--", lw=1, label="calibrated")
        largest = max((bin_.n for bin_ in data.bins), default=1)
        for bin_ in data.bins:
            value, (low, high) = _value(bin_.rate), bin_.rate.wilson()
            axes.plot([bin_.mean_score] * 2, [low, high], color=COLOURS[0], lw=1)
            axes.scatter([bin_.mean_score], [value], s=20 + 130 * bin_.n / largest, color=COLOURS[0], zorder=3)
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="mean score of the bin", ylabel=f"share {target}")
        n = sum(bin_.n for bin_ in data.bins)
        ece = "none" if data.ece is None else f"{data.ece:.3f}"
        axes.set_title(f"expected calibration error {ece}, n = {n}")
        axes.legend(frameon=False, loc="upper left")
        return drawing.save()


def _value(rate: Rate) -> float:
    return rate.value or 0.0
