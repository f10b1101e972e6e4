"""The fork server: a small process that forks one confined child for every run, and tells how each ended.

It runs as a program of its own (`serve` is its main function) with an empty environment. Its caller sends it the pipes
of a run; all data flow between the caller and the child, so that nothing a program writes ever reaches the server.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import selectors
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from groundplan.confine import child, landlock, privileges, seccomp, strict_json, watch

PRELOADED = (
    "bisect cmath collections copy dataclasses datetime decimal enum fractions functools heapq itertools json math "
    "operator random re statistics string time typing traceback linecache ast ctypes resource"
).split()
"""Modules that programs may want: loaded once, so that no run pays for them."""

_exit = os._exit  # held here, since a program may put something else into the module


@dataclass
class _Run:
    number: int
    directory: str
    status: int
    """The pipe on which the caller waits for the end."""
    excess: tuple[str, str] | None = None
    """The ending and message of a run that was killed for passing a bound."""


class Server:
    """Serves the caller at the other end of `control` until it closes."""

    def __init__(self, control: socket.socket, confined: bool, abi: int | None = None) -> None:
        self._control = control
        self._filter = seccomp.Filter() if confined else None
        self._version = (abi or landlock.abi()) if confined else 0
        self._readable = landlock.rules(landlock.standard_library(), landlock.READ) if confined else []
        self._runs: dict[int, _Run] = {}
        self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._next_watch = 0.0

    def serve(self) -> None:
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake[1], warn_on_full_buffer=False)
        with selectors.DefaultSelector() as selector:
            selector.register(self._control, selectors.EVENT_READ)
            selector.register(self._wake[0], selectors.EVENT_READ)
            while True:
                for key, _ in selector.select(watch.INTERVAL_S if self._runs else None):
                    if key.fileobj is self._control and not self._obey():
                        self._end()
                        return
                    if key.fileobj == self._wake[0]:
                        with contextlib.suppress(BlockingIOError):
                            os.read(self._wake[0], 4096)
                self._reap()
                if time.monotonic() >= self._next_watch:
                    self._watch()
                    self._next_watch = time.monotonic() + watch.INTERVAL_S

    def _obey(self) -> bool:
        """One message of the caller: a run with its pipes, or the end of one. False when the caller is gone."""
        try:
            data, handles, _, _ = socket.recv_fds(self._control, 4096, 8)
        except OSError:
            return False
        if not data:
            return False
        message = strict_json.load(data)
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
            os.write(status, strict_json.dump({"broken": f"fork: {error.strerror}"}) + b"\n")
            for handle in handles:
                os.close(handle)
            return
        if pid == 0:
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                os.setsid()
                child.live(request, answer, output, self._readable, self._version, self._filter)
            except BaseException as error:  # noqa: BLE001 - the child's end; its caller is told why nothing ran
                os.write(1, f"{type(error).__name__}: {error}".encode(errors="replace"))
            finally:
                _exit(child.BROKEN)
        for handle in (request, answer, output):
            os.close(handle)
        self._runs[pid] = _Run(number, str(message["directory"]), status)

    def _kill(self, number: object) -> None:
        for pid, run in self._runs.items():
            if run.number == number:
                _end_session(pid)

    def _watch(self) -> None:
        for pid, run in self._runs.items():
            if run.excess is None:
                run.excess = watch.excess(pid, run.directory)
            if run.excess is not None:
                _end_session(pid)

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
            report = {"code": code, "cpu": usage.ru_utime + usage.ru_stime, "excess": run.excess}
            with contextlib.suppress(OSError):
                os.write(run.status, strict_json.dump(report) + b"\n")
            os.close(run.status)

    def _end(self) -> None:
        for pid in self._runs:
            _end_session(pid)


def _end_session(pid: int) -> None:
    for kill in (os.kill, os.killpg):  # the group too, which a run that is not confined may have filled
        with contextlib.suppress(ProcessLookupError):
            kill(pid, signal.SIGKILL)


def _restrict(folder: str, version: int) -> None:
    """The server itself may read the standard library without installed packages, and process numbers' files, and
    write in the folder of the runs: the long list of rules, once for all runs, each of which is confined further."""
    privileges.give_up()
    libraries = landlock.without_packages(landlock.standard_library())
    allowed = landlock.rules([*libraries, Path("/proc")], landlock.READ) + landlock.rules([Path(folder)], landlock.OWN)
    landlock.restrict(allowed, version)
    for rule in allowed:
        os.close(rule.handle)


def serve(control: int, folder: str, confined: bool, abi: int | None = None) -> None:
    """The server's main function; it ends when the caller closes its end, or dies."""
    child.die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal reaches the caller, which closes the server
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            __import__(name)
    _forget_the_way_here()
    _open_output()
    gc.collect()
    gc.freeze()  # what is here stays: no run pays for looking at it
    with socket.socket(fileno=control) as connection:
        server = Server(connection, confined, abi)
        if confined:
            _restrict(folder, abi or landlock.abi())
        server.serve()


def _forget_the_way_here() -> None:
    """Programs see the standard library alone. This hides what is here from accidents, not from those who search."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != here]
    sys.path_importer_cache.clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "groundplan"]:
        del sys.modules[name]
    sys.modules["__main__"] = ModuleType("__main__")
    sys.argv, sys.orig_argv = [""], []


def _open_output() -> None:
    """What a program prints leaves line by line, so that it is there however the program ends."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        raw = io.FileIO(number, "w", closefd=False)
        text = io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", "backslashreplace", line_buffering=True)
        setattr(sys, name, text)
        setattr(sys, f"__{name}__", text)


__all__ = ["PRELOADED", "Server", "serve"]
