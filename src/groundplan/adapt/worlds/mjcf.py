"""Pieces of MJCF that scenes are put together from."""

from __future__ import annotations

Point = tuple[float, float, float]
CLEAR = 'rgba="0 0 0 0"'


def box(half: Point, at: Point, more: str) -> str:
    """A box with these half sizes (m) and further attributes."""
    return f'<geom type="box" size="{_numbers(half)}" pos="{_numbers(at)}" {more}/>'


def walls(inner: tuple[float, float], thick: float, low: float, high: float, at: tuple[float, float], more: str) -> str:
    """Four walls around a rectangle with the half sizes `inner`, from the height `low` to `high` (m)."""
    (x, y), half, middle = at, (high - low) / 2, (high + low) / 2
    long, across = thick / 2, inner[1] + thick
    found = []
    for sign in (-1, 1):
        found.append(box((long, across, half), (x + sign * (inner[0] + thick / 2), y, middle), more))
        found.append(box((inner[0], long, half), (x, y + sign * (inner[1] + thick / 2), middle), more))
    return "\n".join(found)


def mark(name: str, at: Point) -> str:
    """A point that can be observed."""
    return f'<site name="{name}" pos="{_numbers(at)}" {CLEAR}/>'


def _numbers(values: Point) -> str:
    return " ".join(f"{value:.5g}" for value in values)
