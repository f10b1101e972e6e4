"""One confined run, from the fork to its end: read the request, give up all rights, run the program, answer."""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from groundplan.confine import landlock, privileges, seccomp, strict_json, tagged
from groundplan.confine.answer import ARMED
from groundplan.confine.program import Program

BROKEN, SPEECHLESS = 113, 114
"""Exit codes: of a child that could not be confined, and of one whose answer could not be written."""

_BALLAST = 8 << 20
"""Address space set free for the report when a program has used up its own."""
_STACK = 64 << 20
_GRACE_S = 1
_FILE_BYTES = 4 << 20
_FILES = 64
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)

# Held here, since a program may put other things into the modules that they come from.
_write, _exit = os.write, os._exit


def live(
    request: int,
    answer: int,
    output: int,
    readable: list[landlock.Rule],
    version: int,
    filter_: seccomp.Filter | None,
) -> None:
    """Never returns: the process ends by itself, or is killed."""
    die_with_parent()
    _place(output, {request, answer, *(rule.handle for rule in readable)})
    data = _read_request(request)
    os.chdir(data["directory"])
    os.environ.clear()
    os.umask(0o077)
    limits = data["limits"]
    program = Program(data["source"], data["function"], float(limits["value_bytes"]))
    arguments = [tagged.decode(item) for item in data["arguments"]]
    _limit(limits)
    if filter_ is not None:
        privileges.give_up()
        own = landlock.rules([Path(data["directory"])], landlock.OWN)
        landlock.restrict([*readable, *own], version)
        for rule in (*readable, *own):
            os.close(rule.handle)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES, _FILES))
    ballast = mmap.mmap(-1, _BALLAST)
    _set_alarm(limits, program, answer)
    if filter_ is not None:
        filter_.install()
    _write(answer, ARMED)
    _send(answer, lambda: program.run(arguments, ballast.close))


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent (the very thread that started it) ends."""
    parent = os.getppid()
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(BROKEN)


def _place(output: int, keep: set[int]) -> None:
    """Close every file but those to keep; what the program prints goes to the output pipe."""
    os.dup2(output, 1)
    os.dup2(output, 2)
    last = 2
    for handle in sorted(keep):
        if handle > last + 1:
            os.closerange(last + 1, handle)
        last = handle
    os.closerange(last + 1, _open_max())


def _open_max() -> int:
    return min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 1 << 20)


def _read_request(handle: int) -> dict[str, Any]:
    parts = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    os.close(handle)
    data: dict[str, Any] = strict_json.load(b"".join(parts))
    return data


def _limit(limits: dict[str, Any]) -> None:
    memory = _address_space() + _BALLAST + _STACK + (int(limits["memory_mib"]) << 20)
    seconds = max(1, int(float(limits["cpu_s"]) + 0.999))
    for kind, soft, hard in (
        (resource.RLIMIT_STACK, _STACK, _STACK),
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, seconds, seconds + _GRACE_S),
        (resource.RLIMIT_FSIZE, _FILE_BYTES, _FILE_BYTES),
        (resource.RLIMIT_MEMLOCK, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        highest = resource.getrlimit(kind)[1]
        if highest != resource.RLIM_INFINITY:
            soft, hard = min(soft, highest), min(hard, highest)
        resource.setrlimit(kind, (soft, hard))


def _address_space() -> int:
    handle = os.open("/proc/self/statm", os.O_RDONLY)
    pages = int(os.read(handle, 256).split()[0])
    os.close(handle)
    return pages * resource.getpagesize()


def _set_alarm(limits: dict[str, Any], program: Program, answer: int) -> None:
    """At the time limit, say where the program is and end. One that keeps the signal from us is killed from outside."""
    wall, cpu = float(limits["wall_s"]), float(limits["cpu_s"])

    def stop(number: int, frame: Any) -> None:
        if not program.is_done:
            why = f"{cpu:g} seconds of CPU time" if number == signal.SIGXCPU else f"{wall:g} seconds"
            _send(answer, lambda: program.stopped(frame, f"the limit of {why} was reached"))

    signal.signal(signal.SIGALRM, stop)
    signal.signal(signal.SIGXCPU, stop)
    signal.setitimer(signal.ITIMER_REAL, wall)


_NO_MEMORY = strict_json.dump({"ending": "out-of-memory", "error": "MemoryError"})
_NO_REPORT = strict_json.dump({"ending": "raised", "message": "the program broke the code that reports on it"})


def _send(handle: int, make: Callable[[], dict[str, Any]]) -> None:
    """Send the report and end this process, whatever the program has done to it."""
    try:
        data = strict_json.dump(make())
    except MemoryError:
        data = _NO_MEMORY
    except BaseException:  # noqa: BLE001 - the program may have put anything anywhere
        data = _NO_REPORT
    try:
        view = memoryview(len(data).to_bytes(8, "big") + data)
        while view:
            view = view[_write(handle, view) :]
        _exit(0)
    finally:
        _exit(SPEECHLESS)
