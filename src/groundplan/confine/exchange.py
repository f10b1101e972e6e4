"""One run as the caller sees it: pipes to the child, bytes back and forth until an end, and what they mean."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self

from groundplan.confine import child
from groundplan.confine.answer import HEADER, Forged, read_answer
from groundplan.confine.outcome import ConfineLimits, Ending, Ran
from groundplan.confine.tagged import load

_GRACE_S = 1.0
"""How long a program that was asked to stop may take, and a server to say that a run has ended."""
_CHUNK = 1 << 20
_ROOM = 1 << 20
"""Bytes of an answer beside the value: trace, variables, tags."""


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
    lost: bool = False
    """The server did not say how the run ended."""
    seconds: float = 0.0

    @property
    def is_answered(self) -> bool:
        got = len(self.answer)
        return got >= HEADER and got >= HEADER + int.from_bytes(self.answer[:HEADER], "big")


def converse(pipes: Pipes, request: bytes, limits: ConfineLimits, kill: Callable[[], None]) -> Talk:
    """Send the request, read until the answer is there or a limit is reached; then end the run and wait for its end."""
    started = time.monotonic()
    talk = Talk()
    deadline = started + limits.wall_s + _GRACE_S
    _exchange(pipes, memoryview(request), limits, talk, deadline)
    kill()  # answered or not: nothing of a run outlives it
    _await_end(pipes, talk, time.monotonic() + 5 * _GRACE_S)
    talk.seconds = time.monotonic() - started
    return talk


def _exchange(pipes: Pipes, request: memoryview, limits: ConfineLimits, talk: Talk, deadline: float) -> None:
    poll = select.poll()
    poll.register(pipes.request, select.POLLOUT)
    open_for_reading = {pipes.answer: talk.answer, pipes.output: talk.output, pipes.status: talk.status}
    for handle in open_for_reading:
        poll.register(handle, select.POLLIN)
    while pipes.answer in open_for_reading and not talk.is_answered and not talk.too_much:
        left = deadline - time.monotonic()
        if left <= 0:
            talk.timed_out = True
            return
        for handle, _ in poll.poll(left * 1000 + 1):
            if handle == pipes.request:
                request = _write(pipes, request)
                if not request:
                    poll.unregister(pipes.request)
                    pipes.close(pipes.request)
                continue
            data = os.read(handle, _CHUNK)
            open_for_reading[handle].extend(data)
            if not data:
                poll.unregister(handle)
                del open_for_reading[handle]
        talk.too_much = _excess(talk, limits)
        if pipes.status not in open_for_reading or talk.status:
            _drain(pipes, open_for_reading, talk)
            return


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
    if len(talk.answer) > 2 * limits.value_bytes + _ROOM:
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
    code, cpu = int(status.get("code", 0)), float(status.get("cpu", 0.0))
    ran = _meaning(talk, limits, code, cpu, str(status.get("broken", "")))
    if ran.ending in (Ending.TIME_OUT, Ending.MEMORY) and not ran.message:
        limit = f"{limits.wall_s:g} seconds" if ran.ending is Ending.TIME_OUT else f"{limits.memory_mib} MiB of memory"
        ran = replace(ran, message=f"the limit of {limit} was reached")
    output = bytes(talk.output[: limits.output_bytes]).decode("utf-8", "replace")
    return replace(ran, output=output, seconds=talk.seconds, cpu_s=cpu)


def _meaning(talk: Talk, limits: ConfineLimits, code: int, cpu: float, broken: str) -> Ran:
    if broken or (code == child.BROKEN and not talk.answer):
        return Ran(Ending.BROKEN, message=broken or "the process could not be confined")
    if talk.too_much:
        return Ran(Ending.OUTPUT, message=talk.too_much)
    if talk.timed_out:
        return Ran(Ending.TIME_OUT)
    if len(talk.output) > limits.output_bytes:
        return Ran(Ending.OUTPUT, message=f"it printed more than {limits.output_bytes} bytes")
    if talk.is_answered:
        try:
            return read_answer(bytes(talk.answer))
        except Forged:
            return Ran(Ending.FORBIDDEN, message="it wrote to the channel that its answer goes through")
    if talk.answer:
        return Ran(Ending.FORBIDDEN, message="it wrote to the channel that its answer goes through")
    if talk.lost:
        return Ran(Ending.BROKEN, message="the process that runs programs has ended")
    return _without_answer(code, cpu, limits)


def _without_answer(code: int, cpu: float, limits: ConfineLimits) -> Ran:
    if code >= 0:
        return Ran(Ending.EXITED, message=f"it ended its process (exit code {code}) without returning")
    if -code == signal.SIGSYS:
        return Ran(Ending.FORBIDDEN, message="it made a system call that no program here may make")
    if -code in (signal.SIGXCPU, signal.SIGALRM) or (-code == signal.SIGKILL and cpu >= limits.cpu_s):
        return Ran(Ending.TIME_OUT)
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return Ran(Ending.KILLED, message=f"its process was ended by {name}")
