"""The built-in engine beyond the contract of engines: it agrees with Fast Downward, and it names its own limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from groundplan.pddl import Source, Task, check_sources, read_task, task_from_text
from groundplan.pddl.validate import validate_plan
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.fast_downward import FastDownwardEngine
from groundplan.solve.outcome import Engine, Fault, Limit, Limits, Status

LIMITS = Limits(wall_s=20, cpu_s=20)
SMALL = ["blocksworld", "ferry", "goldminer", "gripper", "hiking", "logistics", "miconic", "minigrid", "rovers"]


def unchecked_task(domain: str, problem: str) -> Task:
    """A task that the checker refuses, as a program that builds its trees itself could hand it over."""
    result = check_sources(Source(domain), Source(problem))
    assert result.domain is not None
    assert result.problem is not None
    return Task(result.domain, result.problem)


@pytest.fixture(scope="module")
def fast_downward() -> Iterator[Engine]:
    engine = FastDownwardEngine()
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def fast_downward_optimal() -> Iterator[Engine]:
    engine = FastDownwardEngine(optimal=True)
    yield engine
    engine.close()


def small_task(data_dir: Path, domain: str, number: int = 1) -> Task:
    folder = data_dir / "genplan" / domain
    return read_task(folder / "domain.pddl", folder / "train" / f"p{number:02}.pddl")


@pytest.mark.parametrize("domain", SMALL)
def test_it_agrees_with_fast_downward_when_a_fact_is_missing(
    data_dir: Path, fast_downward: Engine, domain: str
) -> None:
    """Leaving out an initial fact keeps some tasks solvable and makes others unsolvable."""
    task = small_task(data_dir, domain)
    init = task.problem.init
    for at in range(0, len(init), max(1, len(init) // 3)):
        changed = Task(task.domain, replace(task.problem, init=(*init[:at], *init[at + 1 :])))
        ours, theirs = BuiltinEngine().solve(changed, LIMITS), fast_downward.solve(changed, LIMITS)
        assert ours.status is theirs.status, (init[at], ours, theirs)
        assert ours.status in (Status.SOLVED, Status.UNSOLVABLE)


@pytest.mark.parametrize("domain", ["blocksworld", "ferry", "gripper", "hiking", "miconic"])
def test_optimal_plans_are_as_short_as_those_of_fast_downward(
    data_dir: Path, fast_downward_optimal: Engine, domain: str
) -> None:
    task = small_task(data_dir, domain)
    ours, theirs = BuiltinEngine(optimal=True).solve(task, LIMITS), fast_downward_optimal.solve(task, LIMITS)
    assert (ours.status, ours.cost, ours.optimal) == (Status.SOLVED, theirs.cost, True)


@pytest.mark.slow
def test_it_solves_all_small_tasks_but_the_spanners(data_dir: Path) -> None:
    for path in sorted((data_dir / "genplan").glob("*/train/*.pddl")):
        task = read_task(path.parents[1] / "domain.pddl", path)
        outcome = BuiltinEngine().solve(task, LIMITS)
        assert outcome.status is Status.SOLVED or "spanner" in str(path), (path, outcome)
        assert outcome.plan is None or validate_plan(task, outcome.plan).is_valid


TOKENS = """(define (domain tokens) (:requirements :strips :negative-preconditions) (:predicates (up ?x) (end) (lock))
  (:action raise :parameters (?x) :precondition (not (up ?x)) :effect (up ?x))
  (:action lower :parameters (?x) :precondition (up ?x) :effect (not (up ?x)))
  (:action finish :precondition (lock) :effect (and (end) (not (lock)))))"""


def tokens(count: int) -> Task:
    """Relaxed reachable, unsolvable, with 2^count states times two."""
    names = " ".join(f"x{number}" for number in range(count))
    return task_from_text(
        TOKENS,
        f"(define (problem p) (:domain tokens) (:objects {names}) (:init (lock)) (:goal (and (end) (lock) (up x0))))",
    )


@pytest.mark.parametrize("optimal", [False, True])
def test_every_limit_is_named_and_proves_nothing(optimal: bool) -> None:
    engine = BuiltinEngine(optimal=optimal)
    for limits, limit in (
        (Limits(wall_s=0.1), Limit.WALL),
        (Limits(cpu_s=0.1), Limit.CPU),
        (Limits(memory_mib=1), Limit.MEMORY),
    ):
        outcome = engine.solve(tokens(18), limits)
        assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, limit), outcome
        assert limit.value in outcome.reason
    assert engine.solve(tokens(6), LIMITS).status is Status.UNSOLVABLE


def test_a_task_too_big_to_ground_is_not_found_and_says_why() -> None:
    names = " ".join(f"o{number}" for number in range(40))
    domain = """(define (domain d) (:predicates (p ?a ?b ?c ?d) (q ?a))
      (:action a :parameters (?a ?b ?c ?d) :precondition (q ?a) :effect (p ?a ?b ?c ?d)))"""
    facts = " ".join(f"(q o{number})" for number in range(40))
    task = task_from_text(
        domain, f"(define (problem x) (:domain d) (:objects {names}) (:init {facts}) (:goal (p o1 o1 o1 o1)))"
    )
    outcome = BuiltinEngine().solve(task, LIMITS)
    assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.INCOMPLETE)
    assert "200000 instances" in outcome.reason
    slow = BuiltinEngine().solve(task, Limits(wall_s=0.05))
    assert (slow.status, slow.limit) == (Status.NOT_FOUND, Limit.WALL)


COSTS = """(define (domain d) (:requirements :strips :action-costs) (:predicates (at ?x) (road ?x ?y))
  (:functions (length ?x ?y) - number (total-cost) - number)
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (length ?x ?y)) (increase (total-cost) 1))))"""


def roads(lengths: str, metric: str = "(:metric minimize (total-cost))") -> Task:
    return task_from_text(
        COSTS,
        f"""(define (problem p) (:domain d) (:objects a b c) (:init (at a) (road a b) (road b c) (road a c)
        (= (total-cost) 0) {lengths}) (:goal (at c)) {metric})""",
    )


def test_costs_come_from_the_initial_values() -> None:
    far = roads("(= (length a b) 2) (= (length b c) 3) (= (length a c) 9)")
    outcome = BuiltinEngine(optimal=True).solve(far, LIMITS)
    assert (outcome.cost, len(outcome.plan or ()), outcome.measure) == (7, 2, "total-cost")
    steps = roads("(= (length a b) 2) (= (length b c) 3) (= (length a c) 9)", "")
    outcome = BuiltinEngine(optimal=True).solve(steps, LIMITS)
    assert (outcome.cost, outcome.measure) == (1, "steps")


def test_a_step_whose_cost_has_no_value_cannot_be_taken() -> None:
    detour = BuiltinEngine(optimal=True).solve(roads("(= (length a b) 2) (= (length b c) 3)"), LIMITS)
    assert (detour.cost, len(detour.plan or ())) == (7, 2)
    assert BuiltinEngine().solve(roads("(= (length b c) 3)"), LIMITS).status is Status.UNSOLVABLE


def test_negative_costs_are_refused() -> None:
    problem = """(define (problem p) (:domain d) (:objects a c) (:init (at a) (road a c) (= (length a c) -5))
      (:goal (at c)) (:metric minimize (total-cost)))"""
    outcome = BuiltinEngine(optimal=True).solve(unchecked_task(COSTS, problem), LIMITS)
    assert (outcome.status, outcome.fault) == (Status.FAILED, Fault.UNSUPPORTED)
    assert "(go a c)" in outcome.reason


def test_circular_derived_predicates_are_the_inputs_fault() -> None:
    domain = """(define (domain d) (:requirements :adl :derived-predicates) (:predicates (p) (q) (r))
      (:derived (p) (not (q))) (:derived (q) (p)) (:action a :effect (r)))"""
    task = unchecked_task(domain, "(define (problem p) (:domain d) (:init) (:goal (p)))")
    outcome = BuiltinEngine().solve(task, LIMITS)
    assert (outcome.status, outcome.fault) == (Status.FAILED, Fault.INPUT)


def test_a_goal_out_of_relaxed_reach_is_said_to_be_proved_so() -> None:
    task = task_from_text(
        "(define (domain d) (:predicates (p) (q)) (:action a :precondition (q) :effect (p)))",
        "(define (problem x) (:domain d) (:init) (:goal (p)))",
    )
    outcome = BuiltinEngine().solve(task, LIMITS)
    assert outcome.status is Status.UNSOLVABLE
    assert "proved by relaxed reachability" in outcome.reason
