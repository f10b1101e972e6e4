"""Mutation: which parts of a goal or a precondition are said to make no difference."""

from __future__ import annotations

import importlib
import sys
import time
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings

from groundplan.formalize.signals import mutants, signals
from groundplan.formalize.signals.mutants import Mutant, Survey, anywhere, goal_mutants, precondition_mutants
from groundplan.formalize.specification import Signal
from groundplan.pddl import task_from_text
from groundplan.pddl.ast import And, Atom, Not, Plan, Step, Task
from groundplan.pddl.ground_limits import GroundingLimit
from signal_rates import golds
from signal_texts import BALLS, CARRY, FERRY, WRITTEN

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "pddl"))
random_tasks = importlib.import_module("strategies").tasks
BruteForce = importlib.import_module("brute_force").BruteForce

ROOMS = "a b c - room x y z - ball left - arm"
START = "(robot-in a) (ball-in x a) (ball-in y a) (ball-in z b) (free left)"


def _task(domain: str, objects: str, init: str, goal: str) -> Task:
    return task_from_text(
        domain, f"(define (problem p) (:domain d) (:objects {objects}) (:init {init}) (:goal (and {goal})))"
    )


def _mutation(task: Task, text: str = "Bring ball x to room b.", plan: Plan | None = None) -> list[Signal]:
    return list(signals(text, task, plan, only={"mutation"}))


# --- against the semantics, written a second time ---------------------------------------------------------------------

MOST = 60


def _reachable(model: object, task: Task) -> list[frozenset[tuple[str, ...]]] | None:
    """All reachable states, by trying every step in each; None where there are many."""
    names = [item.name for item in task.objects]
    steps = [
        Step(action.name, args)
        for action in task.domain.actions
        for args in product(names, repeat=len(action.parameters))
    ]
    states = [model.initial]  # type: ignore[attr-defined]
    for state in states:
        for step in steps:
            after = model.apply(state, step)  # type: ignore[attr-defined]
            if after is not None and after[0] not in states:
                states.append(after[0])
                if len(states) > MOST:
                    return None
    return states


def _makes_a_difference(model: object, mutant: Mutant, states: list[frozenset[tuple[str, ...]]]) -> bool:
    return any(
        model.holds(And((mutant.rest, Not(mutant.part))), binding, known)  # type: ignore[attr-defined]
        for known in map(model.with_derived, states)  # type: ignore[attr-defined]
        for binding in model.bindings(mutant.parameters)  # type: ignore[attr-defined]
    )


@given(random_tasks(costs=False))
@settings(max_examples=150)
def test_redundant_are_just_the_mutants_that_no_reachable_state_tells(task: Task) -> None:
    model = BruteForce(task)
    states = _reachable(model, task) if len(task.objects) < 6 else None
    tested = [*goal_mutants(task), *map(anywhere, goal_mutants(task)), *precondition_mutants(task)]
    if states is None or not tested:
        return
    try:
        found = Survey(task, tested, 5.0).redundant()
    except GroundingLimit:
        return
    expected = {at for at, mutant in enumerate(tested) if not _makes_a_difference(model, mutant, states)}
    assert found == expected


def test_the_small_tasks_of_the_written_texts_say_the_same() -> None:
    said = 0
    for written in WRITTEN:
        task = task_from_text(written.domain, written.problem)
        found = _mutation(task, written.text)
        said += bool(found)
        assert all(signal.severity == "info" for signal in found), written.name
    assert said  # some of them have parts that hold from the start


# --- one kind after the other -----------------------------------------------------------------------------------------


def test_a_goal_whose_every_part_costs_steps_is_no_sign() -> None:
    assert _mutation(_task(BALLS, ROOMS, START, "(ball-in x b) (ball-in z c)")) == []


def test_a_part_that_no_plan_can_fail() -> None:
    lost = BALLS.replace("(not (ball-in ?t ?r))", "")  # take leaves the ball where it was
    task = _task(lost.replace("(:predicates", "(:predicates (wall ?r - room)"), ROOMS, START, "(ball-in x b)")
    task = Task(task.domain, replace(task.problem, goal=And((task.problem.goal, Atom("ball-in", ("z", "b"))))))
    (found,) = _mutation(task)
    assert (found.severity, found.evidence) == ("warning", ("(ball-in z b)",))
    assert "every state" in found.message


def test_a_part_that_the_rest_implies() -> None:
    (found,) = _mutation(_task(BALLS, ROOMS, START, "(ball-in x b) (not (ball-in x a))"))
    assert (found.severity, found.evidence) == ("info", ("(not (ball-in x a))",))
    assert "nothing is added" in found.message


def test_a_part_that_holds_all_along() -> None:
    (found,) = _mutation(_task(BALLS, ROOMS, START, "(ball-in x b) (ball-in z b)"))
    assert (found.severity, found.evidence) == ("info", ("(ball-in z b)",))
    assert "does nothing for it" in found.message


def test_a_part_that_the_plan_takes_away_and_gives_back_is_not_left_alone() -> None:
    assert _mutation(_task(BALLS, ROOMS, START, "(ball-in x b) (robot-in a)")) == []


STORY = "Ball x and ball y are in room a. Ball z lies in room b. The goal is: ball x in room c and ball z in room c."


def test_a_part_of_the_goal_planted_at_the_start() -> None:
    task = _task(BALLS, ROOMS, START + " (ball-in z c)", "(ball-in x c) (ball-in z c)")
    (found,) = _mutation(task, STORY)
    assert (found.severity, found.evidence) == ("warning", ("(ball-in z c)",))
    assert "of the goal only" in found.message


@pytest.mark.parametrize(
    "text",
    [
        STORY.replace("Ball z lies in room b", "Ball z lies in room c"),  # the text itself has it so
        STORY.replace("Ball z lies in room b. ", ""),  # the text does not say where it is
        STORY.replace("ball z in room c", "all is done"),  # the text does not ask for it
        "",
    ],
)
def test_planted_is_said_only_where_the_text_says_otherwise(text: str) -> None:
    task = _task(BALLS, ROOMS, START.replace("(ball-in z b)", "(ball-in z c)"), "(ball-in x c) (ball-in z c)")
    (found,) = _mutation(task, text)
    assert found.severity == "info"


def test_a_guard_that_a_lost_delete_effect_has_made_useless() -> None:
    lost = FERRY.replace(" (not (deck-empty))", "")
    objects, init = "c1 c2 - car s t - shore", "(ferry-at s) (car-at c1 s) (car-at c2 s) (deck-empty)"
    goal = "(car-at c1 t) (car-at c2 t)"
    (found,) = _mutation(_task(lost, objects, init, goal))
    assert (found.severity, found.evidence) == ("info", ("(deck-empty)",))
    assert "board" in found.message
    assert _mutation(_task(FERRY, objects, init, goal)) == []


def test_guards_of_actions_that_the_plan_does_not_use_are_left_out() -> None:
    spare = (
        "(:action paint :parameters (?c - car) :precondition (or (deck-empty) (not (deck-empty))) :effect (aboard ?c))"
    )
    task = _task(
        FERRY.rstrip()[:-1] + spare + ")",
        "c1 - car s t - shore",
        "(ferry-at s) (car-at c1 s) (deck-empty)",
        "(car-at c1 t)",
    )
    used = (Step("board", ("c1", "s")), Step("sail", ("s", "t")), Step("land", ("c1", "t")))
    evidence = [atom for signal in _mutation(task, plan=used) for atom in signal.evidence]
    assert "(or (deck-empty) (not (deck-empty)))" not in evidence


@pytest.mark.parametrize(
    ("goal", "plan"),
    [
        ("(ball-in x a) (ball-in x b)", None),  # no plan
        ("", None),  # no goal
        ("(ball-in x a)", ()),  # nothing to do
        ("(ball-in x b) (ball-in z b)", (Step("go", ("c", "b")),)),  # the plan is not valid
        ("(ball-in x b) (ball-in z b)", (Step("fly", ("c", "b")),)),
    ],
)
def test_nothing_is_said_without_a_plan(goal: str, plan: Plan | None) -> None:
    task = _task(BALLS, ROOMS, START, goal)
    assert _mutation(task, plan=plan) == []


def test_what_cannot_be_proved_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    task = _task(BALLS, ROOMS, START, "(ball-in x b) (not (ball-in x a))")
    assert _mutation(task)
    monkeypatch.setattr(mutants, "MOST_STATES", 3)
    assert _mutation(task) == []


@pytest.mark.parametrize("size", [30, 300])
def test_large_tasks_end_in_time(size: int) -> None:
    things = " ".join(f"t{i}" for i in range(size))
    init = " ".join(f"(thing-in t{i} r{i % 9})" for i in range(size))
    rooms = " ".join(f"r{i}" for i in range(9))
    goal = " ".join(f"(thing-in t{i} r0)" for i in range(min(size, 80)))
    task = _task(CARRY, f"{things} - thing {rooms} - room l r - arm", f"{init} (robot-in r0) (free l) (free r)", goal)
    start = time.process_time()
    _mutation(task)
    assert time.process_time() - start < 1.5  # stops after 0.3 s, one step of a search aside


# --- on public tasks --------------------------------------------------------------------------------------------------


def test_faithful_public_tasks_have_no_warning(data_dir: Path) -> None:
    items = list(golds(data_dir, {"planbench", "planetarium"}))[::6]
    loud = [item.text for item in items if any(s.severity != "info" for s in _mutation(item.task, item.text))]
    assert len(items) > 80
    assert len(loud) <= 1


def test_a_planted_part_is_found_on_public_tasks(data_dir: Path) -> None:
    items = [item for item in golds(data_dir, {"planbench"}) if "logistics" in item.group or "gripper" in item.group]
    found = []
    for item in items[::8]:
        goal = item.task.problem.goal
        parts = goal.parts if isinstance(goal, And) else (goal,)
        open_ = [part for part in parts if isinstance(part, Atom) and part not in item.task.problem.init]
        if len(open_) > 1:
            broken = replace(item.task.problem, init=(*item.task.problem.init, open_[0]))
            found.append(any(s.severity == "warning" for s in _mutation(Task(item.task.domain, broken), item.text)))
    assert len(found) >= 12
    assert sum(found) >= 0.9 * len(found)
