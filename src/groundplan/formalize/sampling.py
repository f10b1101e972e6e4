"""Several attempts at one text, and which of them is returned: the first one of the largest cluster that agrees."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from groundplan.errors import InputError
from groundplan.formalize.agreement import PAIR_S, Compare, Compared, agreement, agreement_signal, compare_pair
from groundplan.formalize.attempt import Attempt, Progress
from groundplan.formalize.specification import Agreement, Signal
from groundplan.models.protocol import Sampling
from groundplan.pddl.ast import Task
from groundplan.pddl.compare import Equivalence
from groundplan.runs.run import Run


@dataclass(frozen=True, slots=True)
class Sampled:
    """The attempt that is returned; `ended` is the one that broke the sampling off, else the same one.

    `agreement` and `signal` are None where one sample was asked for; `cut_short` says why not all samples were taken.
    """

    chosen: Attempt
    ended: Attempt
    agreement: Agreement | None = None
    signal: Signal | None = None
    cut_short: str = ""


def refuse_samples(samples: int, sampling: Sampling) -> None:
    """Raises InputError for a number of samples that makes no sense, and for samples that would all be alike."""
    if samples < 1:
        raise InputError(f"--samples must be 1 or more, not {samples}")
    if samples > 1 and sampling.temperature <= 0:
        raise InputError(
            f"{samples} samples at temperature 0 would all be the same: add a temperature, such as `--temperature 0.7`"
        )


def sample(take: Callable[[int], Attempt], samples: int, run: Run, progress: Progress) -> Sampled:
    """Take samples 0, 1, ... one after the other, until a budget, the model or the engine gives out."""
    taken: list[Attempt] = []
    while len(taken) < samples and not (taken and taken[-1].broken_off):
        taken.append(take(len(taken)))
    last = taken[-1]
    if samples == 1:
        return Sampled(last, last)
    tasks = {item.sample: item.last.task for item in taken if item.executable and item.last and item.last.task}
    if len(tasks) > 1:
        progress(f"comparing {len(tasks)} samples with each other")
    found = agreement(tasks, samples, _recorded(run))
    chosen = taken[found.clusters[0][0]] if found.clusters else _most_telling(taken)
    cut_short = ""
    if last.broken_off:
        cut_short = f"{last.sample} of {samples} samples could be finished: {last.broken_off}"
    ended = last if last.broken_off else chosen
    return Sampled(chosen, ended, found, agreement_signal(found, cut_short), cut_short)


def _most_telling(taken: Sequence[Attempt]) -> Attempt:
    """Of attempts that all failed, the first that reads as a task, else the first that wrote anything."""
    return max(taken, key=lambda item: (item.last is not None and item.last.task is not None, bool(item.rounds)))


def _recorded(run: Run) -> Compare:
    """Comparisons by the run's log: how far one gets depends on the time it had, and the choice, and so the paid
    questions about the result, must be the same when the run is resumed."""

    def compare(reference: Task, candidate: Task) -> Compared:
        texts = [
            text for task in (reference, candidate) for text in (task.domain.source.text, task.problem.source.text)
        ]
        key = "\0".join([*texts, repr(PAIR_S)])
        step = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
        known = run.recall("comparison", step)
        if known is not None:
            return Compared(Equivalence(known.payload["verdict"]), known.payload["reason"])
        found = compare_pair(reference, candidate)
        run.event("comparison", step=step, verdict=found.verdict.value, reason=found.reason)
        return found

    return compare
