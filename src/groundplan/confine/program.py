"""The program inside its confined process: compiled, run, and whatever happens put into a report."""

from __future__ import annotations

import builtins
import sys
from mmap import mmap
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any

from groundplan.confine.mismatch import misfit
from groundplan.confine.tagged import Encoder, TooMuch
from groundplan.confine.variables import shown_variables

FILE = "<program>"
MOST_FRAMES = 12

_FORBIDDEN = (PermissionError,)
_SyntaxError, _MemoryError, _SystemExit = SyntaxError, MemoryError, SystemExit


class Program:
    """A program's source and its report. The report's forms are those of `groundplan.confine.answer`."""

    def __init__(self, source: str, function: str, value_bytes: float) -> None:
        self._source = source
        self._function = function
        self._value_bytes = value_bytes
        self._lines = source.splitlines()
        self._code: CodeType | None = None
        self._refusal: dict[str, Any] | None = None
        self.is_done = False

    def prepare(self) -> None:
        """Compile, before the limits of the run count."""
        try:
            self._code = compile(self._source, FILE, "exec", dont_inherit=True)
        except _SyntaxError as error:
            line = error.lineno or 1
            self._refusal = {
                "ending": "bad-source",
                "error": "SyntaxError",
                "message": f"line {line}: {error.msg}",
                "trace": [[line, "", self._line(line)]],
            }
        except (ValueError, RecursionError, _MemoryError) as error:
            self._refusal = {
                "ending": "bad-source",
                "error": type(error).__name__,
                "message": str(error) or "too complex",
            }

    def run(self, arguments: list[Any], ballast: mmap) -> dict[str, Any]:
        """Run the top level, then the function; never raises."""
        if self._code is None:
            return self._refusal or {"ending": "bad-source", "message": "nothing to run"}
        try:
            report = self._call(arguments)
        except BaseException as error:  # noqa: BLE001 - whatever a program raises
            ballast.close()
            report = self._raised(error)
        self.is_done = True
        return report

    def _call(self, arguments: list[Any]) -> dict[str, Any]:
        module = ModuleType("program")
        sys.modules["program"] = module
        module.__dict__["__builtins__"] = builtins
        assert self._code is not None
        exec(self._code, module.__dict__)
        function = module.__dict__.get(self._function)
        if not callable(function):
            found = sorted(name for name, item in module.__dict__.items() if _is_own_function(item))
            known = f"; it defines {', '.join(found)}" if found else ""
            return {"ending": "bad-source", "message": f"the program defines no function `{self._function}`{known}"}
        value = function(*arguments)
        return {"ending": "returned", "value": Encoder(self._value_bytes).encode(value)}

    def stopped(self, frame: FrameType | None) -> dict[str, Any]:
        """The report of a program that was still running in `frame` at the time limit."""
        frames = []
        while frame is not None:
            if frame.f_code.co_filename == FILE:
                frames.append(frame)
            frame = frame.f_back
        places = [(item.f_lineno, item.f_code.co_name) for item in reversed(frames)]
        report: dict[str, Any] = {"ending": "time-out", "trace": self._trace(places)}
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
        if issubclass(kind, _SystemExit):
            return {**report, "ending": "exited", "message": f"it ended itself with {_words(error, self._name(kind))}"}
        if issubclass(kind, _MemoryError):
            return {**report, "ending": "out-of-memory", "error": "MemoryError"}
        ending = "forbidden" if issubclass(kind, _FORBIDDEN) else "raised"
        message = _words(error, "")
        if kind is ValueError and "to unpack" in message and steps:
            message += misfit(self._source, steps[-1])
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


def _is_own_function(item: Any) -> bool:
    return type(item) is type(_is_own_function) and item.__module__ == "program"


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
