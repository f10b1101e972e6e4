"""Worlds by name, and worlds of one's own from a file."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from groundplan.adapt.worlds.world import World
from groundplan.errors import InputError

_ROOM = "groundplan.adapt.worlds"
_OWN = {
    "kitchen_lid": f"{_ROOM}.kitchen_lid:KitchenLid",
    "nut_round_peg": f"{_ROOM}.nut_round_peg:NutRoundPeg",
    "coffee_box": f"{_ROOM}.coffee_box:CoffeeBox",
    "coffee_drawer": f"{_ROOM}.coffee_drawer:CoffeeDrawer",
}
WORLD_NAMES = tuple(_OWN)


@dataclass(frozen=True, slots=True)
class Scenario:
    """The PDDL that belongs to a world: the domain as the robot knows it, and a problem without a plan."""

    domain: Path
    problem: Path


def make_world(name: str) -> World:
    """A world by its name in `WORLD_NAMES`, or a class of one's own: "package.module:Class" or "path/to/file.py:Class".

    The class is called without arguments. Raises InputError when there is no such world, when its file cannot be read,
    or when the simulator is not installed.
    """
    target = _OWN.get(name, name)
    place, colon, attribute = target.rpartition(":")
    if not colon or not place or not attribute:
        raise InputError(
            f"there is no world {name!r}; the worlds are {', '.join(WORLD_NAMES)}, and a world of your own is named "
            "package.module:Class or path/to/file.py:Class"
        )
    try:
        module = _from_file(Path(place)) if place.endswith(".py") else _from_module(place)
    except ModuleNotFoundError as error:
        if error.name not in ("mujoco", "gymnasium", "numpy"):
            raise
        raise InputError(f"worlds need {error.name}: install groundplan[robot]") from error
    except SyntaxError as error:
        raise InputError(f"{error.filename}, line {error.lineno}: {error.msg}") from error
    maker: Callable[[], Any] | None = getattr(module, attribute, None)
    if not callable(maker):
        raise InputError(f"{place} has no class {attribute}")
    return cast(World, maker())


def scenario(name: str) -> Scenario:
    """Where the PDDL of one of the worlds of this package lies; raises InputError for other names."""
    if name not in _OWN:
        raise InputError(f"there is no scenario {name!r}; the scenarios are {', '.join(WORLD_NAMES)}")
    folder = Path(__file__).parent / "scenarios" / name
    return Scenario(folder / "domain.pddl", folder / "problem.pddl")


def _from_module(place: str) -> Any:
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(f"{error.name}.")):
            raise InputError(f"there is no module {place}; a file is named path/to/file.py:Class") from error
        raise


def _from_file(path: Path) -> Any:
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    name = f"groundplan_world_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} cannot be read as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles look their module up
    spec.loader.exec_module(module)
    return module
