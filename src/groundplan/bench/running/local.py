"""Units shared out among threads of this process: models answer over a network, planners are processes of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed

from groundplan.bench.running.memory import RunMemory
from groundplan.bench.running.records import Record
from groundplan.bench.running.unit import Unit, Work
from groundplan.runs.budget import BudgetExhausted
from groundplan.runs.run import Run

Take = Callable[[int, list[Record]], None]


def spread_locally(workers: int) -> Callable[[Work, Sequence[Unit], Run, Take], str]:
    """A Spread over this many threads. Raises ValueError for fewer than one."""
    if workers < 1:
        raise ValueError("at least one worker is needed")

    def spread(work: Work, units: Sequence[Unit], run: Run, take: Take) -> str:
        memory = RunMemory(run)
        stopped = ""
        with ThreadPoolExecutor(max_workers=workers) as pool:
            waiting: dict[Future[list[Record]], int] = {
                pool.submit(work.do, unit, memory): place for place, unit in enumerate(units)
            }
            try:
                for future in as_completed(waiting):
                    if future.cancelled():
                        continue
                    try:
                        take(waiting[future], future.result())
                    except (
                        BudgetExhausted
                    ) as end:  # the others end at their next question, from the log as far as it goes
                        stopped = str(end)
            except BaseException:  # Ctrl-C, a wrong key, a full disk: what has not begun is not begun
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return stopped

    return spread
