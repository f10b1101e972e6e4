"""Which operators the robot can do: scripts of its world, and learned executors in a library of folders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from groundplan.adapt.worlds.world import ExecutorMaker
from groundplan.errors import InputError


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
    world: str, library: Path | None = None, operators: Mapping[str, tuple[str, ...]] | None = None
) -> Skills:
    """The scripts of a world, and from `library` the learned executors of `operators` (name: types of parameters).

    A world of one's own has no scripts here, unless its class has a mapping SCRIPTS. Raises InputError for a damaged
    executor.
    """
    from groundplan.adapt.learn.executor import find_executors
    from groundplan.adapt.worlds.executors.scripted import scripted_executors

    try:
        scripts: Mapping[str, ExecutorMaker] = scripted_executors(world)
    except InputError:
        scripts = {}
    learned: dict[str, ExecutorMaker] = {}
    if library is not None and library.is_dir():
        for name, types in (operators or {}).items():
            for found in find_executors(library, name, types):
                learned.setdefault(name, found)
    return Skills(scripts, learned)
