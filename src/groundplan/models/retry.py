"""When to ask a server again, and after how long."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 60.0
LONGEST_ASKED_WAIT_S = 300.0
"""A server that asks for a longer wait than this is taken to refuse."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt that did not give a reply, for a callback that shows it.

    `number` counts the requests of one question from 1; `wait_s` is how long the next one waits (0 for a request that
    is sent again at once with a parameter left out).
    """

    number: int
    problem: str
    wait_s: float


def wait_before_retry(failures: int, asked_s: float | None = None, chance: float | None = None) -> float:
    """Seconds to wait after the `failures`-th failure (counted from 1).

    Exponential back-off with jitter (half to all of 0.5, 1, 2, ... 60 seconds), so that many clients do not come back
    at once; never less than the `asked_s` of a Retry-After. `chance` in [0, 1) replaces the random number in tests.
    """
    drawn = random.random() if chance is None else chance
    own = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(failures - 1, 30)) * (0.5 + drawn / 2)
    return own if asked_s is None else max(own, asked_s)


def asked_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that `retry-after-ms` or `Retry-After` (seconds or a date, RFC 9110) ask for; None when neither does."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) / unit
        except ValueError:
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    try:
        date = parsedate_to_datetime(headers.get("retry-after") or "")
    except ValueError:
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())
