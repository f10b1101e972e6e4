"""From what a program returned to a plan. Documented spellings are accepted; nothing is skipped or guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from groundplan.confine.outcome import Opaque, Plain
from groundplan.generalize.kinds import Kind
from groundplan.pddl.ast import Plan, Step

_NAME = re.compile(r"[^\s()'\"\[\]{},;:]+")


@dataclass(frozen=True, slots=True)
class PlanValue:
    """The plan, or what is wrong with the value: its kind, a sentence, the element at fault (from 1)."""

    plan: Plan | None
    kind: Kind = Kind.SOLVED
    message: str = ""
    step: int | None = None


def plan_from_value(value: Plain) -> PlanValue:
    """Read a returned value as a plan.

    Accepted are a list, tuple or iterator of steps, and one text with a step a line. A step is a text `(a b c)`, with
    or without brackets, or a list or tuple of words; case does not matter.
    """
    if value is None:
        message = "The program returned nothing (None): the plan must be returned with `return`, on every way out."
        return PlanValue(None, Kind.RETURNED_NOTHING, message)
    if isinstance(value, str):
        return _steps([line for line in value.splitlines() if line.strip()])
    if isinstance(value, list | tuple):
        return _steps(value)
    message = f'The program returned {_described(value)}; wanted is a list of strings, each like "(action object ...)".'
    return PlanValue(None, Kind.WRONG_TYPE, message)


def _steps(items: Iterable[Plain]) -> PlanValue:
    steps = []
    for number, item in enumerate(items, 1):
        found = _step(item)
        if isinstance(found, Step):
            steps.append(found)
            continue
        kind, why = found
        message = f"Step {number} of the returned plan is {_shown(item)}: {why}"
        return PlanValue(tuple(steps) or None, kind, message, number)
    return PlanValue(tuple(steps))


def _step(item: Plain) -> Step | tuple[Kind, str]:
    if isinstance(item, str):
        return _step_in_text(item)
    if isinstance(item, list | tuple):
        words = list(item)
        if not words:
            return Kind.UNREADABLE_STEP, "it is empty."
        for word in words:
            if not isinstance(word, str):
                return Kind.UNKNOWN_OBJECT, f"{_shown(word)} stands where the name of an object is wanted."
        if not all(_NAME.fullmatch(word) for word in words if isinstance(word, str)):
            return Kind.UNREADABLE_STEP, "its elements must be single names."
        name, *arguments = (str(word).lower() for word in words)
        return Step(name, tuple(arguments))
    return Kind.UNREADABLE_STEP, 'a step must be a string like "(action object ...)".'


def _step_in_text(text: str) -> Step | tuple[Kind, str]:
    inner = text.strip()
    if inner.startswith("(") and inner.endswith(")"):
        inner = inner[1:-1].strip()
    words = inner.split()
    if not words:
        return Kind.UNREADABLE_STEP, "it is empty."
    odd = next((word for word in words if not _NAME.fullmatch(word)), None)
    if odd is not None and any(mark in inner for mark in "'\"[]{}(),"):
        hint = "it looks as if a tuple or list was put into the text instead of a name taken out of it."
        return Kind.UNKNOWN_OBJECT, f"`{odd}` is no object; {hint}"
    if odd is not None:
        return Kind.UNREADABLE_STEP, f"`{odd}` cannot be part of a step."
    if "none" in (word.lower() for word in words[1:]) and "None" in inner:
        return Kind.UNKNOWN_OBJECT, "None is no object; it looks as if a variable that is None was put into the text."
    name, *arguments = (word.lower() for word in words)
    return Step(name, tuple(arguments))


def _described(value: Plain) -> str:
    if isinstance(value, set | frozenset):
        return "a set, which has no order"
    if isinstance(value, Opaque):
        return f"an object of type {value.type}"
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind} ({_shown(value)})"


def _shown(value: Plain) -> str:
    text = f"<{value.type}>" if isinstance(value, Opaque) else repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
