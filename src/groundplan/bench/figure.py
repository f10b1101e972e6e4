"""A figure on its way to a file: matplotlib, imported late, without a display and without its global state."""

from __future__ import annotations

import importlib
import io
from pathlib import Path
from typing import Any

from groundplan.errors import InputError
from groundplan.models.storage import write_whole

DPI = 150
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette, which stays apart in all common kinds of colour blindness."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""Curves differ in their marks too, for print in grey."""

_DATELESS = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
_STYLE = {
    "svg.hashsalt": "groundplan",
    "text.parse_math": False,  # a name may hold a dollar sign
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
}


class Drawing:
    """A matplotlib figure of `size` inches with `columns` axes side by side, drawn within a `with` and then saved.

    The same data give the same bytes. Raises InputError where matplotlib is missing, and for a path that does not
    end in .png, .svg or .pdf, before anything is drawn.
    """

    def __init__(self, path: Path | str, size: tuple[float, float], columns: int = 1, **grid: Any) -> None:
        self.path = Path(path)
        self._format = self.path.suffix.lower().lstrip(".")
        if self._format not in _DATELESS:
            raise InputError(f"{path}: a figure is written as .png, .svg or .pdf; give the file one of these endings")
        matplotlib = _matplotlib()
        self._style = matplotlib.rc_context(_STYLE)
        self._size, self._columns, self._grid = size, columns, grid

    def __enter__(self) -> Drawing:
        self._style.__enter__()
        self.figure = importlib.import_module("matplotlib.figure").Figure(
            figsize=self._size, dpi=DPI, layout="constrained"
        )
        importlib.import_module("matplotlib.backends.backend_agg").FigureCanvasAgg(self.figure)
        self.axes = list(self.figure.subplots(1, self._columns, squeeze=False, **self._grid)[0])
        return self

    def __exit__(self, *raised: object) -> None:
        self._style.__exit__(*raised)

    def save(self) -> Path:
        """Write the file whole and return its path. Raises StorageError when it cannot be written."""
        data = io.BytesIO()
        self.figure.savefig(data, format=self._format, metadata=_DATELESS[self._format])
        write_whole(self.path, data.getvalue())
        return self.path


def _matplotlib() -> Any:
    try:
        return importlib.import_module("matplotlib")
    except ImportError as error:
        raise InputError('plots need matplotlib: pip install "groundplan[bench]"') from error
