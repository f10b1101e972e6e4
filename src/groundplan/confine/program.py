"""The program inside its confined process: compiled, run, and whatever happens put into a report."""

from __future__ import annotations

import builtins
import contextlib
import errno
import re
import sys
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any

from groundplan.confine.mismatch import misfit
from groundplan.confine.tagged import Encoder, TooMuch
from groundplan.confine.variables import shown_variables

FILE = "<program>"
MOST_FRAMES = 12

_REFUSALS = (errno.EPERM, errno.EACCES, errno.EROFS)
_errno = OSError.__dict__["errno"].__get__

_NEW_LINE = re.compile(r"\r\n|\r|\n")
"""What Python takes for the end of a line; `splitlines` knows more."""

# Held here, since a program may put other things into the modules that they come from.
_modules, _set_trace, _set_profile = sys.modules, sys.settrace, sys.setprofile


class Program:
    """A program's source and its report. The report's forms are those of `groundplan.confine.answer`."""

    def __init__(self, source: str, function: str, value_bytes: float) -> None:
        self._source = source
        self._function = function
        self._value_bytes = value_bytes
        self._lines = _NEW_LINE.split(source)
        self.is_done = False

    def run(self, arguments: list[Any], make_room: Callable[[], None]) -> dict[str, Any]:
        """Compile, run the top level, then the function. `make_room` frees memory for the report of a failure."""
        try:
            code = compile(self._source, FILE, "exec", dont_inherit=True)
        except SyntaxError as error:
            return self._refused(error)
        except (ValueError, RecursionError, MemoryError) as error:
            message = str(error) or "too complex"
            return {"ending": "bad-source", "error": type(error).__name__, "message": message}
        try:
            report = self._call(code, arguments)
        except BaseException as error:  # noqa: BLE001 - whatever a program raises
            try:
                _set_trace(None)
                _set_profile(None)
            except BaseException:  # noqa: BLE001 - of the program; a trace function that raises is off
                pass
            make_room()
            _flush()
            report = self._raised(error)
        self.is_done = True
        return report

    def _refused(self, error: SyntaxError) -> dict[str, Any]:
        line = error.lineno or 1
        message, trace = f"line {line}: {error.msg}", [[line, "", self._line(line)]]
        return {"ending": "bad-source", "error": "SyntaxError", "message": message, "trace": trace}

    def _call(self, code: CodeType, arguments: list[Any]) -> dict[str, Any]:
        own = ModuleType("builtins")  # a copy, so that what a program changes there is not changed for the report
        own.__dict__.update(builtins.__dict__)
        module = ModuleType("program")
        module.__dict__["__builtins__"] = own
        _modules["builtins"], _modules["program"] = own, module
        exec(code, module.__dict__)
        function = module.__dict__.get(self._function)
        if not callable(function):
            found = sorted(name for name, item in module.__dict__.items() if _is_own_function(item))
            known = f"; it defines {', '.join(found)}" if found else ""
            return {"ending": "bad-source", "message": f"the program defines no function `{self._function}`{known}"}
        value = function(*arguments)
        _set_trace(None)  # from here on nothing of the program is called for each step of ours
        _set_profile(None)
        _flush()
        return {"ending": "returned", "value": Encoder(self._value_bytes).encode(value)}

    def stopped(self, frame: FrameType | None, message: str) -> dict[str, Any]:
        """The report of a program that was still running in `frame` at the time limit."""
        _set_trace(None)
        _set_profile(None)
        frames = []
        while frame is not None:
            if frame.f_code.co_filename == FILE:
                frames.append(frame)
            frame = frame.f_back
        places = [(item.f_lineno, item.f_code.co_name) for item in reversed(frames)]
        report: dict[str, Any] = {"ending": "time-out", "message": message, "trace": self._trace(places)}
        if frames:
            functions = [item for item in frames if not item.f_code.co_name.startswith("<")]
            report["variables"] = shown_variables((functions or frames)[0])
        return report

    def _raised(self, error: BaseException) -> dict[str, Any]:
        kind = type(error)
        steps = _program_frames(error.__traceback__)
        places = [(step.tb_lineno, step.tb_frame.f_code.co_name) for step in steps]
        report: dict[str, Any] = {"trace": self._trace(places)}
        if steps:
            report["variables"] = shown_variables(steps[-1].tb_frame)
        if issubclass(kind, TooMuch):
            return {**report, "ending": "too-much-output", "message": "it returned more than the limit"}
        if issubclass(kind, SystemExit):
            return {**report, "ending": "exited", "message": f"it ended itself with {_words(error, self._name(kind))}"}
        if issubclass(kind, MemoryError):
            return {**report, "ending": "out-of-memory", "error": "MemoryError"}
        ending = "forbidden" if issubclass(kind, OSError) and _errno(error) in _REFUSALS else "raised"
        message = _words(error, "")
        if kind is ValueError and "to unpack" in message and steps:
            message += _misfit(self._source, steps[-1])
        if kind is RecursionError and not message:
            message = "maximum recursion depth exceeded"
        return {**report, "ending": ending, "error": self._name(kind), "message": message}

    def _trace(self, places: list[tuple[int, str]]) -> list[list[Any]]:
        """Frames as [line, function, code]; of many the first ones and the last."""
        if len(places) > MOST_FRAMES:
            places = places[:2] + places[-(MOST_FRAMES - 2) :]
        return [[line, name, self._line(line)] for line, name in places]

    def _line(self, number: int) -> str:
        return self._lines[number - 1].strip()[:200] if 0 < number <= len(self._lines) else ""

    def _name(self, kind: type) -> str:
        name = type.__dict__["__name__"].__get__(kind)
        return name if type(name) is str else "Exception"


def _flush() -> None:
    """Lines that have no end yet. What the program put in the place of these files, if anything, is left alone."""
    for file in (sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            file.flush()  # type: ignore[union-attr]


def _misfit(source: str, step: TracebackType) -> str:
    try:
        return misfit(source, step)
    except Exception:  # noqa: BLE001 - it calls `ast`, which the program may have changed; the fault is told without
        return ""


def _is_own_function(item: Any) -> bool:
    return type(item) is FunctionType and item.__module__ == "program"


def _program_frames(trace: TracebackType | None) -> list[TracebackType]:
    """The steps of the traceback that are in the program, outermost first."""
    found = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            found.append(trace)
        trace = trace.tb_next
    return found


def _words(error: BaseException, otherwise: str) -> str:
    """The exception's text, cut; a class of the program's own may do anything when asked for it."""
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - see above
        return otherwise
    return (text if type(text) is str else "")[:2000] or otherwise
