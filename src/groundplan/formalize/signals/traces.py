"""Traces of steps as language models write them, and whether a task allows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from groundplan.errors import InputError
from groundplan.pddl.ast import Step
from groundplan.pddl.simulate import Simulator

MOST_STEPS = 200
_NUMBERING = re.compile(r"\s*(?:step\s*)?\d+\s*[.:)]\s*", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)")
_BETWEEN = re.compile(r"[\s(),;`]+")


class Ending(StrEnum):
    """How a trace ends whose last step should fail."""

    TAKEN = "taken"
    REFUSED = "refused"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Trial:
    """The ending of a trace, and why it is what it is where that is not plain."""

    ending: Ending
    why: str = ""


def steps_of(trace: object) -> tuple[Step, ...]:
    """The steps of a trace: a list of texts, of lists of words, or of objects with `action`; or one text for all.

    What is no step comes back as a step without a name, so that nothing is passed over.
    """
    items = trace if isinstance(trace, list) else [trace]
    return tuple(step for item in items for step in _steps(item))


def _steps(item: object) -> Iterator[Step]:
    if isinstance(item, str):
        for line in filter(str.strip, item.splitlines()):
            line = _NUMBERING.sub("", line, count=1) if _NUMBERING.match(line) else line
            several = _BRACKETS.findall(line) if line.lstrip().startswith("(") else []
            yield from map(_step, several or [line])
    elif isinstance(item, list):
        yield _step(" ".join(map(str, item)))
    elif isinstance(item, dict):
        lists = [value for value in item.values() if isinstance(value, list)]
        yield _step(" ".join(map(str, (item.get("action", ""), *(lists[0] if lists else ())))))
    else:
        yield Step("")


def _step(text: str) -> Step:
    words = [word for word in _BETWEEN.split(text.lower()) if word] or [""]
    return Step(words[0], tuple(words[1:]))


def try_trace(simulator: Simulator, steps: Sequence[Step]) -> Trial:
    """Take the steps from the initial state on: the last one should be refused, all earlier ones must be possible."""
    unknown = next((why for step in steps if (why := _unknown(simulator, step))), "")
    if unknown:
        return Trial(Ending.UNDECIDED, unknown)
    if not 0 < len(steps) <= MOST_STEPS:
        return Trial(Ending.UNDECIDED, f"more than {MOST_STEPS} steps" if steps else "no trace")
    state = simulator.initial
    for number, step in enumerate(steps, start=1):
        if reasons := simulator.applicable(state, step):
            if number == len(steps):
                return Trial(Ending.REFUSED, reasons[0])
            return Trial(Ending.UNDECIDED, f"step {number}, {step}, cannot be taken: {reasons[0]}")
        try:
            state = simulator.apply(state, step)
        except InputError as error:
            return Trial(Ending.UNDECIDED, str(error))
    return Trial(Ending.TAKEN)


def _unknown(simulator: Simulator, step: Step) -> str:
    """What a step names that the task does not have."""
    action = simulator.task.domain.action_by_name.get(step.action)
    if action is None:
        return f"there is no action `{step.action}`" if step.action else "a step cannot be read"
    if len(step.args) != len(action.parameters):
        return f"`{step.action}` takes {len(action.parameters)} argument(s), not {len(step.args)}"
    names = {item.name for item in simulator.task.objects}
    missing = next((name for name in step.args if name not in names), None)
    return f"there is no object `{missing}`" if missing is not None else ""
