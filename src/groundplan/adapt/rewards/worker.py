"""The confined process that calls shaping functions: started by shaping.py, standard library alone.

Set-up and every batch come through one pipe, values go back through another. By the time that any line of a candidate
runs, this process can open no file at all (Landlock without a single rule), make no socket and start no process
(seccomp), and has a bounded address space. It holds the functions and the numbers that it is sent; no detector, no
world, no policy.
"""

from __future__ import annotations

import builtins
import json
import math
import os
import resource
import signal
import struct
from collections.abc import Callable
from types import CodeType, FrameType, TracebackType
from typing import Any

from groundplan.confine import child, landlock, privileges, seccomp

FINE, RAISED, NO_NUMBER, NOT_FINITE, MEMORY, STOPPED = range(6)
"""How a call ended, one byte a call."""
LONGEST_TEXT = 1500
ARMED = b"+"
"""Sent when this process is confined and before anything of a candidate is run."""

_FILE = "<shaping>"
_FILES = 16
_FUTURE_ANNOTATIONS = 0x1000000
Function = Callable[[dict[str, tuple[float, ...]], dict[str, tuple[float, ...]]], Any]


class _Stop(BaseException):
    """The caller's time is over."""


def serve(request: int, answer: int, confined: bool) -> None:
    """Never returns before the caller closes the request pipe."""
    child.die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the caller, which ends this process
    (size,) = struct.unpack("<I", _read(request, 4))
    setup = json.loads(_read(request, size))
    _limit(int(setup["memory_mib"]))
    if confined:
        privileges.give_up()
        landlock.restrict([], landlock.abi())
        seccomp.Filter().install()
    signal.signal(signal.SIGALRM, _stop)
    os.write(answer, ARMED)
    functions, faults = [], []
    for source in setup["sources"]:
        function, fault = _load(source, setup["language"] == "python")
        functions.append(function)
        faults.append(fault)
    text = json.dumps(faults).encode()
    _write(answer, struct.pack("<I", len(text)) + text)
    _Calls(request, answer, functions, setup["layout"]).serve()


def _limit(memory_mib: int) -> None:
    with open("/proc/self/statm", "rb") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    memory = size + (memory_mib << 20)
    for kind, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_NOFILE, _FILES),
    ):
        resource.setrlimit(kind, (value, value))


def _stop(number: int, frame: FrameType | None) -> None:
    """Only a candidate's own code is stopped; a signal that comes too late finds none of it running."""
    while frame is not None:
        if frame.f_code.co_filename == _FILE:
            raise _Stop
        frame = frame.f_back


_SMALL = (
    "abs all any bool divmod enumerate float int len list map max min pow range reversed round sorted sum tuple zip"
).split()


def _builtins(whole: bool) -> dict[str, Any]:
    if whole:
        return dict(builtins.__dict__)
    return {**{name: getattr(builtins, name) for name in _SMALL}, "__import__": _import}


def _import(name: str, *rest: Any, **more: Any) -> Any:
    if name != "math":
        raise ImportError(f"only math may be imported, not {name}")
    return math


def _load(source: str, whole: bool) -> tuple[Function | None, str]:
    try:
        code = compile(source, _FILE, "exec", flags=_FUTURE_ANNOTATIONS, dont_inherit=True)
        return _run(code, whole), ""
    except BaseException as error:  # noqa: BLE001 - whatever a candidate raises is told, and its caller decides
        return None, _told(error)


def _run(code: CodeType, whole: bool) -> Function:
    names: dict[str, Any] = {"__builtins__": _builtins(whole), "__name__": "shaping"}
    exec(code, names)
    function: Function = names["shaping"]
    return function


class _Calls:
    """Batches of calls, answered one after the other."""

    def __init__(
        self, request: int, answer: int, functions: list[Function | None], layout: list[tuple[str, int]]
    ) -> None:
        self._request = request
        self._answer = answer
        self._functions = functions
        self._slices: list[tuple[str, int, int]] = []
        at = 0
        for name, size in layout:
            self._slices.append((name, at, at + size))
            at += size
        self._width = at

    def serve(self) -> None:
        while True:
            (count,) = struct.unpack("<I", _read(self._request, 4))
            which = struct.unpack(f"<{count}I", _read(self._request, 4 * count))
            numbers = 2 * self._width * count
            data = struct.unpack(f"<{numbers}d", _read(self._request, 8 * numbers))
            values, ends, text = [], bytearray(count), ""
            for place, number in enumerate(which):
                if place and ends[place - 1] == STOPPED:  # the time of the whole batch is over
                    values.append(0.0)
                    ends[place] = STOPPED
                    continue
                start = 2 * self._width * place
                value, ends[place], told = self._call(number, data[start : start + 2 * self._width])
                values.append(value)
                text = text or told
            told_bytes = text.encode("utf-8", "replace")[:LONGEST_TEXT]
            head = struct.pack(f"<{count}d{count}sI", *values, bytes(ends), len(told_bytes))
            _write(self._answer, head + told_bytes)

    def _call(self, number: int, data: tuple[float, ...]) -> tuple[float, int, str]:
        """Fresh observations for each call: what a candidate does to them is gone after it."""
        function, width = self._functions[number], self._width
        if function is None:
            return 0.0, RAISED, "it could not be loaded"
        previous = {name: data[start:end] for name, start, end in self._slices}
        current = {name: data[width + start : width + end] for name, start, end in self._slices}
        try:
            value = function(previous, current)
            if type(value) is not float:
                if type(value) is not int:
                    return 0.0, NO_NUMBER, f"it returned {type(value).__name__}, not a float"
                value = float(value)
        except MemoryError:
            return 0.0, MEMORY, "it used up its memory"
        except _Stop as error:
            return 0.0, STOPPED, _told(error)
        except BaseException as error:  # noqa: BLE001 - a candidate may raise anything
            return 0.0, RAISED, _told(error)
        if not math.isfinite(value):
            return 0.0, NOT_FINITE, f"it returned {value}"
        return value, FINE, ""


def _told(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f"line {error.lineno or 1}: SyntaxError: {error.msg}"
    trace: TracebackType | None = error.__traceback__
    line = 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == _FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    place = f"line {line}: " if line else ""
    if isinstance(error, _Stop):
        return f"{place}it was still running at the time limit"
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - a class of the candidate's own may raise when asked for its text
        text = ""
    return f"{place}{type(error).__name__}: {text}"[:LONGEST_TEXT]


def _read(handle: int, size: int) -> bytes:
    data = os.read(handle, size)
    if len(data) == size:
        return data
    parts = [data]
    left = size - len(data)
    while left:
        if not data:
            os._exit(0)  # the caller has gone
        data = os.read(handle, left)
        parts.append(data)
        left -= len(data)
    return b"".join(parts)


def _write(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
