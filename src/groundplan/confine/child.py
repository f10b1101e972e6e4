"""One confined run, from the fork to its end: read the request, give up all rights, run the program, answer."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import resource
import signal
from typing import Any

from groundplan.confine import landlock, seccomp, tagged
from groundplan.confine.program import Program

BROKEN = 113
"""The exit code of a child that could not be confined."""

_BALLAST = 8 << 20
"""Address space set free for the report when a program has used up its own."""
_GRACE_S = 1
_FILE_BYTES = 16 << 20
_FILES = 64
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


def live(
    request: int,
    answer: int,
    output: int,
    readable: list[tuple[int, bool]],
    version: int,
    filter_: seccomp.Filter | None,
) -> None:
    """Never returns: the process ends by itself, or is killed."""
    die_with_parent()
    kept = _place(request, answer, output, readable)
    request, answer = kept[0], kept[1]
    data = _read_request(request)
    os.chdir(data["directory"])
    os.environ.clear()
    os.umask(0o077)
    limits = data["limits"]
    program = Program(data["source"], data["function"], float(limits["value_bytes"]))
    arguments = [tagged.decode(item) for item in data["arguments"]]
    _limit(limits)
    if filter_ is not None:
        seccomp.no_new_privileges()
        landlock.restrict(kept[2], data["directory"], version)
    for handle, _ in kept[2]:
        os.close(handle)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES, _FILES))
    ballast = mmap.mmap(-1, _BALLAST)
    program.prepare()
    _set_alarm(float(limits["wall_s"]), program, answer)
    if filter_ is not None:
        filter_.install()
    report = program.run(arguments, ballast)
    _send(answer, report)
    os._exit(0)


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent ends."""
    parent = os.getppid()
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(BROKEN)


def _place(
    request: int, answer: int, output: int, readable: list[tuple[int, bool]]
) -> tuple[int, int, list[tuple[int, bool]]]:
    """Close every file but the run's own pipes; what the program prints goes to the output pipe."""
    keep = {request, answer, *(handle for handle, _ in readable)}
    nothing = os.open("/dev/null", os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    last = 2
    for handle in sorted(keep):
        os.closerange(last + 1, handle)
        last = handle
    os.closerange(last + 1, _open_max())
    return request, answer, readable


def _open_max() -> int:
    return min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], 65536)


def _read_request(handle: int) -> dict[str, Any]:
    parts = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    os.close(handle)
    data: dict[str, Any] = tagged.load(b"".join(parts))
    return data


def _limit(limits: dict[str, Any]) -> None:
    memory = _address_space() + (int(limits["memory_mib"]) << 20)
    seconds = max(1, int(float(limits["cpu_s"]) + 0.999))
    for kind, soft, hard in (
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, seconds, seconds + _GRACE_S),
        (resource.RLIMIT_FSIZE, _FILE_BYTES, _FILE_BYTES),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        resource.setrlimit(kind, (soft, hard))


def _address_space() -> int:
    handle = os.open("/proc/self/statm", os.O_RDONLY)
    pages = int(os.read(handle, 256).split()[0])
    os.close(handle)
    return pages * resource.getpagesize()


def _set_alarm(seconds: float, program: Program, answer: int) -> None:
    """At the time limit, say where the program is and end. One that keeps the signal from us is killed from outside."""

    def stop(_: int, frame: Any) -> None:
        if not program.is_done:
            _send(answer, program.stopped(frame))
            os._exit(0)

    signal.signal(signal.SIGALRM, stop)
    signal.signal(signal.SIGXCPU, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _send(handle: int, report: dict[str, Any]) -> None:
    with contextlib.suppress(OSError):
        data = tagged.dump(report)
        data = len(data).to_bytes(8, "big") + data
        view = memoryview(data)
        while view:
            view = view[os.write(handle, view) :]
