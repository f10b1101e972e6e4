"""Candidates from a model: the prompt, the retry, duplicates, what is kept; and when two functions mean the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reward_layout import LAYOUT, REACH, REACH_OTHERWISE, SIZES, reference
from test_reward_walk import LID

from groundplan.adapt.rewards.candidates import Candidates, ask_for_shaping, source_in
from groundplan.adapt.rewards.layout import layout_for
from groundplan.adapt.rewards.noisy import PAIRS, SAME_WITHIN, are_same, first_of_each, noisy_pairs, rewards_on
from groundplan.adapt.rewards.prompt import question
from groundplan.adapt.rewards.shaping import ConfinedShaping
from groundplan.adapt.rewards.sub_goals import sub_goals_of
from groundplan.adapt.rewards.trial import Trier
from groundplan.adapt.worlds.world import MAX_DISPLACEMENT, Observable
from groundplan.confine.opening import lacking
from groundplan.errors import ModelError
from groundplan.models.scripted import Line, ScriptedModel
from groundplan.runs.paid import RecordedModel
from groundplan.runs.run import Run

confined = pytest.mark.skipif(bool(lacking()), reason="this machine cannot confine")
TRIER = Trier(LAYOUT, reference=reference())


def fenced(source: str) -> str:
    return f"Progress is the change of a distance.\n```python\n{source}```\n"


def ask(folder: Path, script: list[Line]) -> tuple[Candidates, ScriptedModel]:
    model = ScriptedModel(script)
    with Run.open(folder, settings={"model": "scripted"}) as run:
        return ask_for_shaping(RecordedModel(model, run), run, LID, 0, TRIER), model


@confined
def test_three_samples_a_retry_and_a_duplicate(tmp_path: Path) -> None:
    wrong = REACH.replace("lid_pos", "lid")
    half = REACH.replace("0.016", "0.032")
    found, model = ask(tmp_path / "run", [fenced(REACH), fenced(wrong), fenced(half), fenced(REACH_OTHERWISE)])
    assert [(item.status, item.attempts, item.same_as) for item in found.all] == [
        ("kept", 1, None),
        ("kept", 2, None),
        ("duplicate", 1, 0),
    ]
    complaint = model.prompts[2][-1].content
    assert "there is no observation 'lid'" in complaint
    assert "line 4" in complaint
    folder = tmp_path / "run" / "rewards" / "pick-up-lid" / "grasped_lid_hand"
    assert (folder / "0.py").read_text() == REACH
    assert [row["status"] for row in json.loads((folder / "candidates.json").read_text())] == [
        "kept",
        "kept",
        "duplicate",
    ]
    again, asked_again = ask(tmp_path / "run", [])  # resumed: every reply comes from the log
    assert again == found
    assert asked_again.calls == 0


@confined
def test_what_stays_wrong_is_rejected_and_a_failing_model_leaves_fewer(tmp_path: Path) -> None:
    found, _ = ask(tmp_path / "run", ["I cannot do that.", "Sorry.", ModelError("gone"), fenced(REACH)])
    assert [item.status for item in found.all] == ["rejected", "rejected", "kept"]
    assert found.all[0].attempts == 2
    assert "gone" in found.all[1].reason
    assert [item.sample for item in found.kept] == [2]


def test_samples_are_told_apart_and_drawn_at_temperature_one(tmp_path: Path) -> None:
    asked = []

    class Spy(ScriptedModel):
        def reply(self, messages, sampling, sample=0):  # type: ignore[no-untyped-def]
            asked.append((sampling.temperature, sample))
            return super().reply(messages, sampling, sample)

    with Run.open(tmp_path / "run", settings={}) as run:
        ask_for_shaping(Spy(lambda messages, sample: "no"), run, LID, 0, TRIER)
    assert asked == [(1.0, 0), (1.0, 0), (1.0, 1), (1.0, 1), (1.0, 2), (1.0, 2)]


def test_the_prompt_tells_the_operator_the_sub_goal_and_the_table_and_no_more() -> None:
    text = question(LID, sub_goals_of(LID), 1, LAYOUT)[1].content
    for part in ("pick-up-lid", "not (ontop lid pot)   <- this one", "lid (lid), pot (pot)", "0.016", '"hand_pos": 3'):
        assert part in text
    assert "Where the lid's handle is." in text
    assert "10" not in text  # neither the bonus nor the scale of learning


def test_the_last_block_with_the_function_counts() -> None:
    assert source_in(fenced("x = 1\n") + fenced(REACH)) == REACH
    assert source_in("no code") == ""


def test_a_layout_has_the_gripper_and_the_operators_own_objects() -> None:
    keys = [
        ("hand_pos", ("hand",)),
        ("lid_pos", ("lid",)),
        ("bread_pos", ("bread",)),
        ("hand_to_bread", ("hand", "bread")),
        ("lid_to_pot", ("lid", "pot")),
    ]
    objects = {"hand": "gripper", "lid": "lid", "pot": "pot", "bread": "bread"}
    found = layout_for(LID, [Observable(name, 1, "m", "", about) for name, about in keys], objects)
    assert found.names == ("hand_pos", "lid_pos", "lid_to_pot")
    with pytest.raises(ValueError, match="observes none of its objects"):
        layout_for(LID, [Observable("hand_pos", 1, "m", "", ("hand",))], objects)


rewards = st.lists(st.floats(-1, 1), min_size=PAIRS, max_size=PAIRS).map(np.array)


@given(rewards, rewards)
def test_sameness_is_symmetric_and_reflexive(one: np.ndarray, other: np.ndarray) -> None:
    assert are_same(one, one)
    assert are_same(one, other) == are_same(other, one)


@given(rewards, st.integers(0, PAIRS - 1), st.floats(2, 1000))
def test_one_pair_that_differs_is_enough(one: np.ndarray, place: int, times: float) -> None:
    other = one.copy()
    other[place] += SAME_WITHIN * times
    assert not are_same(one, other)
    other[place] = one[place] + SAME_WITHIN / 2
    assert are_same(one, other)


@given(st.lists(rewards, max_size=5), st.lists(st.integers(0, 4), max_size=5))
def test_what_is_left_has_no_two_the_same_and_loses_no_meaning(some: list[np.ndarray], copied: list[int]) -> None:
    some = some + [some[place] for place in copied if place < len(some)]
    found = first_of_each(some)
    kept = [place for place, earlier in enumerate(found) if earlier is None]
    assert not any(are_same(some[a], some[b]) for a in kept for b in kept if a < b)
    for place, earlier in enumerate(found):
        assert earlier is None or (earlier in kept and earlier < place and are_same(some[place], some[earlier]))


@given(st.integers(0, 10_000), st.integers(1, 30))
def test_noisy_pairs_are_steps_that_could_be(seed: int, count: int) -> None:
    pairs = noisy_pairs(LAYOUT, count, seed)
    moved = np.abs(pairs.current - pairs.previous)
    assert moved[:, [0, 1, 2, 4, 5, 6]].max() <= MAX_DISPLACEMENT + 1e-12
    for rows in (pairs.previous, pairs.current):
        assert ((rows[:, 3] >= 0) & (rows[:, 3] <= 1)).all()
    assert (noisy_pairs(LAYOUT, count, seed).previous == pairs.previous).all()


@confined
def test_functions_that_mean_the_same_pay_the_same() -> None:
    pairs = noisy_pairs(LAYOUT, PAIRS, 1)
    sources = [REACH, REACH_OTHERWISE, REACH.replace("0.016", "0.0161")]
    with ConfinedShaping(sources, SIZES) as shaping:
        one, other, third = (rewards_on(shaping, pairs, number) for number in range(3))
    assert are_same(one, other)
    assert not are_same(one, third)
