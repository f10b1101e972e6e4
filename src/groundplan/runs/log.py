"""An append-only event log: one JSON object a line, whole or not there."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundplan.errors import InputError
from groundplan.models.exchange import json_line
from groundplan.models.storage import storage_error, sync_folder

_HEAD = ("n", "time", "kind")


@dataclass(frozen=True, slots=True)
class Event:
    """Line `n` of a log, counted from 0; `time` is UTC, ISO 8601 with microseconds."""

    n: int
    time: str
    kind: str
    payload: Mapping[str, Any]


class EventLog:
    """The log at `path`, open for appending. The caller sees to it that nobody else writes (see lock.py).

    Opening reads the events that are there (`recovered`) and cuts off a last line that a kill or a full disk left
    unfinished. Raises InputError for any other damage, naming the line, and StorageError when it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
            sync_folder(path.parent)
        except OSError as error:
            raise storage_error(path, error) from error
        self._mutex = threading.Lock()
        try:
            self.recovered, whole = _scan(path)
            self._mend(whole)
        except BaseException:
            self.close()
            raise
        self._next = len(self.recovered)

    def append(self, kind: str, payload: Mapping[str, Any], *, durable: bool = False) -> Event:
        """Write one event with one write; with `durable` it is on the disk itself before this returns.

        Raises StorageError, and leaves the log as it was, when the disk is full. Raises TypeError or ValueError for
        what JSON cannot hold, and ValueError for a payload that names `n`, `time` or `kind`.
        """
        if clash := set(_HEAD) & set(payload):
            raise ValueError(f"an event's payload cannot hold {sorted(clash)}")
        with self._mutex:
            n, time = self._next, datetime.now(UTC).isoformat(timespec="microseconds")
            line = json_line({"n": n, "time": time, "kind": kind, **payload})
            self._write(line, durable)
        return _event(line, n)

    def close(self) -> None:
        """Calling it twice is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _write(self, line: bytes, durable: bool) -> None:
        start = os.fstat(self._descriptor).st_size
        try:
            left = memoryview(line)
            while left:  # one write, unless the disk is nearly full: then the second says why
                left = left[os.write(self._descriptor, left) :]
            if durable:
                os.fsync(self._descriptor)
        except OSError as error:
            raise storage_error(self.path, error) from error
        finally:  # also after Ctrl-C: what is in the file decides what the next number is
            if os.fstat(self._descriptor).st_size >= start + len(line):
                self._next += 1
            else:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._descriptor, start)

    def _mend(self, whole: int) -> None:
        """Cut the file to its whole lines, or give the last one the line end that it lacks."""
        try:
            if whole > os.fstat(self._descriptor).st_size:
                os.write(self._descriptor, b"\n")
            else:
                os.ftruncate(self._descriptor, whole)
        except OSError as error:
            raise storage_error(self.path, error) from error


def read_events(path: Path | str) -> tuple[Event, ...]:
    """The events of a log, also while another process writes it. Raises InputError for a damaged line."""
    return _scan(Path(path))[0]


def _scan(path: Path) -> tuple[tuple[Event, ...], int]:
    """The events and how many bytes their lines take, each with its line end."""
    try:
        *lines, tail = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"{path}: the log cannot be read ({error.strerror or error})") from error
    events = []
    for n, line in enumerate(lines):
        try:
            events.append(_event(line, n))
        except ValueError as error:
            raise InputError(
                f"{path}:{n + 1}: this line of the log is damaged ({error}); restore the file, or start a new run"
            ) from error
    if tail:
        with contextlib.suppress(ValueError):  # only its line end may be missing
            events.append(_event(tail, len(lines)))
            lines.append(tail)
    return tuple(events), sum(len(line) + 1 for line in lines)


def _event(line: bytes, n: int) -> Event:
    try:
        data = json.loads(line)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str) or not isinstance(data.get("time"), str):
        raise ValueError("not an event")
    if data.get("n") != n:
        raise ValueError(f"event {n} should stand here, not {data.get('n')}")
    return Event(n, data["time"], data["kind"], {name: data[name] for name in data if name not in _HEAD})
