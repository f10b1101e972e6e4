"""One writer a run: an advisory lock that dies with its process."""

from __future__ import annotations

import fcntl
import os
import weakref
from pathlib import Path

from groundplan.errors import StorageError
from groundplan.models.storage import storage_error


class RunLock:
    """Holds `path` locked (flock) until `close` or the end of the process, however it ends.

    A forked child does not inherit the lock: else a worker left behind by a killed run would keep it. Raises
    StorageError when another writer holds it, naming its process, or when the file cannot be made.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise storage_error(path, error) from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._descriptor, 20, 0).decode("ascii", "replace").strip()
            self.close()
            raise StorageError(
                f"{path.parent}: another process ({holder or 'unknown'}) is writing this run; wait for it or end it"
            ) from None
        except OSError as error:
            self.close()
            raise storage_error(path, error) from error
        _held.add(self)
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, str(os.getpid()).encode(), 0)

    @property
    def held(self) -> bool:
        return self._descriptor >= 0

    def close(self) -> None:
        """Give the lock back; calling it twice is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


_held: weakref.WeakSet[RunLock] = weakref.WeakSet()


def _let_go_in_child() -> None:
    for lock in list(_held):
        lock.close()


os.register_at_fork(after_in_child=_let_go_in_child)
