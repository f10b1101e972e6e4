"""A table of texts, as Markdown and as LaTeX (booktabs)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "↓": r"$\downarrow$",
    "–": "--",
    "Δ": r"$\Delta$",
}


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` heads, then rows of as many cells; `notes` are sentences below it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"{self.title}: a row has not as many cells as there are columns")

    def as_markdown(self) -> str:
        def line(cells: Iterable[str]) -> str:
            return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

        rule = ["---", *["---:"] * (len(self.columns) - 1)]
        lines = [f"### {self.title}", "", line(self.columns), line(rule), *map(line, self.rows)]
        lines += ["", *(f"{note}  " for note in self.notes)] if self.notes else []
        return "\n".join(lines).rstrip() + "\n"

    def as_latex(self) -> str:
        def line(cells: Iterable[str]) -> str:
            return " & ".join(map(latex, cells)) + r" \\"

        caption = " ".join([f"{self.title}.", *self.notes])
        lines = [r"\begin{table}", r"\centering", rf"\caption{{{latex(caption)}}}"]
        lines += [rf"\begin{{tabular}}{{l{'r' * (len(self.columns) - 1)}}}", r"\toprule", line(self.columns)]
        lines += [r"\midrule", *map(line, self.rows), r"\bottomrule", r"\end{tabular}", r"\end{table}"]
        return "\n".join(lines) + "\n"


def latex(text: str) -> str:
    """`text` with what LaTeX would read as a command made plain."""
    return re.sub("|".join(map(re.escape, _LATEX)), lambda found: _LATEX[found.group()], text)


def percent(value: float | None, error: float | None = None) -> str:
    """A share as the papers write it: 87.0 ± 3.4; a dash where there is none."""
    if value is None:
        return "–"
    return f"{100 * value:.1f}" + ("" if error is None else f" ± {100 * error:.1f}")


def number(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
