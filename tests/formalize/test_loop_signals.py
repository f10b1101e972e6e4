"""Signals as a part of a run: which checks run, what they cost, and that a resumed run pays for nothing twice."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from groundplan.formalize.loop import Settings, formalize
from groundplan.formalize.signals import CHECKS, SYMBOLIC
from groundplan.formalize.specification import Result
from groundplan.models.errors import AuthenticationError, ConnectionFailed
from groundplan.models.protocol import Message
from groundplan.models.scripted import Line, ScriptedModel
from groundplan.runs.budget import Budget
from groundplan.runs.run import Run
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Status

sys.path.append(str(Path(__file__).parent))
from texts import BROKEN_DOMAIN, DOMAIN, GOOD, PROBLEM, TASK, VERDICT, reply

ALL = frozenset(CHECKS)
DARK = "Both are dark."
PROBES = json.dumps({"restrictions": [{"sentence": DARK, "trace": ["(light left)"]}]})
TOLD = json.dumps({"objects": [], "initial": ["left is dark"], "goal": ["left is lit"], "actions": []})
COMPARED = json.dumps(
    {
        "facts": [{"fact": "I1", "verdict": "stated", "words": DARK}],
        "missing": [{"part": "goal", "sentence": "right is lit", "words": "Light both lamps"}],
    }
)
REPLIES: list[Line] = [GOOD, VERDICT, PROBES, TOLD, COMPARED]


def _formalize(folder: Path, model: ScriptedModel, checks: frozenset[str] = ALL, budget: int | None = None) -> Result:
    with Run.open(folder, settings={"n": 1}, budget=Budget(calls=budget)) as run:
        return formalize(TASK, model, BuiltinEngine(), run, settings=Settings(signals=checks))


def _said(result: Result) -> set[tuple[str, str]]:
    return {(signal.name, signal.severity) for signal in result.signals}


def test_checks_that_cost_a_call_run_only_where_they_are_asked_for(tmp_path: Path) -> None:
    model = ScriptedModel(REPLIES)
    result = _formalize(tmp_path / "default", model, SYMBOLIC)
    assert (model.calls, result.model_calls) == (2, 2)
    assert Settings().signals == SYMBOLIC
    model = ScriptedModel(REPLIES)
    result = _formalize(tmp_path / "all", model)
    assert (model.calls, result.model_calls) == (5, 5)
    assert _said(result) >= {("restriction-probes", "warning"), ("back-translation", "warning")}
    model = ScriptedModel(REPLIES)
    assert _formalize(tmp_path / "none", model, frozenset()).signals == ()
    assert model.calls == 2


def test_a_resumed_run_pays_for_nothing_twice(tmp_path: Path) -> None:
    first = _formalize(tmp_path, ScriptedModel(REPLIES))

    def never(messages: Sequence[Message], sample: int) -> Line:
        raise AssertionError("asked again")

    assert _formalize(tmp_path, ScriptedModel(never)).as_json() == first.as_json()


@pytest.mark.parametrize("calls", [2, 3, 4])
def test_a_budget_that_is_used_up_costs_the_signals_only(tmp_path: Path, calls: int) -> None:
    whole = _formalize(tmp_path / "whole", ScriptedModel(REPLIES))
    result = _formalize(tmp_path / "short", ScriptedModel(REPLIES), budget=calls)
    assert result.status is Status.SOLVED
    assert result.model_calls == calls
    spent = [signal for signal in result.signals if "budget" in signal.message]
    assert {signal.severity for signal in spent} == {"info"}
    assert {signal.name for signal in spent} == (
        {"restriction-probes", "back-translation"} if calls == 2 else {"back-translation"}
    )
    later = ScriptedModel(REPLIES)
    assert _formalize(tmp_path / "short", later).as_json() == whole.as_json()
    assert later.calls == 5 - calls


@pytest.mark.parametrize("error", [ConnectionFailed("gone"), AuthenticationError("no such key")])
def test_a_model_that_fails_costs_the_signals_only(tmp_path: Path, error: Exception) -> None:
    result = _formalize(tmp_path, ScriptedModel([GOOD, VERDICT, error, error]))
    assert result.status is Status.SOLVED
    assert _said(result) >= {("restriction-probes", "info"), ("back-translation", "info")}
    assert sum(str(error) in signal.message for signal in result.signals) == 2
    assert result.judgement is not None


def test_a_model_that_ended_the_run_is_not_asked_about_its_result(tmp_path: Path) -> None:
    unsolvable = reply(DOMAIN, PROBLEM.replace("(dark right)", ""))
    model = ScriptedModel([unsolvable, ConnectionFailed("gone")])
    result = _formalize(tmp_path, model)
    assert result.status is Status.FAILED
    assert model.calls == 2
    assert sum("the run has ended" in signal.message for signal in result.signals) == 2


def test_pddl_that_is_no_task_is_not_asked_about(tmp_path: Path) -> None:
    model = ScriptedModel([reply(BROKEN_DOMAIN, PROBLEM)] * 2 + [VERDICT])
    assert _formalize(tmp_path, model).signals == ()
    assert model.calls == 3
