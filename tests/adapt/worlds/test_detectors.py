"""Properties of the detectors, with things put where no executor would put them."""

from __future__ import annotations

from math import hypot

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from operator_solutions import HAND, TABLE

from groundplan.adapt.facts import Facts
from groundplan.adapt.worlds import kitchen_lid as kitchen
from groundplan.adapt.worlds import nut_round_peg as nuts
from groundplan.adapt.worlds.base import HandWorld
from groundplan.adapt.worlds.coffee_box import BOX, BOX_INNER, BOX_RIM, CoffeeBox
from groundplan.adapt.worlds.coffee_drawer import DRAWER_OPEN, CoffeeDrawer
from groundplan.adapt.worlds.coffee_machine import LID_UP
from groundplan.adapt.worlds.executors.moves import CLOSE, OPEN, Move, Script, at_height, here, over
from groundplan.adapt.worlds.grasping import HOLD_STEPS

MANY = settings(max_examples=40, deadline=None, derandomize=True)
KITCHEN, NUTS, BOX_WORLD, DRAWER_WORLD = kitchen.KitchenLid(), nuts.NutRoundPeg(), CoffeeBox(), CoffeeDrawer()
across = st.floats(-0.3, 0.3)


def put(world: HandWorld, **places: tuple[float, ...]) -> Facts:
    """Facts after joints are set by hand: three numbers move a free body, one sets a hinge or slide."""
    world.reset(0)
    for name, values in places.items():
        address = int(world.model.joint(name.replace("_", "-")).qposadr[0])
        world.data.qpos[address : address + len(values)] = values
    world.restore(world.save())
    return world.facts()


@MANY
@given(x=across, y=across, z=st.floats(0.004, 0.3))
def test_lid_on_the_pot_covers_it_and_is_nowhere_else(x: float, y: float, z: float) -> None:
    facts = put(KITCHEN, lid1=(x, y, z))
    pot = KITCHEN.at("pot1")
    away, gap = hypot(x - pot[0], y - pot[1]), z - kitchen.LID_HALF - pot[2] - kitchen.POT_RIM
    lying, covering = ("ontop", "lid1", "pot1") in facts, ("covered", "pot1") in facts
    assert covering or not lying
    if away < 0.05:
        assert lying == (abs(gap) < kitchen.TOUCH) or abs(abs(gap) - kitchen.TOUCH) < 1e-6
    if away > kitchen.LID_RADIUS or gap > kitchen.COVER:
        assert not covering
    assert (("on-table", "lid1", TABLE) in facts) == (z - kitchen.LID_HALF < kitchen.TOUCH)


@MANY
@given(dx=st.floats(-0.1, 0.1), dy=st.floats(-0.1, 0.1), z=st.floats(0.05, 0.2))
def test_bread_is_in_the_pot_between_its_walls_below_its_rim(dx: float, dy: float, z: float) -> None:
    KITCHEN.reset(0)
    pot = KITCHEN.at("pot1")
    facts = put(KITCHEN, lid1=(-0.2, 0.1, 0.2), bread1=(pot[0] + dx, pot[1] + dy, z))
    inside = max(abs(dx), abs(dy)) < kitchen.POT_INNER and z < pot[2] + kitchen.POT_RIM
    assert (("in", "bread1", "pot1") in facts) == inside
    assert ("covered", "pot1") not in facts


@MANY
@given(travel=st.floats(0, kitchen.SWITCH_TRAVEL))
def test_switch_and_stove_are_on_together(travel: float) -> None:
    facts = put(KITCHEN, switch1=(travel,))
    assert (("on", "switch1") in facts) == (("on", "stove1") in facts) == (travel > kitchen.SWITCH_ON)


@MANY
@given(x=across, y=across, z=st.floats(0.008, 0.2))
def test_a_nut_is_on_one_peg_at_most_and_only_below_its_top(x: float, y: float, z: float) -> None:
    facts = put(NUTS, square_nut1=(x, y, z))
    pegs = [peg for peg in nuts.PEGS if ("on-peg", "square-nut1", peg) in facts]
    around = [peg for peg, at in nuts.PEGS.items() if hypot(x - at[0], y - at[1]) < nuts.AROUND and z < nuts.PEG_TOP]
    assert pegs == around
    assert len(pegs) <= 1


@MANY
@given(x=across, y=across, z=st.floats(0.012, 0.3))
def test_the_pod_is_in_one_place_at_most(x: float, y: float, z: float) -> None:
    facts = put(BOX_WORLD, coffee_pod1=(x, y, z))
    places = [fact for fact in facts if fact[0] in ("in", "on-table") and fact[1] == "coffee-pod1"]
    assert len(places) <= 1
    inside = abs(x - BOX[0]) < BOX_INNER[0] and abs(y - BOX[1]) < BOX_INNER[1] and z < BOX_RIM
    assert (("in", "coffee-pod1", "box1") in facts) == inside


@MANY
@given(angle=st.floats(0, 2.0))
def test_the_machine_is_open_when_its_lid_is_up_and_never_both_up_and_down(angle: float) -> None:
    facts = put(BOX_WORLD, lid1=(angle,))
    up = ("lid-up", "lid1") in facts
    assert up == (angle > LID_UP) == (("open", "pod-holder1") in facts)
    assert up != (("lid-down", "lid1") in facts)


@MANY
@given(opening=st.floats(0, 0.11))
def test_the_drawer_takes_the_pod_along(opening: float) -> None:
    DRAWER_WORLD.reset(0)
    x, y, z = DRAWER_WORLD.at("coffee-pod1")
    facts = put(DRAWER_WORLD, drawer1=(opening,), coffee_pod1=(x + opening, y, z))
    assert (("open", "drawer1") in facts) == (opening > DRAWER_OPEN)
    assert ("in", "coffee-pod1", "drawer1") in facts
    assert ("in", "coffee-pod1", "drawer1") not in put(DRAWER_WORLD, coffee_pod1=(x, y, z + 0.1))


def test_a_mug_that_fell_over_is_not_upright_and_one_moved_away_is_not_under() -> None:
    lying = put(BOX_WORLD, mug1=(0.16, 0.12, 0.026, np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0))
    assert ("upright", "mug1") not in lying
    assert ("under", "mug1", "pod-holder1") in lying
    away = put(BOX_WORLD, mug1=(0.0, -0.1, 0.04))
    assert ("under", "mug1", "pod-holder1") not in away
    assert {("upright", "mug1"), ("on-table", "mug1", TABLE)} <= away


def drive(world: HandWorld, *moves: Move) -> list[Facts]:
    script, seen, facts = Script(moves), world.observe(), [world.facts()]
    while (action := script.act(seen, facts[-1])) is not None:
        seen = world.step(action)
        facts.append(world.facts())
    return facts


def test_pressing_on_a_thing_with_closed_fingers_is_no_grasp() -> None:
    KITCHEN.reset(0)
    shut = Move(here, CLOSE, lambda seen, _: seen["gripper_aperture"][0] < 0.005, tolerance=0.02)
    press = Move(over("bread1_pos", 0.012), CLOSE, patience=30)
    facts = drive(KITCHEN, shut, Move(over("bread1_pos", 0.2), CLOSE), press)
    assert abs(KITCHEN.observe()["gripper_to_bread1"][2]) < 0.04, "the fingers are on the bread"
    assert all(("free", HAND) in now for now in facts)


def test_closing_beside_a_thing_is_no_grasp() -> None:
    KITCHEN.reset(0)
    beside = Move(lambda seen: seen["bread1_pos"] + (0.0, 0.06, 0.15), OPEN)
    down = Move(at_height(0.014), OPEN)
    facts = drive(KITCHEN, beside, down, Move(lambda seen: seen["gripper_pos"] - (0, 0.04, 0), CLOSE, patience=30))
    assert all(("grasped", "bread1", HAND) not in now for now in facts)


def test_a_grasp_takes_several_steps_of_holding_and_ends_with_it() -> None:
    KITCHEN.reset(0)
    drive(KITCHEN, Move(over("bread1_pos", 0.2), OPEN), Move(over("bread1_pos", 0.014), OPEN))
    count = 0
    while KITCHEN.observe()["gripper_aperture"][0] > 2 * kitchen.BREAD_HALF[1] + 0.001:
        KITCHEN.step(np.array([0.0, 0.0, 0.0, -1.0]))
        assert ("free", HAND) in KITCHEN.facts()
    while ("grasped", "bread1", HAND) not in KITCHEN.facts():
        KITCHEN.step(np.array([0.0, 0.0, 0.0, -1.0]))
        count += 1
        assert count < 10
    assert count >= HOLD_STEPS - 1
    for _ in range(6):
        KITCHEN.step(np.array([0.0, 0.0, 0.0, 1.0]))
    assert ("free", HAND) in KITCHEN.facts()
    assert not any(fact[0] == "grasped" for fact in KITCHEN.facts())
