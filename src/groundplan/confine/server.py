"""The fork server: a small process that forks one confined child for every run, and tells how each ended.

It runs as a program of its own (`serve` is its main function) with an empty environment. Its caller sends it the pipes
of a run; all data flow between the caller and the child, so that nothing a program writes ever reaches the server.
"""

from __future__ import annotations

import contextlib
import gc
import os
import selectors
import signal
import socket
import sys
from dataclasses import dataclass

from groundplan.confine import child, landlock, seccomp, tagged

PRELOADED = (
    "bisect cmath collections copy dataclasses datetime decimal enum fractions functools heapq itertools json math "
    "operator random re statistics string time typing traceback linecache ast ctypes resource"
).split()
"""Modules that programs may want: loaded once, so that no run pays for them."""


@dataclass
class _Run:
    number: int
    status: int
    """The pipe on which the caller waits for the end."""


class Server:
    """Serves the caller at the other end of `control` until it closes."""

    def __init__(self, control: socket.socket, confined: bool) -> None:
        self._control = control
        self._filter = seccomp.Filter() if confined else None
        self._version = landlock.abi() if confined else 0
        self._readable = landlock.open_paths(landlock.standard_library()) if confined else []
        self._runs: dict[int, _Run] = {}
        self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def serve(self) -> None:
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake[1], warn_on_full_buffer=False)
        with selectors.DefaultSelector() as selector:
            selector.register(self._control, selectors.EVENT_READ)
            selector.register(self._wake[0], selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fileobj is self._control and not self._obey():
                        self._end()
                        return
                    if key.fileobj == self._wake[0]:
                        with contextlib.suppress(BlockingIOError):
                            os.read(self._wake[0], 4096)
                self._reap()

    def _obey(self) -> bool:
        """One message of the caller: a run with its pipes, or the end of one. False when the caller is gone."""
        try:
            data, handles, _, _ = socket.recv_fds(self._control, 4096, 8)
        except OSError:
            return False
        if not data:
            return False
        message = tagged.load(data)
        if "kill" in message:
            self._kill(message["kill"])
        else:
            self._fork(message, list(handles))
        return True

    def _fork(self, message: dict[str, object], handles: list[int]) -> None:
        request, answer, output, status = handles
        number = int(str(message["run"]))
        try:
            pid = os.fork()
        except OSError as error:
            os.write(status, tagged.dump({"broken": f"fork: {error.strerror}"}) + b"\n")
            for handle in handles:
                os.close(handle)
            return
        if pid == 0:
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                os.setsid()
                child.live(request, answer, output, self._readable, self._version, self._filter)
            finally:
                os._exit(child.BROKEN)
        for handle in (request, answer, output):
            os.close(handle)
        self._runs[pid] = _Run(number, status)

    def _kill(self, number: object) -> None:
        for pid, run in self._runs.items():
            if run.number == number:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)

    def _reap(self) -> None:
        while self._runs:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            run = self._runs.pop(pid, None)
            if run is None:
                continue
            code = os.waitstatus_to_exitcode(status)
            report = {"code": code, "cpu": usage.ru_utime + usage.ru_stime}
            with contextlib.suppress(OSError):
                os.write(run.status, tagged.dump(report) + b"\n")
            os.close(run.status)

    def _end(self) -> None:
        for pid in self._runs:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def serve(control: int, confined: bool) -> None:
    """The server's main function; it ends when the caller closes its end, or dies."""
    child.die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal reaches the caller, which closes the server
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            __import__(name)
    _forget_the_way_here()
    gc.collect()
    gc.freeze()  # what is here stays: no run pays for looking at it
    with socket.socket(fileno=control) as connection:
        Server(connection, confined).serve()


def _forget_the_way_here() -> None:
    """Programs see the standard library alone."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != here]
    sys.path_importer_cache.clear()


__all__ = ["PRELOADED", "Server", "serve"]
