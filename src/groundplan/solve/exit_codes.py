"""What Fast Downward's exit codes mean, in the words of an Outcome. Other planners have taken the codes over."""

from __future__ import annotations

import signal
from dataclasses import dataclass

from groundplan.solve.outcome import Fault, Limit, Status


@dataclass(frozen=True, slots=True)
class Ending:
    """How a planner ended, judged by its exit code alone; `words` says it in a phrase.

    SOLVED is only what the planner claims: its plan files decide.
    """

    status: Status
    words: str
    limit: Limit | None = None
    fault: Fault | None = None


def ending_of(code: int) -> Ending:
    """The ending for an exit code; a negative one is the signal that killed the planner."""
    if code in _ENDINGS:
        return _ENDINGS[code]
    if code < 0:
        return Ending(Status.FAILED, f"killed by {_signal_name(-code)}", fault=Fault.CRASH)
    return Ending(Status.FAILED, f"ended with exit code {code}", fault=Fault.CRASH)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _limit(limit: Limit, words: str) -> Ending:
    return Ending(Status.NOT_FOUND, words, limit=limit)


def _fault(fault: Fault, words: str) -> Ending:
    return Ending(Status.FAILED, words, fault=fault)


_KILLED = _limit(Limit.MEMORY, "killed from outside, as systems do that run out of memory")

_ENDINGS = {
    0: Ending(Status.SOLVED, "found a plan"),
    1: Ending(Status.SOLVED, "found a plan, then ran out of memory"),
    2: Ending(Status.SOLVED, "found a plan, then ran out of time"),
    3: Ending(Status.SOLVED, "found a plan, then ran out of memory and time"),
    10: Ending(Status.UNSOLVABLE, "proved while translating: the goal is out of reach"),
    11: Ending(Status.UNSOLVABLE, "proved by a complete search"),
    12: _limit(Limit.INCOMPLETE, "an incomplete search gave up, which proves nothing"),
    13: _limit(Limit.INCOMPLETE, "no plan within the cost bound, which proves nothing beyond it"),
    20: _limit(Limit.MEMORY, "the translator ran out of memory"),
    21: _limit(Limit.CPU, "the translator ran out of CPU time"),
    22: _limit(Limit.MEMORY, "the search ran out of memory"),
    23: _limit(Limit.CPU, "the search ran out of CPU time"),
    24: _limit(Limit.MEMORY, "the search ran out of memory and CPU time"),
    30: _fault(Fault.CRASH, "the translator crashed"),
    31: _fault(Fault.INPUT, "rejected the PDDL"),
    32: _fault(Fault.CRASH, "the search crashed"),
    33: _fault(Fault.INPUT, "rejected the search options"),
    34: _fault(Fault.UNSUPPORTED, "the task has a feature that the search options do not support"),
    35: _fault(Fault.CRASH, "the driver crashed"),
    36: _fault(Fault.INPUT, "the driver rejected its arguments"),
    37: _fault(Fault.UNSUPPORTED, "not supported on this system"),
    247: _KILLED,
    -int(signal.SIGKILL): _KILLED,
    -int(signal.SIGXCPU): _limit(Limit.CPU, "ran out of CPU time"),
}
