"""Finds the script for an operator of a world."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from groundplan.adapt.worlds.registry import WORLD_NAMES
from groundplan.adapt.worlds.world import ExecutorMaker
from groundplan.errors import InputError

_ROOM = "groundplan.adapt.worlds.executors"
_MODULES = {
    "kitchen_lid": "kitchen_lid",
    "nut_round_peg": "nut_round_peg",
    "coffee_box": "coffee",
    "coffee_drawer": "coffee",
}


def scripted_executors(world: str) -> Mapping[str, ExecutorMaker]:
    """The scripts of one world by operator; raises InputError for a world that has none."""
    if world not in _MODULES:
        raise InputError(f"there are no scripts for the world {world!r}, only for {', '.join(WORLD_NAMES)}")
    scripts: Mapping[str, ExecutorMaker] = importlib.import_module(f"{_ROOM}.{_MODULES[world]}").SCRIPTS
    return scripts


def executor_maker(world: str, operator: str) -> ExecutorMaker:
    """The script of one operator; raises InputError where there is none, naming those that there are."""
    scripts = scripted_executors(world)
    if operator not in scripts:
        raise InputError(
            f"no script does {operator} in {world}; there are scripts for {', '.join(sorted(scripts))}, others have to "
            "be learned or written"
        )
    return scripts[operator]
