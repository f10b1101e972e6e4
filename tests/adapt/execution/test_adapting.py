"""The whole way: an operator proposed, the plan begun, rewards written, a controller learned, the goal reached."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("stable_baselines3")

from button_world import KNOWN, PROBLEM

from groundplan.adapt.execution.adapting import WorldSettings, play
from groundplan.adapt.execution.learning import StartSeeds
from groundplan.adapt.execution.record import Ending
from groundplan.adapt.learn.settings import PRESETS
from groundplan.adapt.planning.replay import Right
from groundplan.adapt.planning.replies import NO_OPERATOR
from groundplan.adapt.planning.result import Status
from groundplan.adapt.planning.search import find_operators
from groundplan.errors import InputError
from groundplan.models.scripted import ScriptedModel
from groundplan.pddl.read import task_from_text
from groundplan.runs.budget import REPLY
from groundplan.runs.paid import RecordedModel
from groundplan.runs.run import Run

WORLD = f"{Path(__file__).parent / 'button_world.py'}:ButtonWorld"
QUICK = replace(
    PRESETS["smoke"], evaluate_every=1024, most_steps=16_384, episodes=5, horizons=(40,), rollout=128, window=1
)
SHAPING = """```python
def shaping(previous, current):
    nearer = abs(previous["a_from_h"][0]) - abs(current["a_from_h"][0])
    return max(-1.0, min(1.0, nearer / 0.016))
```"""


def answers(messages, sample):
    """What is proposed only makes sense once the lamp is lit; before that, its precondition would say the opposite."""
    asked = messages[-1].content
    if "def shaping" in asked:
        return SHAPING
    if "What does it change?" in asked:
        return "```pddl\n(and (warm a))\n```"
    now = asked.split("What is true now")[1].split("The goal:")[0]
    step = "touch a h" if "(lit a)" in now else NO_OPERATOR
    return f"The lamp has to get warm.\n```\n({step})\n```"


def adapt(folder: Path, problem: str = PROBLEM, seed: int = 0):
    task = task_from_text(KNOWN, problem)
    model = ScriptedModel(answers)
    settings = WorldSettings(
        WORLD, QUICK, seed=seed, candidates=1, film=False, seeds=StartSeeds(range(10, 18), range(30, 35))
    )
    with Run.open(folder, settings={"verb": "adapt"}) as run:
        found = find_operators(task, model, run)
        assert found.status is Status.FOUND, found.reason
        return found, play(task, found, RecordedModel(model, run), run, settings), run.events()


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("adapting") / "run"
    return folder, *adapt(folder)


def test_the_goal_is_reached_with_a_controller_learned_on_the_way(done) -> None:
    folder, found, played, _ = done
    assert [item.ground.name for item in found.operators] == ["touch"]
    assert played.execution.reached, played.execution.reason
    assert [item.step.action for item in played.execution.done if item.learned] == ["touch"]
    assert played.learned["touch"]["best"] > 0
    assert played.right["touch"].right is Right.EXPLAINS
    told = json.loads((folder / "execution.json").read_text())
    assert told["execution"]["ending"] == Ending.REACHED.value
    rows = [json.loads(line) for line in (folder / "transitions.jsonl").read_text().splitlines()]
    assert len(rows) == len(played.execution.done)


def test_called_again_it_asks_nothing_and_does_the_same(done) -> None:
    folder, _, before, events = done
    _, after, more = adapt(folder)
    assert after.execution == before.execution
    assert sum(event.kind == REPLY for event in more) == sum(event.kind == REPLY for event in events)


def test_a_world_without_the_objects_of_the_problem_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="buttons has no `c`"):
        adapt(tmp_path / "run", PROBLEM.replace("a b - lamp", "a b c - lamp"))
