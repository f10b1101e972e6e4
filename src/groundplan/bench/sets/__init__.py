"""The task sets of the papers' tables: how each is read or made, how an answer is read, and what counts as right."""

from groundplan.bench.sets.registry import SETS, task_set
from groundplan.bench.sets.task import Answer, Ending, Score, Step, Task, TaskSet

__all__ = ["SETS", "Answer", "Ending", "Score", "Step", "Task", "TaskSet", "task_set"]
