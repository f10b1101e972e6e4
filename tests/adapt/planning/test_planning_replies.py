"""Replies as models write them: read where the meaning is plain, else a fault with a way out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planning_oracle import garden

from groundplan.adapt.planning.pddl_text import operators_in
from groundplan.adapt.planning.replies import effects_of, step_in
from groundplan.pddl.source import Source

TASK = garden()
GOOD_STEPS = {
    "a block in prose": "The bolt is drawn with the crowbar.\n```\n(draw-bolt crowbar g1)\n```\nThat is all.",
    "a pddl block": "```pddl\n(draw-bolt crowbar g1)\n```",
    "without brackets": "```\ndraw-bolt crowbar g1\n```",
    "no block": "The robot (with its tool) should (draw-bolt crowbar g1) first.",
    "upper case": "```\n(Draw-Bolt CROWBAR G1)\n```",
    "json": '{"operator": "draw-bolt", "objects": ["crowbar", "g1"]}',
    "json in a block": '```json\n{"name": "draw-bolt", "parameters": {"tool": "crowbar", "gate": "g1"}}\n```',
    "the last block counts": "```\n(break-gate g1)\n```\nNo, better:\n```\n(draw-bolt crowbar g1)\n```",
    "thinking aloud": "<think>```\n(jump pond)\n```</think>\n```\n(draw-bolt crowbar g1)\n```",
    "an unclosed block": "```\n(draw-bolt crowbar g1)",
    "a known step in the prose": "After (take crowbar shed) comes (draw-bolt crowbar g1).",
}
NO_OPERATOR = {
    "a block": "```\n(no-operator)\n```",
    "words": "Nothing can be done here: no operator.",
    "a blank": "```\nNo operator\n```",
    "json": '{"operator": null}',
    "json words": '```json\n{"operator": "no-operator", "objects": []}\n```',
    "no new operator": "No new operator is needed.",
}
BAD_STEPS = {
    "empty": ("  ", "reply-empty"),
    "prose": ("I would open the gate somehow.", "reply-without-operator"),
    "an unknown object": ("```\n(draw-bolt crowbarr g1)\n```", "operator-unknown-object"),
    "an object twice": ("```\n(draw-bolt g1 g1)\n```", "operator-object-twice"),
    "a known name": ("```\n(swing-open g1 lawn pond)\n```", "operator-known"),
    "two steps": ("```\n(a crowbar)\n(b g1)\n```", "reply-several-operators"),
    "variables": (
        "```\n(:action draw-bolt :parameters (?g - gate) :effect (not (bolted ?g)))\n```",
        "reply-not-grounded",
    ),
    "variables in brackets": ("```\n(draw-bolt ?t ?g)\n```", "operator-unknown-object"),
}


@pytest.mark.parametrize("kind", GOOD_STEPS)
def test_a_step_is_found(kind: str) -> None:
    read = step_in(GOOD_STEPS[kind], TASK)
    assert (read.name, read.objects, read.fault) == ("draw-bolt", ("crowbar", "g1"), None)


@pytest.mark.parametrize("kind", NO_OPERATOR)
def test_no_operator_is_an_answer(kind: str) -> None:
    read = step_in(NO_OPERATOR[kind], TASK)
    assert read.is_none
    assert read.fault is None


@pytest.mark.parametrize("kind", BAD_STEPS)
def test_an_unusable_step_has_a_fault_with_a_way_out(kind: str) -> None:
    text, code = BAD_STEPS[kind]
    fault = step_in(text, TASK).fault
    assert fault is not None
    assert fault.code == code
    assert fault.hint


def test_a_cut_off_reply_says_so() -> None:
    fault = step_in("The robot could", TASK, cut_off=True).fault
    assert fault is not None
    assert "cut off" in fault.message


GOOD_EFFECTS = {
    "and": "```pddl\n(and (open g1) (not (bolted g1)))\n```",
    "lines": "```\n(open g1)\n(not (bolted g1))\n```",
    "a numbered list": "```\n1. (open g1)\n2. (not (bolted g1))\n```",
    "prose": "First (open g1), and then (not (bolted g1)) holds (as one would expect).",
    "json": '{"effects": ["(open g1)", "(not (bolted g1))"]}',
    "a whole action": (
        "```\n(:action draw-bolt :parameters (?t - tool ?g - gate)\n :precondition (bolted ?g)\n"
        " :effect (and (open ?g) (not (bolted ?g))))\n```"
    ),
    "an action over objects": "```\n(:action draw-bolt :parameters () :effect (and (open g1) (not (bolted g1))))\n```",
    "a keyword": "```\n:effect (and (open g1) (not (bolted g1)))\n```",
    "a comment": "```\n(and (open g1) ; it swings\n (not (bolted g1)))\n```",
    "upper case": "```\n(AND (OPEN G1) (NOT (BOLTED G1)))\n```",
    "said twice": "```\n(and (open g1) (not (bolted g1)) (open g1))\n```",
}
BAD_EFFECTS = {
    "empty": ("", "reply-empty"),
    "prose": ("The gate is open.", "reply-without-effects"),
    "an unknown predicate": ("```\n(opened g1)\n```", "unknown-predicate"),
    "a wrong type": ("```\n(open crowbar)\n```", "type-mismatch"),
    "a wrong arity": ("```\n(open g1 crowbar)\n```", "wrong-arity"),
    "another object": ("```\n(in pond)\n```", "effect-foreign-object"),
    "true and false": ("```\n(and (open g1) (not (open g1)))\n```", "effect-contradiction"),
    "conditional": ("```\n(when (bolted g1) (open g1))\n```", "effect-not-plain"),
    "nothing": ("```\n(and)\n```", "effect-missing"),
}


@pytest.mark.parametrize("kind", GOOD_EFFECTS)
def test_effects_are_found_in_order(kind: str) -> None:
    read = effects_of(GOOD_EFFECTS[kind], "draw-bolt", ("crowbar", "g1"), TASK)
    assert [str(item) for item in read.effects] == ["open_g1", "not_(bolted_g1)"]
    assert not read.faults


@pytest.mark.parametrize("kind", BAD_EFFECTS)
def test_unusable_effects_have_a_fault(kind: str) -> None:
    text, code = BAD_EFFECTS[kind]
    read = effects_of(text, "draw-bolt", ("crowbar", "g1"), TASK)
    assert not read.effects
    assert code in [fault.code for fault in read.faults]


@given(st.text(alphabet=st.sampled_from("(){}[]`\n ;?:-\"',.azopenotgbed1"), max_size=120))
def test_no_text_breaks_a_reader(text: str) -> None:
    step = step_in(text, TASK)
    assert step.is_none or step.fault is not None or step.name
    read = effects_of(text, "draw-bolt", ("crowbar", "g1"), TASK)
    assert bool(read.effects) is not bool(read.faults)
    for item in operators_in(Source(text, "reply"), TASK.domain, TASK.objects):
        assert item.action is not None or item.diagnostics


def test_places_are_those_of_the_text_itself() -> None:
    text = (
        "Take this one:\n\n(:action kick :parameters (?g - gate)\n  :precondition (bolted ?g)\n  :effect (oppen ?g))\n"
    )
    (read,) = operators_in(Source(text, "reply.txt"), TASK.domain)
    (fault,) = read.diagnostics
    assert (fault.code, fault.line, fault.source.excerpt(fault.span)) == ("unknown-predicate", 5, "(oppen ?g)")
    assert "did you mean `open`" in fault.hint
