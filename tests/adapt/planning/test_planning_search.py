"""The hybrid search with a scripted model: plans, several operators, every ending, resuming."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planning_oracle import (
    DRAW_BOLT,
    GARDEN,
    NONE,
    actions_in,
    facts_in_prompt,
    garden,
    garden_problem,
    oracle,
    scenario_task,
)

from groundplan.adapt.planning.lifting import MARK
from groundplan.adapt.planning.result import Adapted, Limit, Status
from groundplan.adapt.planning.search import find_operators
from groundplan.adapt.planning.settings import AskAt, Settings, scenario
from groundplan.errors import InputError
from groundplan.models.errors import ServerFailed
from groundplan.models.protocol import Message
from groundplan.models.scripted import Line, ScriptedModel
from groundplan.pddl.ast import Problem, Task
from groundplan.pddl.read import task_from_text
from groundplan.pddl.validate import validate_plan
from groundplan.runs.budget import REPLY, Budget
from groundplan.runs.run import Run

Script = Sequence[Line] | Callable[[Sequence[Message], int], Line]


def search(
    task: Task,
    script: Script,
    folder: Path,
    how: Settings | None = None,
    before: Problem | None = None,
    budget: Budget | None = None,
) -> tuple[Adapted, ScriptedModel]:
    model = ScriptedModel(script)
    with Run.open(folder, settings={"verb": "adapt"}, budget=budget) as run:
        return find_operators(task, model, run, how, before=before), model


def is_proved(task: Task, found: Adapted) -> bool:
    """Whether the plan is a plan of the domain as it was written down."""
    assert found.plan is not None
    domain = task_from_text(found.domain_text, _problem_text(task)).domain
    return validate_plan(Task(domain, task.problem), found.plan).is_valid


def _problem_text(task: Task) -> str:
    from groundplan.pddl.write import write_problem

    return write_problem(task.problem)


SCENARIOS = {
    "kitchen_lid": ("kitchen", 5, ["pick-up-lid-from-pot"]),
    "nut_round_peg": ("nut", 2, ["pick-up-nut-from-peg"]),
    "coffee_box": ("coffee-box", 4, ["pick-up-from-open-box"]),
    "coffee_drawer": ("coffee-drawer", 6, ["open-drawer", "pick-up-from-open-drawer"]),
}


@pytest.mark.parametrize("order", AskAt)
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_scenarios_of_the_paper(data_dir: Path, tmp_path: Path, name: str, order: AskAt) -> None:
    folder = data_dir / "novelty" / name
    if not folder.is_dir():
        pytest.skip("the scenarios are not there")
    task = scenario_task(folder)
    preset, steps, operators = SCENARIOS[name]
    reference = actions_in((folder / "missing.pddl").read_text(), task.domain)
    how = replace(scenario(preset), ask_at=order)
    found, model = search(task, oracle(task, reference), tmp_path / "run", how)
    assert found.status is Status.FOUND
    assert found.plan is not None
    assert len(found.plan) == steps
    assert [item.action.name for item in found.operators] == operators
    assert is_proved(task, found)
    assert found.domain_text.count(MARK) == len(operators)
    assert not found.suspicious
    assert model.calls == found.calls <= how.max_calls
    for prompt in model.prompts:  # what is missing reaches the model by its own answers only
        said = " ".join(message.content for message in prompt if message.role == "assistant")
        asked = " ".join(message.content for message in prompt if message.role != "assistant")
        for operator in operators:
            assert operator not in asked or operator in said or f"(:action {operator}\n" in asked


def test_a_door_that_is_bolted_now(tmp_path: Path) -> None:
    task = garden()
    found, _ = search(
        task, oracle(task, actions_in(DRAW_BOLT, task.domain)), tmp_path / "run", before=garden("").problem
    )
    assert found.plan is not None
    assert [step.action for step in found.plan] == ["walk", "take", "walk", "draw-bolt", "swing-open", "pass"]
    assert is_proved(task, found)
    assert found.operators[0].after == found.plan[:3]
    assert [found.operator_at(step) for step in found.plan[:3]] == [None] * 3
    assert found.operator_at(found.plan[3]) == found.operators[0].ground
    assert {"novelty-fact", "operator-undoes-novelty"} <= {item.code for item in found.findings}


@settings(max_examples=12)
@given(st.sampled_from(["draw-bolt", "swing-open", "walk"]), st.permutations(["lawn", "pond"]), st.booleans())
def test_whatever_is_proposed_a_plan_found_is_proved(
    tmp_path_factory: pytest.TempPathFactory, name: str, plots: list[str], opens: bool
) -> None:
    """Any operator over the gate and the plots, some of them with names that are taken."""
    task = garden()
    change = "(open g1)" if opens else "(not (bolted g1))"
    script = [f"```\n({name}x g1 {' '.join(plots)})\n```", f"```\n{change}\n```"] * 3
    found, _ = search(task, script, tmp_path_factory.mktemp("run") / "r")
    assert found.status is Status.FOUND
    assert is_proved(task, found)


def test_known_operators_that_suffice_need_no_model(tmp_path: Path) -> None:
    found, model = search(garden(""), [], tmp_path / "run")
    assert (found.status, found.operators, model.calls) == (Status.FOUND, (), 0)
    assert found.plan is not None
    assert len(found.plan) == 2


def test_a_child_keeps_the_operator_that_led_to_it(tmp_path: Path) -> None:
    """The second operator is proposed only where the first has been taken; both are in the plan and in the domain."""
    task = task_from_text(
        """(define (domain d) (:predicates (a) (b) (c) (start))
        (:action use :parameters () :precondition (and (a) (c)) :effect (b)))""",
        "(define (problem p) (:domain d) (:init (start)) (:goal (b)))",
    )

    def answer(messages: Sequence[Message], sample: int) -> str:
        first = messages[1].content
        facts = facts_in_prompt(first)
        if ("a",) in facts:
            return "```\n(second)\n```" if len(messages) == 2 else "```\n(c)\n```"
        if "(:action first" in first:
            return NONE
        return "```\n(first)\n```" if len(messages) == 2 else "```\n(a)\n```"

    found, _ = search(task, answer, tmp_path / "run", Settings(defer_suspicious=False))
    assert found.plan is not None
    assert [step.action for step in found.plan] == ["first", "second", "use"]
    assert is_proved(task, found)


def _teleport_else_draw(task: Task) -> Callable[[Sequence[Message], int], Line]:
    honest = oracle(task, actions_in(DRAW_BOLT, task.domain))

    def answer(messages: Sequence[Message], sample: int) -> Line:
        if ("carried", "crowbar") in facts_in_prompt(messages[1].content):
            return honest(messages, sample)
        return "```\n(teleport pond)\n```" if len(messages) == 2 else "```\n(in pond)\n```"

    return answer


def test_a_loophole_waits_for_something_better(tmp_path: Path) -> None:
    task = garden()
    found, _ = search(task, _teleport_else_draw(task), tmp_path / "run")
    assert [item.action.name for item in found.operators] == ["draw-bolt"]
    assert not found.suspicious
    at_once, model = search(task, _teleport_else_draw(task), tmp_path / "other", Settings(defer_suspicious=False))
    assert [item.action.name for item in at_once.operators] == ["teleport"]
    assert at_once.suspicious
    assert model.calls == 6
    codes = {item.code for item in at_once.findings}
    assert {"operator-reaches-goal-alone", "operator-breaks-invariant", "operator-only-adds"} <= codes


def test_a_loophole_is_what_comes_out_where_nothing_better_does(tmp_path: Path) -> None:
    task = garden()
    script = ["```\n(teleport pond)\n```", "```\n(in pond)\n```"] * 3
    found, model = search(task, script, tmp_path / "run", Settings(max_calls=6))
    assert found.status is Status.FOUND
    assert found.suspicious
    assert model.calls == 6


def test_the_second_candidate_stands_in_for_a_loophole(tmp_path: Path) -> None:
    task = garden()
    teleport = ["```\n(teleport pond)\n```", "```\n(in pond)\n```"]
    force = ["```\n(force-bolt g1 lawn)\n```", "```\n(not (bolted g1))\n```"]
    found, model = search(task, [*teleport * 2, *force * 2, NONE], tmp_path / "run")
    assert [item.action.name for item in found.operators] == ["force-bolt"]
    assert (found.operators[0].votes, found.operators[0].samples) == (2, 5)
    assert model.calls == 9


def test_what_cannot_help_is_not_searched_with(tmp_path: Path) -> None:
    task = garden()
    script = ["```\n(admire g1)\n```", "```\n(bolted g1)\n```"] * 3
    found, model = search(task, script, tmp_path / "run", Settings(max_calls=6))
    assert (found.status, found.limit, model.calls) == (Status.NOT_FOUND, Limit.CALLS, 6)


def test_fixed_predicates_are_not_to_be_changed(tmp_path: Path) -> None:
    task = garden()
    script = ["```\n(build-path lawn pond)\n```", "```\n(path lawn pond)\n```"] * 3
    free, _ = search(task, script, tmp_path / "free")
    assert free.status is Status.FOUND
    assert "operator-changes-static-relation" in {item.code for item in free.findings}
    fixed, _ = search(task, script, tmp_path / "fixed", Settings(max_calls=6, fixed=frozenset(("path",))))
    assert fixed.status is Status.NOT_FOUND
    with pytest.raises(InputError, match="pathh"):
        search(task, script, tmp_path / "wrong", Settings(fixed=frozenset(("pathh",))))
    with pytest.raises(InputError, match="g7"):
        search(task, script, tmp_path / "novel", Settings(novel=("g7",)))


ENDINGS = {
    "calls": (Settings(max_calls=7), [NONE] * 7, Limit.CALLS, 7),
    "no calls at all": (Settings(max_calls=0), [], Limit.CALLS, 0),
    "depth": (Settings(max_depth=1), [NONE] * 99, Limit.DEPTH, None),
    "exhausted": (Settings(max_calls=999), [NONE] * 999, Limit.EXHAUSTED, None),
    "states": (Settings(max_states=3, max_calls=999), [NONE] * 99, Limit.STATES, None),
}


@pytest.mark.parametrize("kind", ENDINGS)
def test_no_plan_within_a_limit_that_is_named(tmp_path: Path, kind: str) -> None:
    how, script, limit, calls = ENDINGS[kind]
    found, model = search(garden(), script, tmp_path / "run", how)
    assert (found.status, found.limit, found.plan) == (Status.NOT_FOUND, limit, None)
    assert found.reason
    assert calls is None or model.calls == calls


@pytest.mark.parametrize("order", AskAt)
def test_each_state_costs_three_calls_where_nothing_is_proposed(tmp_path: Path, order: AskAt) -> None:
    how = Settings(max_calls=999, ask_at=order)
    found, model = search(garden(), [NONE] * 999, tmp_path / "run", how)
    assert found.asked == 8  # lawn or shed, each tool lying or carried
    assert model.calls == 3 * found.asked


def test_states_that_show_something_new_go_first(tmp_path: Path) -> None:
    """Four things that may be picked up, and a corridor at whose end something is to be done: what is new lies deep."""
    domain = """(define (domain d) (:requirements :typing) (:types thing cell)
      (:predicates (lies ?t - thing) (got ?t - thing) (at ?c - cell) (next ?a ?b - cell) (done ?c - cell))
      (:action pick :parameters (?t - thing) :precondition (lies ?t) :effect (and (got ?t) (not (lies ?t))))
      (:action go :parameters (?a ?b - cell) :precondition (and (at ?a) (next ?a ?b))
        :effect (and (at ?b) (not (at ?a)))))"""
    problem = """(define (problem p) (:domain d) (:objects t0 t1 t2 t3 - thing c0 c1 c2 c3 - cell)
      (:init (at c0) (next c0 c1) (next c1 c2) (next c2 c3) (lies t0) (lies t1) (lies t2) (lies t3))
      (:goal (done c3)))"""
    task = task_from_text(domain, problem)

    def answer(messages: Sequence[Message], sample: int) -> str:
        if ("at", "c3") not in facts_in_prompt(messages[1].content):
            return NONE
        return "```\n(finish c3)\n```" if len(messages) == 2 else "```\n(done c3)\n```"

    asked = {}
    for order in AskAt:
        found, _ = search(task, answer, tmp_path / order.name, Settings(max_calls=999, ask_at=order))
        assert found.plan is not None
        assert len(found.plan) == 4
        asked[order] = found.asked
    assert asked[AskAt.NOVEL_FIRST] == 8  # the start, four things in hand, three more cells
    assert 17 < asked[AskAt.EVERY] <= 32  # 17 states are nearer, 15 are as far


NEVER = {
    "a contradiction": "(and (in pond) (not (in pond)))",
    "no object of the type": "(exists (?t - tool) (and (carried ?t) (= ?t g1)))",
    "two names for one thing": "(and (in pond) (= crowbar rake))",
    "in every branch": "(or (and (open g1) (not (open g1))) (and (in shed) (not (in shed)) (in lawn)))",
}


@pytest.mark.parametrize("kind", NEVER)
def test_a_goal_that_no_state_satisfies_is_a_proof_and_costs_nothing(tmp_path: Path, kind: str) -> None:
    found, model = search(garden(goal=NEVER[kind]), [], tmp_path / "run")
    assert found.status is Status.NO_OPERATOR_CAN_HELP
    assert "proved" in found.reason
    assert model.calls == 0


def test_a_goal_at_odds_with_static_facts_is_no_proof_unless_they_are_fixed(tmp_path: Path) -> None:
    task = garden(goal="(path lawn pond)")
    free, model = search(task, [NONE] * 99, tmp_path / "free", Settings(max_calls=3))
    assert (free.status, model.calls) == (Status.NOT_FOUND, 3)
    assert "goal-needs-static-change" in {item.code for item in free.findings}
    fixed, model = search(task, [], tmp_path / "fixed", Settings(fixed=frozenset(("path",))))
    assert (fixed.status, model.calls) == (Status.NO_OPERATOR_CAN_HELP, 0)
    assert "`path`" in fixed.reason


def test_a_failing_model_and_a_spent_budget_are_endings(tmp_path: Path) -> None:
    found, _ = search(garden(), [ServerFailed("out of order")], tmp_path / "failed")
    assert found.status is Status.FAILED
    assert "out of order" in found.reason
    found, model = search(garden(), [NONE] * 99, tmp_path / "spent", budget=Budget(calls=4))
    assert (found.status, found.limit, model.calls) == (Status.NOT_FOUND, Limit.BUDGET, 4)


def test_a_model_that_only_talks_has_failed(tmp_path: Path) -> None:
    found, _ = search(garden(), ["I would open the gate."] * 60, tmp_path / "talk")
    assert (found.status, found.limit) == (Status.FAILED, None)
    assert "no reply of the model could be read" in found.reason
    assert "replies-unreadable" in {item.code for item in found.findings}
    script = ["hm", "hm", *["```\n(force-bolt g1 lawn)\n```", "```\n(not (bolted g1))\n```"] * 3]
    found, _ = search(garden(), script, tmp_path / "once")
    assert found.status is Status.FOUND
    assert "replies-unreadable" in {item.code for item in found.findings}


def test_without_a_model_all_is_said_that_needs_none(tmp_path: Path) -> None:
    with Run.open(tmp_path / "run", settings={}) as run:
        found = find_operators(garden(), None, run, before=garden("").problem)
    assert (found.status, found.calls) == (Status.NOT_FOUND, 0)
    assert {"known-operators-fail", "novelty-fact"} <= {item.code for item in found.findings}


@pytest.mark.parametrize("answered", [0, 1, 4, 5, 11, 20])
def test_a_search_that_was_killed_goes_on_and_pays_for_nothing_twice(tmp_path: Path, answered: int) -> None:
    task = garden()
    honest = oracle(task, actions_in(DRAW_BOLT, task.domain))
    whole, model = search(task, honest, tmp_path / "whole")
    assert model.calls == 21

    class Killed(BaseException):
        pass

    def dies(messages: Sequence[Message], sample: int) -> Line:
        dies.left -= 1  # type: ignore[attr-defined]
        if dies.left < 0:  # type: ignore[attr-defined]
            raise Killed
        return honest(messages, sample)

    dies.left = answered  # type: ignore[attr-defined]
    with pytest.raises(Killed):
        search(task, dies, tmp_path / "run")
    found, second = search(task, honest, tmp_path / "run")
    assert second.calls == model.calls - answered
    assert replace(found, model="") == replace(whole, model="")
    with Run.open(tmp_path / "run", settings={"verb": "adapt"}) as run:
        events = run.events()
    assert sum(event.kind == REPLY for event in events) == model.calls
    steps = [event.payload["step"] for event in events if event.kind == "proposals"]
    assert len(steps) == len(set(steps)) == found.asked


def test_the_result_as_json_tells_a_plan_found_from_an_operator_right(tmp_path: Path) -> None:
    task = garden()
    found, _ = search(task, oracle(task, actions_in(DRAW_BOLT, task.domain)), tmp_path / "run")
    data = found.as_json()
    assert (data["status"], data["operators_right"]) == ("found", "not checked")
    assert data["operators"][0]["effects"] == ["(not (bolted g1))"]
    assert data["plan"][3] == "(draw-bolt crowbar g1 lawn pond)"
    assert re.search(r"\(:action draw-bolt\n +:parameters \(\?tool - tool \?gate - gate", data["domain"])


def test_conditions_beyond_a_list_of_facts_and_derived_ones_are_planned_with(tmp_path: Path) -> None:
    domain = GARDEN.replace("(carried ?t - tool)", "(carried ?t - tool) (equipped)").replace(
        "(:action walk", "(:derived (equipped) (exists (?t - tool) (carried ?t)))\n  (:action walk"
    )
    task = task_from_text(domain, garden_problem())
    found, model = search(task, oracle(task, actions_in(DRAW_BOLT, task.domain)), tmp_path / "run")
    assert found.status is Status.FOUND
    assert is_proved(task, found)
    assert "(equipped)" in model.prompts[-1][1].content.split("What is true now")[1]
