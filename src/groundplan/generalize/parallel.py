"""The same question for several things at once, with results in order and errors after all are done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def each(function: Callable[[A], B], items: Sequence[A], jobs: int) -> list[B]:
    """`function` of every item, `jobs` at a time; the first error (in order of the items) is raised when all are done.

    So the work of the others is in the run's log before a run ends by an error.
    """
    if jobs <= 1 or len(items) <= 1:
        return [function(item) for item in items]
    with ThreadPoolExecutor(max_workers=min(jobs, len(items))) as pool:
        futures = [pool.submit(function, item) for item in items]
    return [future.result() for future in futures]
