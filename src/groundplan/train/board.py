"""Figures for TensorBoard, beside the run's own log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from groundplan.errors import InputError


class Board:
    """Writes numbers under `folder`; nothing where that is None. Raises InputError where tensorboard is missing."""

    def __init__(self, folder: Path | None) -> None:
        self._writer = None
        if folder is None:
            return
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            raise InputError("`tensorboard: true` needs it installed: `pip install tensorboard`") from error
        self._writer = SummaryWriter(str(folder))

    def add(self, kind: str, step: int, figures: Mapping[str, object]) -> None:
        """Each number of `figures` as KIND/NAME; what is no number is left out."""
        if self._writer is None:
            return
        for name, value in figures.items():
            if isinstance(value, int | float):
                self._writer.add_scalar(f"{kind}/{name}", value, step)
        self._writer.flush()
