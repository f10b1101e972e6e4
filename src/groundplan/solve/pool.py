"""A pool of warm engines, for many tasks at once.

Threads hand the tasks out; the work is done by the engines' own processes, so threads are enough (the built-in search
runs in the thread itself and gains nothing from a pool).
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, TypeAlias

from groundplan.pddl.ast import Task
from groundplan.solve.cache import fingerprint_of
from groundplan.solve.engines import make_engine
from groundplan.solve.outcome import DEFAULT_LIMITS, Engine, Limits, Outcome

Progress = Callable[[int, Outcome], None]
"""Called with the number of tasks done so far and the outcome just reached; in the caller's thread."""

_WAITING, _AHEAD = 4, 64
"""Tasks per worker that wait for it, and outcomes per worker that may wait for a slow one before them."""
_END_S = 10.0


class SolverPool:
    """Engines that wait for tasks, each used by one thread at a time; an Engine itself.

    `engine` is a name for `make_engine`, with `options`, or a function that makes one engine. `limits` hold for each
    task. Close the pool, or use it as a context manager; leaving it by an exception, Ctrl-C too, kills what is
    running. Raises InputError as `make_engine` does, and ValueError for fewer than one worker.
    """

    def __init__(
        self,
        engine: str | Callable[[], Engine] = "fast-downward",
        workers: int = 2,
        limits: Limits | None = None,
        **options: Any,
    ) -> None:
        if workers < 1:
            raise ValueError("a pool needs at least one worker")
        self._limits = limits or DEFAULT_LIMITS
        self._engines = [
            make_engine(engine, **options) if isinstance(engine, str) else engine() for _ in range(workers)
        ]
        self._idle: queue.SimpleQueue[Engine] = queue.SimpleQueue()
        for item in self._engines:
            self._idle.put(item)
        self._closed = threading.Event()

    @property
    def name(self) -> str:
        return self._engines[0].name

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self._engines[0])

    @property
    def workers(self) -> int:
        return len(self._engines)

    def start(self) -> None:
        """Start every engine that can be started ahead of its first task, all at the same time."""
        starts = [getattr(engine, "start", None) for engine in self._engines]
        threads = [threading.Thread(target=start, daemon=True) for start in starts if start is not None]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def solve(self, task: Task, limits: Limits | None = None) -> Outcome:
        """Solve one task on the next free engine; any number of threads may call this. The wait costs no limit."""
        self._check_open()
        engine = self._idle.get()
        try:
            self._check_open()
            return engine.solve(task, limits or self._limits)
        finally:
            self._idle.put(engine)

    def solve_many(self, tasks: Iterable[Task], progress: Progress | None = None) -> Iterator[Outcome]:
        """Outcomes in the order of the tasks, which are taken a few ahead, so they may be endless.

        Stop early by closing the iterator: tasks that have begun end in the background.
        """
        self._check_open()
        return self._solve_many(iter(tasks), progress)

    def close(self) -> None:
        """Kill the engines' processes; a task that is being solved ends as FAILED. Calling it twice is harmless."""
        self._closed.set()
        for engine in self._engines:
            engine.close()
        # An engine that was handed a task just now may have started again: wait for the tasks, then close once more.
        deadline = time.monotonic() + _END_S
        with contextlib.suppress(queue.Empty):
            for _ in self._engines:
                self._idle.get(timeout=max(0.0, deadline - time.monotonic())).close()
        for engine in self._engines:
            self._idle.put(engine)

    def __enter__(self) -> SolverPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._closed.is_set():
            raise RuntimeError("this pool has been closed")

    def _solve_many(self, tasks: Iterator[Task], progress: Progress | None) -> Iterator[Outcome]:
        waiting: _Waiting = queue.SimpleQueue()
        finished: _Finished = queue.SimpleQueue()
        threads = [threading.Thread(target=self._serve, args=(waiting, finished), daemon=True) for _ in self._engines]
        for thread in threads:
            thread.start()
        try:
            yield from self._in_order(tasks, waiting, finished, progress)
        except GeneratorExit:
            raise
        except BaseException:
            _drain(waiting)
            for engine in self._engines:  # Ctrl-C, or a fault: nobody waits for these tasks any more
                engine.close()
            raise
        finally:
            _drain(waiting)
            for _ in threads:
                waiting.put(None)

    def _in_order(
        self, tasks: Iterator[Task], waiting: _Waiting, finished: _Finished, progress: Progress | None
    ) -> Iterator[Outcome]:
        """Keep the threads busy and hand the outcomes back in the order of the tasks."""
        done: dict[int, Outcome] = {}
        taken = given = count = 0
        more = True
        while True:
            while more and waiting.qsize() < _WAITING * self.workers and len(done) < _AHEAD * self.workers:
                task = next(tasks, None)
                if task is None:
                    more = False
                else:
                    waiting.put((taken, task))
                    taken += 1
            if given in done:
                yield done.pop(given)
                given += 1
                continue
            if given == taken:
                return
            index, outcome = finished.get()
            if isinstance(outcome, BaseException):
                raise outcome
            done[index] = outcome
            count += 1
            if progress is not None:
                progress(count, outcome)

    def _serve(self, waiting: _Waiting, finished: _Finished) -> None:
        while (item := waiting.get()) is not None:
            index, task = item
            try:
                finished.put((index, self.solve(task)))
            except BaseException as error:  # noqa: BLE001  # a thread's end: it is raised again where the caller waits
                finished.put((index, error))
                return


def _drain(waiting: _Waiting) -> None:
    with contextlib.suppress(queue.Empty):
        while True:
            waiting.get_nowait()


_Waiting: TypeAlias = "queue.SimpleQueue[tuple[int, Task] | None]"
_Finished: TypeAlias = "queue.SimpleQueue[tuple[int, Outcome | BaseException]]"
