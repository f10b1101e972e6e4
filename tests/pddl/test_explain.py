"""Explanations: for every unsolvable task there is one, they name all causes, and repairs are real."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import assume, given
from lifted_search import LiftedSearch, TooManyStatesError
from strategies import tasks

from groundplan.pddl import Category, Diagnostic, Severity, Task, read_task, task_from_text
from groundplan.pddl.ast import Atom
from groundplan.pddl.explain import explain_unsolvable
from groundplan.pddl.explain_repairs import find_repairs
from groundplan.pddl.validate import validate_plan


def codes(found: list[Diagnostic]) -> list[str]:
    return [item.code for item in found]


def only(found: list[Diagnostic], code: str) -> list[str]:
    return [item.message for item in found if item.code == code]


@given(tasks())
def test_exactly_unsolvable_tasks_are_explained(task: Task) -> None:
    try:
        best = LiftedSearch(task, 30).best(unit=True)
    except TooManyStatesError:
        assume(False)
    found = explain_unsolvable(task, deadline=0.3)
    assert bool(found) == (best is None)
    assert all(item.category is Category.SEARCH for item in found)
    assert not found or found[0].severity is Severity.ERROR
    assert all(item.severity is Severity.INFO for item in found if item.code == "repair-candidate")
    assert all(item.as_text() and item.as_compact() and item.as_json() for item in found)


@given(tasks(axioms=False))
def test_repairs_are_real_and_none_of_their_changes_is_idle(task: Task) -> None:
    for repair in find_repairs(task, time.monotonic() + 0.3):
        changed = task
        for change in repair.changes:
            changed = change.applied(changed)
        assert validate_plan(changed, repair.plan).is_valid
        assert not validate_plan(task, repair.plan).is_valid


# --- one way only, or blocked -----------------------------------------------------------------------------------------

CANALS = """(define (domain canals) (:requirements :strips :typing :negative-preconditions)
  (:types boat dock - object)
  (:predicates (moored ?b - boat ?d - dock) (canal ?from ?to - dock) (frozen ?d - dock) (served ?d - dock))
  (:action sail :parameters (?b - boat ?x ?y - dock)
    :precondition (and (moored ?b ?x) (canal ?x ?y) (not (frozen ?y)))
    :effect (and (moored ?b ?y) (not (moored ?b ?x)) (served ?y))))"""


def canals(init: str, goal: str) -> Task:
    return task_from_text(
        CANALS,
        f"""(define (problem p) (:domain canals) (:objects tub - boat a b c d - dock)
        (:init (moored tub a) {init}) (:goal {goal}))""",
    )


def test_a_fact_that_is_there_in_the_other_direction_only() -> None:
    found = explain_unsolvable(canals("(canal a b) (canal b a) (canal c b)", "(served c)"))
    assert "(served c)" in only(found, "goal-unreachable")[0]
    (cause,) = only(found, "never-true")
    assert "(canal b c)" in cause
    assert "other way round, `(canal c b)`" in cause
    assert any("(canal c b)" in note for item in found if item.code == "never-true" for note in [item.as_text()])
    assert "add `(canal b c)` to `:init`; then there is a plan of 2 steps" in only(found, "repair-candidate")[0]


def test_every_way_to_the_goal_is_explained() -> None:
    """One way is blocked by a fact, the other lacks a direction: both are causes, both have repairs."""
    ways = "(canal a b) (canal b c) (frozen b) (canal a d) (canal d a) (canal c d)"
    found = explain_unsolvable(canals(ways, "(served c)"))
    assert any(
        "`(frozen b)` holds initially, and no action deletes it" in text for text in only(found, "static-blocks")
    )
    assert any("(canal d c)" in text for text in only(found, "never-true"))
    repairs = only(found, "repair-candidate")
    assert any("add `(canal d c)`" in text and "2 steps" in text for text in repairs)
    assert any("remove `(frozen b)`" in text and "2 steps" in text for text in repairs)


def test_an_object_in_no_fact_of_a_predicate() -> None:
    found = explain_unsolvable(canals("(canal a b) (canal b a)", "(served d)"))
    assert any("`d` is in no `canal` fact" in text for text in only(found, "never-true"))


def test_several_goals_with_several_causes_are_all_named() -> None:
    found = explain_unsolvable(canals("(canal a b) (canal c a) (frozen d) (canal a d)", "(and (served c) (served d))"))
    assert len(only(found, "goal-unreachable")) == 2
    assert {"never-true", "static-blocks"} <= set(codes(found))
    assert any("together" in text for text in only(found, "repair-candidate"))


def test_a_solvable_task_needs_no_explanation() -> None:
    assert explain_unsolvable(canals("(canal a b)", "(served b)")) == []


# --- types ------------------------------------------------------------------------------------------------------------

BAKERY = """(define (domain bakery) (:requirements :strips :typing)
  (:types thing place - object oven - place dough loaf - thing)
  (:predicates (hot ?o - oven) (raw ?d - dough) (baked ?d - dough) (clean ?p - place))
  (:action bake :parameters (?d - dough ?o - oven) :precondition (and (raw ?d) (hot ?o) (clean ?o))
    :effect (and (baked ?d) (not (raw ?d)))))"""


def bakery(objects: str, init: str) -> Task:
    return task_from_text(
        BAKERY, f"(define (problem p) (:domain bakery) (:objects {objects}) (:init {init}) (:goal (baked roll)))"
    )


def test_a_missing_type_and_missing_facts_are_reported_together() -> None:
    found = explain_unsolvable(bakery("roll - dough stove - place", "(raw roll) (clean stove)"))
    (types,) = only(found, "no-object-of-type")
    assert "no object has type `oven`" in types
    assert "`stove` is only declared as `place`" in types
    assert any("has no `hot` fact at all" in text for text in only(found, "never-true"))
    (repair,) = only(found, "repair-candidate")
    assert "declare `stove` as `oven` and add `(hot stove)`" in repair
    assert "1 step" in repair
    assert "none can be left out" in repair


def test_an_object_may_be_missing_altogether() -> None:
    found = explain_unsolvable(bakery("roll - dough", "(raw roll)"))
    assert "declare an object of type `oven`" in next(item.hint for item in found if item.code == "no-object-of-type")


# --- something new holds ----------------------------------------------------------------------------------------------

HATCH = """(define (domain hatch) (:requirements :strips :typing :negative-preconditions)
  (:types room lid) (:predicates (in ?r - room) (way ?a ?b - room) (open ?a ?b - room) (over ?l - lid ?a ?b - room)
    (rusty ?l - lid))
  (:action walk :parameters (?a ?b - room) :precondition (and (in ?a) (way ?a ?b) (open ?a ?b))
    :effect (and (in ?b) (not (in ?a))))
  (:action lift :parameters (?l - lid ?a ?b - room) :precondition (and (in ?a) (over ?l ?a ?b) (not (rusty ?l)))
    :effect (and (open ?a ?b) (open ?b ?a))))"""


def test_a_new_fact_that_no_action_takes_away_is_named() -> None:
    task = task_from_text(
        HATCH,
        """(define (problem p) (:domain hatch) (:objects hall cellar - room trap - lid)
        (:init (in hall) (way hall cellar) (way cellar hall) (over trap hall cellar) (over trap cellar hall)
          (rusty trap)) (:goal (in cellar)))""",
    )
    found = explain_unsolvable(task)
    (block,) = only(found, "static-blocks")
    assert "`(rusty trap)` holds initially, and no action deletes it" in block
    assert "remove `(rusty trap)` from `:init`; then there is a plan of 2 steps" in only(found, "repair-candidate")[0]
    assert task.problem.init.count(Atom("rusty", ("trap",))) == 1, "nothing is applied"


# --- circles, exhausted searches, and the rest ------------------------------------------------------------------------


def test_a_forgotten_initial_fact_shows_as_a_circle() -> None:
    domain = """(define (domain arm) (:requirements :strips) (:predicates (free) (held ?x) (table ?x) (shelf ?x))
      (:action take :parameters (?x) :precondition (and (free) (table ?x)) :effect (and (held ?x) (not (free))))
      (:action put :parameters (?x) :precondition (held ?x) :effect (and (shelf ?x) (free) (not (held ?x)))))"""
    task = task_from_text(domain, "(define (problem p) (:domain arm) (:objects a) (:init (table a)) (:goal (shelf a)))")
    found = explain_unsolvable(task)
    assert "`(held a)`" in only(found, "circular")[0]
    assert "`(free)`" in only(found, "circular")[0]
    assert any(
        "add `(free)` to `:init`; then there is a plan of 2 steps" in text for text in only(found, "repair-candidate")
    )


def test_a_goal_that_no_action_serves() -> None:
    domain = "(define (domain d) (:predicates (p) (q)) (:action a :precondition (p) :effect (not (p))))"
    task = task_from_text(domain, "(define (problem p) (:domain d) (:init (p)) (:goal (and (p) (q))))")
    found = explain_unsolvable(task)
    assert "no action adds it" in only(found, "no-achiever")[0]


def test_goal_facts_that_exclude_each_other_are_found_by_searching_all_states() -> None:
    found = explain_unsolvable(canals("(canal a b) (canal b c)", "(and (moored tub b) (served c))"))
    assert codes(found)[0] == "search-exhausted"
    assert "all 3 reachable states" in found[0].message
    (pair,) = only(found, "never-together")
    assert "(moored tub b)" in pair
    assert "(served c)" in pair


def test_a_dead_end_among_two_way_facts_is_repaired_by_the_way_back() -> None:
    both = "(canal a b) (canal b a) (canal a d) (canal d a)"
    found = explain_unsolvable(canals(f"{both} (canal b c)", "(and (moored tub d) (served c))"))
    assert codes(found)[0] == "search-exhausted"
    (repair,) = only(found, "repair-candidate")
    assert "add `(canal c b)` to `:init`; then there is a plan of 5 steps (checked by search, the shortest)" in repair


def test_a_feature_beyond_classical_planning_is_said() -> None:
    domain = """(define (domain d) (:requirements :numeric-fluents) (:predicates (p)) (:functions (f))
      (:action a :precondition (> (f) 1) :effect (p)))"""
    task = task_from_text(domain, "(define (problem p) (:domain d) (:init (= (f) 0)) (:goal (p)))")
    assert codes(explain_unsolvable(task)) == ["unsupported-feature"]


def test_an_undefined_cost_is_named() -> None:
    domain = """(define (domain d) (:requirements :strips :action-costs) (:predicates (at ?x) (old ?x))
      (:functions (fee ?x) - number (total-cost) - number)
      (:action go :parameters (?x) :precondition (old ?x) :effect (and (at ?x) (increase (total-cost) (fee ?x)))))"""
    problem = """(define (problem p) (:domain d) (:objects a b) (:init (old a) (= (fee b) 3)) (:goal (at a))
      (:metric minimize (total-cost)))"""
    found = explain_unsolvable(task_from_text(domain, problem))
    assert "no value for its cost `(fee a)`" in only(found, "no-value")[0]


def test_time_is_bounded_on_large_tasks() -> None:
    names = " ".join(f"n{number}" for number in range(150))
    links = " ".join(f"(canal n{number} n{number + 1}) (canal n{number + 1} n{number})" for number in range(148))
    task = task_from_text(
        CANALS,
        f"""(define (problem p) (:domain canals) (:objects tub tug - boat {names} - dock)
        (:init (moored tub n0) (moored tug n9) {links} (canal n149 n7)) (:goal (and (served n149) (served n148))))""",
    )
    start = time.monotonic()
    found = explain_unsolvable(task)
    assert time.monotonic() - start < 4
    assert "(canal n7 n149)" in only(found, "never-true")[0]
    assert "add `(canal n7 n149)` to `:init`" in only(found, "repair-candidate")[0]


# --- field cases ------------------------------------------------------------------------------------------------------


def case(shared_dir: Path, name: str, problem: str = "problem.pddl") -> list[Diagnostic]:
    folder = shared_dir / "cases" / name
    return explain_unsolvable(read_task(folder / "domain.pddl", folder / problem))


def test_field_case_no_grounding(shared_dir: Path) -> None:
    found = case(shared_dir, "action-with-no-grounding")
    assert "`dose1` is only declared as `item`" in only(found, "no-object-of-type")[0]
    assert "`stocked`" in only(found, "never-true")[0]


def test_field_case_blocked_way(shared_dir: Path) -> None:
    found = case(shared_dir, "blocked-way-one-direction")
    text = " ".join(item.message for item in found)
    assert "(visited w5)" in found[0].message
    assert all(fact in text for fact in ("(adj w4 w5)", "(adj w5 w4)", "(blocked w1)", "(bot-at rover w2)"))
    assert [("3 steps" in item) for item in only(found, "repair-candidate")] == [True, True]


def test_field_case_exhausted_search(shared_dir: Path) -> None:
    assert "all 12 reachable states" in case(shared_dir, "exhausted-search-is-proof")[0].message
    found = case(shared_dir, "exhausted-search-is-proof", "problem_relaxed_unreachable.pddl")
    assert any("`attic` is in no `beside` fact" in text for text in only(found, "never-true"))


def test_field_case_novelty(shared_dir: Path) -> None:
    assert case(shared_dir, "novelty-door-is-locked-now", "problem_before_novelty.pddl") == []
    found = case(shared_dir, "novelty-door-is-locked-now")
    assert "`(locked d1)` holds initially, and no action deletes it" in only(found, "static-blocks")[0]


@pytest.mark.parametrize("name", ["kitchen_lid", "nut_round_peg", "coffee_box", "coffee_drawer"])
def test_novelty_tasks_are_explained(data_dir: Path, name: str) -> None:
    folder = data_dir / "novelty" / name
    found = explain_unsolvable(read_task(folder / "domain.pddl", folder / "problem.pddl"))
    assert found
    assert found[0].is_error
