"""Renaming a domain and its tasks: what comes back is what went in, and plans mean the same in both."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parents[1] / "pddl"))
from strategies import tasks

from groundplan.errors import InputError
from groundplan.generalize.names_of import NamesOf
from groundplan.generalize.pddl_words import RESERVED
from groundplan.generalize.renaming import (
    Renaming,
    anonymised,
    apply,
    costume,
    plan_back,
    random_costume,
    renamed_objects,
    renamed_plan,
    renaming_from_json,
)
from groundplan.pddl import Task, task_from_text, write_domain, write_problem
from groundplan.pddl.ast import Plan, Step
from groundplan.pddl.validate import validate_plan
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Limits
from own_tasks import GREENHOUSE, HARBOUR

# One name for a type, a predicate, a function, an action, a constant, a variable and the domain; odd names too.
ONE_NAME = (
    """(define (domain thing)
  (:requirements :adl :action-costs)
  (:types thing at - object when-done)
  (:constants thing - thing)
  (:predicates (thing ?thing - thing) (at ?at - at ?thing - thing) (done))
  (:functions (total-cost) - number (thing ?thing - thing) - number)
  (:action thing
    :parameters (?thing - thing ?at - at)
    :precondition (and (thing ?thing) (not (= ?thing thing)) (exists (?x - (either at when-done)) (= ?x ?at)))
    :effect (and (at ?at ?thing) (not (thing ?thing)) (increase (total-cost) (thing ?thing))))
  (:action at
    :parameters (?at - at)
    :precondition (forall (?thing - thing) (or (at ?at ?thing) (= ?thing thing)))
    :effect (done)))
""",
    """(define (problem thing)
  (:domain thing)
  (:objects at other - at done - thing)
  (:init (thing done) (thing thing) (= (total-cost) 0) (= (thing done) 3) (= (thing thing) 1))
  (:goal (and (done) (thing thing)))
  (:metric minimize (total-cost)))
""",
)
OWN = {"greenhouse": GREENHOUSE, "harbour": HARBOUR, "one-name": ONE_NAME}
LANGUAGE = set(
    "define domain problem requirements types constants predicates functions derived action parameters precondition "
    "effect objects init goal metric minimize maximize object number either and or not imply forall exists when "
    "increase total-cost =".split()
)


def own_task(name: str) -> Task:
    return task_from_text(*OWN[name])


def renamings(task: Task, seed: int) -> list[Renaming]:
    return [
        anonymised(task.domain, [task.problem]),
        anonymised(task.domain, [task.problem], seed=seed),
        random_costume(task.domain, seed, [task.problem]),
        renamed_objects(task, seed),
    ]


def any_plan(task: Task, rng: random.Random) -> Plan:
    """Steps of random actions over random objects: seldom valid, and never sure not to be."""
    names = [item.name for item in task.objects] or ["nothing"]
    return tuple(
        Step(action.name, tuple(rng.choice(names) for _ in action.parameters))
        for action in rng.choices(task.domain.actions, k=rng.randint(0, 4))
    )


@given(tasks(), st.integers(0, 99))
def test_there_and_back_is_the_same_task(task: Task, seed: int) -> None:
    for renaming in renamings(task, seed):
        other = apply(renaming, task)
        assert apply(renaming.inverse, other) == task
        assert apply(renaming, task.domain) == other.domain
        assert apply(renaming, task.problem) == other.problem
        assert renaming_from_json(renaming.as_json()) == renaming


@given(tasks(), st.integers(0, 99))
def test_no_old_name_is_left_and_the_texts_can_be_read(task: Task, seed: int) -> None:
    renaming = random_costume(task.domain, seed, [task.problem])
    other = apply(renaming, task)
    texts = write_domain(other.domain), write_problem(other.problem)
    assert task_from_text(*texts).problem.init == other.problem.init
    words = set(" ".join(texts).replace("(", " ").replace(")", " ").replace("?", " ").replace(":", " ").split())
    names = NamesOf(task.domain, [task.problem])
    assert not words & ({name.lstrip("?") for table in names.tables.values() for name in table} - LANGUAGE)


@given(tasks(), st.integers(0, 99))
def test_a_plan_means_the_same_in_both(task: Task, seed: int) -> None:
    rng = random.Random(seed)
    for renaming in renamings(task, seed):
        other = apply(renaming, task)
        for _ in range(5):
            plan = any_plan(task, rng)
            there = renamed_plan(renaming, plan)
            ours, theirs = validate_plan(task, plan), validate_plan(other, there)
            assert (ours.verdict, ours.step, ours.cost) == (theirs.verdict, theirs.step, theirs.cost)
            assert plan_back(renaming, there) == plan


@pytest.mark.parametrize("name", OWN)
def test_a_plan_of_the_renamed_task_solves_the_old_one(name: str) -> None:
    task = own_task(name)
    engine = BuiltinEngine()
    for renaming in renamings(task, 5):
        found = engine.solve(apply(renaming, task), Limits(5, 5)).plan
        assert found
        assert validate_plan(task, plan_back(renaming, found)).is_valid


def test_names_of_separate_namespaces_stay_apart() -> None:
    task = own_task("one-name")
    other = apply(anonymised(task.domain, [task.problem]), task)
    assert (other.domain.name, other.problem.name) == ("domain_1", "task_1")
    assert [item.name for item in other.domain.types] == ["type_1", "type_2", "type_3"]
    assert [item.name for item in other.domain.predicates] == ["pred_1", "pred_2", "pred_3"]
    assert [item.name for item in other.domain.functions] == ["total-cost", "func_1"]
    assert [item.name for item in other.domain.actions] == ["action_1", "action_2"]
    assert [item.name for item in other.objects] == ["object_1", "object_2", "object_3", "object_4"]
    assert other.domain.actions[0].parameters[0].name == "?v1"
    costumed = apply(costume(task.domain, {"predicates": {"thing": "here"}, "thing": "item"}), task.domain)
    assert [item.name for item in costumed.predicates] == ["here", "at", "done"]
    assert (costumed.name, costumed.types[0].name, costumed.actions[0].name) == ("item", "item", "item")


def test_shuffled_numbers_are_the_same_for_the_same_seed() -> None:
    domain = own_task("harbour").domain
    assert anonymised(domain, seed=3) == anonymised(domain, seed=3)
    assert len({str(anonymised(domain, seed=seed)) for seed in range(5)}) > 1
    assert set(anonymised(domain, seed=3).predicates.values()) == set(anonymised(domain).predicates.values())


def test_made_up_words_are_unlike_each_other() -> None:
    task = own_task("harbour")
    for seed in range(20):
        renaming = random_costume(task.domain, seed, [task.problem])
        words = [word.lstrip("?") for _, table in renaming.spaces() for word in table.values()]
        frames = ["".join(letter for letter in word if letter not in "aeiou") for word in words]
        assert len(set(frames)) == len(frames)
        assert not set(words) & RESERVED
        assert all(word.isalpha() and word.islower() for word in words)


def test_constants_keep_their_names_where_only_objects_change() -> None:
    task = own_task("harbour")
    renaming = renamed_objects(task, 1)
    assert "lighthouse" not in renaming.objects
    assert apply(renaming, task).domain == task.domain
    assert {item.name for item in apply(renaming, task).objects} & {item.name for item in task.objects} == {
        "lighthouse"
    }


def test_many_objects_get_many_words() -> None:
    domain, problem = GREENHOUSE
    many = " ".join(f"p{n}" for n in range(6000))
    task = task_from_text(domain, problem.replace("fern ivy", f"fern ivy {many}"))
    assert len(set(renamed_objects(task).objects.values())) == 6004


def test_a_step_in_the_old_names_is_no_step_of_the_renamed_task() -> None:
    task = own_task("greenhouse")
    renaming = anonymised(task.domain, [task.problem])
    with pytest.raises(InputError, match=r"step 1: no action is called `water`"):
        plan_back(renaming, (Step("water", ("object_2",)),))
    with pytest.raises(InputError, match=r"step 2: no object is called `fern`"):
        plan_back(renaming, (Step("action_2", ("object_2",)), Step("action_2", ("fern",))))
    assert plan_back(renaming, (Step("fly", ("mars",)),)) == (Step("fly", ("mars",)),)


def test_a_new_name_that_is_taken_is_refused() -> None:
    task = own_task("greenhouse")
    for renaming in (Renaming(predicates={"wet": "free"}), Renaming(objects={"sink": "fern"})):
        with pytest.raises(InputError, match="keeps it"):
            apply(renaming, task)
    swapped = Renaming(predicates={"wet": "free", "free": "wet"})
    assert apply(swapped, apply(swapped, task)) == task
    with pytest.raises(InputError, match="would both be called `x`"):
        Renaming(actions={"move": "x", "water": "x"})


def test_words_of_the_language_are_not_renamed() -> None:
    for wrong in ({"types": {"object": "x"}}, {"predicates": {"a": "="}}, {"functions": {"total-cost": "x"}}):
        with pytest.raises(InputError, match="belongs to the language"):
            Renaming(**wrong)


def test_json_that_is_no_renaming_is_refused() -> None:
    for wrong in ([], {"colours": {}}, {"types": ["a"]}, {"types": {"a": 1}}):
        with pytest.raises(InputError, match="wanted"):
            renaming_from_json(wrong)
