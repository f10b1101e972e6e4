"""The walk over the sub-goals against a literal reading of the paper; latched progress; the sub-goals themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.adapt.facts import Facts
from groundplan.adapt.operator import GroundOperator, Literal
from groundplan.adapt.rewards.sub_goals import sub_goals_of
from groundplan.adapt.rewards.walk import MOST_PROGRESS, Latch, walk

GRASPED, FREE = ("grasped", "lid", "hand"), ("free", "hand")
ONTOP, COVERED, HEAVY = ("ontop", "lid", "pot"), ("covered", "pot"), ("heavy", "pot")
LID = GroundOperator(
    "pick-up-lid",
    ("lid", "pot", "hand"),
    ("lid", "pot", "gripper"),
    (Literal(COVERED), Literal(FREE), Literal(GRASPED, False), Literal(HEAVY), Literal(ONTOP)),
    (Literal(GRASPED), Literal(FREE, False), Literal(ONTOP, False), Literal(COVERED, False)),
)
GOALS = sub_goals_of(LID)
facts_sets = st.frozensets(st.sampled_from([GRASPED, FREE, ONTOP, COVERED, HEAVY]))


def literally(facts: Facts, phase: int, shaping: float) -> float:
    """The rule, word for word, for this operator."""
    unchanged = HEAVY in facts
    effects = [GRASPED in facts and FREE not in facts, ONTOP not in facts, COVERED not in facts]
    total = 0.0
    for i in range(phase + 1):
        if unchanged and all(effects[: i + 1]):
            total += 10 ** (i + 1)
        else:
            total += 10**i * min(1.0, max(-1.0, shaping))
            break
    return total


@given(facts_sets, st.integers(0, 2), st.floats(-3, 3))
def test_the_walk_is_the_papers(facts: Facts, phase: int, shaping: float) -> None:
    assert walk(GOALS.reached(facts), phase, shaping) == pytest.approx(literally(facts, phase, shaping), abs=1e-12)


@given(st.integers(0, 2), st.lists(st.tuples(st.integers(0, 3), st.floats(-3, 3)), max_size=400))
def test_a_latched_episode_pays_no_more_than_its_bound(phase: int, steps: list[tuple[int, float]]) -> None:
    latch = Latch()
    paid = [latch.walk(reached, phase, shaping) for reached, shaping in steps]
    assert all(reward >= 0 for reward in paid)
    assert sum(paid) <= sum(10**i * (10 + MOST_PROGRESS) for i in range(phase + 1)) + 1e-6
    plain = sum(walk(reached, phase, shaping) for reached, shaping in steps)
    assert latch.withheld == pytest.approx(plain - sum(paid), abs=1e-6)


def test_a_latch_stops_going_to_and_fro_and_letting_go_and_grasping_again() -> None:
    latch = Latch()
    to_and_fro = [latch.walk(0, 0, shaping) for shaping in (1.0, -1.0, 1.0, -1.0, 1.0)]
    assert to_and_fro == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert [latch.walk(reached, 0, 0.0) for reached in (1, 1, 0, 1)] == [10.0, 0.0, 0.0, 0.0]


def test_not_free_comes_with_grasped() -> None:
    assert [str(goal) for goal in GOALS.goals] == ["grasped_lid_hand", "not_(ontop_lid_pot)", "not_(covered_pot)"]
    assert not GOALS.goals[0].holds(frozenset({GRASPED, FREE}))
    assert GOALS.untouched == (Literal(HEAVY),)


def test_a_grasp_may_leave_unsaid_that_the_gripper_is_no_longer_free() -> None:
    silent = GroundOperator(LID.name, LID.objects, LID.types, LID.preconditions, (Literal(GRASPED),))
    assert sub_goals_of(silent).reached(frozenset({GRASPED, ONTOP, COVERED, HEAVY})) == 1


def test_a_later_effect_does_not_count_without_the_earlier_ones_or_when_something_else_changed() -> None:
    assert GOALS.reached(frozenset({FREE, HEAVY})) == 0  # the lid fell off
    assert GOALS.reached(frozenset({GRASPED, ONTOP, HEAVY})) == 1
    assert GOALS.reached(frozenset({GRASPED, HEAVY})) == 3
    assert GOALS.reached(frozenset({GRASPED})) == 0


def test_no_effects_is_an_error() -> None:
    with pytest.raises(ValueError, match="no effects"):
        sub_goals_of(GroundOperator("rest", ("hand",), ("gripper",), (), ()))
