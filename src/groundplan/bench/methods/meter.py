"""One method on one task: its calls are counted, and kept within their limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from groundplan.bench.methods.protocol import Checked, CheckerBroke, Context, Formal, OutOfCalls
from groundplan.bench.sets.task import Task
from groundplan.formalize.specification import Specification
from groundplan.models.errors import BadReply
from groundplan.models.protocol import Message, Reply, Sampling, Usage


class Meter:
    """The model and the checkers of a context, for one task. It is a Model itself.

    Calls raise OutOfCalls before one that a limit forbids, and CheckerBroke where a checker failed. A reply counts
    with the usage of its recording: a reply that several methods share counts for each of them.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self.model_calls = 0
        self.solver_calls = 0
        self.tokens_in = 0
        self.tokens_out = 0
        self.usd = 0.0
        self.unpriced = 0

    @property
    def name(self) -> str:
        return self._context.model.name

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply:
        most = self._context.model_calls
        if most is not None and self.model_calls >= most:
            raise OutOfCalls(f"the limit of {most} model calls for one task is used up")
        try:
            answer = self._context.model.reply(messages, sampling, sample)
        except BadReply as error:
            self._count(error.usage)
            raise
        self._count(answer.usage)
        return answer

    def ask(self, messages: Sequence[Message], sample: int | None = None) -> Reply | None:
        """Greedy without a `sample`, else at the context's temperature; None for a reply without text."""
        sampling = self._context.greedy if sample is None else self._context.sampled
        try:
            return self.reply(messages, sampling, sample or 0)
        except BadReply:
            return None

    def solve(self, specification: Specification) -> Checked:
        self._take_solver_call()
        return _sound(self._context.oracle.solve(specification))

    def validate(self, specification: Specification, plan: str) -> Checked:
        self._take_solver_call()
        return _sound(self._context.oracle.validate(specification, plan))

    def solve_formal(self, formal: Formal, task: Task, reply: str) -> Checked:
        self._take_solver_call()
        return _sound(formal.solve_formal(task, reply))

    @property
    def solver_calls_left(self) -> int:
        return self._context.solver_calls - self.solver_calls

    def refuse_solver(self) -> NoReturn:
        raise OutOfCalls(f"the limit of {self._context.solver_calls} solver calls for one task is used up")

    def _take_solver_call(self) -> None:
        if self.solver_calls_left <= 0:
            self.refuse_solver()
        self.solver_calls += 1

    def _count(self, usage: Usage) -> None:
        self.model_calls += 1
        self.tokens_in += usage.prompt_tokens
        self.tokens_out += usage.completion_tokens
        self.usd += usage.cost_usd or 0.0
        self.unpriced += usage.cost_usd is None


def _sound(found: Checked) -> Checked:
    if found.broken:
        raise CheckerBroke(found.broken)
    return found
