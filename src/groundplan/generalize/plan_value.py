"""From what a program returned to a plan: the documented spellings are read, all else is said, nothing is skipped.

A step may be a string "(move a b)", "move a b" or "move(a, b)", or a tuple or list of words; the plan may be a list, a
tuple, an iterator, or one string with a step a line. Names become lower case; commas count as blanks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.confine import variables
from groundplan.confine.outcome import Opaque, Plain
from groundplan.generalize.kinds import Kind
from groundplan.pddl.ast import Plan, Step
from groundplan.pddl.plan import read_plan
from groundplan.pddl.source import Source

WANTED = 'it must return a list of strings such as "(action object ...)"'
_NAME = re.compile(r"[^\s()\[\]{}'\",;]+")
_CALL = re.compile(r"([^\s()\[\]{}'\",;]+)\s*\((.*)\)", re.DOTALL)
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_OPENING, _CLOSING, _QUOTES = "([{", ")]}", "'\""
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class PlanValue:
    """A plan, or the fault that keeps the value from being one.

    With a fault, `plan` has the steps before it (None where the value is no list), `step` its number from 1.
    """

    plan: Plan | None
    fault: Kind | None = None
    message: str = ""
    step: int | None = None


class _Unreadable(Exception):
    """Why an element is no step."""


def plan_from_value(value: Plain) -> PlanValue:
    """The plan that a returned value means. Never raises."""
    if value is None:
        return PlanValue(
            None,
            Kind.RETURNED_NOTHING,
            f"The program returned nothing (None): {WANTED}, on every way through the function, and [] where nothing "
            "is to be done.",
        )
    if isinstance(value, str):
        return _from_text(value)
    if not isinstance(value, list | tuple):
        return PlanValue(None, Kind.WRONG_TYPE, f"The program returned {_described(value)}: {WANTED}.")
    return _from_elements(value)


def _from_elements(elements: Sequence[Plain]) -> PlanValue:
    steps: list[Step] = []
    known: dict[str, Step] = {}
    for number, element in enumerate(elements, 1):
        step = known.get(element) if isinstance(element, str) else None
        if step is None:
            try:
                step = _step(element)
            except _Unreadable as why:
                message = f"Element {number} of what the program returned is no step: {shown(element)}. {why}"
                return PlanValue(tuple(steps), Kind.UNREADABLE_STEP, message + _hint(elements), number)
            if isinstance(element, str):
                known[element] = step
        steps.append(step)
    return PlanValue(tuple(steps))


def _from_text(text: str) -> PlanValue:
    """A plan in one string: a step a line, or any other spelling of a plan file."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(";")]
    by_line = _from_elements(lines)
    if by_line.fault is None:
        return by_line
    plan = read_plan(Source(text, "plan"))
    if plan.is_readable and not plan.bare:
        return PlanValue(plan.steps)
    message = f"Line {by_line.step} of the string that the program returned is no step: "
    fault = lines[(by_line.step or 1) - 1]
    return PlanValue(
        by_line.plan, Kind.UNREADABLE_STEP, f"{message}{shown(fault)}. Better return a list of strings.", by_line.step
    )


def _step(element: Plain) -> Step:
    """The step that an element means. Raises _Unreadable."""
    if isinstance(element, str):
        words = _words(element)
    elif isinstance(element, list | tuple):
        if len(element) == 1 and isinstance(element[0], str) and element[0].strip().startswith("("):
            words = _words(element[0])
        else:
            words = _words_of_sequence(element)
    else:
        raise _Unreadable(f'A step is a string such as "(action object ...)", not {_described(element)}.')
    return Step(words[0], tuple(words[1:]))


def _words_of_sequence(element: Sequence[Plain]) -> list[str]:
    """The words of a step that is a tuple or list. What is no string stays visible as what it is."""
    if not element:
        raise _Unreadable("It is empty.")
    if any(isinstance(word, str) and _is_step_text(word) for word in element):
        raise _Unreadable("It holds whole steps: the plan must be one flat list, returned alone.")
    first = element[0]
    if not isinstance(first, str) or not _NAME.fullmatch(first.strip()):
        raise _Unreadable(f"Its first word must be the name of an action, not {shown(first)}.")
    return [_lowered(word.strip()) if isinstance(word, str) else _compact(shown(word)) for word in element]


def _words(text: str) -> list[str]:
    """The words of a step that is a string. Brackets and quotes within stay part of their word."""
    inner = text.strip()
    if inner.startswith("("):
        if not inner.endswith(")") or len(inner) < 2:
            raise _Unreadable("Its closing bracket is missing, or something stands behind it.")
        inner = inner[1:-1]
    elif call := _CALL.fullmatch(inner):
        inner = f"{call[1]} {call[2]}"
    words = _split(inner)
    if not words:
        raise _Unreadable("It has no words.")
    if words[0][0] in _QUOTES:
        raise _Unreadable('A tuple seems to have been made a string: write " ".join(...) in its place.')
    if not _NAME.fullmatch(words[0]):
        raise _Unreadable("Its first word must be the name of an action.")
    return [_lowered(word) for word in words]


def _split(text: str) -> list[str]:
    """Words at blanks and commas, but not within brackets. Raises _Unreadable for brackets that do not match."""
    words: list[str] = []
    word, depth, quote = "", 0, ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in _QUOTES:
            quote = char
        elif char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
            if depth < 0:
                raise _Unreadable("Its brackets do not match; each step must be an element of its own.")
        if not depth and not quote and (char.isspace() or char == ","):
            words.append(word)
            word = ""
        elif not char.isspace():
            word += char
    if depth or quote:
        raise _Unreadable("Its brackets or quotes do not match.")
    return [word for word in [*words, word] if word]


def _is_step_text(text: str) -> bool:
    """Whether a string is a whole step rather than a word of one."""
    return text.strip().startswith("(") and _NAME.match(text.strip()[1:].lstrip()) is not None


def _hint(elements: Sequence[Plain]) -> str:
    """What may have gone wrong with the list as a whole."""
    if isinstance(elements, tuple) and elements and isinstance(elements[0], list):
        return " It seems that several values were returned: return the list of steps alone."
    letters = elements[:8]
    if (
        isinstance(elements, list)
        and len(letters) > 4
        and all(isinstance(item, str) and len(item) == 1 for item in letters)
    ):
        return " A string that is added to a list with += is added letter by letter: use append."
    return ""


def strange_object(name: str) -> str:
    """What went wrong where a word of a step is no name: an empty text for names."""
    if name.lower() == "none":
        return "None was formatted into the step: a look-up found nothing and was not checked"
    if name[:1] in _QUOTES:
        return "a quoted string was formatted into the step: write the name without quotes"
    kinds = {"(": "tuple", "[": "list", "{": "set or dict"}
    if name[:1] in kinds:
        return f"a {kinds[name[0]]} was formatted into the step, not a name: take the name out of it"
    if name[:1] == "<":
        return "something that is no name was formatted into the step"
    if re.fullmatch(r"[-+]?\d+(\.\d+)?", name):
        return "a number was formatted into the step, not a name"
    return "True or False was formatted into the step" if name.lower() in ("true", "false") else ""


def shown(value: Plain) -> str:
    """A value as Python writes it, shortened; sets in the order of their texts."""
    text = _ADDRESS.sub("", value.text or f"<{value.type}>") if isinstance(value, Opaque) else variables.shown(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _described(value: Plain) -> str:
    """A value with its type, in words."""
    if isinstance(value, Opaque):
        if value.type in ("coroutine", "async_generator"):
            return f"a {value.type.replace('_', ' ')} (`get_plan` must be a plain `def`, not `async def`)"
        text = f"{'an' if value.type[:1].lower() in tuple('aeiou') else 'a'} {value.type}"
        return f"{text}, {shown(value)}" if value.text and not value.text.startswith("<") else text
    if value is None:
        return "None"
    if isinstance(value, set | frozenset):
        return f"a {type(value).__name__}, which has no order, while the steps of a plan have one"
    if isinstance(value, dict):
        return "a dict"
    return f"the {type(value).__name__} {shown(value)}"


def _lowered(word: str) -> str:
    return word.lower()


def _compact(text: str) -> str:
    return "".join(text.split())
