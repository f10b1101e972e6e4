"""The figures of the generalized-planning paper, to hold others against. Coverage in percent, average of three runs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from groundplan.errors import InputError
from groundplan.pddl.diagnostics import did_you_mean, listing

COLUMNS = (
    "gpt-4o-base",
    "gpt-4o-f5-3",
    "gpt-4o-f3-6",
    "deepseek-base",
    "deepseek-f5-3",
    "deepseek-f3-6",
    "deepseek-best",
)
"""GPT-4o and DeepSeek-V3.2; base is the baseline of Silver et al. (2024); best is DeepSeek's best single run."""

_ROWS = {
    "delivery": (30, 100, 100, 100, 100, 67, 100, 100),
    "ferry": (275, 100, 100, 100, 100, 100, 100, 100),
    "gripper": (53, 100, 100, 88, 88, 100, 100, 100),
    "heavy": (34, 67, 100, 100, 100, 100, 100, 100),
    "hiking": (28, 0, 33, 67, 86, 100, 86, 100),
    "miconic": (34, 4, 68, 33, 71, 100, 83, 100),
    "spanner": (34, 6, 33, 67, 100, 100, 100, 100),
    "beluga": (61, 0, 0, 0, 2, 24, 30, 43),
    "blocksworld": (191, 12, 6, 7, 42, 100, 100, 100),
    "goldminer": (115, 0, 4, 11, 73, 67, 85, 100),
    "grippers": (131, 33, 100, 100, 100, 80, 100, 100),
    "logistics": (178, 45, 100, 94, 88, 88, 88, 100),
    "minigrid": (74, 31, 48, 61, 62, 72, 64, 78),
    "rovers": (25, 0, 7, 0, 20, 35, 60, 60),
    "satellite": (25, 48, 69, 29, 52, 63, 45, 100),
    "transport": (53, 0, 33, 67, 0, 67, 67, 100),
    "visitall": (193, 80, 80, 100, 81, 82, 82, 100),
}

TASKS: Mapping[str, int] = MappingProxyType({domain: row[0] for domain, row in _ROWS.items()})
"""Evaluation tasks a domain."""

SPEED: Mapping[str, float] = MappingProxyType(
    {"mean_time_ratio": 0.36, "faster_percent": 97, "mean_length_ratio": 1.10, "shorter_percent": 51, "ff_percent": 95}
)
"""Programs against FF: means of per-task ratios on tasks that both solve, and FF's coverage in 45 s."""


def paper_column(name: str) -> dict[str, float]:
    """A column of the paper's table by domain. Raises InputError for an unknown column."""
    if name not in COLUMNS:
        hint = did_you_mean(name, COLUMNS) or f"there are {listing(COLUMNS, len(COLUMNS))}"
        raise InputError(f"the paper's table has no column `{name}`: {hint}")
    place = 1 + COLUMNS.index(name)
    return {domain: float(row[place]) for domain, row in _ROWS.items()}
