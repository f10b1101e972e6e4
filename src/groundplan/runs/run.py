"""A run: one directory with its settings, its event log and its artifacts."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, Literal, Self

from groundplan import __version__
from groundplan.errors import InputError
from groundplan.models.storage import TEMPORARY_PREFIX, storage_error, write_whole
from groundplan.runs.budget import SESSION, Budget, BudgetExhausted, Spent, exhausted, spent_after, spent_in
from groundplan.runs.lock import RunLock
from groundplan.runs.log import Event, EventLog, read_events
from groundplan.runs.settings import RunHead, as_settings, differences, read_head, write_head

_HEAD, _LOG, _LOCK = "run.json", "events.jsonl", "run.lock"


class Run:
    """An open run; make one with `Run.open`, close it or use it in a `with`. Thread-safe; one process writes at a time.

    A run is resumed by doing everything again from the start: what was paid for comes from the log (see paid.py).
    """

    def __init__(self, directory: Path, head: RunHead, lock: RunLock, log: EventLog, budget: Budget) -> None:
        self.directory = directory
        self.id = head.id
        self.settings = head.settings
        self.budget = budget
        self._lock = lock
        self._log = log
        self._mutex = threading.RLock()
        self._spent = spent_in(log.recovered)
        self._opened = time.monotonic()
        self._steps = _by_step(log.recovered)
        self.resumed = any(event.kind == SESSION for event in log.recovered)
        self.event(SESSION, groundplan=__version__, resumed=self.resumed)

    @classmethod
    def open(
        cls,
        directory: Path | str,
        *,
        settings: Mapping[str, Any],
        resume: bool | Literal["auto"] = "auto",
        budget: Budget | None = None,
    ) -> Self:
        """Start a run in `directory`, or go on with the one that is there.

        `settings` is all that decides the result (model, seed, inputs); leave out what may change between sessions,
        such as the budget or the number of workers. `resume` True wants a run to be there, False wants none, "auto"
        takes either.

        Raises InputError for a directory with other things in it, for `resume` at odds with what is there, and for
        other settings than before (it says which); StorageError when the directory cannot be written or another
        process writes it; TypeError or ValueError for settings that JSON cannot hold.
        """
        folder = Path(directory)
        wanted = as_settings(settings)
        try:
            _refuse_foreign(folder)
            if resume is True and not (folder / _HEAD).exists():
                raise InputError(f"{folder}: there is no run here to resume")
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise storage_error(folder, error) from error
        lock = RunLock(folder / _LOCK)
        try:
            head = _start_or_resume(folder, wanted, resume)
            log = EventLog(folder / _LOG)
            try:
                return cls(folder, head, lock, log, budget or Budget())
            except BaseException:
                log.close()
                raise
        except BaseException:
            lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the log and let the next writer in; calling it twice is harmless."""
        self._log.close()
        self._lock.close()

    def event(self, kind: str, *, durable: bool = False, **payload: Any) -> Event:
        """Write one event; `durable` for what was paid for. Raises what EventLog.append raises."""
        if not self._lock.held:
            raise RuntimeError("this run is closed, or belongs to the process that forked this one")
        with self._mutex:
            event = self._log.append(kind, payload, durable=durable)
            self._spent = spent_after(self._spent, event)
            self._steps.update(_by_step([event]))
        return event

    def once(self, kind: str, step: str, *, durable: bool = False, **payload: Any) -> Event:
        """Write an event that belongs to the `step` of the work, unless the log already says just that of it.

        So a resumed run, which takes its steps again, does not write them down again.
        """
        with self._mutex:
            known = self.recall(kind, step)
            if known is not None and known.payload == as_settings({"step": step, **payload}):
                return known
            return self.event(kind, durable=durable, step=step, **payload)

    def recall(self, kind: str, step: str) -> Event | None:
        """The last event of this kind that belongs to `step`, from this session or an earlier one."""
        return self._steps.get((kind, step))

    def events(self) -> tuple[Event, ...]:
        """All events so far, read from the disk."""
        return read_events(self._log.path)

    def artifact(self, name: str, text: str) -> Path:
        """Write a file of the run whole or not at all, replacing an older one; `name` may name subfolders.

        Raises ValueError for a name outside the run or one of the run's own, StorageError when it cannot be written.
        """
        path = PurePosixPath(name)
        outside = path.is_absolute() or ".." in path.parts or not path.name
        if outside or str(path) in (_HEAD, _LOG, _LOCK) or "\0" in name:
            raise ValueError(f"`{name}` cannot name an artifact")
        file = self.directory / path
        write_whole(file, text.encode("utf-8", "backslashreplace"))
        return file

    @property
    def elapsed(self) -> float:
        """Wall seconds of all sessions, this one included."""
        return self._spent.seconds + time.monotonic() - self._opened

    @property
    def spent(self) -> Spent:
        """What all sessions have spent, this one included."""
        return replace(self._spent, seconds=self.elapsed)

    def check_budget(self, *, of_model: bool = True) -> None:
        """Call it before whatever costs something. Raises BudgetExhausted when a limit is reached.

        With `of_model=False`, limits on what only models cost do not count: the last reply that a budget allows is
        still to be solved. Threads that ask at the same moment all pass, so that many calls may still be made.
        """
        budget = self.budget if of_model else replace(self.budget, calls=None, tokens=None, usd=None)
        reason = exhausted(budget, self.spent)
        if reason is not None:
            raise BudgetExhausted(reason)


def _by_step(events: Iterable[Event]) -> dict[tuple[str, str], Event]:
    return {(event.kind, event.payload["step"]): event for event in events if "step" in event.payload}


def _refuse_foreign(folder: Path) -> None:
    """A run never moves in with other files; what a kill during the first moments left behind is no other file."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: this is a file, a directory for the run is wanted")
    if not folder.exists() or (folder / _HEAD).exists():
        return
    names = (file.name for file in folder.iterdir())
    others = [name for name in names if name != _LOCK and not name.startswith(TEMPORARY_PREFIX)]
    if others:
        raise InputError(
            f"{folder}: this directory is not a run and holds other files (`{min(others)}`); choose another one"
        )


def _start_or_resume(folder: Path, wanted: Mapping[str, Any], resume: bool | Literal["auto"]) -> RunHead:
    file = folder / _HEAD
    if not file.exists():
        return write_head(file, wanted)
    if resume is False:
        raise InputError(f"{folder}: there is a run here already; resume it, or choose another directory")
    head = read_head(file)
    if changed := differences(head.settings, wanted):
        raise InputError(
            f"{folder}: this run was started with other settings ({'; '.join(changed)}); "
            "use the same ones to resume it, or choose another directory"
        )
    return head
