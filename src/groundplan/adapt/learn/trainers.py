"""Trainings carried on stretch by stretch, in this process or in several that each keep the trainings they began."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from groundplan.adapt.learn.agent import Agent, Lesson
from groundplan.adapt.learn.evaluation import Evaluation
from groundplan.adapt.rewards.shaping import ShapingFailed
from groundplan.errors import GroundplanError
from groundplan.models.storage import write_whole

FAULT = "fault.json"


class TrainingDied(GroundplanError):
    """A process that trains has ended by itself (killed, or out of memory); what it saved is there to be resumed."""


@dataclass(frozen=True, slots=True)
class Report:
    """Where a training stands after a stretch; `fault` says why its shaping was given up."""

    curve: tuple[Evaluation, ...]
    fault: str = ""


@dataclass(frozen=True)
class Work:
    """A training and its folder."""

    lesson: Lesson
    folder: Path


class Trainer:
    """The trainings of one process, kept between their stretches."""

    def __init__(self) -> None:
        self._agents: dict[Path, Agent] = {}

    def stretch(self, work: Work, until: int) -> Report:
        """Train to `until` steps. A shaping that is given up is data: the report, and a file in the folder."""
        fault = work.folder / FAULT
        if fault.exists():
            return Report((), json.loads(fault.read_text(encoding="utf-8"))["message"])
        try:
            agent = self._agents.get(work.folder)
            if agent is None:
                agent = self._agents[work.folder] = Agent(work.lesson, work.folder)
            agent.train_until(until)
        except ShapingFailed as error:
            message = f"{error.kind}: {error}"
            write_whole(fault, json.dumps({"kind": error.kind, "message": message}).encode() + b"\n")
            self.drop(work.folder)
            return Report((), message)
        return Report(tuple(agent.curve))

    def drop(self, folder: Path) -> None:
        """A training that is not carried on."""
        agent = self._agents.pop(folder, None)
        if agent is not None:
            agent.close()

    def close(self) -> None:
        for folder in list(self._agents):
            self.drop(folder)


class Trainers:
    """Up to `jobs` trainings at a time, each in one of `jobs` processes (in this one for a single job)."""

    def __init__(self, jobs: int = 1) -> None:
        self._own = Trainer() if jobs <= 1 else None
        spawn = multiprocessing.get_context("spawn")  # threads of torch do not survive a fork
        self._pools = [ProcessPoolExecutor(1, spawn) for _ in range(jobs)] if jobs > 1 else []
        self._turn = 0
        self._place: dict[Path, ProcessPoolExecutor] = {}

    def train(self, works: Mapping[int, Work], until: int) -> dict[int, Report]:
        """Carry each training on to `until` steps. Raises TrainingDied, and what Agent raises but ShapingFailed."""
        if self._own is not None:
            return {number: self._own.stretch(work, until) for number, work in works.items()}
        waiting: dict[int, Future[Report]] = {}
        for number, work in works.items():
            if work.folder not in self._place:
                self._place[work.folder] = self._pools[self._turn % len(self._pools)]
                self._turn += 1
            waiting[number] = self._place[work.folder].submit(_stretch, work, until)
        try:
            return {number: future.result() for number, future in waiting.items()}
        except BrokenProcessPool as error:
            raise TrainingDied(
                "a process that trains has died; run the same again to go on from its checkpoint"
            ) from error

    def drop(self, work: Work) -> None:
        if self._own is not None:
            self._own.drop(work.folder)
        elif work.folder in self._place:
            self._place.pop(work.folder).submit(_drop, work.folder)

    def close(self) -> None:
        """End all trainings under way; their checkpoints stay."""
        if self._own is not None:
            self._own.close()
        for pool in self._pools:
            pool.submit(_close)
            pool.shutdown()

    def __enter__(self) -> Trainers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_TRAINER = Trainer()
"""Of a process that was started for trainings alone."""


def _stretch(work: Work, until: int) -> Report:
    return _TRAINER.stretch(work, until)


def _drop(folder: Path) -> None:
    _TRAINER.drop(folder)


def _close() -> None:
    _TRAINER.close()
