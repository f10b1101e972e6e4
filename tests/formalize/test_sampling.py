"""Several samples in a run: the majority is returned, within one budget, and nothing is paid for twice."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from groundplan.errors import InputError
from groundplan.formalize.loop import Settings, formalize
from groundplan.formalize.specification import Blame, Result
from groundplan.models.errors import ConnectionFailed
from groundplan.models.protocol import Message, Sampling
from groundplan.models.scripted import Line, ScriptedModel
from groundplan.pddl.ast import Task
from groundplan.runs.budget import REPLY, Budget
from groundplan.runs.run import Run
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Fault, Limits, Outcome, Status

sys.path.append(str(Path(__file__).parent))
from texts import BROKEN_DOMAIN, DOMAIN, GOOD, PROBLEM, TASK, UNSOLVABLE, VERDICT, reply

WARM = Sampling(temperature=0.7)
WEAK = reply(DOMAIN, PROBLEM.replace("(and (lit left) (lit right))", "(lit left)"))
RENAMED = reply(DOMAIN.replace("lit", "bright"), PROBLEM.replace("lit", "bright"))
BROKEN = reply(BROKEN_DOMAIN, PROBLEM)


def _formalize(folder: Path, model: ScriptedModel, samples: int = 3, calls: int | None = None, **more: int) -> Result:
    how = Settings(sampling=WARM, samples=samples, **more)  # type: ignore[arg-type]
    with Run.open(folder, settings={"n": 1}, budget=Budget(calls=calls)) as run:
        return formalize(TASK, model, BuiltinEngine(), run, settings=how)


def _agreement(result: Result) -> tuple[str, str]:
    (signal,) = (signal for signal in result.signals if signal.name == "agreement")
    return signal.severity, signal.message


def test_the_majority_is_returned(tmp_path: Path) -> None:
    result = _formalize(tmp_path, ScriptedModel([WEAK, RENAMED, BROKEN, GOOD, VERDICT]))
    data = result.as_json()
    assert data["status"] == "solved"
    assert "bright" in data["domain"]
    assert len(data["plan"]) == 2
    assert (data["model_calls"], data["repairs"], data["judge"]) == (5, 0, 0.9)
    found = data["agreement"]
    assert found.pop("share") == pytest.approx(2 / 3)
    assert "goal" in found.pop("difference")
    assert found == {"samples": 3, "executable": 3, "clusters": [[1, 2], [0]], "undecided": []}
    severity, message = _agreement(result)
    assert severity == "info"
    assert "2 of 3 samples agree (clusters: 2 + 1)" in message
    assert "after (light left)" in message


def test_each_sample_asks_as_itself(tmp_path: Path) -> None:
    asked: list[tuple[str, int]] = []

    def answer(messages: Sequence[Message], sample: int) -> Line:
        asked.append((messages[-1].content, sample))
        return [GOOD, BROKEN, GOOD, GOOD, VERDICT][len(asked) - 1]

    _formalize(tmp_path, ScriptedModel(answer))
    assert [sample for _, sample in asked] == [0, 1, 1, 2, 0]
    assert asked[0][0] == asked[1][0] == asked[3][0]
    with Run.open(tmp_path, settings={"n": 1}) as run:
        events = run.events()
    assert [event.payload["sample"] for event in events if event.kind == REPLY] == [0, 1, 1, 2, 0]
    assert sum(event.kind == "solver_call" for event in events) == 1  # one task, however often it is written


def test_one_sample_is_what_it_was(tmp_path: Path) -> None:
    result = _formalize(tmp_path, ScriptedModel([GOOD, VERDICT]), samples=1)
    assert result.as_json()["agreement"] is None
    assert all(signal.name != "agreement" for signal in result.signals)
    with Run.open(tmp_path, settings={"n": 1}) as run:
        assert "comparison" not in {event.kind for event in run.events()}


def test_all_fail(tmp_path: Path) -> None:
    replies = ["hm", BROKEN, reply(DOMAIN, UNSOLVABLE), VERDICT]
    result = _formalize(tmp_path, ScriptedModel(replies), max_repairs=0)
    assert result.status is Status.UNSOLVABLE  # of three failures the one that reads as a task tells most
    assert result.agreement is not None
    assert (result.agreement.executable, result.agreement.share, result.agreement.clusters) == (0, 0.0, ())
    assert _agreement(result) == ("warning", "none of 3 samples is executable")
    assert result.as_json()["plan"] is None
    result = _formalize(tmp_path / "text", ScriptedModel(["hm"] * 3), max_repairs=0)
    assert (result.status, result.blame) == (Status.FAILED, Blame.NO_PDDL)


def test_failed_samples_count(tmp_path: Path) -> None:
    result = _formalize(tmp_path, ScriptedModel([BROKEN, "hm", GOOD, VERDICT]), max_repairs=0)
    assert result.status is Status.SOLVED
    assert result.agreement is not None
    assert result.agreement.clusters == ((2,),)
    assert _agreement(result) == ("warning", "1 of 3 samples agree (clusters: 1, 2 not executable)")


def test_a_budget_that_ends_after_the_second_sample(tmp_path: Path) -> None:
    replies: list[Line] = [GOOD, WEAK, BROKEN, WEAK, VERDICT]
    result = _formalize(tmp_path, ScriptedModel(replies), calls=3)
    assert result.status is Status.SOLVED
    assert "lit right" in result.as_json()["problem"].split(":goal")[1]
    assert "2 of 3 samples could be finished: the budget of 3 model calls is used up" in result.reason
    severity, message = _agreement(result)
    assert severity == "warning"
    assert "2 of 3 samples could be finished" in message
    later = ScriptedModel(replies)
    again = _formalize(tmp_path, later, calls=9)  # a higher budget goes on, and here the majority changes
    assert later.calls == 2
    assert again.agreement is not None
    assert again.agreement.clusters == ((1, 2), (0,))
    assert again.as_json() == _formalize(tmp_path / "whole", ScriptedModel(replies)).as_json()


def test_a_budget_that_ends_before_anything_is_executable(tmp_path: Path) -> None:
    result = _formalize(tmp_path, ScriptedModel([BROKEN, GOOD]), calls=1)
    assert result.status is Status.NOT_FOUND
    assert result.reason.startswith("the budget of 1 model calls is used up")
    assert result.as_json()["agreement"]["samples"] == 3


def test_a_model_that_fails_ends_the_sampling(tmp_path: Path) -> None:
    model = ScriptedModel([GOOD, ConnectionFailed("gone")])
    result = _formalize(tmp_path, model)
    assert (result.status, model.calls) == (Status.SOLVED, 2)
    assert "1 of 3 samples could be finished: the model failed: gone" in result.reason
    result = _formalize(tmp_path / "none", ScriptedModel([ConnectionFailed("gone")]))
    assert (result.status, result.blame) == (Status.FAILED, Blame.SERVER)


class _BrokenEngine:
    name = "broken"

    def solve(self, task: Task, limits: Limits) -> Outcome:
        return Outcome(Status.FAILED, self.name, reason="it crashed", fault=Fault.CRASH)

    def close(self) -> None:
        pass


def test_a_broken_engine_is_not_tried_again(tmp_path: Path) -> None:
    model = ScriptedModel([GOOD] * 3)
    with Run.open(tmp_path, settings={}) as run:
        result = formalize(TASK, model, _BrokenEngine(), run, settings=Settings(sampling=WARM, samples=3))
    assert (result.status, result.blame, model.calls) == (Status.FAILED, Blame.ENGINE, 1)


class _Killed(BaseException):
    """Stands for a kill: nothing may catch it."""


@pytest.mark.parametrize("survived", range(6))
def test_a_killed_run_is_resumed_and_pays_for_nothing_twice(tmp_path: Path, survived: int) -> None:
    replies: list[Line] = [WEAK, BROKEN, RENAMED, BROKEN, GOOD, VERDICT]
    whole = _formalize(tmp_path / "whole", ScriptedModel(replies))
    asked = 0

    def until_the_kill(messages: Sequence[Message], sample: int) -> Line:
        nonlocal asked
        asked += 1
        if asked > survived:
            raise _Killed
        return replies[asked - 1]

    with pytest.raises(_Killed):
        _formalize(tmp_path / "killed", ScriptedModel(until_the_kill))
    model = ScriptedModel(replies)
    assert _formalize(tmp_path / "killed", model).as_json() == whole.as_json()
    assert model.calls == len(replies) - survived


def test_comparisons_are_taken_from_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = _formalize(tmp_path, ScriptedModel([WEAK, RENAMED, GOOD, VERDICT]))

    def never(*_: object) -> None:
        raise AssertionError("asked or compared again")

    monkeypatch.setattr("groundplan.formalize.sampling.compare_pair", never)
    assert _formalize(tmp_path, ScriptedModel(never)).as_json() == first.as_json()  # type: ignore[arg-type]


@pytest.mark.parametrize(("samples", "sampling"), [(3, Sampling()), (0, WARM)])
def test_samples_that_make_no_sense(samples: int, sampling: Sampling) -> None:
    with pytest.raises(InputError, match="samples"):
        Settings(sampling=sampling, samples=samples)


def test_the_last_reply_that_a_budget_allows_is_still_solved(tmp_path: Path) -> None:
    result = _formalize(tmp_path, ScriptedModel([GOOD]), samples=1, calls=1)
    assert result.status is Status.SOLVED
    assert result.judgement is not None
    assert result.judgement.score is None  # the Judge was beyond the budget
