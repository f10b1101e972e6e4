"""Processes that never outlive us: each runs in a process group of its own, which is killed as a whole.

`LineWorker` is a program that stays and answers lines; `run_program` runs a program once. Both end when this process
ends, also by `kill -9`: a pipe that closes with us tells the far side.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from groundplan.solve.outcome import Limits

KEEP_LOG = 16_000
"""Bytes of a program's output that are kept: its end."""

# The shell sets the limits (where lower ones are in force, these stay) and waits for the program. A second shell
# kills the group once standard input, a pipe from us, closes.
_WATCHED = """
ulimit -S -t "$1" 2>/dev/null || :
[ "$2" = unlimited ] || ulimit -S -v "$2" 2>/dev/null || :
shift 2
exec 3<&0
{ read -r _ <&3; kill -s KILL -- "-$$"; } </dev/null >/dev/null 2>&1 &
"$@" </dev/null 3<&- &
wait $!
"""


class WorkerDied(Exception):
    """The worker ended without an answer; `code` is its exit code (negative: the signal)."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the worker ended with code {code}")
        self.code = code


class OutOfWallTime(Exception):
    """No answer came in time; the worker and all its children have been killed."""


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the process is over. It is not waited for, so that its id, and its group's, stay ours."""
    if process.returncode is not None:
        return True
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def kill_group(process: subprocess.Popen[bytes]) -> int:
    """Kill the process and everything in its group, and wait for it. Returns the exit code of the process."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    return process.wait()


def _wait_for(pipe: int, event: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(pipe, event)
    return bool(poll.poll(max(0.0, seconds) * 1000))


class LineWorker:
    """A child process that answers one line to each line it is sent. Not thread-safe, but `kill` is."""

    def __init__(self, command: Sequence[str], environment: dict[str, str], log: Path) -> None:
        """Start the program; its errors go to the file `log`. Raises OSError when it cannot be started."""
        with open(log, "wb") as errors:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
                start_new_session=True,
                bufsize=0,
            )
        self._pending = bytearray()
        self._ending = threading.Lock()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return not has_ended(self._process)

    def ask(self, line: bytes, wall_s: float) -> bytes:
        """Send a line (without its end) and return the answer. An empty line only waits for the next answer.

        Raises WorkerDied, or OutOfWallTime; the worker is gone after both.
        """
        deadline = time.monotonic() + wall_s
        assert self._process.stdin is not None
        if line:
            try:
                self._send(line + b"\n", deadline)
            except (BrokenPipeError, ValueError):
                raise WorkerDied(self.kill()) from None
        return self._receive(deadline)

    def kill(self) -> int:
        """End the worker with all its children; harmless when it has ended. Returns its exit code."""
        with self._ending:
            return kill_group(self._process)

    def close(self) -> None:
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _send(self, data: bytes, deadline: float) -> None:
        assert self._process.stdin is not None
        pipe = self._process.stdin.fileno()
        os.set_blocking(pipe, False)
        view = memoryview(data)
        while view:
            if not _wait_for(pipe, select.POLLOUT, deadline - time.monotonic()):
                self.kill()
                raise OutOfWallTime
            view = view[os.write(pipe, view[: 1 << 16]) :]

    def _receive(self, deadline: float) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while b"\n" not in self._pending:
            if not _wait_for(pipe, select.POLLIN, deadline - time.monotonic()):
                self.kill()
                raise OutOfWallTime
            chunk = os.read(pipe, 1 << 16)
            if not chunk:
                raise WorkerDied(self._wait_or_kill())
            self._pending += chunk
        line, _, rest = bytes(self._pending).partition(b"\n")
        self._pending = bytearray(rest)
        return line

    def _wait_or_kill(self) -> int:
        """The worker closed its output: take its own exit code if it is ending, then make sure of its children."""
        _wait_until_ended(self._process, time.monotonic() + 1.0)
        return self.kill()


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that ran: its exit code (negative: killed by that signal), the end of what it printed."""

    code: int
    output: str
    seconds: float
    timed_out: bool = False


def run_program(command: Sequence[str], directory: Path, limits: Limits, *, limit_memory: bool = True) -> Finished:
    """Run a program to its end or to a limit; nothing that it started in its group is left running.

    Standard output and standard error are read together. Raises OSError when it cannot be started.
    """
    started = time.monotonic()
    cpu = str(max(1, int(limits.cpu_s + 0.999)))
    memory = str(limits.memory_mib * 1024) if limit_memory else "unlimited"
    process = subprocess.Popen(
        ["/bin/sh", "-c", _WATCHED, "groundplan", cpu, memory, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=directory,
        start_new_session=True,
        bufsize=0,
    )
    try:
        output, timed_out = _collect(process, started + limits.wall_s)
    finally:
        code = kill_group(process)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
    if code > 128:
        code = 128 - code  # how a shell reports a signal
    return Finished(code, output.decode("utf-8", "replace"), time.monotonic() - started, timed_out)


def _collect(process: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, bool]:
    """Read until the program ends or the deadline comes; says which. A child of it may keep the pipe open longer."""
    assert process.stdout is not None
    pipe = process.stdout.fileno()
    kept = b""
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            return kept, True
        if _wait_for(pipe, select.POLLIN, min(left, 0.05)):
            chunk = os.read(pipe, 1 << 16)
            if not chunk:
                break
            kept = (kept + chunk)[-KEEP_LOG:]
        elif has_ended(process):
            return kept, False
    return kept, not _wait_until_ended(process, deadline)


def _wait_until_ended(process: subprocess.Popen[bytes], deadline: float) -> bool:
    """Wait for a process that has closed its output and so is most likely ending. False when the deadline came."""
    pause = 0.0005
    while not has_ended(process):
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(pause, left))
        pause = min(2 * pause, 0.02)
    return True
