"""Several sets as one, so that one table holds the parts of a benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from groundplan.bench.sets.task import Answer, Score, Task, TaskSet
from groundplan.errors import InputError


@dataclass(frozen=True)
class JoinedSet:
    """The tasks of `parts` one after the other; each is scored by the part that its group is of.

    Raises InputError where two parts have a group in common.
    """

    name: str
    parts: tuple[TaskSet, ...]

    def tasks(self, n: int | None, seed: int) -> Sequence[Task]:
        return [task for members in self._members(n, seed) for task in members]

    def score(self, task: Task, answer: Answer) -> Score:
        part = self._parts.get(task.group)
        if part is None:
            raise InputError(f"no part of {self.name} has the group `{task.group}`")
        return part.score(task, answer)

    @cached_property
    def _parts(self) -> dict[str, TaskSet]:
        return {task.group: part for part in self.parts for task in part.tasks(1, 0)}

    def _members(self, n: int | None, seed: int) -> list[Sequence[Task]]:
        members = [part.tasks(n, seed) for part in self.parts]
        groups = [{task.group for task in part} for part in members]
        if len(set().union(*groups)) < sum(map(len, groups)):
            raise InputError(f"two parts of {self.name} have a group in common")
        return members
