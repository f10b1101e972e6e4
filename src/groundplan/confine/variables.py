"""The local variables of a frame as short texts, for whoever asks why a program failed or does not end."""

from __future__ import annotations

from collections.abc import Iterable
from types import FrameType, FunctionType, ModuleType
from typing import Any

MOST_VARIABLES = 30
LONGEST = 240
_TAIL = 8
_LONGEST_CIRCLE = 20
_PLAIN = (str, int, float, bool, type(None), bytes)


def shown_variables(frame: FrameType) -> list[list[str]]:
    """Name and text of the frame's locals, in the order of their making; functions, classes and modules left out.

    Of a comprehension, those of the function around it too.
    """
    values = dict(frame.f_locals)
    around: FrameType | None = frame
    own = frame.f_code.co_filename
    while around is not None and around.f_code.co_name.startswith("<") and around.f_code.co_name != "<module>":
        around = around.f_back
        values.update({} if around is None or around.f_code.co_filename != own else around.f_locals)
    found = []
    for name, value in values.items():
        kind = type(value)
        if name.startswith(("__", ".")) or kind in (FunctionType, ModuleType) or issubclass(kind, type):
            continue
        found.append([name, _cut(shown(value))])
        if len(found) == MOST_VARIABLES:
            break
    return found


def shown(value: Any, depth: int = 0) -> str:
    """A text for plain data, in code of our own: no method of the program is called.

    Of a long list or text the end is shown, since that is where a program that walks in circles has been lately.
    """
    kind = type(value)
    if kind is int and value.bit_length() > 600:
        return f"<integer of {value.bit_length()} bits>"
    if kind is str and len(value) > LONGEST // 2:
        return f"<text of {_rounded(len(value))} characters, ending with {value[-60:]!r}>"
    if kind in _PLAIN:
        text = repr(value)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
    if kind in (list, tuple) and depth < 3:
        if len(value) <= _TAIL + 4:
            return _bracketed(kind, [shown(item, depth + 1) for item in value])
        circle = _circle(value)
        if circle:
            items = [shown(item, depth + 1) for item in circle]
            size = _rounded(len(value))
            return f"<{kind.__name__} of {size} items, whose end repeats over and over: {', '.join(items)}>"
        items = [shown(item, depth + 1) for item in value[-_TAIL:]]
        return f"<{kind.__name__} of {_rounded(len(value))} items, ending with {', '.join(items)}>"
    if kind in (set, frozenset, dict) and depth < 3:
        return _unordered(kind, value, depth)
    if kind in (list, tuple, set, frozenset, dict):
        return f"<{kind.__name__} of {_rounded(len(value))} items>"
    return f"<{type.__dict__['__name__'].__get__(kind)}>"


def _cut(text: str) -> str:
    return text if len(text) <= 2 * LONGEST else f"{text[:LONGEST]} ... {text[-LONGEST:]}"


def _circle(items: Any) -> Any:
    """The shortest period with which texts at the end repeat (three times at least), from its smallest text on."""
    end = items[-3 * _LONGEST_CIRCLE :]
    if not all(type(item) is str for item in end):
        return None
    for length in range(1, len(end) // 3 + 1):
        last = end[-length:]
        if end[-2 * length : -length] == last and end[-3 * length : -2 * length] == last:
            at = min(range(length), key=lambda n: last[n:] + last[:n])
            return last[at:] + last[:at]
    return None


def _unordered(kind: type, value: Any, depth: int) -> str:
    if len(value) > _TAIL:
        return f"<{kind.__name__} of {_rounded(len(value))} items>"
    if kind is dict:
        pairs = [f"{shown(key, depth + 1)}: {shown(item, depth + 1)}" for key, item in value.items()]
        return f"{{{', '.join(pairs)}}}"
    items = sorted(shown(item, depth + 1) for item in value)
    return f"{{{', '.join(items)}}}" if items else "set()"


def _bracketed(kind: type, items: Iterable[str]) -> str:
    items = list(items)
    if kind is list:
        return f"[{', '.join(items)}]"
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _rounded(count: int) -> str:
    """A number that does not differ from run to run only because one came a little further than another."""
    if count < 1000:
        return str(count)
    digits = len(str(count)) - 1
    return f"over {10**digits:,}"
