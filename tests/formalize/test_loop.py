"""The loop of Algorithm 1, at inference, over scripted models and a real engine."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundplan.formalize.loop import Settings, formalize
from groundplan.formalize.specification import Result
from groundplan.models.errors import AuthenticationError, BadReply, ModelError, RateLimited
from groundplan.models.protocol import Message, Sampling
from groundplan.models.scripted import Line, ScriptedModel
from groundplan.pddl.ast import Task
from groundplan.runs.budget import Budget
from groundplan.runs.run import Run
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Fault, Limits, Outcome, Status

sys.path.append(str(Path(__file__).parent))
from texts import BROKEN_DOMAIN, CUT_OFF, DOMAIN, EMPTY_GOAL, GOOD, PROBLEM, TASK, TRIVIAL, UNSOLVABLE, VERDICT, reply


def _formalize(folder: Path, replies: Sequence[Line], domain: str = "", **more: object) -> tuple[Result, ScriptedModel]:
    model = ScriptedModel(replies)
    with Run.open(folder, settings={"n": 1}) as run:
        result = formalize(TASK, model, BuiltinEngine(), run, domain=domain, settings=Settings(**more))  # type: ignore[arg-type]
    return result, model


def test_a_good_first_reply_needs_no_repair(tmp_path: Path) -> None:
    result, model = _formalize(tmp_path, [GOOD, VERDICT])
    data = result.as_json()
    assert data["status"] == "solved"
    assert sorted(data["plan"]) == ["(light left)", "(light right)"]
    assert (data["solver_calls"], data["repairs"], data["judge"]) == (1, 0, 0.9)
    assert model.calls == 2


BAD_REPLIES = {
    "syntax": reply(BROKEN_DOMAIN, PROBLEM),
    "unsolvable": reply(DOMAIN, UNSOLVABLE),
    "trivial": reply(DOMAIN, TRIVIAL),
    "empty goal": reply(DOMAIN, EMPTY_GOAL),
    "cut off": reply(DOMAIN) + "\n```pddl\n" + CUT_OFF,
    "no answer": "none",
    "nothing": BadReply("empty"),
    "problem missing": reply(DOMAIN),
    "numeric": reply(DOMAIN.replace("(dark ?l)\n", "(and (dark ?l) (> (oil ?l) 1))\n"), PROBLEM),
}


@pytest.mark.parametrize("kind", BAD_REPLIES)
def test_each_kind_of_bad_reply_is_repaired_and_explained(tmp_path: Path, kind: str) -> None:
    result, model = _formalize(tmp_path, [BAD_REPLIES[kind], GOOD, VERDICT])
    assert result.status is Status.SOLVED
    assert result.repairs == 1
    assert not result.rounds[0].verification.solved
    assert result.rounds[0].verification.explanation in model.prompts[1][-1].content
    assert TASK in model.prompts[1][-1].content


@pytest.mark.parametrize("kind", BAD_REPLIES)
def test_hopeless_models_end_in_a_result_after_six_calls(tmp_path: Path, kind: str) -> None:
    warm = Sampling(temperature=0.7)
    result, model = _formalize(tmp_path, [BAD_REPLIES[kind]] * 6 + [VERDICT], sampling=warm)
    assert result.status is (Status.UNSOLVABLE if kind == "unsolvable" else Status.FAILED)
    assert len(result.rounds) == 6
    assert result.solver_calls <= 6
    assert result.as_json()["plan"] is None
    assert result.reason
    assert model.calls in (6, 7)


def test_a_greedy_editor_that_changes_nothing_is_not_asked_again(tmp_path: Path) -> None:
    result, model = _formalize(tmp_path, [reply(DOMAIN, UNSOLVABLE)] * 2 + [VERDICT])
    assert result.status is Status.UNSOLVABLE
    assert "nothing to repair" in result.reason
    assert (len(result.rounds), model.calls) == (1, 3)
    assert result.judgement is not None


def test_a_reply_may_leave_out_the_domain_that_needs_no_change(tmp_path: Path) -> None:
    result, _ = _formalize(tmp_path, [reply(DOMAIN, UNSOLVABLE), reply(PROBLEM), VERDICT])
    assert result.status is Status.SOLVED
    assert result.final is not None
    assert result.final.specification.domain.strip() == DOMAIN.strip()


def test_a_given_domain_is_kept(tmp_path: Path) -> None:
    cheating = DOMAIN.replace(":precondition (dark ?l)", ":precondition ()")
    result, model = _formalize(tmp_path, [reply(cheating, PROBLEM), VERDICT], domain=DOMAIN)
    assert result.final is not None
    assert result.final.specification.domain == DOMAIN
    assert "the given one was kept" in result.final.notes[0]
    assert DOMAIN.strip() in model.prompts[0][-1].content


# A reply with one part alone may complete what an earlier one gave, so it is neither good nor bad by itself.
WHOLE_REPLIES = [text for kind, text in BAD_REPLIES.items() if kind != "problem missing"]


@given(st.lists(st.sampled_from([*WHOLE_REPLIES, GOOD]), min_size=6, max_size=6), st.integers(0, 5))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_first_executable_specification_is_returned(
    tmp_path_factory: pytest.TempPathFactory, replies: list[Line], repairs: int
) -> None:
    result, _ = _formalize(
        tmp_path_factory.mktemp("run"), [*replies, VERDICT], max_repairs=repairs, judge=False, sampling=Sampling(0.7)
    )
    allowed = replies[: repairs + 1]
    if GOOD in allowed:
        assert result.status is Status.SOLVED
        assert result.repairs == allowed.index(GOOD)
    else:
        assert result.status is not Status.SOLVED
        assert result.repairs == repairs


def test_a_failing_model_is_data(tmp_path: Path) -> None:
    result, _ = _formalize(tmp_path, [reply(BROKEN_DOMAIN, PROBLEM), RateLimited("slow down")])
    assert result.status is Status.FAILED
    assert "slow down" in result.reason
    assert len(result.rounds) == 1  # what was reached is kept


def test_a_wrong_key_is_for_the_user(tmp_path: Path) -> None:
    with pytest.raises(AuthenticationError):
        _formalize(tmp_path, [AuthenticationError("no")])


def test_a_judge_that_fails_costs_the_score_only(tmp_path: Path) -> None:
    result, _ = _formalize(tmp_path, [GOOD, ModelError("gone")])
    assert result.status is Status.SOLVED
    assert result.judgement is not None
    assert result.judgement.score is None


def test_a_budget_ends_the_run_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    replies: list[Line] = [reply(BROKEN_DOMAIN, PROBLEM), GOOD, VERDICT]
    with Run.open(tmp_path, settings={}, budget=Budget(calls=1)) as run:
        result = formalize(TASK, ScriptedModel(replies), BuiltinEngine(), run)
    assert result.status is Status.NOT_FOUND
    assert "budget" in result.reason
    model = ScriptedModel(replies)
    with Run.open(tmp_path, settings={}, budget=Budget(calls=9)) as run:
        assert formalize(TASK, model, BuiltinEngine(), run).status is Status.SOLVED
    assert model.calls == 2  # the first reply was paid for before


class _BrokenEngine:
    name = "broken"

    def __init__(self) -> None:
        self.calls = 0

    def solve(self, task: Task, limits: Limits) -> Outcome:
        self.calls += 1
        return Outcome(Status.FAILED, self.name, reason="it crashed", fault=Fault.CRASH)

    def close(self) -> None:
        pass


def test_a_broken_engine_is_not_blamed_on_the_specification(tmp_path: Path) -> None:
    model = ScriptedModel([GOOD, GOOD, GOOD])
    with Run.open(tmp_path, settings={}) as run:
        result = formalize(TASK, model, _BrokenEngine(), run)
    assert result.status is Status.FAILED
    assert "it crashed" in result.reason
    assert model.calls == 1
    with Run.open(tmp_path, settings={}) as run:  # once the engine works, the run goes on
        again = formalize(TASK, ScriptedModel([GOOD, VERDICT]), BuiltinEngine(), run)
    assert again.status is Status.SOLVED


def test_resuming_a_finished_run_gives_the_same_and_asks_nothing(tmp_path: Path) -> None:
    first, _ = _formalize(tmp_path, [reply(DOMAIN, UNSOLVABLE), GOOD, VERDICT])

    def never(messages: Sequence[Message], sample: int) -> str:
        raise AssertionError("asked again")

    with Run.open(tmp_path, settings={"n": 1}) as run:
        again = formalize(TASK, ScriptedModel(never), _BrokenEngine(), run)
    assert again.status is Status.FAILED or again.as_json() == first.as_json()
    with Run.open(tmp_path, settings={"n": 1}) as run:
        assert formalize(TASK, ScriptedModel(never), BuiltinEngine(), run).as_json() == first.as_json()
