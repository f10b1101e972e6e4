"""What is said of a program that came to no answer: where it was, what it had in its hands, what went wrong.

No path of the machine and no address is shown, so that the same fault is told in the same words every time.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence

from groundplan.confine.outcome import ConfineLimits, Ending, Frame, Ran
from groundplan.generalize.kinds import Kind

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_LOCATION = re.compile(r" \((?:unknown location|/[^()\n]*)\)")
_PATH = re.compile(r"(?<![\w./])(?:/[\w.+~@-]+){2,}")
_LIMIT = re.compile(r"limit of ([\d.]+)")
_TAIL = re.compile(r"<(?:list|tuple) of .*? items, ending with (.*)>", re.DOTALL)
_CIRCLE = re.compile(r"<(?:list|tuple) of .*? items, whose end repeats over and over: (.*)>", re.DOTALL)
_ARGUMENTS = ("objects", "init", "goal")
_LONGEST = 800
_MOST_VARIABLES = 10
_LAST = 8
_MOST_FRAMES = 4


def message(kind: Kind, ran: Ran, limits: ConfineLimits | None) -> str:
    """The feedback on a run that did not return."""
    match kind:
        case Kind.TIME_OUT:
            return f"The program did not end within {_seconds(ran, limits)} seconds. {_still_running(ran)}"
        case Kind.OUT_OF_MEMORY:
            memory = f" ({limits.memory_mib} MiB)" if limits else ""
            return f"The program did not end before its memory{memory} was used up. {_still_running(ran)}"
        case Kind.MISSING_MODULE:
            return _missing_module(ran)
        case Kind.EXCEPTION:
            return _exception(ran)
        case Kind.NO_PROGRAM:
            return f"The program cannot be run: {_clean(ran.message)}{_code(ran.trace[-1:])}."
        case Kind.TOO_MUCH_OUTPUT:
            return f"The program was stopped because {_clean(ran.message)}{_place(ran.trace)}. Print nothing."
        case Kind.EXITED:
            why = _clean(ran.message) or "it ended itself"
            return f"The program did not return: {why}{_place(ran.trace)}. It must return its plan and never exit."
        case Kind.FORBIDDEN:
            return (
                f"The program tried what it must not{_because(ran)}{_place(ran.trace)}. All it needs is in its "
                "arguments: no files, no network, no other processes."
            )
        case Kind.KILLED:
            return f"The program did not return: {_clean(ran.message) or 'its process was ended'}."
        case _:
            return f"The program could not be run, and nothing is known of it: {_clean(ran.message)}."


def repeating(ran: Ran) -> str:
    """The steps that the last elements of a list repeat over and over, or an empty text.

    The least period is taken, begun at the step that comes first in the alphabet, wherever the run was stopped.
    """
    for _, text in ran.variables:
        circle = _CIRCLE.fullmatch(text)
        if circle:
            return " ".join(_steps(f"[{circle[1]}]"))
        tail = _TAIL.fullmatch(text)
        items = _steps(f"[{tail[1]}]" if tail else text)[-_LAST:]
        for period in range(1, len(items) // 3 + 1):
            if all(items[at] == items[at - period] for at in range(period, len(items))):
                steps = items[-period:]
                return " ".join(min(steps[at:] + steps[:at] for at in range(period)))
    return ""


def _steps(text: str) -> list[str]:
    """The items of a list as it is shown, each as a step; none where it is no list of steps."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return []
    if not isinstance(value, list):
        return []
    items = [f"({' '.join(item)})" if _is_words(item) else item for item in value]
    return items if all(isinstance(item, str) and len(item.split()) > 1 for item in items) else []


def _is_words(item: object) -> bool:
    return isinstance(item, tuple | list) and all(isinstance(word, str) for word in item)


def _still_running(ran: Ran) -> str:
    """Where a program was, and with which values, when it was stopped."""
    parts = []
    if ran.trace:
        parts.append(f"It was{_place(ran.trace)} when it was stopped.")
    steps = repeating(ran)
    if steps:
        parts.append(f"It goes in circles: the last steps repeat: {steps}.")
    elif ran.ending is Ending.MEMORY:
        parts.append("Look for a loop that does not end, or a search over too many states.")
    return " ".join([*parts, *_variables(ran)])


def _variables(ran: Ran) -> Iterator[str]:
    """The variables of the innermost function; the program's arguments, which its author knows, are left out."""
    found = [(name, text) for name, text in ran.variables if name not in _ARGUMENTS][:_MOST_VARIABLES]
    if found:
        yield f"The variables there: {'; '.join(f'{name} = {_clean(text)}' for name, text in found)}."


def _missing_module(ran: Ran) -> str:
    name = re.search(r"'([^']+)'", ran.message)
    module = name[1] if name else "a module"
    if module.partition(".")[0] in sys.stdlib_module_names:
        why = "which programs cannot use here"
    else:
        why = "which is not part of Python's standard library"
    return f"The program imports `{module}`{_place(ran.trace)}, {why}. Write what you need from it yourself."


def _exception(ran: Ran) -> str:
    what = f"{ran.error}: {_clean(ran.message)}" if ran.message else ran.error
    if not ran.trace:
        hint = " It must take exactly these three arguments." if ran.error == "TypeError" else ""
        return f"Calling get_plan(objects, init, goal) raised {what}.{hint}"
    hint = ""
    if ran.error == "StopIteration":
        hint = " A `next(...)` found no element that fits its condition: give it a default and check it."
    elif ran.error == "RecursionError":
        hint = " A function calls itself too often: use a loop, or make sure that it ends."
    return " ".join([f"The program raised {what}{_place(ran.trace)}.{hint}", *_variables(ran)])


def _place(trace: Sequence[Frame]) -> str:
    """` in line 8 (code) of get_plan, called from line 20 (code) of main`, innermost first."""
    if not trace:
        return ""
    frames = [frame for frame in reversed(trace) if not _is_comprehension(frame)] or list(reversed(trace))
    texts = [_frame(frame) for frame in frames[:_MOST_FRAMES]]
    if len(frames) > _MOST_FRAMES:
        texts[-1] = f"further calls from {_frame(frames[-1])}"
    return f" in {', called from '.join(texts)}"


def _is_comprehension(frame: Frame) -> bool:
    return frame.function.startswith("<") and frame.function not in ("<module>", "<lambda>")


def _frame(frame: Frame) -> str:
    code = f" (`{frame.code}`)" if frame.code else ""
    return f"line {frame.line}{code}" + ("" if frame.function in ("<module>", "") else f" of {frame.function}")


def _code(trace: Sequence[Frame]) -> str:
    return "".join(f" (`{frame.code}`)" for frame in trace if frame.code)


def _because(ran: Ran) -> str:
    return f": {_clean(ran.message)}," if ran.message else ""


def _seconds(ran: Ran, limits: ConfineLimits | None) -> str:
    if limits is not None:
        return f"{min(limits.wall_s, limits.cpu_s):g}"
    named = _LIMIT.search(ran.message)
    return named[1] if named else f"{ran.seconds:.0f}"


def _clean(text: str) -> str:
    """A text without addresses and paths, shortened."""
    text = _PATH.sub(lambda path: path[0].rpartition("/")[2], _LOCATION.sub("", _ADDRESS.sub("", text))).strip()
    text = text.rstrip(".")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
