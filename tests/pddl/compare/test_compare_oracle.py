"""The oracle, the renaming and the mutations by themselves, before anything is judged by them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from bisimulation import fault, search, some_map
from greenhouse import DOMAIN, PROBLEM
from hypothesis import given
from hypothesis import strategies as st
from mutations import KINDS, mutated
from oracle import Oracle
from renaming import renamed, rewritten
from strategies import tasks
from tiny_tasks import tiny_tasks

from groundplan.pddl import Task, task_from_text
from groundplan.pddl.ast import Step
from groundplan.pddl.compare.result import ActionMatch, Difference, Maps, Witness
from groundplan.pddl.ground import ground
from groundplan.pddl.ground_search import reachable_states

SEEDS = st.integers(0, 10**6)
OBJECTS = st.sampled_from(["named", "free"])
STYLES = st.sampled_from(["fresh", "deceptive"])
DOOR = """(define (domain door) (:requirements :strips :negative-preconditions)
  (:predicates (open ?d) (locked ?d) (beside ?d ?e) (tied ?d ?e))
  (:action push :parameters (?d) :precondition (and (not (locked ?d)) (not (open ?d))) :effect (open ?d))
  (:action pull :parameters (?d) :precondition (open ?d) :effect (not (open ?d)))
  (:action unlock :parameters (?d ?e) :precondition (and (locked ?e) (open ?d) (beside ?d ?e))
    :effect (not (locked ?e)))
  (:action tie :parameters (?d ?e) :precondition (beside ?d ?e) :effect (tied ?d ?e)))"""
HALL = """(define (problem hall) (:domain door) (:objects front back)
  (:init (locked back) (beside front back)) (:goal (and (open back) (tied front back))))"""

LOOK = "(:action look :parameters (?d ?e) :precondition (beside ?d ?e) :effect (beside ?d ?e))"


def same_maps(task: Task) -> Maps:
    actions = {item.name: ActionMatch(item.name, tuple(range(len(item.parameters)))) for item in task.domain.actions}
    return Maps({item.name: item.name for item in task.objects}, actions)


# --- the oracle's states are the library's ---


@given(tasks(axioms=False, costs=False, either=False))
def test_the_oracle_reaches_as_many_states_as_the_library(task: Task) -> None:
    limit = 300
    ours = len(Oracle(task).reachable(limit))
    theirs = sum(1 for _ in reachable_states(ground(task), limit + 1))
    assert min(ours, limit) == min(theirs, limit)


def test_the_oracle_on_a_task_counted_by_hand() -> None:
    # The back door is locked until it has been unlocked beside an open front door: 2 states, then 4; tied or not.
    task = task_from_text(DOOR, HALL)
    assert len(Oracle(task).reachable(100)) == 12
    assert search(Oracle(task), Oracle(task), same_maps(task)).pairs == 12


# --- renaming ---


@given(tasks(axioms=False, costs=False, either=False), SEEDS, OBJECTS, STYLES)
def test_a_renamed_task_is_the_same_task(task: Task, seed: int, objects: Any, style: Any) -> None:
    new, maps = renamed(task, seed, objects=objects, style=style)
    found = search(Oracle(task), Oracle(new), maps, limit=40)
    assert found is None or found.equivalent, found


def test_a_renaming_renames_everything_on_demand_and_repeats_itself() -> None:
    task = task_from_text(DOMAIN, PROBLEM)
    new, maps = renamed(task, 3, objects="free")
    for kind in ("actions", "predicates", "types"):
        old_names, new_names = ({item.name for item in getattr(t.domain, kind)} for t in (task, new))
        assert len(old_names) == len(new_names)
        assert not old_names & new_names
    assert not {item.name for item in task.objects} & {item.name for item in new.objects}
    assert (new, maps) == renamed(task, 3, objects="free")
    assert new != renamed(task, 4, objects="free")[0]
    kept, maps = renamed(task, 3)
    assert {item.name for item in kept.objects} == {item.name for item in task.objects}
    assert maps.objects == same_maps(task).objects


def test_parameters_are_shuffled_and_the_maps_say_how() -> None:
    task = task_from_text(DOOR, HALL)
    orders = Counter(
        match.positions
        for seed in range(20)
        for match in renamed(task, seed)[1].actions.values()
        if match.action == "unlock"
    )
    assert set(orders) == {(0, 1), (1, 0)}
    for seed in range(20):
        new, maps = renamed(task, seed)
        assert search(Oracle(task), Oracle(new), maps).equivalent
        name = next(name for name, match in maps.actions.items() if match.action == "unlock")
        wrong = replace(maps.actions[name], positions=tuple(reversed(maps.actions[name].positions)))
        assert not search(Oracle(task), Oracle(new), Maps(maps.objects, {**maps.actions, name: wrong})).equivalent


# --- mutations ---


def test_every_kind_of_mutation_happens_and_is_seen() -> None:
    task = rewritten(task_from_text(DOOR, HALL))
    differences = Counter()
    for kind in sorted(set(KINDS) - {"retype"}):
        for seed in range(10):
            mutant, said = mutated(task, seed, [kind])
            assert mutant != task
            assert said.startswith(kind)
            assert (mutant, said) == mutated(task, seed, [kind])
            found = search(Oracle(task), Oracle(mutant), same_maps(task))
            differences[kind] += not found.equivalent
    assert all(differences[kind] for kind in set(KINDS) - {"retype"}), differences


def test_types_are_mutated_and_untyped_tasks_change_a_static_condition() -> None:
    typed, _ = mutated(task_from_text(DOMAIN, PROBLEM), 1, ["retype"])
    assert typed != rewritten(task_from_text(DOMAIN, PROBLEM))
    untyped = """(define (domain d) (:predicates (cat ?x) (dog ?x) (fed ?x))
      (:action feed :parameters (?x) :precondition (cat ?x) :effect (fed ?x)))"""
    problem = "(define (problem p) (:domain d) (:objects a b) (:init (cat a) (dog b)) (:goal (fed a)))"
    task = task_from_text(untyped, problem)
    mutant, said = mutated(task, 1, ["retype"])
    assert said == "retype: (cat ?x) -> (dog ?x) in feed"
    assert search(Oracle(task), Oracle(mutant), same_maps(task)).steps == 0


@given(tiny_tasks(), SEEDS)
def test_a_mutant_is_another_text(task: Task, seed: int) -> None:
    mutant, said = mutated(task, seed)
    assert mutant != task, said


# --- paired search and witnesses ---


def test_the_shortest_difference_is_found_and_a_false_witness_is_not_believed() -> None:
    task = task_from_text(DOOR, HALL)
    other = task_from_text(DOOR.replace("(locked ?e) (open ?d)", "(locked ?e)"), HALL)
    left, right, maps = Oracle(task), Oracle(other), same_maps(task)
    assert search(left, right, maps).steps == 0
    unlock = Step("unlock", ("front", "back"))
    assert not fault(left, right, maps, Witness(Difference.PERMISSIVE, step=unlock))
    assert "either" in fault(left, right, maps, Witness(Difference.RESTRICTIVE, step=unlock))
    assert "goals" in fault(left, right, maps, Witness(Difference.WEAKER_GOAL))
    push = (Step("push", ("front",)),)
    assert "too" in fault(left, right, maps, Witness(Difference.PERMISSIVE, push, push, unlock))
    assert "counterpart" in fault(left, right, maps, Witness(Difference.OBJECTS))
    weaker = task_from_text(DOOR, HALL.replace("(and (open back) (tied front back))", "(not (locked back))"))
    assert search(left, Oracle(weaker), maps).after == (*push, unlock)
    run = (*push, unlock)
    assert not fault(left, Oracle(weaker), maps, Witness(Difference.WEAKER_GOAL, run, run))


def test_steps_that_change_nothing_are_left_out() -> None:
    task = task_from_text(DOOR, HALL)
    other = task_from_text(DOOR.replace("(:action tie", LOOK + "(:action tie"), HALL)
    assert search(Oracle(task), Oracle(other), same_maps(task)).equivalent
    other = task_from_text(
        DOOR.replace("(:action tie", LOOK.replace(" (beside ?d ?e))", " (tied ?d ?e))") + "(:action tie"), HALL
    )
    assert search(Oracle(task), Oracle(other), same_maps(task)).steps == 0


@given(tiny_tasks(actions=2), SEEDS, OBJECTS)
def test_trying_every_map_finds_one_for_a_renamed_task(task: Task, seed: int, objects: Any) -> None:
    new, _ = renamed(task, seed, objects=objects)
    assert some_map(Oracle(task), Oracle(new), objects, 2000) is not None


# --- the shared pairs ---


def pair(case: dict[str, Any]) -> tuple[Task, Task, Maps]:
    reference, candidate = (
        task_from_text(case[f"{side}_domain"], case[f"{side}_problem"]) for side in ("reference", "candidate")
    )
    actions = {
        name: ActionMatch(found["reference_action"], tuple(found["candidate_param_positions"]))
        for name, found in case["action_map"].items()
    }
    return reference, candidate, Maps(case["object_map"], actions)


def test_the_shared_pairs_come_out_as_they_were_measured(data_dir: Path) -> None:
    cases = json.loads((data_dir / "tricky_pairs" / "cases.json").read_text())["cases"]
    assert len(cases) == 29
    for case in cases:
        reference, candidate, maps = pair(case)
        found = search(Oracle(reference), Oracle(candidate), maps)
        assert found is not None
        assert found.equivalent == (case["expected"] == "equivalent"), case["id"]
        if found.equivalent:
            assert found.pairs == case["reachable_pairs"], case["id"]
        else:
            assert found.steps == len(case["shortest_witness"]["after"]), case["id"]
