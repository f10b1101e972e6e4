"""What every engine must do, whatever is inside. A test class takes it by inheritance and gives an `engine` fixture."""

from __future__ import annotations

import time

import pytest
from solve_tasks import ferry, shortest_plan, tiles

from groundplan.pddl import Task, task_from_text
from groundplan.pddl.validate import validate_plan
from groundplan.solve.outcome import Engine, Fault, Limit, Limits, Outcome, Status

LIMITS = Limits(wall_s=20, cpu_s=20)

ERRANDS = """(define (domain errands) (:requirements :strips :action-costs)
  (:predicates (home) (midway) (done)) (:functions (total-cost) - number)
  (:action taxi :parameters () :precondition (home) :effect (and (done) (not (home)) (increase (total-cost) 10)))
  (:action walk :parameters () :precondition (home) :effect (and (midway) (not (home)) (increase (total-cost) 1)))
  (:action ride :parameters () :precondition (midway) :effect (and (done) (not (midway)) (increase (total-cost) 2))))"""

# Switching turns every lamp of the room; the room is dark (derived) when no lamp in it burns.
LAMPS = """(define (domain lamps) (:requirements :adl :derived-predicates) (:types lamp room)
  (:constants hall - room)
  (:predicates (in ?l - lamp ?r - room) (burns ?l - lamp) (dark ?r - room) (linked ?a ?b - room) (calm ?r - room))
  (:derived (dark ?r - room) (forall (?l - lamp) (imply (in ?l ?r) (not (burns ?l)))))
  (:derived (calm ?r - room) (or (dark ?r) (exists (?o - room) (and (linked ?r ?o) (calm ?o)))))
  (:action switch :parameters (?r - room) :precondition (not (= ?r hall))
    :effect (and (forall (?l - lamp) (when (and (in ?l ?r) (burns ?l)) (not (burns ?l))))
                 (forall (?l - lamp) (when (and (in ?l ?r) (not (burns ?l))) (burns ?l))))))"""

DOCKS = """(define (domain docks) (:requirements :strips :typing)
  (:types ship truck crate - object barge - ship)
  (:predicates (on ?c - crate ?v - (either ship truck)) (ready ?v) (waiting ?c - crate))
  (:action load :parameters (?c - crate ?v - (either barge truck)) :precondition (and (waiting ?c) (ready ?v))
    :effect (and (on ?c ?v) (not (waiting ?c)))))"""


def errands(metric: str) -> Task:
    return task_from_text(
        ERRANDS, f"(define (problem p) (:domain errands) (:init (home) (= (total-cost) 0)) (:goal (done)) {metric})"
    )


def lamps(burning: str, goal: str) -> Task:
    return task_from_text(
        LAMPS,
        f"""(define (problem p) (:domain lamps) (:objects a b c - lamp kitchen cellar - room)
        (:init (in a kitchen) (in b kitchen) (in c hall) (linked hall kitchen) {burning}) (:goal {goal}))""",
    )


def docks(vehicle: str) -> Task:
    return task_from_text(
        DOCKS,
        f"""(define (problem p) (:domain docks) (:objects v - {vehicle} c - crate)
        (:init (waiting c) (ready v) (ready c)) (:goal (exists (?v - ship) (on c ?v))))""",
    )


class EngineContract:
    """Inherit from this, and define a fixture `engine` that gives one engine for the whole class."""

    def solved(self, engine: Engine, task: Task, limits: Limits = LIMITS) -> Outcome:
        """Solve and check all that must hold of a solved outcome."""
        outcome = engine.solve(task, limits)
        assert outcome.status is Status.SOLVED, outcome
        assert outcome.plan is not None
        verdict = validate_plan(task, outcome.plan)
        assert verdict.is_valid
        assert (outcome.cost, outcome.measure) == (verdict.cost, verdict.measure)
        assert outcome.limit is None
        assert outcome.fault is None
        assert outcome.engine == engine.name
        assert 0 < outcome.seconds < 20
        assert outcome.reason
        return outcome

    def unsolvable(self, engine: Engine, task: Task) -> None:
        outcome = engine.solve(task, LIMITS)
        assert outcome.status is Status.UNSOLVABLE, outcome
        assert outcome.plan is None
        assert outcome.cost is None
        assert outcome.reason, "it must say who proved it"

    @pytest.mark.parametrize("cars", [1, 2, 4])
    def test_solves(self, engine: Engine, cars: int) -> None:
        self.solved(engine, ferry(cars))

    def test_a_goal_that_holds_already_takes_no_step(self, engine: Engine) -> None:
        outcome = self.solved(engine, ferry(3, goal_bank="west"))
        assert outcome.plan == ()
        assert outcome.cost == 0
        assert outcome.optimal

    def test_an_exhausted_search_is_a_proof(self, engine: Engine) -> None:
        self.unsolvable(engine, tiles(2, swapped=True))

    def test_a_goal_out_of_reach_is_proved_unsolvable(self, engine: Engine) -> None:
        bankless = task_from_text(
            "(define (domain d) (:predicates (p) (q) (r)) (:action a :parameters () :precondition (p) :effect (q)))",
            "(define (problem x) (:domain d) (:init (p)) (:goal (r)))",
        )
        assert shortest_plan(bankless) is None
        self.unsolvable(engine, bankless)

    def test_a_limit_is_never_a_proof(self, engine: Engine) -> None:
        started = time.monotonic()
        outcome = engine.solve(tiles(4, swapped=True), Limits(wall_s=1, cpu_s=60))
        assert time.monotonic() - started < 3
        assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.WALL)
        assert outcome.plan is None
        assert outcome.fault is None
        self.solved(engine, ferry(1))

    def test_the_measure_is_cost_where_the_problem_says_so(self, engine: Engine) -> None:
        outcome = self.solved(engine, errands("(:metric minimize (total-cost))"))
        assert outcome.measure == "total-cost"
        assert outcome.cost in (3, 10)
        assert self.solved(engine, errands("")).measure == "steps"

    def test_conditional_and_quantified_effects_and_derived_predicates(self, engine: Engine) -> None:
        plan = self.solved(engine, lamps("(burns a) (burns b)", "(and (dark kitchen) (calm hall))")).plan
        assert plan is not None
        assert [str(step) for step in plan] == ["(switch kitchen)"]
        assert self.solved(engine, lamps("(burns a)", "(burns b)")).plan == plan
        self.unsolvable(engine, lamps("(burns a)", "(dark kitchen)"))
        self.unsolvable(engine, lamps("(burns c)", "(dark hall)"))

    def test_either(self, engine: Engine) -> None:
        self.solved(engine, docks("barge"))
        self.unsolvable(engine, docks("truck"))
        self.unsolvable(engine, docks("ship"))

    def test_features_beyond_classical_planning_are_named_with_their_line(self, engine: Engine) -> None:
        domain = """(define (domain fuel) (:requirements :numeric-fluents)
          (:predicates (there)) (:functions (fuel))
          (:action drive :parameters ()
            :precondition (>= (fuel) 2)
            :effect (and (there) (decrease (fuel) 2))))"""
        problem = "(define (problem p) (:domain fuel) (:init (= (fuel) 3)) (:goal (there)))"
        outcome = engine.solve(task_from_text(domain, problem), LIMITS)
        assert (outcome.status, outcome.fault) == (Status.FAILED, Fault.UNSUPPORTED)
        assert "numeric condition" in outcome.reason
        assert "domain:4" in outcome.reason

    def test_the_same_task_gives_the_same_plan(self, engine: Engine) -> None:
        first, second = (engine.solve(ferry(3), LIMITS) for _ in range(2))
        assert first.plan == second.plan

    def test_it_works_on_after_close(self, engine: Engine) -> None:
        engine.close()
        engine.close()
        self.solved(engine, ferry(1))
