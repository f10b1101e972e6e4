"""What a program's run on a task was found to be: the feedback kinds, each with a stable code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from groundplan.pddl.ast import Plan, Task


class Kind(StrEnum):
    """One result of one program on one task (the paper's feedback kinds, and those it leaves out)."""

    SOLVED = "solved"
    # The program did not come to an answer.
    TIME_OUT = "time-out"
    EXCEPTION = "exception"
    MISSING_MODULE = "missing-module"
    OUT_OF_MEMORY = "out-of-memory"
    TOO_MUCH_OUTPUT = "too-much-output"
    EXITED = "exited"
    FORBIDDEN = "forbidden"
    KILLED = "killed"
    NO_PROGRAM = "no-program"
    """The reply held no program that could be run: no code, a syntax error, cut off, no such function."""
    # It answered, but not with a plan.
    RETURNED_NOTHING = "returned-nothing"
    WRONG_TYPE = "wrong-return-type"
    UNREADABLE_STEP = "unreadable-step"
    # It answered with a plan that is not valid.
    UNKNOWN_ACTION = "unknown-action"
    UNKNOWN_OBJECT = "unknown-object"
    WRONG_ARITY = "wrong-arity"
    WRONG_OBJECT_TYPE = "wrong-object-type"
    UNMET_STATIC = "unmet-static-precondition"
    UNMET_FLUENT = "unmet-precondition"
    GOAL_MISSING = "goal-missing"
    GOAL_WRONGLY_TRUE = "goal-wrongly-true"
    # It depends on what must not matter.
    ORDER_DEPENDENT = "order-dependent"
    """It solves the task in the given order, but not in another one; `cause` says what happened there."""
    NAME_DEPENDENT = "name-dependent"
    # Nothing is known of the program.
    NOT_RUN = "not-run"


@dataclass(frozen=True, slots=True)
class NamedTask:
    """A task and the name that reports and prompts call it by."""

    name: str
    task: Task


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What one program did on one task.

    `message` is the feedback in full sentences, fit for a person and for a model: no path, no name of our machinery.
    `plan` is the plan as far as it could be read, from the order that counts (the failing one, else the first);
    `step` the step at fault, from 1. `seconds` is the wall time of the slowest run, `orders_tried` how many orders
    of objects and facts were run, `cause` the kind behind an ORDER_DEPENDENT or NAME_DEPENDENT result.
    """

    task: str
    kind: Kind
    message: str = ""
    plan: Plan | None = None
    step: int | None = None
    seconds: float = 0.0
    orders_tried: int = 0
    cause: Kind | None = None

    @property
    def solved(self) -> bool:
        return self.kind is Kind.SOLVED

    def as_json(self) -> dict[str, Any]:
        return {
            "task": self.task,
            "kind": self.kind.value,
            "cause": self.cause.value if self.cause else None,
            "message": self.message,
            "plan": None if self.plan is None else [str(step) for step in self.plan],
            "step": self.step,
            "seconds": round(self.seconds, 4),
            "orders_tried": self.orders_tried,
        }


def failures_by_kind(results: Iterable[TaskResult]) -> dict[str, int]:
    """How often each kind of failure was met, most frequent first."""
    counts = Counter(result.kind.value for result in results if not result.solved)
    return dict(counts.most_common())
