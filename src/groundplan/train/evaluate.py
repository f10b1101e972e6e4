"""Evaluation: greedy decoding on held-out tasks, scored against references that training never sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from groundplan.train.environment import form_or_none
from groundplan.train.episode import Episode, Stage, play
from groundplan.train.faithful import faithful
from groundplan.train.policy import Role
from groundplan.train.processes import Alone, Processes
from groundplan.train.sampling import Decoding
from groundplan.train.texts.written import WrittenTask

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Scored:
    """One task: what was written last, b of Eq. 1 with the guard (`solved`) and without (`executable`), whether it is
    the reference task (`faithful`), the same for the Actor's first reply, the Judge's score of that, solver calls."""

    task: str
    domain: str
    text: str
    solved: bool
    executable: bool
    faithful: bool
    first_solved: bool
    first_faithful: bool
    score: float | None
    calls: int

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Shares over all tasks: `drift` is the unfaithful share of the solved (faithfulness.md, "Scores")."""

    tasks: tuple[Scored, ...]

    def share(self, what: str, domain: str = "") -> float:
        chosen = [item for item in self.tasks if not domain or item.domain == domain]
        return sum(getattr(item, what) for item in chosen) / len(chosen) if chosen else 0.0

    @property
    def faithful_success(self) -> float:
        return sum(item.faithful and item.solved for item in self.tasks) / len(self.tasks)

    @property
    def drift(self) -> float | None:
        solved = [item for item in self.tasks if item.solved]
        return sum(not item.faithful for item in solved) / len(solved) if solved else None

    @property
    def calls(self) -> float:
        return sum(item.calls for item in self.tasks) / len(self.tasks)

    def as_json(self) -> dict[str, Any]:
        """The figures by domain and over all, without the tasks."""
        domains = sorted({item.domain for item in self.tasks})
        return {
            "n": len(self.tasks),
            "solved": self.share("solved"),
            "executable": self.share("executable"),
            "faithful": self.faithful_success,
            "first_solved": self.share("first_solved"),
            "first_faithful": self.share("first_faithful"),
            "drift": self.drift,
            "calls": self.calls,
            "by_domain": {name: {w: self.share(w, name) for w in ("solved", "faithful")} for name in domains},
        }


def evaluate(
    stage: Stage,
    tasks: Sequence[WrittenTask],
    decoding: Decoding,
    roles: frozenset[Role],
    max_repairs: int,
    batch: int = 16,
    progress: Progress | None = None,
    processes: Processes | None = None,
) -> Evaluation:
    """Play each task greedily (B.2) and score it. Tasks of like length are put together, which saves padding; each
    process plays its share."""
    greedy = decoding.model_copy(update={"temperature": 0.0, "nucleus": 1.0})
    sharing = processes or Alone()
    every = sorted(range(len(tasks)), key=lambda place: len(tasks[place].text))
    order = sharing.mine(every)
    found: dict[int, Scored] = {}
    for start in range(0, len(order), batch):
        places = order[start : start + batch]
        for place, episode in zip(
            places, play(stage, [tasks[p] for p in places], greedy, roles, max_repairs), strict=True
        ):
            found[place] = scored(stage, episode)
        if progress:
            done = list(found.values())
            progress(f"evaluated {len(done)} of {len(order)}: {sum(item.faithful for item in done)} faithful")
    scores = dict(zip(every, sharing.gathered([found[place] for place in order]), strict=True))
    return Evaluation(tuple(scores[place] for place in range(len(tasks))))


def scored(stage: Stage, episode: Episode) -> Scored:
    form = stage.forms[episode.task.domain_pddl]
    first, last = (form_or_none(step.reply.text) for step in (episode.first, episode.last))
    return Scored(
        episode.task.name,
        episode.task.domain,
        episode.last.reply.text,
        stage.solved(episode.last.answer),
        episode.last.answer.executable,
        last is not None and faithful(episode.task, form, last),
        stage.solved(episode.first.answer),
        first is not None and faithful(episode.task, form, first),
        episode.score,
        len(episode.steps),
    )
