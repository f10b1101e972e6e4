"""Kinds of candidates, on a domain of our own: what is the same in other words, and what is not."""

from __future__ import annotations

import re
import time

import pytest

from groundplan.errors import InputError
from groundplan.pddl import Source, Task, check_sources, task_from_text
from groundplan.pddl.compare import ActionMatch, Difference, Drift, Equivalence, Maps, compare_tasks
from groundplan.pddl.compare.budget import Budget
from groundplan.pddl.compare.difference import Pair
from groundplan.pddl.compare.explain import explanation
from groundplan.pddl.compare.isomorphic import isomorphic
from groundplan.pddl.compare.labelled import candidate_labels, reference_labels
from groundplan.pddl.compare.objects import match_objects
from groundplan.pddl.compare.search import replay
from groundplan.pddl.compare.witness import witness_of
from groundplan.pddl.ground import ground
from groundplan.pddl.ground_greedy import greedy
from groundplan.pddl.ground_search import Bounds

FERRY = """(define (domain ferry) (:requirements :strips :typing) (:types car port)
  (:predicates (moored ?p - port) (ashore ?c - car ?p - port) (aboard ?c - car) (vacant))
  (:action sail :parameters (?from ?to - port) :precondition (moored ?from)
    :effect (and (moored ?to) (not (moored ?from))))
  (:action board :parameters (?c - car ?p - port) :precondition (and (moored ?p) (ashore ?c ?p) (vacant))
    :effect (and (aboard ?c) (not (ashore ?c ?p)) (not (vacant))))
  (:action leave :parameters (?c - car ?p - port) :precondition (and (moored ?p) (aboard ?c))
    :effect (and (ashore ?c ?p) (vacant) (not (aboard ?c)))))"""
TWO = """(define (problem two) (:domain ferry) (:objects red blue - car north south - port)
  (:init (moored north) (ashore red north) (ashore blue north) (vacant))
  (:goal (and (ashore red south) (ashore blue south))))"""

BUSY = """(define (domain boat) (:requirements :typing :negative-preconditions) (:types vehicle quay)
  (:predicates (at-quay ?q - quay) (parked ?v - vehicle ?q - quay) (loaded ?v - vehicle) (busy))
  (:action go :parameters (?b ?a - quay) :precondition (at-quay ?a) :effect (and (not (at-quay ?a)) (at-quay ?b)))
  (:action drive-on :parameters (?v - vehicle ?q - quay)
    :precondition (and (not (busy)) (at-quay ?q) (parked ?v ?q))
    :effect (and (busy) (loaded ?v) (not (parked ?v ?q))))
  (:action drive-off :parameters (?v - vehicle ?q - quay) :precondition (and (loaded ?v) (at-quay ?q))
    :effect (and (not (busy)) (parked ?v ?q) (not (loaded ?v)))))"""
BUSY_TWO = """(define (problem two) (:domain boat)
  (:objects red-vehicle vehicle-blue - vehicle north-quay south-quay - quay)
  (:init (at-quay north-quay) (parked red-vehicle north-quay) (parked vehicle-blue north-quay))
  (:goal (and (parked vehicle-blue south-quay) (parked red-vehicle south-quay))))"""


def ferry(domain: tuple[str, str] = ("", ""), problem: tuple[str, str] = ("", "")) -> Task:
    """The ferry task with one text replaced in its domain and one in its problem."""
    assert domain[0] in FERRY
    assert problem[0] in TWO
    return task_from_text(FERRY.replace(*domain) if domain[0] else FERRY, TWO.replace(*problem) if problem[0] else TWO)


def test_other_words_negation_order_of_parameters_and_longer_names() -> None:
    found = compare_tasks(ferry(), task_from_text(BUSY, BUSY_TWO))
    assert found.verdict is Equivalence.PROVED
    assert found.maps.actions["go"] == ActionMatch("sail", (1, 0))
    assert found.maps.objects == {
        "red-vehicle": "red",
        "vehicle-blue": "blue",
        "north-quay": "north",
        "south-quay": "south",
    }


@pytest.mark.parametrize(
    ("domain", "problem", "drift", "steps"),
    [
        (
            (" (vacant))\n    :effect (and (aboard", ")\n    :effect (and (aboard"),
            ("", ""),
            Drift.CONSTRAINT_OMISSION,
            1,
        ),
        ((" (not (vacant))", ""), ("", ""), Drift.SCHEMA, 1),
        ((":precondition (moored ?from)", ":precondition (and (moored ?from) (vacant))"), ("", ""), Drift.SCHEMA, 1),
        (("", ""), (" (ashore blue south)", ""), Drift.GOAL_WEAKENING, 3),
        (("", ""), ("(ashore blue south)", "(ashore blue south) (moored north)"), Drift.GOAL_STRENGTHENING, 7),
        (("", ""), ("(ashore red south) (ashore blue south)", ""), Drift.GOAL_WEAKENING, 0),
        (("", ""), (" (vacant)", ""), Drift.SCHEMA, 0),
        (("", ""), ("red blue - car", "red blue green - car"), None, 0),
    ],
)
def test_drift(domain: tuple[str, str], problem: tuple[str, str], drift: Drift | None, steps: int) -> None:
    found = compare_tasks(ferry(), ferry(domain, problem))
    assert found.category is drift, found.as_json()
    if drift is not None:
        assert found.witness is not None
        assert len(found.witness.after) == steps
        assert "REFUTED" in explanation(found)[0]
    else:  # an object that nothing can be done with is no difference
        assert found.verdict is Equivalence.PROVED


def test_objects_under_other_names() -> None:
    other = TWO
    for old, new in (("red", "c1"), ("blue", "c2"), ("north", "p1"), ("south", "p2")):
        other = re.sub(rf"\b{old}\b", new, other)
    candidate = task_from_text(FERRY, other)
    named = compare_tasks(ferry(), candidate)
    assert (named.verdict, named.category) == (Equivalence.REFUTED, Drift.OBJECT_TYPE)
    free = compare_tasks(ferry(), candidate, objects="free")
    assert free.verdict is Equivalence.PROVED
    assert {free.maps.objects["p1"], free.maps.objects["p2"]} == {"north", "south"}
    wrong = Maps({"c1": "red", "c2": "blue", "p1": "south", "p2": "north"})
    assert compare_tasks(ferry(), candidate, maps=wrong).category is Drift.OBJECT_TYPE


def test_a_missing_object_and_one_more_that_acts() -> None:
    fewer = TWO.replace("red blue", "red").replace(" (ashore blue north)", "").replace(" (ashore blue south)", "")
    more = TWO.replace("red blue", "red blue bike").replace(
        "(ashore blue north)", "(ashore blue north) (ashore bike north)"
    )
    for text in (fewer, more):
        found = compare_tasks(ferry(), task_from_text(FERRY, text))
        assert (found.verdict, found.category, found.objects) == (
            Equivalence.REFUTED,
            Drift.OBJECT_TYPE,
            "different",
        )


def test_a_swapped_goal_of_named_objects_is_another_task_and_isomorphic() -> None:
    left = ferry(("", ""), ("(ashore red south) (ashore blue south)", "(ashore red south) (ashore blue north)"))
    right = ferry(("", ""), ("(ashore red south) (ashore blue south)", "(ashore blue south) (ashore red north)"))
    assert compare_tasks(left, right).verdict is Equivalence.REFUTED
    assert compare_tasks(left, right, objects="free").verdict is Equivalence.PROVED
    assert isomorphic(left, right, Budget()).verdict is Equivalence.PROVED
    assert isomorphic(left, ferry(), Budget()).verdict is Equivalence.REFUTED
    with pytest.raises(InputError, match="one and the same domain"):
        isomorphic(ferry(), task_from_text(BUSY, BUSY_TWO), Budget())


def test_a_goal_atom_that_follows_from_the_others_changes_nothing() -> None:
    more = ferry(("", ""), ("(ashore blue south)", "(ashore blue south) (vacant)"))
    assert compare_tasks(ferry(), more).verdict is Equivalence.PROVED


def test_a_budget_ends_it_without_a_verdict() -> None:
    cars = " ".join(f"c{number}" for number in range(40))
    ports = " ".join(f"p{number}" for number in range(12))
    ashore = " ".join(f"(ashore c{number} p0)" for number in range(40))
    problem = f"""(define (problem many) (:domain ferry) (:objects {cars} - car {ports} - port)
      (:init (moored p0) {ashore} (vacant)) (:goal (and (ashore c0 p1))))"""
    implied = problem.replace("(:goal (and (ashore c0 p1)))", "(:goal (and (ashore c0 p1) (not (aboard c0))))")
    fewer = FERRY.replace(":typing)", ":typing :negative-preconditions)")
    started = time.monotonic()
    found = compare_tasks(task_from_text(fewer, problem), task_from_text(fewer, implied), seconds=1.0)
    assert found.verdict is Equivalence.UNREFUTED
    assert time.monotonic() - started < 6
    assert "budget" in found.reason


def test_symmetric_objects_cost_no_search() -> None:
    def many(prefix: str) -> Task:
        cars = [f"{prefix}{number}" for number in range(30)]
        ashore = " ".join(f"(ashore {car} {prefix}n)" for car in cars)
        goal = " ".join(f"(ashore {car} {prefix}s)" for car in cars)
        return task_from_text(
            FERRY,
            f"""(define (problem p) (:domain ferry) (:objects {" ".join(cars)} - car {prefix}n {prefix}s - port)
            (:init (moored {prefix}n) (vacant) {ashore}) (:goal (and {goal})))""",
        )

    found = compare_tasks(many("a"), many("b"), objects="free")
    assert found.verdict is Equivalence.PROVED
    assert found.method == "lifted"


def test_conditional_effects_quantifiers_disjunctions_and_derived_predicates() -> None:
    domain = """(define (domain lamps) (:requirements :adl :derived-predicates)
      (:predicates (on ?l) (lit) (broken ?l))
      (:derived (lit) (exists (?l) (and (on ?l) (not (broken ?l)))))
      (:action press :parameters (?l) :precondition (or (lit) (not (broken ?l)))
        :effect (and (when (on ?l) (not (on ?l))) (when (not (on ?l)) (on ?l)))))"""
    problem = """(define (problem p) (:domain lamps) (:objects a b c) (:init (on a) (broken b)) (:goal (not (lit))))"""
    task = task_from_text(domain, problem)
    same = domain.replace("(or (lit) (not (broken ?l)))", "(imply (broken ?l) (lit))")
    assert compare_tasks(task, task_from_text(same, problem)).verdict is Equivalence.PROVED
    worse = domain.replace("(and (on ?l) (not (broken ?l)))", "(on ?l)")
    found = compare_tasks(task, task_from_text(worse, problem))
    assert found.verdict is Equivalence.REFUTED
    off = task_from_text(domain, problem.replace("(not (lit))", "(forall (?l) (or (broken ?l) (not (on ?l))))"))
    assert compare_tasks(task, off).verdict is Equivalence.PROVED


def test_numeric_tasks_are_refused() -> None:
    text = FERRY.replace("(vacant))", "(vacant)) (:functions (fuel))", 1).replace(
        ":precondition (moored ?from)", ":precondition (and (moored ?from) (> (fuel) 1))"
    )
    task = check_sources(Source(text), Source(TWO.replace("(vacant)", "(vacant) (= (fuel) 3)"))).task()
    with pytest.raises(InputError, match=r"fuel|numeric"):
        compare_tasks(ferry(), task)


def test_names_are_matched_step_by_step() -> None:
    reference = task_from_text(FERRY, TWO.replace("red blue", "red car-2").replace("ashore blue", "ashore car-2"))
    candidate = task_from_text(
        FERRY,
        TWO.replace("red blue", "Red_Car car02")
        .replace("ashore red", "ashore red_car")
        .replace("ashore blue", "ashore car02"),
    )
    assert match_objects(reference, candidate) == {
        "red_car": "red",
        "car02": "car-2",
        "north": "north",
        "south": "south",
    }


def test_a_plan_of_one_task_followed_in_both() -> None:
    weaker = ferry(("", ""), (" (ashore blue south)", ""))
    maps = compare_tasks(ferry(), ferry()).maps
    grounds = [ground(task, merge=False) for task in (ferry(), weaker)]
    pair = Pair(reference_labels(grounds[0]), candidate_labels(grounds[1], maps))
    plan = greedy(grounds[1], Bounds(states=1000)).steps
    assert plan is not None
    found = replay(pair.task(), [plan])
    assert found is not None
    assert found.verdict is Equivalence.REFUTED
    witness = witness_of(found.plan, pair.task(), ferry(), weaker, maps)
    assert witness is not None
    assert witness.difference is Difference.WEAKER_GOAL
    assert replay(pair.task(stronger=False, weaker=False), [plan]) is None


def tiny(actions: str, init: str, goal: str) -> Task:
    domain = f"""(define (domain tiny) (:requirements :adl) (:predicates (b) (c) (f) (g) (have ?k) (key ?k ?l) (on ?l))
      {actions})"""
    return task_from_text(
        domain, f"(define (problem p) (:domain tiny) (:objects k1 k2 l1) (:init {init}) (:goal {goal}))"
    )


def test_an_addition_that_overrides_a_conditional_deletion_counts() -> None:
    give = "(:action give :parameters () :precondition (b) :effect (and (c) (not (b))))"
    left = f"{give} (:action use :parameters () :precondition (f) :effect (and (g) (when (c) (not (f)))))"
    right = f"{give} (:action use :parameters () :precondition (f) :effect (and (g) (f) (when (c) (not (f)))))"
    tasks = [tiny(actions, "(b) (f)", "(and (g) (not (f)))") for actions in (left, right)]
    found = compare_tasks(*tasks)
    assert (found.verdict, found.category) == (Equivalence.REFUTED, Drift.SCHEMA)


def test_effects_that_override_each_other_are_told_exactly() -> None:
    flip = "(:action flip :parameters () :precondition (or (c) (not (c))) :effect (and (c) (g)))"
    left = f"{flip} (:action set :parameters () :precondition (b) :effect (and (not (f)) (when (c) (f))))"
    right = (
        f"{flip} (:action set :parameters () :precondition (b) :effect (and (when (not (c)) (not (f))) (when (c) (f))))"
    )
    wrong = f"{flip} (:action set :parameters () :precondition (b) :effect (and (not (f)) (when (g) (f))))"
    tasks = [tiny(actions, "(b) (f)", "(and (g) (f))") for actions in (left, right, wrong)]
    assert compare_tasks(tasks[0], tasks[1]).verdict is Equivalence.PROVED
    assert compare_tasks(tasks[0], tasks[2]).verdict is Equivalence.PROVED  # (c) and (g) come together
    other = tiny(wrong, "(b) (f) (g)", "(and (g) (f))")
    assert compare_tasks(tasks[0], other).verdict is Equivalence.REFUTED


def test_of_several_ways_to_take_a_step_one_that_changes_nothing_does_not_count() -> None:
    give = "(:action give :parameters (?k) :precondition (not (have ?k)) :effect (have ?k))"
    left = f"""{give} (:action light :parameters (?l)
      :precondition (exists (?k) (and (key ?k ?l) (have ?k))) :effect (on ?l))"""
    right = f"""{give} (:action light :parameters (?l ?k) :precondition (key ?k ?l)
      :effect (when (have ?k) (on ?l)))"""
    tasks = [tiny(actions, "(key k1 l1) (key k2 l1)", "(on l1)") for actions in (left, right)]
    assert compare_tasks(*tasks).verdict is Equivalence.PROVED


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("red blue", "red-car car_blue"),
        ("a b", "car-a car-b"),
        ("a b", "Vehicle-A Vehicle-B"),
        ("cara carb", "car-a car-b"),
        ("c0-1 c0-2", "car_0_1 car_0_02"),
    ],
)
def test_longer_names_are_the_same_names(mine: str, theirs: str) -> None:
    tasks = []
    for names in (mine, theirs):
        first, second = names.split()
        text = TWO.replace("red blue", names).replace("ashore red", f"ashore {first}")
        tasks.append(task_from_text(FERRY, text.replace("ashore blue", f"ashore {second}")))
    found = compare_tasks(*tasks)
    assert found.verdict is Equivalence.PROVED
    assert [found.maps.objects[name.lower()] for name in theirs.split()] == mine.split()


def test_an_idle_object_that_is_missing_is_a_difference() -> None:
    found = compare_tasks(ferry(("", ""), ("red blue", "red blue green")), ferry())
    assert (found.verdict, found.category) == (Equivalence.REFUTED, Drift.OBJECT_TYPE)
    assert found.witness is not None
    assert found.witness.difference is Difference.OBJECTS


def test_many_parameters_end_in_time_and_nothing_is_said_that_was_not_tried() -> None:
    names = " ".join(f"?x{number}" for number in range(7))
    turned = " ".join(f"?x{number}" for number in (6, 0, 1, 2, 3, 4, 5))
    domain = f"""(define (domain row) (:requirements :strips :negative-preconditions) (:predicates (next ?a ?b) (on ?a))
      (:action shift :parameters ({names}) :precondition (and (on ?x0)
        {" ".join(f"(next ?x{number} ?x{number + 1})" for number in range(6))})
        :effect (and (on ?x1) (not (on ?x0)))))"""
    other = domain.replace(f"({names})", f"({turned})").replace("(and (on ?x0)", "(and (on ?x0) (not (on ?x6))", 1)
    chain = " ".join(f"(next o{number} o{number + 1})" for number in range(7))
    objects = " ".join(f"o{number}" for number in range(8))
    problem = f"(define (problem p) (:domain row) (:objects {objects}) (:init (on o0) {chain}) (:goal (on o1)))"
    found = compare_tasks(task_from_text(domain, problem), task_from_text(other, problem), seconds=5)
    assert found.verdict is not Equivalence.REFUTED
