"""The comparison against the oracle, on tasks so small that everything can be tried."""

from __future__ import annotations

from typing import Any

import pytest
from bisimulation import search, some_map
from hypothesis import given, settings
from hypothesis import strategies as st
from judge import judged
from mutations import mutated
from oracle import Oracle
from renaming import renamed
from tiny_tasks import tiny_tasks

from groundplan.pddl import Task, compare, task_from_text
from groundplan.pddl.compare.result import Comparison, Equivalence, Maps

if not hasattr(compare, "compare_tasks"):
    pytest.skip("there is no comparison yet", allow_module_level=True)

LIMIT = 2000
SEEDS = st.integers(0, 10**6)
OBJECTS = st.sampled_from(["named", "free"])
STYLES = st.sampled_from(["fresh", "deceptive"])
MOST = settings.get_profile(settings.get_current_profile_name()).max_examples


def compared(reference: Task, candidate: Task, objects: Any, maps: Maps | None = None) -> Comparison:
    found: Comparison = compare.compare_tasks(
        reference, candidate, objects=objects, maps=maps, probes=False, seconds=30.0
    )
    return found


def check(reference: Task, candidate: Task, found: Comparison, true: Maps, objects: Any) -> None:
    judgement = judged(reference, candidate, found, true, objects, LIMIT)
    assert not judgement.wrong, (judgement.wrong, found.as_json())


@settings(max_examples=2 * MOST)
@given(tiny_tasks(), SEEDS, OBJECTS, STYLES, st.sampled_from(["renamed", "mutated", "mutated", "both", "both"]))
def test_under_the_true_maps_the_verdict_is_the_oracle_s(
    task: Task, seed: int, objects: Any, style: Any, change: str
) -> None:
    mutant = task if change == "renamed" else mutated(task, seed)[0]
    style = style if change != "mutated" else "fresh"
    candidate, maps = renamed(mutant, seed, objects=objects, style=style)
    truth = search(Oracle(task), Oracle(candidate), maps, LIMIT)
    found = compared(task, candidate, objects, maps)
    check(task, candidate, found, maps, objects)
    if truth is not None:
        wanted = Equivalence.PROVED if truth.equivalent else Equivalence.REFUTED
        assert found.verdict is wanted, (truth, found.as_json())
        assert {**found.maps.objects} == {**maps.objects}


@given(tiny_tasks(), SEEDS, OBJECTS, STYLES)
def test_a_renamed_copy_is_proved_without_maps(task: Task, seed: int, objects: Any, style: Any) -> None:
    candidate, maps = renamed(task, seed, objects=objects, style=style)
    found = compared(task, candidate, objects)
    assert found.verdict is Equivalence.PROVED, found.as_json()
    check(task, candidate, found, maps, objects)


@given(tiny_tasks(actions=2), SEEDS, OBJECTS, STYLES)
def test_a_mutant_is_refuted_only_where_no_maps_make_it_the_same_task(
    task: Task, seed: int, objects: Any, style: Any
) -> None:
    candidate, maps = renamed(mutated(task, seed)[0], seed, objects=objects, style=style)
    found = compared(task, candidate, objects)
    check(task, candidate, found, maps, objects)
    same = some_map(Oracle(task), Oracle(candidate), objects, LIMIT)
    if found.verdict is Equivalence.REFUTED:
        assert same is None, (same, found.as_json())
    if found.verdict is Equivalence.PROVED:
        assert same is not None


# --- found by the tests above ---


def small(parameters: str, effect: str, init: str, goal: str = "(dry)") -> Task:
    domain = f"""(define (domain small) (:predicates (wet ?x) (dry))
      (:action wipe :parameters ({parameters}) :precondition () :effect {effect}))"""
    return task_from_text(domain, f"(define (problem p) (:domain small) (:objects a b) (:init {init}) (:goal {goal}))")


def test_a_fact_that_nothing_asks_for_still_makes_the_difference_between_a_step_and_none() -> None:
    reference = small("?x", "(not (wet ?x))", "(wet a)")
    found = compared(reference, small("?x", "()", "(wet a)"), "named")
    assert found.verdict is Equivalence.REFUTED
    assert found.witness is not None
    assert found.witness.after == ()


def test_parameters_are_told_apart_by_a_fact_that_nothing_asks_for() -> None:
    reference = small("?x ?y", "(not (wet ?x))", "(wet a)")
    for seed in range(6):
        candidate, maps = renamed(reference, seed)
        found = compared(reference, candidate, "named")
        assert found.maps == maps, seed


def test_a_step_that_only_the_candidate_makes_a_change_with_is_seen() -> None:
    reference = small("?x ?y", "(not (wet ?x))", "(wet a)", "(not (wet a))")
    candidate, maps = renamed(small("?x ?y", "(and (not (wet ?x)) (not (wet ?y)))", "(wet a)", "(not (wet a))"), 0)
    found = compared(reference, candidate, "named", maps)
    assert found.verdict is Equivalence.REFUTED
    check(reference, candidate, found, maps, "named")


def test_parameters_that_nothing_depends_on_still_name_the_step() -> None:
    reference = small("?x ?y", "(not (wet ?y))", "(wet a)", "(not (wet a))")
    domain = reference.domain.source.text.replace(":precondition ()", ":precondition (wet ?x)")
    candidate, maps = renamed(task_from_text(domain, reference.problem.source.text), 0)
    found = compared(reference, candidate, "named", maps)
    assert found.verdict is Equivalence.REFUTED
    check(reference, candidate, found, maps, "named")


def test_facts_in_step_are_apart_after_a_step_that_only_one_side_can_take() -> None:
    # Neither fact changes in any common step, so one may stand for the other's negation; the step makes both true.
    domain = """(define (domain ropes) (:predicates (tied ?x ?y))
      (:action tie :parameters (?x ?y) :precondition (tied ?x ?x) :effect (tied ?x ?x)))"""
    problem = "(define (problem p) (:domain ropes) (:objects a b) (:init (tied a a)) (:goal (not (tied a a))))"
    reference = task_from_text(domain, problem)
    effect = ":effect (and (tied ?y ?x) (tied ?x ?x) (not (tied ?x ?y)))"
    candidate, maps = renamed(task_from_text(domain.replace(":effect (tied ?x ?x)", effect), problem), 0)
    found = compared(reference, candidate, "named", maps)
    assert found.verdict is Equivalence.REFUTED
    check(reference, candidate, found, maps, "named")
