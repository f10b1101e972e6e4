"""Which operators the robot can do: scripts of its world, and learned executors in a library of folders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from groundplan.adapt.worlds.world import ExecutorMaker, World


@dataclass
class Skills:
    """Makers of executors by operator. A learned one goes before a script of the same name."""

    scripts: Mapping[str, ExecutorMaker] = field(default_factory=dict)
    learned: dict[str, ExecutorMaker] = field(default_factory=dict)

    def maker(self, operator: str) -> ExecutorMaker | None:
        return self.learned.get(operator) or self.scripts.get(operator)

    def is_learned(self, operator: str) -> bool:
        return operator in self.learned


def skills_of(
    world: World, library: Path | None = None, operators: Mapping[str, tuple[str, ...]] | None = None
) -> Skills:
    """The scripts of a world, and from `library` the learned executors of `operators` (name: types of parameters).

    A world of one's own brings its scripts as `SCRIPTS`, makers of executors by operator. Raises InputError for a
    damaged executor.
    """
    from groundplan.adapt.learn.executor import find_executors
    from groundplan.adapt.worlds.executors.scripted import scripted_executors
    from groundplan.adapt.worlds.registry import WORLD_NAMES

    scripts: Mapping[str, ExecutorMaker] = getattr(world, "SCRIPTS", {})
    if world.name in WORLD_NAMES:
        scripts = scripted_executors(world.name)
    learned: dict[str, ExecutorMaker] = {}
    if library is not None and library.is_dir():
        for name, types in (operators or {}).items():
            for found in find_executors(library, name, types):
                learned.setdefault(name, found)
    return Skills(scripts, learned)
