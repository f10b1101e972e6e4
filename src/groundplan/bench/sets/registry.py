"""The sets by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from groundplan.bench.sets.logic.prontoqa import ProntoQaSet
from groundplan.bench.sets.meetings.calendar_set import CALENDAR
from groundplan.bench.sets.natural_plan import NaturalPlanSet
from groundplan.bench.sets.pairs import PairSet
from groundplan.bench.sets.planning.own import Size
from groundplan.bench.sets.planning.planning_set import FOLDERS, PlanningSet
from groundplan.bench.sets.task import TaskSet
from groundplan.bench.sets.trips.trip_set import TRIP
from groundplan.errors import InputError

_Maker = Callable[[str, Path | None, Size | None], TaskSet]


def _planning(name: str, data: Path | None, size: Size | None) -> TaskSet:
    group = name.removeprefix("planbench").removeprefix("-")
    return PlanningSet(name, (group,) if group else tuple(FOLDERS), data, size)


_MAKERS: Mapping[str, _Maker] = {
    "planbench": _planning,
    **{f"planbench-{group}": _planning for group in FOLDERS},
    "prontoqa": lambda name, data, size: ProntoQaSet(name, data),
    "natural-plan-trip": lambda name, data, size: NaturalPlanSet(name, TRIP, data),
    "natural-plan-calendar": lambda name, data, size: NaturalPlanSet(name, CALENDAR, data),
    "planetarium": lambda name, data, size: PairSet(data, name),
}

SETS: tuple[str, ...] = tuple(_MAKERS)
"""The names of all sets."""


def task_set(name: str, data: Path | str | None = None, size: Size | None = None) -> TaskSet:
    """The set `name`: read from a user's copy in `data`, or made from a seed where that is None.

    `data` is the folder of the benchmark or the one that holds it. `size` bounds the planning tasks that are made (see
    `groundplan.bench.sets.planning.own.Size`); the others have their own sizes. Nothing is read before the first call
    of `tasks`. Raises InputError for a name that there is none of.
    """
    if name not in _MAKERS:
        raise InputError(f"no task set {name!r}: choose one of {', '.join(SETS)}")
    return _MAKERS[name](name, None if data is None else Path(data), size)
