"""One run as the caller sees it: pipes to the child, bytes back and forth until an end, and what they mean."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Self

from groundplan.confine import child
from groundplan.confine.answer import HEADER, ROOM, Forged, announced, read_answer
from groundplan.confine.outcome import ConfineLimits, Ending, Ran
from groundplan.confine.strict_json import TooLarge, load

_GRACE_S = 1.0
"""How long a program that was asked to stop may take, and a server to say that a run has ended."""
_START_S = 15.0
"""How long a run may take, on a busy machine, until its program starts and its own limits count."""
_HANG_UP_S = 0.5
"""How long after the end of an answer's pipe the end of its process is awaited: it is ending, or it closed the pipe."""
_CHUNK = 1 << 20
_LONGEST_REASON = 300


class Pipes:
    """The four pipes of a run: request, answer, output, status. Closes all that is still open at the end."""

    def __init__(self) -> None:
        made: list[tuple[int, int]] = []
        try:
            for _ in range(4):
                made.append(os.pipe2(os.O_CLOEXEC))
        except OSError:
            for pair in made:
                os.close(pair[0])
                os.close(pair[1])
            raise
        (child_request, self.request), (self.answer, a), (self.output, o), (self.status, s) = made
        self.childs = [child_request, a, o, s]
        self._ours = {self.request, self.answer, self.output, self.status}
        os.set_blocking(self.request, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close_childs()
        for handle in tuple(self._ours):
            self.close(handle)

    def close_childs(self) -> None:
        while self.childs:
            os.close(self.childs.pop())

    def close(self, handle: int) -> None:
        if handle in self._ours:
            self._ours.discard(handle)
            os.close(handle)


@dataclass
class Talk:
    """What was read of a run, and why the reading ended."""

    answer: bytearray = field(default_factory=bytearray)
    output: bytearray = field(default_factory=bytearray)
    status: bytearray = field(default_factory=bytearray)
    timed_out: bool = False
    too_much: str = ""
    hung_up: bool = False
    """No answer will come: its pipe was closed by a process that went on, or holds something else."""
    lost: bool = False
    """The server did not say how the run ended."""
    seconds: float = 0.0

    @property
    def is_armed(self) -> bool:
        """Whether the process was confined and the program started."""
        return bool(self.answer)

    @property
    def is_answered(self) -> bool:
        return len(self.answer) >= HEADER and len(self.answer) >= announced(self.answer)


def converse(pipes: Pipes, request: bytes, limits: ConfineLimits, kill: Callable[[], None]) -> Talk:
    """Send the request, read until the answer is there or a limit is reached; then end the run and wait for its end."""
    started = time.monotonic()
    talk = Talk()
    _Exchange(pipes, memoryview(request), limits, talk).run()
    kill()  # answered or not: nothing of a run outlives it
    _await_end(pipes, talk, time.monotonic() + 5 * _GRACE_S)
    talk.seconds = time.monotonic() - started
    return talk


class _Exchange:
    """Bytes out and in until there is an answer, or there will be none."""

    def __init__(self, pipes: Pipes, request: memoryview, limits: ConfineLimits, talk: Talk) -> None:
        self._pipes = pipes
        self._request = request
        self._limits = limits
        self._talk = talk
        self._deadline = time.monotonic() + _START_S
        self._poll = select.poll()
        self._poll.register(pipes.request, select.POLLOUT)
        # The answer is looked at first: what was printed before it is then ready too, and read in the same turn.
        self._open = {pipes.answer: talk.answer, pipes.output: talk.output, pipes.status: talk.status}
        for handle in self._open:
            self._poll.register(handle, select.POLLIN)

    def run(self) -> None:
        talk = self._talk
        while not talk.is_answered and not talk.too_much:
            left = self._deadline - time.monotonic()
            if left <= 0:
                talk.hung_up = self._pipes.answer not in self._open
                talk.timed_out = not talk.hung_up
                return
            was_armed = talk.is_armed
            for handle, _ in self._poll.poll(left * 1000 + 1):
                self._serve(handle)
            if talk.is_armed and not was_armed:
                self._deadline = time.monotonic() + self._limits.wall_s + _GRACE_S
            talk.too_much = _excess(talk, self._limits)
            if len(talk.answer) >= HEADER and announced(talk.answer) > 2 * self._limits.value_bytes + ROOM:
                talk.hung_up = True  # no answer of ours, and not worth waiting for
                return
            if self._pipes.status not in self._open or talk.status:
                _drain(self._pipes, self._open, talk)
                return

    def _serve(self, handle: int) -> None:
        if handle == self._pipes.request:
            self._request = _write(self._pipes, self._request)
            if not self._request:
                self._poll.unregister(handle)
                self._pipes.close(handle)
            return
        data = os.read(handle, _CHUNK)
        self._open[handle].extend(data)
        if not data:
            self._poll.unregister(handle)
            del self._open[handle]
            if handle == self._pipes.answer:
                self._deadline = min(self._deadline, time.monotonic() + _HANG_UP_S)


def _write(pipes: Pipes, request: memoryview) -> memoryview:
    try:
        return request[os.write(pipes.request, request[:_CHUNK]) :]
    except BlockingIOError:
        return request
    except BrokenPipeError:
        return request[:0]


def _drain(pipes: Pipes, open_for_reading: dict[int, bytearray], talk: Talk) -> None:
    """The run has ended: what is still in the pipes."""
    for handle in (pipes.answer, pipes.output):
        if handle not in open_for_reading:
            continue
        os.set_blocking(handle, False)
        while True:
            try:
                data = os.read(handle, _CHUNK)
            except BlockingIOError:
                break
            if not data:
                break
            open_for_reading[handle].extend(data)


def _excess(talk: Talk, limits: ConfineLimits) -> str:
    if len(talk.output) > limits.output_bytes:
        return f"it printed more than {limits.output_bytes} bytes"
    if len(talk.answer) > 2 * limits.value_bytes + ROOM:
        return f"it returned more than {limits.value_bytes} bytes"
    return ""


def _await_end(pipes: Pipes, talk: Talk, deadline: float) -> None:
    """Read what the server says of the run's end; its pipe is closed by then."""
    poll = select.poll()
    poll.register(pipes.status, select.POLLIN)
    while not talk.status.endswith(b"\n"):
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000 + 1):
            break
        data = os.read(pipes.status, _CHUNK)
        if not data:
            break
        talk.status.extend(data)
    talk.lost = not talk.status.endswith(b"\n")


def outcome(talk: Talk, limits: ConfineLimits) -> Ran:
    """What the bytes mean. The answer counts only where nothing else ended the run."""
    status = load(bytes(talk.status)) if talk.status.endswith(b"\n") else {}
    cpu = float(status.get("cpu", 0.0))
    ran = _meaning(talk, limits, status)
    if ran.ending in (Ending.TIME_OUT, Ending.MEMORY) and not ran.message:
        limit = f"{limits.wall_s:g} seconds" if ran.ending is Ending.TIME_OUT else f"{limits.memory_mib} MiB of memory"
        ran = replace(ran, message=f"the limit of {limit} was reached")
    output = bytes(talk.output[: limits.output_bytes]).decode("utf-8", "replace")
    return replace(ran, output=output, seconds=talk.seconds, cpu_s=cpu)


def _meaning(talk: Talk, limits: ConfineLimits, status: dict[str, Any]) -> Ran:
    code, cpu = int(status.get("code", 0)), float(status.get("cpu", 0.0))
    if status.get("broken") or (not talk.is_armed and code == child.BROKEN):
        why = bytes(talk.output[:_LONGEST_REASON]).decode("utf-8", "replace")  # of our own code: no program has run
        return Ran(Ending.BROKEN, message=status.get("broken") or f"the process could not be confined: {why}")
    if talk.lost and not talk.is_answered:
        return Ran(Ending.BROKEN, message="the process that runs programs has ended")
    if talk.timed_out and not talk.is_armed:
        return Ran(Ending.BROKEN, message=f"the machine is too busy: the program had not started after {_START_S:g} s")
    if status.get("excess"):
        return Ran(Ending(status["excess"][0]), message=status["excess"][1])
    if talk.too_much or len(talk.output) > limits.output_bytes:
        return Ran(Ending.OUTPUT, message=talk.too_much or f"it printed more than {limits.output_bytes} bytes")
    if talk.timed_out:
        return Ran(Ending.TIME_OUT)
    if len(talk.answer) > 1 or talk.hung_up or code == child.SPEECHLESS:
        return _read(talk, limits)
    return _without_answer(code, cpu, limits)


def _read(talk: Talk, limits: ConfineLimits) -> Ran:
    try:
        return read_answer(bytes(talk.answer), limits.value_bytes)
    except TooLarge:
        return Ran(Ending.OUTPUT, message=f"it returned more than {limits.value_bytes} bytes")
    except Forged:
        return Ran(Ending.FORBIDDEN, message="it wrote to, or closed, the channel that its answer goes through")


def _without_answer(code: int, cpu: float, limits: ConfineLimits) -> Ran:
    if code >= 0:
        return Ran(Ending.EXITED, message=f"it ended its process (exit code {code}) without returning")
    if -code == signal.SIGSYS:
        return Ran(Ending.FORBIDDEN, message="it made a system call that no program here may make")
    if -code in (signal.SIGXCPU, signal.SIGALRM) or (-code == signal.SIGKILL and cpu >= limits.cpu_s):
        return Ran(Ending.TIME_OUT, message=f"the limit of {limits.cpu_s:g} seconds of CPU time was reached")
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    why = "; most often this is recursion so deep that the C stack overflowed" if -code == signal.SIGSEGV else ""
    return Ran(Ending.KILLED, message=f"its process was ended by {name}{why}")
