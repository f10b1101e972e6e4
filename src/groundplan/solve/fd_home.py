"""Where Fast Downward is installed, and where its worker lives."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from groundplan.solve.process import LineWorker

_START_S = 60.0


@dataclass(frozen=True, slots=True)
class Installed:
    downward: Path
    packages: Path

    def command(self, root: Path) -> list[str]:
        script = Path(__file__).with_name("fd_worker.py")
        # Neither the current folder nor `site` has a say in what the worker imports, and it starts faster so.
        options = ["-P", "-s", "-S"]
        return [
            sys.executable,
            *options,
            str(script),
            str(root),
            str(os.getpid()),
            str(self.downward),
            str(self.packages),
        ]


def find_fast_downward(downward: Path | None) -> Installed | None:
    """The two packages on the module path, found without importing either."""
    spec = importlib.util.find_spec("fast_downward")
    folders = [Path(folder) for folder in (spec.submodule_search_locations or ())] if spec else []
    packages = next((folder.parent for folder in folders if (folder / "translate").is_dir()), None)
    if downward is None:
        bridge = importlib.util.find_spec("up_fast_downward")
        if bridge is not None and bridge.origin is not None:
            downward = Path(bridge.origin).parent / "downward/builds/release/bin/downward"
    if packages is None or downward is None or not os.access(downward, os.X_OK):
        return None
    return Installed(downward.absolute(), packages)


def installed_versions() -> str:
    found = []
    for package in ("up-fast-downward", "fast-downward-translate"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found.append(importlib.metadata.version(package))
    return "+".join(found)


def _base_folder() -> str | None:
    """Where the worker's folder goes: a folder in memory, unless the user names one; None for the system's own."""
    memory = "/dev/shm"
    return memory if "TMPDIR" not in os.environ and os.access(memory, os.W_OK | os.X_OK) else None


def _environment() -> dict[str, str]:
    """Ours, without what changes Python's ways; a fixed hash seed makes the translator repeat itself exactly.

    One arena for malloc: a second one would count 64 MiB towards every memory limit.
    """
    kept = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON") or name in kept}
    return {**own, "PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "1"}


class FastDownwardHome:
    """The worker and its folder. Apart from the engine, so that it can be cleared when the engine is gone."""

    def __init__(self) -> None:
        self._worker: LineWorker | None = None
        self._root: Path | None = None
        self._owner = os.getpid()
        self._tasks = 0

    def worker(self, installed: Installed) -> tuple[LineWorker, Path]:
        """The running worker, started if need be, and its folder. Raises WorkerDied, OutOfWallTime or OSError."""
        if self._owner != os.getpid():  # we are a fork: the worker and its folder belong to the process before
            self._worker, self._root, self._owner = None, None, os.getpid()
        worker, root = self._worker, self._root
        if worker is not None and root is not None and worker.is_running:
            return worker, root
        self.close()
        root = Path(tempfile.mkdtemp(prefix="groundplan-fd-", dir=_base_folder()))
        self._root = root
        self._worker = worker = LineWorker(installed.command(root), _environment(), root / "worker.log")
        try:
            worker.ask(b"", _START_S)
        except BaseException:  # Ctrl-C too: its first word, still to come, must not be taken for an answer
            worker.kill()
            raise
        return worker, root

    @contextlib.contextmanager
    def task_directory(self, root: Path) -> Iterator[Path]:
        """A fresh folder for one task, so that no plan of an earlier one can be taken for its own."""
        self._tasks += 1
        directory = root / f"task-{self._tasks}"
        directory.mkdir()
        try:
            yield directory
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def log(self) -> str:
        """What the worker printed besides its answers."""
        try:
            return (self._root / "worker.log").read_text("utf-8", "replace")[-4000:] if self._root else ""
        except OSError:
            return ""

    def kill(self) -> None:
        """End the worker, in the midst of a task too; may be called from another thread."""
        worker = self._worker
        if worker is not None and self._owner == os.getpid():
            worker.kill()

    def close(self) -> None:
        """End the worker and remove its folder. A later task starts a new one."""
        if self._owner != os.getpid():
            return
        worker, root = self._worker, self._root
        self._worker, self._root = None, None
        if worker is not None:
            worker.close()
        if root is not None:
            shutil.rmtree(root, ignore_errors=True)
