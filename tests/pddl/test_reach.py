"""Relaxed reachability never calls dead what is alive, and says why something is dead."""

from __future__ import annotations

from hypothesis import given
from lifted_search import LiftedSearch, TooManyStatesError
from strategies import tasks

from groundplan.pddl import Task, task_from_text
from groundplan.pddl.ast import Atom
from groundplan.pddl.ground import ground
from groundplan.pddl.reach import CauseKind, Reachability, Target, dead_actions, unreachable_goals
from groundplan.pddl.reach_ways import ways_of


@given(tasks())
def test_what_really_happens_is_reachable(task: Task) -> None:
    analysis, lifted = Reachability(task), LiftedSearch(task, 40)
    names = analysis.task.domain.derived_names
    initial = lifted.initial
    try:
        for state in lifted.states():
            for name, *terms in lifted.brute.with_derived(state):
                assert analysis.can_hold(Atom(name, tuple(terms)))
            for name, *terms in initial - state:
                assert name in names or analysis.can_fail(Atom(name, tuple(terms)))
            for step in lifted.steps:
                if lifted.brute.apply(state, step) is not None:
                    assert step.action in analysis.live_actions
            assert not (lifted.is_goal(state) and analysis.unreachable_goals())
    except TooManyStatesError:
        pass


@given(tasks())
def test_whatever_is_dead_has_causes(task: Task) -> None:
    """Unless its condition is plainly false, so that there is no way to speak of."""
    analysis = Reachability(task)
    world = analysis.fixpoint.world
    for dead in analysis.dead_actions():
        assert dead.causes or not ways_of(world, task.domain.action_by_name[dead.name])
    for part in analysis.unreachable_goals():
        for positive, atom in part.literals:
            for way in analysis.ways_to(Target.of(atom, positive)):
                assert analysis.causes.of(way), way


@given(tasks())
def test_a_goal_without_unreachable_parts_is_reachable_as_a_whole(task: Task) -> None:
    assert (ground(task).goal is None) == bool(unreachable_goals(task))


WORKSHOP = """(define (domain workshop) (:requirements :strips :typing :negative-preconditions)
  (:types tool machine - object saw drill - tool)
  (:predicates (has ?t - tool) (broken ?m - machine) (runs ?m - machine) (licensed ?m - machine) (cut) (drilled))
  (:action start :parameters (?m - machine) :precondition (not (broken ?m)) :effect (runs ?m))
  (:action saw :parameters (?s - saw) :precondition (has ?s) :effect (cut))
  (:action drill :parameters (?d - drill ?m - machine) :precondition (and (has ?d) (runs ?m) (licensed ?m))
    :effect (drilled)))"""


def workshop(objects: str, init: str) -> Task:
    return task_from_text(
        WORKSHOP, f"(define (problem p) (:domain workshop) (:objects {objects}) (:init {init}) (:goal (drilled)))"
    )


def kinds(task: Task) -> dict[str, list[tuple[CauseKind, str]]]:
    return {
        dead.name: [(cause.kind, cause.parameter.name if cause.parameter else str(cause.atom)) for cause in dead.causes]
        for dead in dead_actions(task)
    }


def test_dead_actions_name_all_causes() -> None:
    found = kinds(workshop("d1 - drill m1 - machine t1 - tool", "(has d1) (broken m1)"))
    assert set(found) == {"start", "saw", "drill"}
    assert found["start"] == [(CauseKind.BLOCKING, "(broken m1)")]
    assert found["saw"][0] == (CauseKind.NO_OBJECT, "?s")
    assert (CauseKind.UNREACHED, "(runs m1)") in found["drill"]
    assert (CauseKind.MISSING, "(licensed m1)") in found["drill"]


def test_conditions_that_hold_for_different_objects_only_are_a_cause() -> None:
    found = kinds(workshop("s1 - saw d1 - drill m1 m2 - machine", "(has s1) (has d1) (broken m1) (licensed m1)"))
    assert set(found) == {"drill"}
    assert {kind for kind, _ in found["drill"]} == {CauseKind.UNREACHED, CauseKind.MISSING}
    assert {what for _, what in found["drill"]} == {"(runs m1)", "(licensed m2)"}


def test_a_live_domain_has_no_dead_actions() -> None:
    task = workshop("s1 - saw d1 - drill m1 - machine", "(has s1) (has d1) (licensed m1)")
    assert dead_actions(task) == ()
    assert unreachable_goals(task) == ()


def test_an_atom_that_must_be_false_first_waits_for_what_deletes_it() -> None:
    domain = """(define (domain d) (:requirements :strips :negative-preconditions) (:predicates (p) (q) (r) (s))
      (:action free :precondition (q) :effect (not (p)))
      (:action go :precondition (not (p)) :effect (r)))"""
    for init, alive in (("(p) (q)", True), ("(p)", False), ("", True)):
        task = task_from_text(domain, f"(define (problem x) (:domain d) (:init {init}) (:goal (r)))")
        assert Reachability(task).can_hold(Atom("r")) is alive
        assert Reachability(task).can_fail(Atom("p")) is alive


def test_a_disjunctive_goal_names_the_literals_of_every_alternative() -> None:
    domain = "(define (domain d) (:requirements :adl) (:predicates (p) (q) (r)) (:action a :effect (p)))"
    task = task_from_text(domain, "(define (problem x) (:domain d) (:init) (:goal (and (p) (or (q) (r)))))")
    (part,) = unreachable_goals(task)
    assert {str(atom) for _, atom in part.literals} == {"(q)", "(r)"}
