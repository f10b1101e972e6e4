"""The table of a measurement: text for the terminal, Markdown for a paper or page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from groundplan.bench.genplan.figures import Figures
from groundplan.bench.genplan.paper import paper_column
from groundplan.bench.rate import Mean, Rate

Cell = Callable[[Figures], str]


def as_table(rows: Sequence[Figures], paper: str = "") -> str:
    """Aligned text, one suite a line; coverage in percent. `paper` names a column of the paper's to set beside.

    Raises InputError for an unknown column of the paper.
    """
    head, lines = _cells(rows, paper)
    widths = [max(len(cell) for cell in column) for column in zip(head, *lines, strict=True)]
    text = []
    for cells in (head, *lines):
        first, *others = (
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        text.append("  ".join((first, *others)).rstrip())
    return "\n".join((*text, *notes(rows))) + "\n"


def as_markdown(rows: Sequence[Figures], paper: str = "") -> str:
    """The same as a Markdown table."""
    head, lines = _cells(rows, paper)
    rule = ["---", *("---:" for _ in head[1:])]
    text = [f"| {' | '.join(cells)} |" for cells in (head, rule, *lines)]
    return "\n".join((*text, "", *notes(rows))) + "\n"


def notes(rows: Sequence[Figures]) -> list[str]:
    """What a reader must know of the columns."""
    found = []
    if any(row.runs > 1 for row in rows):
        found.append("coverage %: mean over runs ± its standard error; best: the best run.")
    else:
        found.append("coverage %: one run; ± is the binomial standard error over its tasks.")
    if any(row.ratios for row in rows):
        found.append(
            "against FF, where both solve the task: per-task ratios of program to FF (mean, median). time: the "
            "program's run alone; whole: reading the PDDL, the run and judging its plan."
        )
    failures = sum(row.tool_failures for row in rows if row.domain)
    if failures:
        found.append(f"{failures} task run(s) failed by the confinement's fault and are left out.")
    return found


def _cells(rows: Sequence[Figures], paper: str) -> tuple[list[str], list[list[str]]]:
    columns: dict[str, Cell] = {
        "suite": lambda row: row.label,
        "tasks": lambda row: str(row.tasks),
        "runs": lambda row: str(row.runs),
        "coverage %": lambda row: _percent(row.mean) + _error(row.standard_error),
        "best %": lambda row: _percent(row.best),
    }
    if paper:
        column = paper_column(paper)
        columns[f"paper {paper} %"] = lambda row: _paper(row, rows, column)
    if any(row.ratios for row in rows):
        columns |= _AGAINST_FF
    return list(columns), [[cell(row) for cell in columns.values()] for row in rows]


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _error(value: float | None) -> str:
    return "" if value is None else f" ± {100 * value:.1f}"


def _paper(row: Figures, rows: Sequence[Figures], column: Mapping[str, float]) -> str:
    if row.domain:
        return f"{column[row.domain]:.0f}" if row.domain in column else "-"
    known = [column[other.domain] for other in rows if other.domain in column]
    return f"{sum(known) / len(known):.0f}" if known else "-"


def _rate(value: Rate) -> str:
    return "-" if value.value is None else f"{100 * value.value:.1f}"


def _mean(value: Mean, median: float | None) -> str:
    return "-" if value.value is None or median is None else f"{_short(value.value)}, {_short(median)}"


def _short(value: float) -> str:
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


_AGAINST_FF: dict[str, Cell] = {
    "FF %": lambda row: _rate(row.ratios.ff) if row.ratios else "-",
    "time": lambda row: _mean(row.ratios.time, row.ratios.median_time) if row.ratios else "-",
    "faster %": lambda row: _rate(row.ratios.faster) if row.ratios else "-",
    "whole": lambda row: _mean(row.ratios.whole, row.ratios.median_whole) if row.ratios else "-",
    "faster whole %": lambda row: _rate(row.ratios.faster_whole) if row.ratios else "-",
    "length": lambda row: _mean(row.ratios.length, row.ratios.median_length) if row.ratios else "-",
    "shorter %": lambda row: _rate(row.ratios.shorter) if row.ratios else "-",
}
