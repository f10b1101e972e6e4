"""A scripted model that proposes what a reference operator says, and the tasks that tests share.

The planner never sees the reference: it stands in for a model that happens to be right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path

from groundplan.adapt.facts import Facts
from groundplan.adapt.operator import GroundOperator
from groundplan.adapt.planning.lifting import ground_operator
from groundplan.adapt.planning.pddl_text import operators_in
from groundplan.adapt.planning.states import text_of
from groundplan.models.protocol import Message
from groundplan.pddl.ast import Action, Domain, Task
from groundplan.pddl.read import task_from_text
from groundplan.pddl.source import Source
from groundplan.pddl.types import objects_by_type

NONE = "```\n(no-operator)\n```"

GARDEN = """
(define (domain garden)
  (:requirements :strips :typing :negative-preconditions)
  (:types plot gate tool - object)
  (:predicates (in ?p - plot) (path ?a ?b - plot) (gate-between ?g - gate ?a ?b - plot) (bolted ?g - gate)
               (open ?g - gate) (lies ?t - tool ?p - plot) (carried ?t - tool) (draws ?t - tool ?g - gate))
  (:action walk
    :parameters (?a ?b - plot)
    :precondition (and (in ?a) (path ?a ?b))
    :effect (and (in ?b) (not (in ?a))))
  (:action pass
    :parameters (?g - gate ?a ?b - plot)
    :precondition (and (in ?a) (gate-between ?g ?a ?b) (open ?g))
    :effect (and (in ?b) (not (in ?a))))
  (:action swing-open
    :parameters (?g - gate ?a ?b - plot)
    :precondition (and (in ?a) (gate-between ?g ?a ?b) (not (bolted ?g)) (not (open ?g)))
    :effect (open ?g))
  (:action take
    :parameters (?t - tool ?p - plot)
    :precondition (and (in ?p) (lies ?t ?p))
    :effect (and (carried ?t) (not (lies ?t ?p)))))
"""

GARDEN_OBJECTS = "lawn shed pond - plot g1 - gate crowbar rake - tool"
GARDEN_INIT = """(in lawn) (path lawn shed) (path shed lawn) (gate-between g1 lawn pond) (gate-between g1 pond lawn)
         (lies crowbar shed) (lies rake lawn) (draws crowbar g1)"""


def garden_problem(more: str = "(bolted g1)", goal: str = "(in pond)", objects: str = GARDEN_OBJECTS) -> str:
    return f"""
(define (problem to-the-pond) (:domain garden)
  (:objects {objects})
  (:init {GARDEN_INIT} {more})
  (:goal {goal}))
"""


def garden(more: str = "(bolted g1)", goal: str = "(in pond)") -> Task:
    """Two plots, a pond behind a gate; the gate is bolted, and no known operator draws a bolt."""
    return task_from_text(GARDEN, garden_problem(more, goal))


DRAW_BOLT = """
(:action draw-bolt
  :parameters (?t - tool ?g - gate ?a ?b - plot)
  :precondition (and (in ?a) (gate-between ?g ?a ?b) (bolted ?g) (carried ?t) (draws ?t ?g))
  :effect (not (bolted ?g)))
"""


def actions_in(text: str, domain: Domain) -> list[Action]:
    found = [item.action for item in operators_in(Source(text, "reference"), domain)]
    return [action for action in found if action is not None]


def scenario_task(folder: Path) -> Task:
    return task_from_text((folder / "domain.pddl").read_text(), (folder / "problem.pddl").read_text())


def instances(action: Action, task: Task) -> Iterator[GroundOperator]:
    """Every instance of an operator over different objects."""
    members = objects_by_type(task)
    for objects in product(*(members[parameter.types[0]] for parameter in action.parameters)):
        if len(set(objects)) == len(objects):
            yield ground_operator(action, objects)


def facts_in_prompt(text: str) -> Facts:
    """The present state as the prompt tells it."""
    section = text.split("What is true now")[1].split("The goal:")[0]
    return frozenset(tuple(found.split()) for found in re.findall(r"^  \(([^()]*)\)$", section, re.MULTILINE))


def applicable(operator: GroundOperator, facts: Facts) -> bool:
    return all((item.fact in facts) is item.positive for item in operator.preconditions)


def step_reply(operator: GroundOperator) -> str:
    return f"The robot lacks a skill.\n```\n({' '.join((operator.name, *operator.objects))})\n```"


def effects_reply(operator: GroundOperator) -> str:
    shown = " ".join(text_of(item.fact, item.positive) for item in operator.effects)
    return f"In this order:\n```pddl\n(and {shown})\n```"


def oracle(task: Task, reference: Sequence[Action]) -> Callable[[Sequence[Message], int], str]:
    """Answers as one who knows the missing operators: the first that is applicable and not known yet, else none."""
    known = {item.name: list(instances(item, task)) for item in reference}

    def answer(messages: Sequence[Message], sample: int) -> str:
        first = messages[1].content
        facts = facts_in_prompt(first)
        operators = first.split("The known operators:")[1]
        fitting = [
            operator
            for name, grounded in known.items()
            if f"(:action {name}\n" not in operators
            for operator in grounded
            if applicable(operator, facts)
        ]
        if not fitting:
            return NONE
        return step_reply(fitting[0]) if len(messages) == 2 else effects_reply(fitting[0])

    return answer
