"""Signals as a whole: no text and no task breaks them, they end in time, and each check can be switched off."""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundplan.errors import InputError
from groundplan.formalize.signals import CHECKS, SYMBOLIC, chosen_checks, signals
from groundplan.pddl import Step, task_from_text
from groundplan.pddl.ast import Task
from signal_texts import POST, WRITTEN

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "pddl"))
random_tasks = importlib.import_module("strategies").tasks

EGGS = WRITTEN[0]
WORDS = (
    "the every all both ball balls block o0 o1 c0 t0 p0 1 2 two three first red blue A B and or , . : ; is in to at "
    "from goal move should must may anywhere not end start named \n \n\n # * a an one through - 4 dozen at most"
).split(" ")
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.sampled_from(WORDS), max_size=80).map(" ".join))


def task_of(number: int) -> Task:
    return task_from_text(WRITTEN[number].domain, WRITTEN[number].problem)


@given(TEXTS, random_tasks())
def test_any_text_and_any_task_have_an_answer(text: str, task: Task) -> None:
    found = signals(text, task)
    assert [s.severity for s in found] == sorted((s.severity for s in found), key=("error", "warning", "info").index)
    assert {s.name for s in found} <= CHECKS.keys()
    assert found == signals(text, task)


@given(TEXTS, st.integers(0, len(WRITTEN) - 1))
def test_words_added_to_a_real_text_break_nothing(words: str, number: int) -> None:
    written = WRITTEN[number]
    for text in (f"{written.text} {words}", f"{words} {written.text}", words + written.text[: len(words)]):
        signals(text, task_of(number))


@given(st.data(), st.integers(0, len(WRITTEN) - 1))
def test_a_check_that_is_switched_off_is_silent_and_changes_no_other(data: st.DataObject, number: int) -> None:
    off = data.draw(st.sets(st.sampled_from(sorted(SYMBOLIC))))
    cut = data.draw(st.integers(0, len(WRITTEN[number].text)))
    text, task = WRITTEN[number].text[:cut] + " Nine cats, four floors, seven rooms.", task_of(number)
    everything = signals(text, task)
    assert signals(text, task, without=off) == tuple(s for s in everything if s.name not in off)
    assert signals(text, task, only=off) == tuple(s for s in everything if s.name in off)


def test_unknown_checks_are_named() -> None:
    with pytest.raises(InputError, match=r"goal-covrage.*goal-coverage"):
        signals("", task_of(0), without=["goal-covrage"])
    with pytest.raises(InputError, match="no-such"):
        signals("", task_of(0), only=["no-such"])


def test_every_check_says_what_it_is_how_bad_and_what_it_costs() -> None:
    for name, check in CHECKS.items():
        assert check.name == name
        assert check.severity in ("error", "warning", "info")
        assert "\n" not in check.description
        assert check.description.endswith(".")
        assert (check.cost, check.calls > 0) in (("symbolic", False), ("model", True))
        assert ("asks the model" in check.description) == (check.cost == "model")
    assert CHECKS.keys() - {"restriction-probes", "back-translation"} == SYMBOLIC


def test_the_documentation_has_a_row_for_every_check() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "signals.md").read_text()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line[:3] == "| `"]
    table = {cells[0].strip("`"): cells for cells in rows}
    for name, check in CHECKS.items():
        _, severity, cost, looks_for = table[name]
        assert severity.split("; ")[0].split(",")[0] == check.severity
        assert cost == ("none" if check.cost == "symbolic" else f"{check.calls} model call{'s' * (check.calls > 1)}")
        assert looks_for


def test_checks_that_ask_a_model_run_only_when_they_are_named_and_have_one() -> None:
    assert not {s.name for s in signals(EGGS.text, task_of(0))} - SYMBOLIC
    with pytest.raises(InputError, match=r"language model.*back-translation"):
        signals(EGGS.text, task_of(0), only={"back-translation"})


EVERY = frozenset(CHECKS)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("all", EVERY),
        ("none", frozenset()),
        ("mutation", {"mutation"}),
        (" Mutation , dead-action", {"mutation", "dead-action"}),
        ("+back-translation", SYMBOLIC | {"back-translation"}),
        ("-mutation", SYMBOLIC - {"mutation"}),
        ("all,-mutation", EVERY - {"mutation"}),
        ("none,+mutation", {"mutation"}),
        ("mutation,all", EVERY),
        ("-mutation,+mutation", SYMBOLIC),
        ("mutation,-mutation", frozenset()),
    ],
)
def test_choosing(words: str, names: frozenset[str]) -> None:
    assert chosen_checks(words) == names


@pytest.mark.parametrize("words", ["", " , ", "mutatoin", "+", "all,-x", "--mutation", "mutation dead-action", "+all"])
def test_choosing_what_is_not_there(words: str) -> None:
    with pytest.raises(InputError) as error:
        chosen_checks(words)
    assert all(name in str(error.value) for name in CHECKS)


@given(st.sets(st.sampled_from(sorted(CHECKS)), min_size=1))
def test_every_set_of_checks_can_be_chosen(names: set[str]) -> None:
    assert chosen_checks(",".join(names)) == names
    assert chosen_checks("all," + ",".join(f"-{name}" for name in names)) == EVERY - names


@pytest.mark.parametrize(
    "piece",
    [
        "",
        "1",
        "1 ",
        ", ",
        "\n ",
        "rooms, ",
        "red blue ",
        "every egg ",
        "all eggs to basket 3 ",
        "balls 1 to 999999999 ",
        "é\u202e\x00😀“",
        "A ",
        "for example ",
        "my goal is that ",
        "the x and the y and ",
        ".",
        "a-",
        "twenty-",
        EGGS.text,
    ],
)
def test_long_texts_end_in_time(piece: str) -> None:
    start = time.process_time()
    signals((piece * (59_000 // max(1, len(piece))))[:59_000], task_of(0))
    assert time.process_time() - start < 5  # about 1 s on the machine it was written on
    start = time.process_time()
    signals(piece * (1_000_000 // max(1, len(piece))), task_of(0))
    assert time.process_time() - start < 1


@pytest.mark.parametrize("size", [200, 30_000])
def test_large_tasks_end_in_time(size: int) -> None:
    letters = " ".join(f"letter{i}" for i in range(size))
    init = " ".join(f"(at letter{i} box{i % 50})" for i in range(size))
    goal = " ".join(f"(at letter{i} box1)" for i in range(size))
    boxes = " ".join(f"box{i}" for i in range(50))
    task = task_from_text(
        POST,
        f"(define (problem p) (:domain d) (:objects {letters} - letter {boxes} - box c - carrier)"
        f"(:init {init} (carrier-at c box0)) (:goal (and {goal})))",
    )
    start = time.process_time()
    signals("Bring all letters to box 1.", task)
    assert time.process_time() - start < 6  # grounding stops after two seconds


def test_goals_deeper_than_the_stack_are_no_crash() -> None:
    written = WRITTEN[0]
    task = task_from_text(written.domain, written.problem)
    goal = task.problem.goal
    from dataclasses import replace

    from groundplan.pddl.ast import Not

    for _ in range(5000):
        goal = Not(goal)
    signals(written.text, Task(task.domain, replace(task.problem, goal=goal)))


def test_features_beyond_classical_planning_leave_the_other_checks() -> None:
    domain = EGGS.domain.replace("(:predicates", "(:functions (weight ?l - egg)) (:predicates")
    problem = EGGS.problem.replace("(:goal (and", "(:goal (and (> (weight e1) 2)")
    task = task_from_text(domain.replace(":typing", ":typing :fluents"), problem)
    found = signals(EGGS.text.replace("dozen", "hundred"), task)
    assert {s.name for s in found} >= {"number-coverage"}


def test_a_plan_without_steps_is_the_goal_already_true() -> None:
    task = task_of(0)
    assert not signals(EGGS.text, task, (Step("walk", ("g", "b1", "b2")),))
    assert [(s.name, s.severity) for s in signals(EGGS.text, task, ())] == [("goal-already-true", "error")]
