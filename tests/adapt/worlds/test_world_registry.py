"""Worlds by name and from files, scripts by operator, pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from groundplan.adapt.worlds.errors import RenderError
from groundplan.adapt.worlds.executors.moves import OPEN, Move, Script, shifted
from groundplan.adapt.worlds.executors.scripted import executor_maker, scripted_executors
from groundplan.adapt.worlds.registry import WORLD_NAMES, make_world, scenario
from groundplan.adapt.worlds.world import MAX_DISPLACEMENT
from groundplan.errors import InputError

OWN = """
from dataclasses import dataclass
from groundplan.adapt.worlds.kitchen_lid import KitchenLid

@dataclass
class Note:
    text: str

class Mine(KitchenLid):
    note = Note("mine")
"""


def test_worlds_have_the_names_they_are_made_by() -> None:
    assert [make_world(name).name for name in WORLD_NAMES] == list(WORLD_NAMES)


def test_a_world_from_a_file_and_from_a_module(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    assert make_world(f"{file}:Mine").note.text == "mine"  # type: ignore[attr-defined]
    assert make_world("groundplan.adapt.worlds.nut_round_peg:NutRoundPeg").name == "nut_round_peg"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("kitchen", "the worlds are kitchen_lid"),
        ("nowhere.py:Mine", "no such file"),
        (f"{__file__}:Mine", "has no class Mine"),
        ("no.such.module:Mine", "no module no.such.module"),
        ("groundplan.adapt.worlds.kitchen_lid:Mine", "has no class Mine"),
        (":Mine", "a world of your own is named"),
    ],
)
def test_a_world_that_is_not_there_is_told(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_world(name)
    with pytest.raises(InputError, match="scenarios are"):
        scenario(name)


def test_a_file_that_is_no_python_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("class Mine:\n    def name(self:\n")
    with pytest.raises(InputError, match=r"broken.py, line 2"):
        make_world(f"{file}:Mine")


def test_a_script_that_is_not_there_is_told() -> None:
    with pytest.raises(InputError, match="no script does place-on-object in kitchen_lid; there are scripts for let-go"):
        executor_maker("kitchen_lid", "place-on-object")
    with pytest.raises(InputError, match="no scripts for the world 'moon'"):
        scripted_executors("moon")
    world = make_world("kitchen_lid")
    with pytest.raises(InputError, match="no script handles pot1"):
        executor_maker("kitchen_lid", "pick-up-from-tabletop")(world, ("pot1", "table1", "gripper1"))


def test_a_script_that_gets_nowhere_gives_up() -> None:
    seen, script = {"gripper_pos": np.zeros(3)}, Script([Move(shifted(1.0, 0.0, 0.0), OPEN, patience=5)])
    actions = []
    while (action := script.act(seen, frozenset())) is not None:
        actions.append(action)
    assert len(actions) == 5
    assert script.act(seen, frozenset()) is None
    np.testing.assert_array_equal(actions[0], [1.0, 0.0, 0.0, OPEN])


def test_moves_follow_one_another_without_idle_steps() -> None:
    place, steps = np.zeros(3), 0
    script = Script([Move(shifted(0.08, 0.0, 0.0)), Move(shifted(0.0, 0.08, 0.0))])
    while (action := script.act({"gripper_pos": place}, frozenset())) is not None:
        place, steps = place + MAX_DISPLACEMENT * action[:3], steps + 1
    np.testing.assert_allclose(place, [0.08, 0.08, 0.0], atol=0.005)
    assert steps <= 11


def test_a_picture_shows_the_scene() -> None:
    world = make_world("coffee_box")
    try:
        first = world.render(96, 64)
    except RenderError as error:
        pytest.skip(str(error))
    assert first.shape == (64, 96, 3)
    assert first.dtype == np.uint8
    assert len(np.unique(first)) > 20
    for _ in range(15):
        world.step(np.array([-1.0, 0.0, -1.0, 0.0]))
    assert not np.array_equal(world.render(96, 64), first)
    with pytest.raises(ValueError, match="1 to 1280"):
        world.render(5000, 64)
    world.close()
    assert world.render(96, 64).shape == (64, 96, 3)
    world.close()


def test_without_a_graphics_library_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    def none(name: str) -> object:
        raise AttributeError(f"{name}: no library")

    world = make_world("nut_round_peg")
    monkeypatch.setattr(importlib, "import_module", none)
    monkeypatch.setenv("MUJOCO_GL", "osmesa")
    with pytest.raises(RenderError, match=r"osmesa: AttributeError.*libosmesa6"):
        world.render(32, 32)
