"""Samples, votes, retries: what the model is asked, how often, and what most of its answers say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from planning_oracle import NONE, garden

from groundplan.adapt.planning.prompts import Told
from groundplan.adapt.planning.propose import Proposals, Proposer
from groundplan.adapt.planning.settings import SCENARIOS, AskAt, Settings, scenario
from groundplan.adapt.planning.states import initial_facts
from groundplan.errors import InputError
from groundplan.models.protocol import Message, Reply, Sampling
from groundplan.models.scripted import Line, ScriptedModel

TASK = garden()
FACTS = initial_facts(TASK)


def step(text: str) -> str:
    return f"```\n({text})\n```"


def effects(text: str) -> str:
    return f"```pddl\n(and {text})\n```"


BREAK = [step("break-gate g1 lawn"), effects("(not (bolted g1))")]


def propose(script: Sequence[Line], settings: Settings | None = None) -> tuple[Proposals, ScriptedModel]:
    model = ScriptedModel(script)
    return Proposer(model, TASK, settings or Settings()).propose(FACTS, TASK.domain), model


def test_three_samples_that_agree_end_it() -> None:
    found, model = propose(BREAK * 5)
    assert model.calls == found.calls == 6
    assert found.samples == 3
    (one,) = found.candidates
    assert one.votes == 3
    assert one.operator is not None
    assert str(one.operator.effects[0]) == "not_(bolted_g1)"
    assert [str(item) for item in one.operator.preconditions][:2] == ["bolted_g1", "in_lawn"]


def test_no_operator_costs_one_call_a_sample() -> None:
    found, model = propose([NONE] * 5)
    assert model.calls == 3
    assert found.candidates[0].operator is None


def test_names_and_order_of_objects_do_not_split_the_votes_and_most_win() -> None:
    first = [step("smash g1 lawn"), effects("(not (bolted g1))")]
    second = [step("break-gate lawn g1"), effects("(not (bolted g1))")]
    found, _ = propose([*first, *second, *second])
    (one,) = found.candidates
    assert one.operator is not None
    assert (one.operator.name, one.operator.objects, one.votes) == ("break-gate", ("lawn", "g1"), 3)


def test_the_order_of_effects_is_part_of_the_meaning() -> None:
    one, other = "(open g1) (not (bolted g1))", "(not (bolted g1)) (open g1)"
    script = [line for text in (one, other, other, one, other) for line in (step("break-gate g1"), effects(text))]
    found, model = propose(script)
    assert model.calls == 10
    assert [item.votes for item in found.candidates] == [3, 2]
    assert found.candidates[0].operator is not None
    assert [str(item) for item in found.candidates[0].operator.effects] == ["not_(bolted_g1)", "open_g1"]


def test_no_operator_can_win_and_ties_go_to_the_first() -> None:
    found, _ = propose([NONE, *BREAK, NONE, step("dig lawn"), effects("(not (in lawn))"), *BREAK])
    assert [(item.operator is None, item.samples) for item in found.candidates[:2]] == [(True, (0, 2)), (False, (1, 4))]


def test_a_reply_that_cannot_be_read_is_asked_for_once_more_with_the_fault() -> None:
    found, model = propose([step("break-gate crowbarr"), *BREAK, *BREAK, *BREAK])
    assert found.candidates[0].votes == 3
    assert model.calls == found.calls == 7
    told = model.prompts[1][-1].content
    assert "`crowbarr`" in told
    assert "did you mean `crowbar`?" in told
    assert model.prompts[1][-2] == Message("assistant", step("break-gate crowbarr"))


def test_what_stays_unreadable_has_no_vote() -> None:
    found, model = propose(["nonsense", "more nonsense", *BREAK * 3])
    assert model.calls == 8
    assert found.candidates[0].samples == (1, 2, 3)
    assert [fault.code for fault in found.faults] == ["reply-without-operator"]
    nothing, model = propose(["nonsense"] * 10)
    assert nothing.candidates == ()
    assert model.calls == 10


def test_unusable_effects_are_asked_for_again() -> None:
    wrong = [step("break-gate g1 lawn"), effects("(opened g1)")]
    found, model = propose([*wrong, effects("(not (bolted g1))"), *BREAK * 2])
    assert found.candidates[0].votes == 3
    assert "did you mean `open`?" in model.prompts[2][-1].content


def test_an_empty_answer_is_an_unreadable_one() -> None:
    found, _ = propose(["", *BREAK * 3])
    assert found.candidates[0].votes == 3


def test_calls_that_run_out_leave_the_votes_so_far() -> None:
    found, model = propose(BREAK * 5, Settings(max_calls=5))
    assert model.calls == 5
    assert found.cut_short
    assert found.candidates[0].votes == 2


def test_the_same_state_is_asked_about_once() -> None:
    model = ScriptedModel(BREAK * 3)
    proposer = Proposer(model, TASK, Settings())
    first = proposer.propose(FACTS, TASK.domain)
    assert proposer.propose(FACTS, TASK.domain) == first
    assert model.calls == proposer.calls == 6


@dataclass
class Noted:
    """Notes how it is asked."""

    asked: list[tuple[Sampling, int]] = field(default_factory=list)
    name: str = "noted"

    def reply(self, messages: Sequence[Message], sampling: Sampling, sample: int = 0) -> Reply:
        self.asked.append((sampling, sample))
        return Reply(NONE, self.name)


def test_samples_have_numbers_and_the_temperature_of_the_paper() -> None:
    model = Noted()
    Proposer(model, TASK, Settings(enough=5)).propose(FACTS, TASK.domain)
    assert [sample for _, sample in model.asked] == [0, 1, 2, 3, 4]
    assert {sampling.temperature for sampling, _ in model.asked} == {0.3}


def test_the_prompt_tells_the_state_and_what_is_new() -> None:
    model = ScriptedModel(BREAK * 3)
    told = Told(("g1",), ("(bolted g1)",), ("path",))
    Proposer(model, TASK, Settings(), told).propose(FACTS, TASK.domain)
    text = model.prompts[0][1].content
    for part in ("(gate-between g1 lawn pond)", "(in pond)", "crowbar rake - tool", "(:action swing-open"):
        assert part in text
    assert "What has changed since the goal could be reached:\n  (bolted g1)" in text
    assert "New objects, which the operators were not made for:\n  g1" in text
    assert "Nothing in the world can change the facts of these predicates:\n  path" in text
    second = model.prompts[1][-1].content
    assert "(bolted g1)" in second
    assert "(not (open g1))" in second


def test_the_presets_are_those_of_the_paper() -> None:
    numbers = {name: (item.max_depth, item.max_calls) for name, item in SCENARIOS.items()}
    assert numbers == {"coffee-box": (15, 60), "coffee-drawer": (15, 60), "nut": (4, 30), "kitchen": (10, 30)}
    assert scenario("Nut") == replace(SCENARIOS["nut"], ask_at=AskAt.EVERY)
    with pytest.raises(InputError, match="kitchen"):
        scenario("kitchn")
    for wrong in ({"samples": 0}, {"max_calls": -1}):
        with pytest.raises(InputError):
            Settings(**wrong)
