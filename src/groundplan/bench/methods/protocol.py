"""A method of a benchmark: what it is given, and what it returns for a task within a budget of solver calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from groundplan.bench.sets.task import Answer, Task
from groundplan.errors import GroundplanError
from groundplan.formalize.specification import MAX_REPAIRS, Specification
from groundplan.models.protocol import Model, Sampling

SOLVER_CALLS = MAX_REPAIRS + 1
"""K = H_max + 1 = 6 of the multi-role paper (section H.1)."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a checker said of one candidate, in the form that a run's log keeps.

    `plan` is there where one was found; `category` is that of the first error, as in pddl.diagnostics.Category;
    `explanation` is what a revision is told; `broken` says how the checker itself failed, and is else empty; `text` is
    the answer in the set's words, where the set's own solver gave one.
    """

    solved: bool
    plan: tuple[str, ...] | None = None
    category: str = ""
    explanation: str = ""
    broken: str = ""
    text: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "solved": self.solved,
            "plan": None if self.plan is None else list(self.plan),
            "category": self.category,
            "explanation": self.explanation,
            "broken": self.broken,
            "text": self.text,
        }


def checked_from_json(data: Any) -> Checked:
    """What `as_json` wrote. Raises KeyError for anything else."""
    plan = data["plan"]
    return Checked(
        data["solved"],
        None if plan is None else tuple(plan),
        data["category"],
        data["explanation"],
        data["broken"],
        data["text"],
    )


class Oracle(Protocol):
    """The checkers behind a benchmark. Neither call raises for what a specification says or a planner does wrong."""

    def solve(self, specification: Specification) -> Checked:
        """Ask the planner for a plan."""
        ...

    def validate(self, specification: Specification, plan: str) -> Checked:
        """Run a plan that a model wrote on a specification that it wrote too."""
        ...


@runtime_checkable
class Formal(Protocol):
    """A hook that a set which is not about PDDL may offer, so that methods which formalize can answer its tasks.

    `formal_prompt` says which formal language is wanted, without the task's text; `solve_formal` solves what a reply
    holds: pure, and without a category where it is solved.
    """

    def formal_prompt(self, task: Task) -> str: ...

    def solve_formal(self, task: Task, reply: str) -> Checked: ...


@dataclass(frozen=True, slots=True)
class Context:
    """What a method works with on one task.

    `solver_calls` is K. `temperature` is for methods that draw several samples; all else is decoded greedily (section
    B.2). `model_calls` bounds the questions for one task (None: no bound besides what the method itself sets).
    `about_pddl` says whether the answer wanted is a specification with a plan; else it is a text, and `formal` is the
    set's hook for formal models, where it has one.
    """

    model: Model
    oracle: Oracle
    solver_calls: int = SOLVER_CALLS
    temperature: float = 0.7
    max_tokens: int = 8192
    model_calls: int | None = None
    about_pddl: bool = True
    formal: Formal | None = None

    @property
    def greedy(self) -> Sampling:
        return Sampling(0.0, max_tokens=self.max_tokens)

    @property
    def sampled(self) -> Sampling:
        return Sampling(self.temperature, max_tokens=self.max_tokens)


class Method(Protocol):
    """A way to answer tasks with a language model."""

    @property
    def name(self) -> str: ...

    def answer(self, task: Task, context: Context) -> Answer:
        """Answer one task. Raises InputError where the user must mend something (a key, a method that the set has no
        hook for) and BudgetExhausted where the run's budget is used up; all else that goes wrong is an ending."""
        ...

    def refuse(self, context: Context) -> None:
        """Raises InputError where the method cannot answer such tasks, before any of them is asked."""
        ...

    def model_calls(self, context: Context) -> tuple[int, int]:
        """The least and the most questions that one task may take."""
        ...


class OutOfCalls(GroundplanError):
    """A limit on the calls for one task: an ending of the method, not a fault of it."""


class CheckerBroke(GroundplanError):
    """The planner or the checker itself failed: nothing was measured."""
