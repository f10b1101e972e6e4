"""The candidates of a method on a task, and how the method ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from groundplan.bench.methods.meter import Meter
from groundplan.bench.methods.protocol import CheckerBroke, Context, OutOfCalls
from groundplan.bench.sets.task import Answer, Ending, Step, Task
from groundplan.errors import InputError, ModelError
from groundplan.models.protocol import Reply

NO_ANSWER = "extraction"
"""The `diagnostic` of a step whose reply held nothing of the wanted kind; it carries the candidate before it."""


@dataclass(slots=True)
class Trail:
    """What a method leaves behind while it works: `steps` in order, the `text` of its answer, and why it stopped.

    `readable` says whether any reply held what was wanted, `cut` whether the last one that did not was cut off by the
    token limit.
    """

    steps: list[Step] = field(default_factory=list)
    text: str = ""
    reason: str = ""
    readable: bool = False
    cut: bool = False

    def add(self, step: Step) -> None:
        self.readable = True
        self.steps.append(step)

    def unread(self, reply: Reply | None) -> None:
        """A reply without an answer: the candidate before it stays the present one."""
        self.cut = reply is not None and reply.finish == "length"
        last = self.steps[-1] if self.steps else Step()
        self.steps.append(replace(last, plan=None, solved=False, diagnostic=NO_ANSWER, score=None))

    @property
    def solved(self) -> bool:
        return bool(self.steps) and self.steps[-1].solved is True


How = Callable[[Task, Context, Meter, Trail], None]


def ended(how: How, task: Task, context: Context) -> Answer:
    """Let `how` work on a task, and say how that ended: the failures of model, checker and limits stay apart."""
    meter, trail = Meter(context), Trail()
    try:
        how(task, context, meter, trail)
        ending, reason = _ending(trail)
    except InputError:
        raise
    except (CheckerBroke, ModelError) as error:
        ending, reason = Ending.TOOL, str(error)
    except OutOfCalls as error:
        ending, reason = (Ending.ANSWERED if trail.readable else Ending.BUDGET), str(error)
    return Answer(
        ending,
        trail.text,
        tuple(trail.steps),
        reason,
        meter.model_calls,
        meter.solver_calls,
        meter.tokens_in,
        meter.tokens_out,
        meter.usd,
    )


def _ending(trail: Trail) -> tuple[Ending, str]:
    if trail.readable:
        return Ending.ANSWERED, trail.reason
    if trail.cut:
        return Ending.BUDGET, "the token limit cut the reply off before there was an answer"
    return Ending.EXTRACTION, trail.reason or "no reply held an answer of the wanted kind"
