"""A plan found with an operator that is physically impossible: plannable, refuted by the world, mended by pruning."""

from __future__ import annotations

from pathlib import Path

from planning_oracle import actions_in

from groundplan.adapt.facts import Facts
from groundplan.adapt.planning.lifting import ground_operator
from groundplan.adapt.planning.prune import prune
from groundplan.adapt.planning.replay import Right, Wrong, replay
from groundplan.adapt.planning.result import Status
from groundplan.adapt.planning.search import find_operators
from groundplan.adapt.planning.states import facts_after, initial_facts
from groundplan.adapt.planning.transitions import Transition
from groundplan.models.scripted import ScriptedModel
from groundplan.pddl.read import task_from_text
from groundplan.runs.run import Run

CHEST = """
(define (domain chest) (:requirements :strips :typing :negative-preconditions)
  (:types hand ring chest table - object)
  (:predicates (empty ?h - hand) (held ?r - ring ?h - hand) (inside ?r - ring ?c - chest) (open ?c - chest)
               (on ?r - ring ?t - table))
  (:action lift-lid :parameters (?c - chest ?h - hand) :precondition (and (empty ?h) (not (open ?c)))
    :effect (open ?c))
  (:action put-down :parameters (?r - ring ?t - table ?h - hand) :precondition (held ?r ?h)
    :effect (and (on ?r ?t) (empty ?h) (not (held ?r ?h)))))
"""
TASK = task_from_text(
    CHEST,
    """(define (problem p) (:domain chest) (:objects h - hand r - ring c - chest t - table)
      (:init (empty h) (inside r c)) (:goal (on r t)))""",
)
TRUTH = actions_in(
    """(:action take-out :parameters (?r - ring ?c - chest ?h - hand)
      :precondition (and (empty ?h) (inside ?r ?c) (open ?c))
      :effect (and (held ?r ?h) (not (empty ?h)) (not (inside ?r ?c))))""",
    TASK.domain,
)[0]
OBJECTS = ("r", "c", "h")


def tried(facts: Facts) -> Transition:
    operator = ground_operator(TRUTH, OBJECTS)
    goes = all((item.fact in facts) is item.positive for item in operator.preconditions)
    return Transition(facts, ("take-out", *OBJECTS), goes, facts_after(facts, operator) if goes else facts)


def test_found_is_not_right(tmp_path: Path) -> None:
    """Proposed while the chest is shut, `take-out` is given `(not (open c))` as a precondition by its state."""
    script = ["```\n(take-out r c h)\n```", "```\n(and (held r h) (not (empty h)) (not (inside r c)))\n```"] * 3
    with Run.open(tmp_path / "run", settings={}) as run:
        found = find_operators(TASK, ScriptedModel(script), run)
    assert found.status is Status.FOUND
    assert found.plan is not None
    assert [step.action for step in found.plan] == ["take-out", "put-down"]
    action = found.operators[0].action
    shut = initial_facts(TASK)
    world = (tried(shut), tried(shut | {("open", "c")}))
    assert [item.success for item in world] == [False, True]
    wide, narrow = (replay(action, TASK.domain, [item], TASK.objects) for item in world)
    assert wide.witness is not None
    assert narrow.witness is not None
    assert (wide.witness.kind, narrow.witness.kind) == (Wrong.TOO_WIDE, Wrong.TOO_NARROW)
    assert "(not (open c))" in narrow.witness.reason
    pruned = prune(action, TASK.domain, world, TASK.objects)
    assert [str(item.part.part) for item in pruned.dropped] == ["(open ?chest)"]  # type: ignore[union-attr]
    assert [str(part.part) for part in pruned.reversed] == ["(open ?chest)"]  # type: ignore[union-attr]
    assert "precondition-reversed" in {item.code for item in pruned.findings()}
    # Without that part the shut chest still refutes it: that the chest must be open is told, not put in.
    assert replay(pruned.action, TASK.domain, world, TASK.objects).right is Right.REFUTED
    assert replay(TRUTH, TASK.domain, world, TASK.objects).right is Right.EXPLAINS
