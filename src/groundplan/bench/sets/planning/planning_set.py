"""The planning sets as the command line knows them: read from a user's copy of PlanBench, or made from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from groundplan.bench.sets.drawing import drawn, seeds_of
from groundplan.bench.sets.endings import scored
from groundplan.bench.sets.files import folder_in
from groundplan.bench.sets.planning import judge
from groundplan.bench.sets.planning.own import Size, own_task
from groundplan.bench.sets.planning.reader import read_domain
from groundplan.bench.sets.task import Answer, Score, Task

FOLDERS = {
    "blocksworld": "blocksworld",
    "mystery": "mystery_blocksworld",
    "logistics": "logistics",
    "gripper": "gripper",
}
"""The groups, and what PlanBench's folder calls them. (PlanBench has no gripper; a copy may have one added.)"""


@dataclass(frozen=True)
class PlanningSet:
    """PlanBench's tasks in `data`, or our own (`data` None) of `size`, of some of the groups of `FOLDERS`.

    An answer is PDDL (its last step) or a plan (its last step's, or in its text). See `judge.MARKS` for the marks.
    """

    name: str
    groups: tuple[str, ...] = tuple(FOLDERS)
    data: Path | None = None
    size: Size | None = None

    def tasks(self, n: int | None, seed: int) -> Sequence[Task]:
        """See TaskSet. Raises InputError where the data cannot be read, or the size is out of bounds."""
        if self.data is not None:
            return drawn(self._read, n, seed, "planbench")
        return tuple(
            own_task(group, one, self.size) for group in self.groups for one in seeds_of(n, seed, f"planbench {group}")
        )

    def score(self, task: Task, answer: Answer) -> Score:
        """See TaskSet."""
        return scored(answer, judge.MARKS, lambda: judge.judged(task, answer))

    @cached_property
    def _read(self) -> tuple[Task, ...]:
        assert self.data is not None
        base = folder_in(self.data, "planbench")
        return tuple(task for group in self.groups for task in read_domain(base, FOLDERS[group], group))
