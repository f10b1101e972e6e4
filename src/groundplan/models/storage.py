"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from groundplan.errors import StorageError

TEMPORARY_PREFIX = ".writing-"
"""Files that begin so are left over from a killed write; nothing reads them."""


def storage_error(path: Path, error: OSError) -> StorageError:
    """The error to raise when `path` cannot be written."""
    cause = error.strerror or str(error)
    return StorageError(f"{path}: cannot be written ({cause}); what was there before is intact")


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that a reader, or a kill at any moment, sees the old file or the new one.

    Makes the folders above it. Raises StorageError when the disk is full or does not allow it.
    """
    temporary = path.parent / f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(temporary, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise storage_error(path, error) from error


def sync_folder(folder: Path) -> None:
    """Make the folder's list of names survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
