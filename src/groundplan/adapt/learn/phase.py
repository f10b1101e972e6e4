"""One phase: a sub-goal's candidates train side by side, the worst is dropped now and then, one is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from groundplan.adapt.learn.elimination import best_of, best_row, is_settled, recent, worst
from groundplan.adapt.learn.evaluation import Evaluation
from groundplan.adapt.learn.settings import LearningSettings
from groundplan.adapt.learn.trainers import Trainers, Work
from groundplan.runs.run import Run

Curves = dict[int, tuple[Evaluation, ...]]
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided of a candidate at `steps`: `failed`, `eliminated`, `settled` (it may end early) or `won`.
    `recent` are all candidates' mean deterministic success over the window, on which it rests."""

    steps: int
    candidate: int
    verdict: str
    reason: str
    recent: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class PhaseResult:
    """How a phase went. `winner` is None where every candidate failed; `ending` is `settled`, `steps` or `failed`."""

    phase: int
    sub_goal: str
    ending: str
    winner: int | None
    curves: Curves
    faults: dict[int, str]
    decisions: tuple[Decision, ...]

    @property
    def best(self) -> Evaluation | None:
        """The evaluation of the model that is kept."""
        return None if self.winner is None else best_row(self.curves[self.winner])

    @property
    def final(self) -> Evaluation | None:
        return None if self.winner is None else self.curves[self.winner][-1]

    def as_json(self) -> dict[str, Any]:
        return {
            "phase": self.phase,
            "sub_goal": self.sub_goal,
            "ending": self.ending,
            "winner": self.winner,
            "best": self.best and asdict(self.best),
            "final": self.final and asdict(self.final),
            "faults": {str(number): fault for number, fault in self.faults.items()},
            "decisions": [asdict(item) for item in self.decisions],
        }


class Phase:
    """A phase under way. Decisions hang on the curves alone, so a resumed phase decides the same again."""

    def __init__(self, run: Run, label: str, works: Mapping[int, Work], settings: LearningSettings) -> None:
        self._run = run
        self._label = label
        self._works = dict(works)
        self._settings = settings
        self._alive = sorted(works)
        self._curves: Curves = dict.fromkeys(works, ())
        self._faults: dict[int, str] = {}
        self._decisions: list[Decision] = []
        self._at = 0

    def go(self, trainers: Trainers, number: int, sub_goal: str, progress: Progress) -> PhaseResult:
        """Train to the phase's end. Raises BudgetExhausted, TrainingDied, InputError, StorageError, CannotConfine."""
        ending = ""
        while not ending:
            self._run.check_budget(of_model=False)
            before, self._at = self._at, min(self._at + self._settings.evaluate_every, self._settings.most_steps)
            reports = trainers.train({name: self._works[name] for name in self._alive}, self._at)
            for name, report in reports.items():
                self._curves[name] = report.curve or self._curves[name]
                if report.fault:
                    self._faults[name] = report.fault
                    self._drop(trainers, name, "failed", report.fault)
            progress(self._told(number, sub_goal))
            ending = self._ending()
            every = self._settings.eliminate_every
            if not ending and len(self._alive) > 1 and self._at // every > before // every:
                name = worst({name: self._curves[name] for name in self._alive}, self._settings.window)
                reason = f"the lowest mean success over its last {self._settings.window} evaluations"
                self._drop(trainers, name, "eliminated", reason)
        winner = (
            best_of({name: self._curves[name] for name in self._alive}, self._settings.window) if self._alive else None
        )
        if winner is not None:
            self._decide(winner, "won", f"the best evaluation of {len(self._alive)} left")
        for name in list(self._alive):
            trainers.drop(self._works[name])
        return PhaseResult(number, sub_goal, ending, winner, self._curves, self._faults, tuple(self._decisions))

    def _ending(self) -> str:
        if not self._alive:
            return "failed"
        if self._settings.stop_by == "any" or len(self._alive) == 1:
            settled = [name for name in self._alive if is_settled(self._curves[name], self._settings)]
            if settled:
                for name in settled:
                    self._decide(name, "settled", "success is high and steady")
                self._alive = settled
                return "settled"
        return "steps" if self._at >= self._settings.most_steps else ""

    def _drop(self, trainers: Trainers, name: int, verdict: str, reason: str) -> None:
        self._decide(name, verdict, reason)
        self._alive.remove(name)
        trainers.drop(self._works[name])

    def _decide(self, name: int, verdict: str, reason: str) -> None:
        scores = tuple((other, recent(self._curves[other], self._settings.window)) for other in sorted(self._works))
        decision = Decision(self._at, name, verdict, reason, scores)
        self._decisions.append(decision)
        self._run.once("decision", f"{self._label}/{self._at}/{name}/{verdict}", **asdict(decision))

    def _told(self, number: int, sub_goal: str) -> str:
        rates = ", ".join(
            f"{name}: {self._curves[name][-1].deterministic:.2f}" for name in self._alive if self._curves[name]
        )
        return f"phase {number} ({sub_goal}), {self._at} steps; success of candidate {rates or 'none'}"
