"""Bounds that no kernel limit gives a single run: its threads and the files in its directory.

The server looks at its runs every few hundredths of a second, so both can be passed for that long.
"""

from __future__ import annotations

import os

INTERVAL_S = 0.05
MOST_THREADS = 64
MOST_FILES = 256
MOST_BYTES = 64 << 20


def excess(pid: int, directory: str) -> tuple[str, str] | None:
    """The ending and message of a run that has passed a bound, else None. Directories in it cannot be made."""
    try:
        if os.stat(f"/proc/{pid}/task").st_nlink - 2 > MOST_THREADS:
            return "forbidden", f"it started more than {MOST_THREADS} threads"
        files = size = 0
        with os.scandir(directory) as entries:
            for entry in entries:
                files += 1
                if files > MOST_FILES:
                    return "too-much-output", f"it made more than {MOST_FILES} files"
                size += entry.stat(follow_symlinks=False).st_size
    except OSError:
        return None  # it has just ended, or moved a file away
    if size > MOST_BYTES:
        return "too-much-output", f"its files hold more than {MOST_BYTES >> 20} MiB"
    return None
