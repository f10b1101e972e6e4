"""What still runs: for tests that nothing stays behind."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def group(leader: int) -> list[int]:
    """The living processes of a process group; a killed one lives until its last thread has gone."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                members = (entry / "stat").read_text().rpartition(")")[2].split()[2]
                if int(members) == leader and any(_runs(task) for task in (entry / "task").iterdir()):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def _runs(task: Path) -> bool:
    try:
        return (task / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
