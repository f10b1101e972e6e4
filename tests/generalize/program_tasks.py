"""A small domain of the tests' own with static, fluent and derived facts, and random tasks with goals of facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from strategies import tasks

from groundplan.confine.outcome import ConfineLimits, Ending, Ran
from groundplan.confine.protocol import DEFAULT_LIMITS
from groundplan.generalize.kinds import NamedTask
from groundplan.pddl.ast import And, Atom, Task
from groundplan.pddl.read import task_from_text

LAMPS = """
(define (domain lamps)
  (:requirements :strips :typing :negative-preconditions :derived-predicates)
  (:types lamp room - object)
  (:constants hall - room)
  (:predicates (door ?a ?b - room) (here ?r - room) (in ?l - lamp ?r - room) (lit ?l - lamp) (fuse) (bright ?r - room)
               (broken ?l - lamp))
  (:derived (bright ?r - room) (exists (?l - lamp) (and (in ?l ?r) (lit ?l))))
  (:action walk :parameters (?a ?b - room) :precondition (and (here ?a) (door ?a ?b))
    :effect (and (here ?b) (not (here ?a))))
  (:action light :parameters (?l - lamp ?r - room)
    :precondition (and (here ?r) (in ?l ?r) (fuse) (not (lit ?l)) (not (broken ?l)))
    :effect (lit ?l))
  (:action quench :parameters (?l - lamp ?r - room) :precondition (and (here ?r) (in ?l ?r) (lit ?l))
    :effect (not (lit ?l)))
  (:action blow :parameters () :precondition (fuse) :effect (not (fuse)))
  (:action rest :parameters (?r - room) :precondition (and (here ?r) (bright ?r)) :effect ()))
"""
LAMPS_PROBLEM = """
(define (problem two) (:domain lamps)
  (:objects den attic - room l1 l2 l3 - lamp)
  (:init (here hall) (door hall den) (door den hall) (door den attic) (in l1 hall) (in l2 den) (in l3 attic) (fuse)
         (broken l3))
  (:goal (and (lit l1) (lit l2) (here hall))))
"""
LAMPS_PLAN = ("(light l1 hall)", "(walk hall den)", "(light l2 den)", "(walk den hall)")
"""The shortest plan of the problem."""


def lamps(goal: str = "") -> NamedTask:
    """The task of the lamps, or the same with another goal."""
    text = LAMPS_PROBLEM.replace("(and (lit l1) (lit l2) (here hall))", goal) if goal else LAMPS_PROBLEM
    return NamedTask("two", task_from_text(LAMPS, text))


def returned(value: Any) -> Ran:
    return Ran(Ending.RETURNED, value=value, seconds=0.5)


@st.composite
def fact_tasks(draw: Any) -> Task:
    """A random task whose goal is a conjunction of up to three facts, derived ones among them."""
    task = draw(tasks())
    hierarchy_fits = [
        Atom(predicate.name, tuple(names))
        for predicate in task.domain.predicates
        for names in _some_arguments(draw, task, len(predicate.parameters))
    ]
    goal = draw(st.lists(st.sampled_from(hierarchy_fits), max_size=3)) if hierarchy_fits else []
    return replace(task, problem=replace(task.problem, goal=And(tuple(goal))))


def _some_arguments(draw: Any, task: Task, count: int) -> list[list[str]]:
    names = [item.name for item in task.objects]
    return [[draw(st.sampled_from(names)) for _ in range(count)] for _ in range(2)]


class InProcess:
    """A stand-in for a confinement that runs the tests' own programs in this process."""

    name = "in-process"

    def __init__(self, seconds: float = 0.01) -> None:
        self.calls: list[tuple[list[tuple[Any, ...]], int]] = []
        self._seconds = seconds

    def run(
        self, source: str, function: str, arguments: Any, limits: ConfineLimits = DEFAULT_LIMITS, *, hash_seed: int = 0
    ) -> Ran:
        self.calls.append(([tuple(item) for item in arguments], hash_seed))
        space: dict[str, Callable[..., Any]] = {}
        exec(source, space)
        try:
            value = space[function](*(tuple(item) for item in arguments))
        except ValueError as error:
            return Ran(Ending.RAISED, error="ValueError", message=str(error), seconds=self._seconds)
        return Ran(Ending.RETURNED, value=value, seconds=self._seconds)

    def close(self) -> None:
        """Nothing is held."""
