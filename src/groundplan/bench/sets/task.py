"""What a benchmark task is, what a method answers, and what a score says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a set.

    `text` is all that a method is shown of the task itself; `rules` tells the domain in words (PlanBench's domain
    texts) and `domain` is its PDDL, for the settings in which it is given; both may be empty. `gold` is the reference
    (PDDL, plan, label, itinerary ...), which only the set's own scorer reads. `group` is what averages are taken over
    (the domain).
    """

    id: str
    group: str
    text: str
    rules: str = ""
    domain: str = ""
    gold: Mapping[str, Any] = field(default_factory=dict)


class Ending(StrEnum):
    """How a method ended on a task; the three failures stay apart in every table."""

    ANSWERED = "answered"
    EXTRACTION = "extraction"
    """The model replied, and nothing of the wanted kind was in its reply."""
    TOOL = "tool"
    """A planner, a checker or the model's server broke: nothing was measured."""
    BUDGET = "budget"
    """A limit ended it before there was an answer; counts as a wrong answer, and is counted apart."""


@dataclass(frozen=True, slots=True)
class Step:
    """One candidate on the way to the answer, in order: the repair curve and the diagnostic map are made from these.

    `solved` is the solver's word (None: not asked), `diagnostic` the first finding's category where it failed,
    `score` the Judge's, in [0, 1].
    """

    domain: str = ""
    problem: str = ""
    plan: tuple[str, ...] | None = None
    solved: bool | None = None
    diagnostic: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a method returns for a task: `text` is the final reply (or what the solver's plan says in words of the
    set), `steps` the candidates; the last one is the answer where the set is about PDDL."""

    ending: Ending
    text: str = ""
    steps: tuple[Step, ...] = ()
    reason: str = ""
    model_calls: int = 0
    solver_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """`correct` is the set's main measure (faithful success, the right label, constraints satisfied); `marks` holds
    the others by name: True, False, or None where it is not known. `column` says where a wrong one belongs:
    "correct", "wrong", "extraction", "tool" or "budget". `why` names the first thing that is wrong. `measures` holds
    what is a number, by name; what is not known is not in it."""

    correct: bool | None
    column: str
    marks: Mapping[str, bool | None] = field(default_factory=dict)
    why: str = ""
    measures: Mapping[str, float] = field(default_factory=dict)


class TaskSet(Protocol):
    """A set of tasks with its scorer; `name` is what the command line calls it."""

    @property
    def name(self) -> str: ...

    def tasks(self, n: int | None, seed: int) -> Sequence[Task]:
        """`n` tasks a group, drawn by `seed` (all where None), in a fixed order; the same for the same arguments."""
        ...

    def score(self, task: Task, answer: Answer) -> Score:
        """Pure: the same score for the same answer. A checker that breaks is the column "tool"."""
        ...
