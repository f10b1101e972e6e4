"""What came of one training: its phases, its test in fresh scenes, and what it took."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from groundplan.adapt.learn.evaluation import Evaluation
from groundplan.adapt.learn.operator_learning import Learned
from groundplan.adapt.learn.phase import PhaseResult
from groundplan.errors import InputError

ENOUGH = 0.9
"""Deterministic success that counts as learned, in "steps to 90 %"."""


@dataclass(frozen=True, slots=True)
class PhaseOutcome:
    """One phase. `best` and `final` are deterministic success of the candidate that won, `steps` its control steps and
    `all_steps` those of all candidates; `to_enough` and `all_to_enough` the same up to its first evaluation of 90 %
    or more (None: never)."""

    sub_goal: str
    best: float
    final: float
    steps: int
    all_steps: int
    to_enough: int | None
    all_to_enough: int | None


@dataclass(frozen=True, slots=True)
class FreshScenes:
    """The controller in scenes that training never saw: success acting by the mean and by draws, and for each sub-goal
    the share of deterministic episodes in which it held together with all before it."""

    episodes: int
    deterministic: float
    stochastic: float
    reached: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One operator, method and seed. `tested` is None where no controller came of it, and `reason` says why.

    `curve` has (control steps of the winners so far, mean share of the sub-goals held) of every evaluation;
    `cpu_s_per_step` is CPU time over control steps of all candidates, None where a resumed run had nothing left to
    train.
    """

    scenario: str
    operator: str
    method: str
    seed: int
    sub_goals: tuple[str, ...]
    phases: tuple[PhaseOutcome, ...]
    complete: bool
    reason: str
    tested: FreshScenes | None
    curve: tuple[tuple[int, float], ...]
    cpu_s_per_step: float | None
    executor: str = ""

    @property
    def best(self) -> float:
        """The paper's score: the best evaluation of all sub-goals ever seen; 0 where it was not come to."""
        return self.phases[-1].best if self.complete and self.phases else 0.0

    @property
    def final(self) -> float:
        return self.phases[-1].final if self.complete and self.phases else 0.0

    @property
    def success(self) -> float:
        """Deterministic success in fresh scenes; 0 where there is no controller."""
        return self.tested.deterministic if self.tested else 0.0

    @property
    def steps_to_enough(self) -> int | None:
        """Control steps of all candidates over all phases until the last sub-goal was reached in 90 %."""
        if not self.complete or not self.phases or self.phases[-1].all_to_enough is None:
            return None
        return sum(phase.all_steps for phase in self.phases[:-1]) + self.phases[-1].all_to_enough

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def outcome_from_json(data: dict[str, Any]) -> Outcome:
    """What `as_json` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    tested = data["tested"]
    return Outcome(
        **{
            **data,
            "sub_goals": tuple(data["sub_goals"]),
            "phases": tuple(PhaseOutcome(**phase) for phase in data["phases"]),
            "tested": tested and FreshScenes(**{**tested, "reached": tuple(tested["reached"])}),
            "curve": tuple((int(steps), float(share)) for steps, share in data["curve"]),
        }
    )


def read_outcomes(folder: Path) -> tuple[Outcome, ...]:
    """All outcomes of a run. Raises InputError where there is none, or one is damaged."""
    found = []
    for path in sorted((folder / "outcomes").rglob("*.json")):
        try:
            found.append(outcome_from_json(json.loads(path.read_text(encoding="utf-8"))))
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}: no outcome of a training can be read here ({error})") from error
    if not found:
        raise InputError(f"{folder}: no finished training of `groundplan bench novelty` is here")
    return tuple(found)


def phase_outcome(result: PhaseResult) -> PhaseOutcome:
    rows = () if result.winner is None else result.curves[result.winner]
    hit = next((row.steps for row in rows if row.deterministic >= ENOUGH), None)
    every = [curve[-1].steps if curve else 0 for curve in result.curves.values()]
    return PhaseOutcome(
        result.sub_goal,
        result.best.deterministic if result.best else 0.0,
        result.final.deterministic if result.final else 0.0,
        rows[-1].steps if rows else 0,
        sum(every),
        hit,
        None if hit is None else sum(min(steps, hit) for steps in every),
    )


def joined_curve(learned: Learned, sub_goals: int) -> tuple[tuple[int, float], ...]:
    """The winners' evaluations, one phase after the other, as shares of all sub-goals."""
    found: list[tuple[int, float]] = []
    for phase in learned.phases:
        before = found[-1][0] if found else 0
        rows: Sequence[Evaluation] = () if phase.winner is None else phase.curves[phase.winner]
        found += [(before + row.steps, row.reached / sub_goals) for row in rows]
    return tuple(found)
