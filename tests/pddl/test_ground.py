"""Grounding keeps a task's meaning: the same states, costs and goals as trying all objects one by one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from lifted_search import LiftedSearch, State, TooManyStatesError
from strategies import tasks

from groundplan.errors import InputError
from groundplan.pddl import Source, Task, check_sources, read_task, task_from_text
from groundplan.pddl.ast import Atom
from groundplan.pddl.ground import GroundingLimit, GroundTask, ground


def unchecked_task(domain: str, problem: str) -> Task:
    """A task that the checker refuses, as a program that builds its trees itself could hand it over."""
    result = check_sources(Source(domain), Source(problem))
    assert result.domain is not None
    assert result.problem is not None
    return Task(result.domain, result.problem)


def whole_state(task: GroundTask, state: int) -> State:
    """The bits of a state together with what holds in every state."""
    derived = task.task.domain.derived_names
    always = {atom for atom in task.task.problem.init if atom not in task.bit_of and atom.predicate not in derived}
    return frozenset((atom.predicate, *atom.terms) for atom in task.atoms(state) | always)


def cheapest(task: GroundTask, state: int) -> dict[int, float]:
    found: dict[int, float] = {}
    for operator, new in task.successors(state):
        if new != state:
            found[new] = min(operator.cost, found.get(new, operator.cost))
    return found


@given(tasks())
def test_the_ground_task_has_the_same_states_costs_and_goals(task: Task) -> None:
    lifted, grounded = LiftedSearch(task), ground(task)
    of_state = {whole_state(grounded, grounded.init): grounded.init}
    try:
        for state in lifted.states():
            after = cheapest(grounded, of_state[state])
            assert {whole_state(grounded, new): cost for new, cost in after.items()} == lifted.successors(state)
            assert grounded.is_goal(of_state[state]) == lifted.is_goal(state)
            of_state.update({whole_state(grounded, new): new for new in after})
    except TooManyStatesError:
        pass


@given(tasks())
def test_facts_are_those_that_can_change_and_masks_speak_of_facts_only(task: Task) -> None:
    grounded = ground(task)
    everything = (1 << len(grounded.facts)) - 1
    assert len(set(grounded.facts)) == len(grounded.facts)
    assert grounded.init | grounded.basic == grounded.basic
    for operator in grounded.operators:
        assert (operator.pos | operator.neg | operator.add | operator.delete) | everything == everything
        assert not operator.pos & operator.neg
        assert not operator.add & operator.delete
        assert operator.add | operator.delete | grounded.basic == grounded.basic
    init = set(task.problem.init)
    for fact, bit in grounded.bit_of.items():
        if fact.predicate not in task.domain.derived_names and " " not in fact.predicate:
            assert (fact in init) == bool(grounded.init & bit)


@given(tasks())
def test_grounding_twice_gives_the_same(task: Task) -> None:
    assert ground(task) == ground(task)


REACH = """(define (domain net) (:requirements :adl :derived-predicates) (:types node)
  (:predicates (edge ?a ?b - node) (cut ?a ?b - node) (linked ?a ?b - node) (alone ?a - node))
  (:derived (linked ?a ?b - node)
    (or (and (edge ?a ?b) (not (cut ?a ?b))) (exists (?c - node) (and (linked ?a ?c) (linked ?c ?b)))))
  (:derived (alone ?a - node) (forall (?b - node) (or (= ?a ?b) (not (linked ?a ?b)))))
  (:action sever :parameters (?a ?b - node) :precondition (and (edge ?a ?b) (not (cut ?a ?b)))
    :effect (cut ?a ?b)))"""


def net(goal: str) -> Task:
    return task_from_text(
        REACH,
        f"""(define (problem p) (:domain net) (:objects a b c d - node)
        (:init (edge a b) (edge b c) (edge c d) (edge d c)) (:goal {goal}))""",
    )


def test_derived_predicates_are_closed_stratum_by_stratum() -> None:
    grounded = ground(net("(alone b)"))
    closed = grounded.atoms(grounded.closed(grounded.init))
    linked = {atom.terms for atom in closed if atom.predicate == "linked"}
    pairs = {("a", "b"), ("b", "c"), ("a", "c"), ("a", "d"), ("b", "d"), ("c", "d"), ("d", "c"), ("c", "c"), ("d", "d")}
    assert linked == pairs
    assert not any(atom.predicate == "alone" for atom in closed)
    cut = grounded.init | grounded.bit_of[Atom("cut", ("b", "c"))]
    assert {atom.terms for atom in grounded.atoms(grounded.closed(cut)) if atom.predicate == "alone"} == {("b",)}
    assert grounded.is_goal(cut)


def test_a_predicate_that_needs_its_own_absence_is_refused() -> None:
    domain = """(define (domain d) (:requirements :adl :derived-predicates) (:predicates (p) (q) (r))
      (:derived (p) (not (q))) (:derived (q) (p)) (:action a :effect (r)))"""
    task = unchecked_task(domain, "(define (problem p) (:domain d) (:init) (:goal (p)))")
    with pytest.raises(InputError, match="own absence"):
        ground(task)


def test_adding_wins_over_deleting_across_plain_and_conditional_effects() -> None:
    domain = """(define (domain d) (:requirements :adl) (:predicates (p) (q) (r))
      (:action a :effect (and (not (p)) (when (q) (p)) (when (not (q)) (not (r))))))"""
    task = task_from_text(domain, "(define (problem p) (:domain d) (:init (p) (q) (r)) (:goal (not (r))))")
    grounded = ground(task)
    assert {whole_state(grounded, new) for _, new in grounded.successors(grounded.init)} == {
        frozenset({("p",), ("q",), ("r",)})
    }


def test_a_wide_disjunction_costs_axioms_not_operators() -> None:
    """2^30 combinations if it were multiplied out."""
    boxes = " ".join(f"b{number}" for number in range(30))
    domain = """(define (domain d) (:requirements :adl) (:types box)
      (:predicates (shut ?b - box) (full ?b - box) (sent))
      (:action shut :parameters (?b - box) :effect (shut ?b))
      (:action fill :parameters (?b - box) :precondition (not (shut ?b)) :effect (full ?b))
      (:action send :precondition (forall (?b - box) (or (shut ?b) (full ?b))) :effect (sent)))"""
    task = task_from_text(domain, f"(define (problem p) (:domain d) (:objects {boxes} - box) (:init) (:goal (sent)))")
    grounded = ground(task)
    assert len(grounded.operators) == 61
    assert sum(map(len, grounded.axioms)) == 60


def test_parameters_that_nothing_depends_on_do_not_multiply_operators() -> None:
    objects = " ".join(f"o{number}" for number in range(100))
    domain = """(define (domain d) (:requirements :strips) (:predicates (p))
      (:action a :parameters (?u ?v ?w ?x ?y ?z) :effect (p)))"""
    task = task_from_text(domain, f"(define (problem p) (:domain d) (:objects {objects}) (:init) (:goal (p)))")
    assert len(ground(task).operators) == 1


def explosive(objects: int = 60) -> Task:
    names = " ".join(f"o{number}" for number in range(objects))
    domain = """(define (domain d) (:requirements :strips) (:predicates (p ?a ?b ?c ?d) (q ?a))
      (:action a :parameters (?a ?b ?c ?d) :precondition (and (q ?a) (q ?b) (q ?c) (q ?d)) :effect (p ?a ?b ?c ?d)))"""
    facts = " ".join(f"(q o{number})" for number in range(objects))
    return task_from_text(domain, f"(define (problem p) (:domain d) (:objects {names}) (:init {facts}) (:goal (q o1)))")


def test_too_many_instances_end_in_a_limit_that_names_the_action() -> None:
    with pytest.raises(GroundingLimit, match="`a`") as caught:
        ground(explosive(), max_actions=2_000)
    assert caught.value.bound == "actions"


def test_a_deadline_ends_grounding() -> None:
    start = time.monotonic()
    with pytest.raises(GroundingLimit) as caught:
        ground(explosive(), max_actions=10**9, deadline=0.1)
    assert caught.value.bound == "time"
    assert time.monotonic() - start < 2


def test_masks_that_would_fill_the_memory_end_in_a_limit() -> None:
    with pytest.raises(GroundingLimit) as caught:
        ground(explosive(12), memory_mib=10)
    assert caught.value.bound == "memory"


def test_a_quantifier_over_too_much_ends_in_a_limit() -> None:
    names = " ".join(f"o{number}" for number in range(200))
    domain = """(define (domain d) (:requirements :adl) (:predicates (p ?a ?b ?c ?d) (q))
      (:action a :parameters (?a ?b ?c ?d) :effect (p ?a ?b ?c ?d))
      (:action b :precondition (forall (?a ?b ?c ?d) (p ?a ?b ?c ?d)) :effect (q)))"""
    task = task_from_text(domain, f"(define (problem p) (:domain d) (:objects {names}) (:init) (:goal (q)))")
    with pytest.raises(GroundingLimit):
        ground(task, deadline=1.0)


@pytest.mark.parametrize("feature", ["numeric", "durative"])
def test_features_beyond_classical_planning_are_named(shared_dir: Path, feature: str) -> None:
    case = shared_dir / "cases/beyond-classical"
    with pytest.raises(InputError, match=r"unsupported feature: .*(numeric|durative)"):
        ground(read_task(case / f"domain_{feature}.pddl", case / f"problem_{feature}.pddl"))


@pytest.mark.slow
def test_every_evaluation_task_is_grounded_or_ends_in_a_limit_within_seconds(data_dir: Path) -> None:
    limits = 0
    for path in sorted((data_dir / "genplan").glob("*/eval/*.pddl")):
        task = read_task(path.parents[1] / "domain.pddl", path)
        start = time.monotonic()
        try:
            assert ground(task).goal is not None, path
        except GroundingLimit:
            limits += 1
        assert time.monotonic() - start < 20, path
    assert limits <= 4
