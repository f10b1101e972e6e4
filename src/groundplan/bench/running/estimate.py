"""What a run will take, before it is started: calls, tokens, money, time. Bounds, with what they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from groundplan.bench.running.unit import Work
from groundplan.bench.sets.task import Task
from groundplan.models.prices import Prices

CHARACTERS_A_TOKEN = 3.5
FRAME_TOKENS = 900
"""Of a prompt besides the task: instructions, the example."""
REPLY_TOKENS = 900
"""A reply as long as a domain with a problem. Reasoning models write many times that."""
SECONDS_A_CALL = 8.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """`calls` and `solver_calls` are the least and the most that the methods can make. Tokens, dollars and seconds are
    guesses from the most: replies of `REPLY_TOKENS`, `seconds_a_call` for each. `usd` is None without prices."""

    tasks: int
    calls: tuple[int, int]
    solver_calls: tuple[int, int]
    tokens_in: int
    tokens_out: int
    usd: float | None
    seconds: float

    def as_json(self) -> dict[str, Any]:
        data = {name: getattr(self, name) for name in self.__slots__}
        return {**data, "calls": list(self.calls), "solver_calls": list(self.solver_calls)}

    def as_text(self) -> str:
        money = "cost unknown (give --prices)" if self.usd is None else f"about ${self.usd:.2f} at most"
        minutes = self.seconds / 60
        return (
            f"{self.tasks} tasks: {self.calls[0]} to {self.calls[1]} model calls, up to {self.solver_calls[1]} solver "
            f"calls, up to some {self.tokens_in + self.tokens_out:,} tokens, {money}, about {minutes:.0f} minutes at "
            "most"
        )


def estimate(
    work: Work,
    tasks: Sequence[Task],
    workers: int = 1,
    prices: Prices | None = None,
    seconds_a_call: float = SECONDS_A_CALL,
) -> Estimate:
    """The bounds for these tasks and the methods of `work`, nothing recalled from earlier sessions."""
    context = work.context_for(work.model)
    each = [method.model_calls(context) for method in work.methods]
    least, most = sum(low for low, _ in each), sum(high for _, high in each)
    k = 0 if not context.about_pddl and context.formal is None else context.solver_calls
    told = sum(len(task.text) + len(task.domain or task.rules) for task in tasks) / CHARACTERS_A_TOKEN
    tokens_in = round(most * (told + FRAME_TOKENS * len(tasks)))
    tokens_out = most * len(tasks) * REPLY_TOKENS
    return Estimate(
        tasks=len(tasks),
        calls=(least * len(tasks), most * len(tasks)),
        solver_calls=(0, k * len(each) * len(tasks)),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        usd=None if prices is None else prices.cost(tokens_in, tokens_out),
        seconds=most * len(tasks) * seconds_a_call / max(1, min(workers, len(tasks) or 1)),
    )
