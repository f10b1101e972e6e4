"""Outcomes that are kept: equal tasks are solved once.

Only what cannot change is kept, plans and proofs; limits, failures and give-ups are tried again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import threading
import time
import uuid
import warnings
from dataclasses import replace
from pathlib import Path

from groundplan import __version__
from groundplan.errors import InputError, StorageError
from groundplan.pddl.ast import Task
from groundplan.pddl.validate import validate_plan
from groundplan.pddl.write import write_domain, write_problem
from groundplan.solve.outcome import DEFAULT_LIMITS, Engine, Limits, Outcome, Status, outcome_from_json

FORMAT = 1
_MOST_IN_MEMORY = 20_000


class CachedEngine:
    """An engine with a memory: in a directory, which processes may share, or (None) in this object.

    A task is known by its canonical text; the engine by groundplan's version and its own `fingerprint`, or, where it
    has none, by a `repr` that shows its options. (An engine without either shares its entries with nobody.) A hit
    says so in its `reason`; its plan has been validated again, and an entry that cannot be read, or whose plan is
    not valid, counts as none. Raises StorageError when the directory cannot be made.
    """

    def __init__(self, engine: Engine, directory: str | Path | None = None) -> None:
        self._engine = engine
        self.fingerprint = fingerprint_of(engine)
        self._directory = None if directory is None else Path(directory)
        self._kept: dict[str, str] = {}
        self._changing = threading.Lock()
        self._warned = False
        self.hits = 0
        self.misses = 0
        if self._directory is not None:
            try:
                self._directory.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StorageError(
                    f"{self._directory}: cannot be used as a cache ({error.strerror or error})"
                ) from error

    @property
    def name(self) -> str:
        return self._engine.name

    def key(self, task: Task) -> str:
        """The SHA-256 of the task's canonical text and the engine's fingerprint."""
        parts = (f"{FORMAT}|{__version__}|{self.fingerprint}", write_domain(task.domain), write_problem(task.problem))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def solve(self, task: Task, limits: Limits = DEFAULT_LIMITS) -> Outcome:
        started = time.monotonic()
        if task.domain.features or task.problem.features:
            return self._engine.solve(task, limits)  # the canonical text leaves features out
        key = self.key(task)
        known = self._known(key, task)
        if known is not None:
            self._count(hit=True)
            return replace(known, seconds=time.monotonic() - started, reason=f"{known.reason} (from the cache)")
        self._count(hit=False)
        outcome = self._engine.solve(task, limits)
        if outcome.status in (Status.SOLVED, Status.UNSOLVABLE):
            self._keep(key, outcome)
        return outcome

    def start(self) -> None:
        """Start the engine, if it can be started ahead of its first task."""
        start = getattr(self._engine, "start", None)
        if start is not None:
            start()

    def close(self) -> None:
        self._engine.close()

    def _count(self, *, hit: bool) -> None:
        with self._changing:
            self.hits += hit
            self.misses += not hit

    def _known(self, key: str, task: Task) -> Outcome | None:
        text = self._read(key)
        if text is None:
            return None
        outcome = _from_entry(text, key)
        if outcome is None or outcome.plan is None:
            return outcome
        try:
            verdict = validate_plan(task, outcome.plan)
        except InputError:
            return None
        return outcome if verdict.is_valid and verdict.cost == outcome.cost else None

    def _read(self, key: str) -> str | None:
        if self._directory is None:
            with self._changing:
                return self._kept.get(key)
        try:
            return self._path(key).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def _keep(self, key: str, outcome: Outcome) -> None:
        text = json.dumps({"format": FORMAT, "key": key, "outcome": outcome.as_json()})
        if self._directory is None:
            with self._changing:
                self._kept[key] = text
                if len(self._kept) > _MOST_IN_MEMORY:
                    del self._kept[next(iter(self._kept))]
            return
        try:
            _write_whole(self._path(key), text)
        except OSError as error:  # the outcome is what was asked for; a cache that does not work only costs time
            if not self._warned:
                self._warned = True
                warnings.warn(f"{self._directory}: outcomes are not kept ({error})", RuntimeWarning, stacklevel=3)

    def _path(self, key: str) -> Path:
        assert self._directory is not None
        return self._directory / key[:2] / f"{key}.json"


def fingerprint_of(engine: Engine) -> str:
    """What tells an engine with its options from others."""
    known = getattr(engine, "fingerprint", None)
    if known is not None:
        return str(known)
    text = repr(engine)
    return f"{engine.name}|{uuid.uuid4() if ' at 0x' in text else text}"


def _write_whole(path: Path, text: str) -> None:
    """Write a file so that nobody ever sees half of it."""
    path.parent.mkdir(exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _from_entry(text: str, key: str) -> Outcome | None:
    """The outcome of an entry, or None where the text is no entry for this key."""
    try:
        entry = json.loads(text)
        outcome = outcome_from_json(entry["outcome"])
        is_ours = (entry["format"], entry["key"]) == (FORMAT, key)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    is_kept = outcome.status is (Status.UNSOLVABLE if outcome.plan is None else Status.SOLVED)
    return outcome if is_ours and is_kept else None
