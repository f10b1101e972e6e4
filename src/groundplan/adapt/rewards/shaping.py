"""Shaping functions that a model wrote, called from training: confined, bounded, and cheap.

The design. A candidate never runs in the process that trains: there it could read the detector through the
interpreter, however strict a check of its source were. Nor is the whole training worker confined: torch, MuJoCo and
checkpoints need files and threads, and the candidate would still sit beside the detector. Instead each training worker
starts one small process of its own (worker.py) with the machinery of groundplan.confine: Landlock without any rule (no
file can be opened), the seccomp allow-list (no socket, no process), no capability, no environment, a bounded address
space, and no pipe but two to its caller. It lives as long as the training does, so there is no fork and no start for a
call; observations go out as plain doubles, in one message for all parallel environments, and doubles come back. Such
a message takes about 140 microseconds for eight environments, 18 a call (`python -m groundplan.adapt.rewards.speed`),
where a training step of one environment takes about a millisecond.

Time is bounded by the caller: a batch that has used `call_s` of processor time, or `wall_s` by the clock, is stopped by
a signal that tells the line, and killed where that does not help (a loop in C). What comes back is read as bytes from
an enemy: of fixed length, and every value must be finite. A function can lie about its values only, which is what it
could have returned.

Where the kernel cannot confine, `CannotConfine` is raised: never less than asked for.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

import groundplan
from groundplan.adapt.rewards import worker
from groundplan.adapt.worlds.world import Array
from groundplan.confine.opening import CannotConfine, lacking
from groundplan.errors import GroundplanError

_HOME = str(Path(groundplan.__file__).resolve().parents[1])
_MAIN = (
    "import sys; sys.path.insert(0, {home!r}); from groundplan.adapt.rewards.worker import serve; "
    "serve({request}, {answer}, {confined})"
)
_START_S = 30.0
_GRACE_S = 0.5
_SLICE_S = 0.2
_MOST_BYTES = 48_000
"""Of one message: it fits into a pipe, so that writing it never waits."""
_TICKS = os.sysconf("SC_CLK_TCK")

KINDS = {
    worker.RAISED: "raised",
    worker.NO_NUMBER: "no-number",
    worker.NOT_FINITE: "not-finite",
    worker.MEMORY: "out-of-memory",
}


class ShapingFailed(GroundplanError):
    """A candidate cannot be used (any more). `kind` is a stable code: bad-source, time-out, killed, forged,
    too-many-faults."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[type[ShapingFailed], tuple[str, str]]:
        return ShapingFailed, (self.kind, str(self))


@dataclass(frozen=True, slots=True)
class ShapingLimits:
    """Bounds of a shaping process. `call_s` is processor time of one batch of calls; `wall_s` its time by the clock,
    long enough for a busy machine; `memory_mib` what it may take beyond its own start; `most_faults` the calls that may
    fail (and count as 0) in one training before the candidate is given up."""

    call_s: float = 1.0
    wall_s: float = 20.0
    memory_mib: int = 128
    most_faults: int = 100


DEFAULT_LIMITS = ShapingLimits()


class Shaping(Protocol):
    """Values of shaping functions for a batch of steps."""

    def values(self, which: Sequence[int], previous: Array, current: Array) -> Array:
        """For each row, the value of function `which[row]`, unclipped; 0 where the call failed. Raises ShapingFailed
        when a candidate is given up."""
        ...


class ConfinedShaping:
    """Functions from `sources`, each `shaping(previous, current) -> float` over observations of this layout.

    `layout` lists the observation's keys with their sizes, in the order of the flat vectors. `language` "small" gives
    the functions `math` and a few builtins; "python" gives them all of Python, so that the operating system alone
    confines them (for tests of just that).

    Raises CannotConfine where the machine lacks what it takes (unless `unconfined`), ShapingFailed ("bad-source") for
    a function that does not load.
    """

    def __init__(
        self,
        sources: Sequence[str],
        layout: Sequence[tuple[str, int]],
        limits: ShapingLimits = DEFAULT_LIMITS,
        *,
        unconfined: bool = False,
        language: Literal["small", "python"] = "small",
    ) -> None:
        missing = lacking()
        if missing and not unconfined:
            raise CannotConfine(f"this machine cannot confine reward functions: {missing}")
        self.faults: Counter[str] = Counter()
        self.first_fault = ""
        self.calls = 0
        self._limits = limits
        self._width = sum(size for _, size in layout)
        self._most = max(1, _MOST_BYTES // (4 + 16 * self._width))
        self._failed: ShapingFailed | None = None
        self._process = self._start(not missing)
        try:
            self._open(sources, layout, language)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self, confined: bool) -> subprocess.Popen[bytes]:
        child_request, self._request = os.pipe2(os.O_CLOEXEC)
        self._answer, child_answer = os.pipe2(os.O_CLOEXEC)
        code = _MAIN.format(home=_HOME, request=child_request, answer=child_answer, confined=confined)
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-s", "-S", "-B", "-W", "ignore", "-X", "utf8", "-c", code],
                env={"PYTHONHASHSEED": "0"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[child_request, child_answer],
                cwd="/",
                start_new_session=True,
            )
        finally:
            os.close(child_request)
            os.close(child_answer)
        os.set_blocking(self._request, False)
        self._poll = select.poll()
        self._poll.register(self._answer, select.POLLIN)
        return process

    def _open(self, sources: Sequence[str], layout: Sequence[tuple[str, int]], language: str) -> None:
        setup = {
            "sources": list(sources),
            "layout": [[name, size] for name, size in layout],
            "memory_mib": self._limits.memory_mib,
            "language": language,
        }
        data = json.dumps(setup).encode()
        os.set_blocking(self._request, True)  # nothing of a candidate runs before all of it is read
        with contextlib.suppress(BrokenPipeError):
            os.write(self._request, struct.pack("<I", len(data)))
            view = memoryview(data)
            while view:
                view = view[os.write(self._request, view) :]
        os.set_blocking(self._request, False)
        started = time.monotonic()
        while not self._poll.poll(1000):
            if time.monotonic() - started > _START_S:
                raise CannotConfine(f"the process for reward functions had not started after {_START_S:g} s")
        if os.read(self._answer, 1) != worker.ARMED:
            raise CannotConfine("the process for reward functions could not be confined")
        (size,) = struct.unpack("<I", self._read(4))
        if size > len(sources) * 8 * worker.LONGEST_TEXT:
            raise self._give_up("forged", "it wrote into the channel of its answers")
        try:
            faults = json.loads(self._read(size))
            wrong = [str(item) for item in faults if item]
        except (ValueError, TypeError):
            raise self._give_up("forged", "it wrote into the channel of its answers") from None
        if wrong:
            raise self._give_up("bad-source", wrong[0])

    def values(self, which: Sequence[int], previous: Array, current: Array) -> Array:
        """See `Shaping`. `previous` and `current` are (n, width), in the observables' own units."""
        if self._failed is not None:
            raise self._failed
        parts = [
            self._batch(which[at : at + self._most], previous[at : at + self._most], current[at : at + self._most])
            for at in range(0, len(which), self._most)
        ]
        return parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0), *parts])

    def _batch(self, which: Sequence[int], previous: Array, current: Array) -> Array:
        count = len(which)
        self.calls += count
        rows = np.concatenate([previous, current], axis=1, dtype="<f8")
        message = struct.pack(f"<I{count}I", count, *which) + rows.tobytes()
        try:
            sent = os.write(self._request, message)
        except (BlockingIOError, BrokenPipeError):
            sent = 0
        if sent != len(message):
            raise self._give_up("killed", "its process has ended, or does not listen")
        head = self._read(9 * count + 4)
        values: Array = np.frombuffer(head, "<f8", count).astype(np.float64)
        ends = np.frombuffer(head, np.uint8, count, 8 * count)
        (size,) = struct.unpack_from("<I", head, 9 * count)
        if size > worker.LONGEST_TEXT:
            raise self._give_up("forged", "it wrote into the channel of its answers")
        text = self._read(size).decode("utf-8", "replace") if size else ""
        if ends.any() or not np.isfinite(values).all():
            values = self._count_faults(values, ends, text)
        return values

    def _count_faults(self, values: Array, ends: NDArray[np.uint8], text: str) -> Array:
        if (ends == worker.STOPPED).any():
            raise self._give_up("time-out", text)
        bad = (ends != worker.FINE) | ~np.isfinite(values)
        self.first_fault = self.first_fault or text
        self.faults.update(KINDS.get(int(end), "not-finite") for end in ends[bad])
        total = sum(self.faults.values())
        if total > self._limits.most_faults:
            raise self._give_up("too-many-faults", f"{total} calls failed; the first: {self.first_fault}")
        return np.where(bad, 0.0, values)

    def _read(self, size: int) -> bytes:
        if not self._poll.poll(_SLICE_S * 1000):
            self._wait()
        data = os.read(self._answer, size)
        while len(data) < size:
            if not data:
                raise self._give_up("killed", self._why_ended())
            if not self._poll.poll(_SLICE_S * 1000):
                self._wait()
            more = os.read(self._answer, size - len(data))
            if not more:
                raise self._give_up("killed", self._why_ended())
            data += more
        return data

    def _wait(self) -> None:
        """The slow path: until there is an answer, or the time is over; then ask where it is, and end it."""
        before, started = self._cpu_s(), time.monotonic()
        limits = self._limits
        while not self._poll.poll(_SLICE_S * 1000):
            used = self._cpu_s() - before + _SLICE_S
            if used < limits.call_s and time.monotonic() - started + _SLICE_S < limits.wall_s:
                continue
            with contextlib.suppress(OSError):
                self._process.send_signal(signal.SIGALRM)
            if self._poll.poll(_GRACE_S * 1000):
                return  # its report, with the line, is read as any answer
            spent = f"{used:.1f} s of processor time, {time.monotonic() - started:.1f} s by the clock"
            raise self._give_up(
                "time-out", f"it was still running at the time limit ({spent}), in one single operation"
            )

    def _cpu_s(self) -> float:
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / _TICKS
        except (OSError, IndexError, ValueError):
            return 0.0

    def _why_ended(self) -> str:
        try:
            code = self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            return "it closed the channel of its answers"
        if code == -signal.SIGSYS:
            return "it made a system call that no reward function may make"
        return f"its process was ended by signal {-code}" if code < 0 else f"it ended its process (exit code {code})"

    def _give_up(self, kind: str, message: str) -> ShapingFailed:
        self._failed = ShapingFailed(kind, message)
        self.faults[kind] += 1
        self.first_fault = self.first_fault or message
        self.close()
        return self._failed

    def close(self) -> None:
        """End the process; calling it twice is harmless."""
        if self._failed is None:
            self._failed = ShapingFailed("closed", "this shaping is closed")
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        for name in ("_request", "_answer"):
            handle = getattr(self, name)
            if handle >= 0:
                os.close(handle)
                setattr(self, name, -1)

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.close()
