"""The part of `groundplan adapt` that acts in a world: plan, learn, execute."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundplan.cli.output import say
from groundplan.errors import InputError

if TYPE_CHECKING:
    from groundplan.adapt.execution.adapting import Played, WorldSettings
    from groundplan.adapt.planning.result import Adapted
    from groundplan.models.protocol import Model
    from groundplan.pddl.ast import Task
    from groundplan.runs.run import Run

WORLD_HELP = (
    "Do the plan in this world and learn what is new: kitchen_lid, nut_round_peg, coffee_box, coffee_drawer, or "
    "a class of your own (package.module:Class or file.py:Class)."
)


def require_robot() -> None:
    """Raise InputError where what the worlds and the learning need is not installed."""
    missing = [name for name in ("mujoco", "gymnasium", "stable_baselines3", "torch") if find_spec(name) is None]
    if missing:
        raise InputError(
            f"{', '.join(missing)}: not installed; `pip install 'groundplan[robot]'` brings what --world needs"
        )


def scenario_texts(name: str) -> tuple[str, str]:
    """Domain and problem of one of the package's own scenarios. Raises InputError for any other name."""
    from groundplan.adapt.worlds.registry import scenario

    if name == "-" or Path(name).exists():
        raise InputError(f"{name}: a domain was given and no problem; name the problem file as well")
    place = scenario(name)
    return place.domain.read_text(encoding="utf-8"), place.problem.read_text(encoding="utf-8")


def world_settings(data: Mapping[str, Any]) -> WorldSettings:
    """Raises InputError for a preset that there is not."""
    from groundplan.adapt.execution.adapting import WorldSettings
    from groundplan.adapt.learn.settings import preset

    library = data.get("library")
    return WorldSettings(
        world=str(data["world"]),
        learning=preset(str(data["preset"])),
        seed=int(data["seed"]),
        library=Path(str(library)) if library else None,
        candidates=int(data["candidates"]),
    )


def play_world(
    data: Mapping[str, Any], task: Task, result: Adapted, model: Model, run: Run, jobs: int, progress: Any
) -> Played:
    """Do the plan that was found; see `play`."""
    from dataclasses import replace

    from groundplan.adapt.execution.adapting import play
    from groundplan.runs.paid import RecordedModel

    settings = replace(world_settings(data), jobs=jobs)
    return play(task, result, RecordedModel(model, run), run, settings, progress)


def print_played(played: Played) -> None:
    """The execution for people."""
    for item in played.execution.done:
        ending = "done" if item.succeeded else f"failed: {', '.join(item.missing)}"
        how = "learned" if item.learned else "scripted"
        say(f"; {item.step} ({how}, {item.control_steps} control steps): {ending}")
    for name, found in played.right.items():
        say(f"; operator {name}: {found}")
    for name, figures in played.learned.items():
        say(f"; controller of {name}: best {figures['best']:.0%}, final {figures['final']:.0%} of evaluation episodes")
    reason = f": {played.execution.reason}" if played.execution.reason else ""
    say(f"; {played.execution.ending.value}{reason}")
    say(f"; film: {played.film}")
