"""The whole of novelty adaptation: operators found, the plan done in a world, controllers learned on the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from groundplan.adapt.execution.film import Film
from groundplan.adapt.execution.learning import StartSeeds, Teacher
from groundplan.adapt.execution.loop import execute
from groundplan.adapt.execution.operate import unwatched
from groundplan.adapt.execution.record import Execution
from groundplan.adapt.execution.skills import skills_of
from groundplan.adapt.learn.settings import LearningSettings
from groundplan.adapt.planning.replay import Replay, replay
from groundplan.adapt.planning.result import Adapted
from groundplan.adapt.worlds.registry import make_world
from groundplan.adapt.worlds.world import World
from groundplan.errors import InputError
from groundplan.models.protocol import Model
from groundplan.models.storage import write_whole
from groundplan.pddl.ast import Task
from groundplan.pddl.diagnostics import listing
from groundplan.pddl.read import domain_from_text
from groundplan.runs.run import Run


@dataclass(frozen=True, slots=True)
class WorldSettings:
    """Where and how the plan is done. `world` is a name of WORLD_NAMES or a class of one's own; `library` holds
    executors that were learned before; `seed` picks the scene, and decides all training."""

    world: str
    learning: LearningSettings
    seed: int = 0
    library: Path | None = None
    jobs: int = 1
    candidates: int = 3
    most_replans: int = 3
    film: bool = True
    seeds: StartSeeds = field(default_factory=StartSeeds)


@dataclass(frozen=True)
class Played:
    """What came of it. `right` judges each new operator by the transitions of this execution; `learned` says how each
    one's training went; `film` names the files, or why there is none."""

    execution: Execution
    right: dict[str, Replay]
    learned: dict[str, Any]
    film: str

    def as_json(self) -> dict[str, Any]:
        return {
            "execution": self.execution.as_json(),
            "operators_right": {name: found.as_json() for name, found in self.right.items()},
            "learned": self.learned,
            "film": self.film,
        }


def play(
    task: Task,
    found: Adapted,
    model: Model,
    run: Run,
    settings: WorldSettings,
    progress: Callable[[str], None] = lambda _: None,
) -> Played:
    """Do the plan that was found, in the world, and learn what has no executor; `task` is the one that was adapted.

    Files of the run: `execution.json`, `transitions.jsonl`, the rewards, the curves and the executors of what was
    learned, and where the world can be rendered `execution.gif` and `execution.png`. Killed and called again, it goes
    on where training stopped. Raises ValueError without a plan, InputError for a world that is not there or lacks the
    task's objects, StorageError.
    """
    if found.plan is None:
        raise ValueError("there is no plan to execute")
    full = Task(domain_from_text(found.domain_text) if found.operators else task.domain, task.problem)
    types = {item.ground.name: item.ground.types for item in found.operators}
    world = make_world(settings.world)
    _refuse_strangers(full, world)
    skills = skills_of(world, settings.library, types)
    teacher = Teacher(
        run=run,
        task=full,
        make_world=partial(make_world, settings.world),
        skills=skills,
        operators={item.ground.name: item.ground for item in found.operators},
        model=model,
        settings=settings.learning,
        seed=settings.seed,
        seeds=settings.seeds,
        candidates=settings.candidates,
        jobs=settings.jobs,
        progress=progress,
    )
    film = Film()
    try:
        world.reset(settings.seed)
        execution = execute(
            full,
            world,
            found.plan,
            skills,
            learn=teacher.learn,
            most_replans=settings.most_replans,
            watch=film if settings.film else unwatched,
        )
    finally:
        world.close()
    transitions = [item.transition for item in execution.done]
    right = {
        item.ground.name: replay(item.action, full.domain, transitions, full.problem.objects)
        for item in found.operators
    }
    learned = {
        name: {"best": item.best, "final": item.final, "complete": item.is_complete, "reason": item.reason}
        for name, item in teacher.learned.items()
    }
    played = Played(execution, right, learned, _save_film(film, run))
    _write(run, played, execution)
    return played


def _refuse_strangers(task: Task, world: World) -> None:
    strange = [item.name for item in task.objects if item.name not in world.objects]
    if strange:
        world.close()
        raise InputError(
            f"the world {world.name} has no {listing(strange)}, which the problem names; it has "
            f"{listing(sorted(world.objects), 20)}"
        )


def _save_film(film: Film, run: Run) -> str:
    if not film.frames:
        return film.trouble or "no frames were taken"
    write_whole(run.directory / "execution.gif", film.gif())
    write_whole(run.directory / "execution.png", film.strip())
    return "execution.gif, execution.png"


def _write(run: Run, played: Played, execution: Execution) -> None:
    rows = [
        {
            "action": [item.step.action, *item.step.args],
            "success": item.succeeded,
            "before": sorted(map(list, item.before)),
            "after": sorted(map(list, item.after)),
        }
        for item in execution.done
    ]
    run.artifact("transitions.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    run.artifact("execution.json", json.dumps(played.as_json(), indent=2) + "\n")
    run.once(
        "executed",
        "result",
        ending=execution.ending.value,
        reason=execution.reason,
        control_steps=execution.control_steps,
        replans=execution.replans,
    )
