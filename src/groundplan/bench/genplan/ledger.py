"""What was measured already: one JSON line for each result, so that a measurement that was stopped goes on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from groundplan import __version__
from groundplan.models.storage import storage_error
from groundplan.runs.lock import RunLock
from groundplan.runs.log import EventLog

LEDGER_FILE = "results.jsonl"


class Ledger:
    """Results by kind and key, in `folder`/results.jsonl, or in memory alone where no folder is given.

    Thread-safe. Raises StorageError when the file cannot be written or another process writes it, and InputError for
    a damaged file.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._known: dict[tuple[str, str], Mapping[str, Any]] = {}
        self._log: EventLog | None = None
        self._lock: RunLock | None = None
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise storage_error(folder, error) from error
        self._lock = RunLock(folder / "lock")
        try:
            self._log = EventLog(folder / LEDGER_FILE)
        except BaseException:
            self.close()
            raise
        for event in self._log.recovered:
            self._known[event.kind, str(event.payload.get("key"))] = event.payload

    def __len__(self) -> int:
        return len(self._known)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def recall(self, kind: str, key: str) -> Mapping[str, Any] | None:
        return self._known.get((kind, key))

    def keep(self, kind: str, key: str, **payload: Any) -> None:
        self._known[kind, key] = payload
        if self._log is not None:
            self._log.append(kind, {"key": key, **payload})

    def close(self) -> None:
        """Calling it twice is harmless."""
        for held in (self._log, self._lock):
            if held is not None:
                held.close()
        self._log = self._lock = None


def key_of(*parts: object) -> str:
    """A key for what a result depends on; groundplan's version is always among it."""
    text = "\0".join((__version__, *(str(part) for part in parts)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
