"""Automatic preconditions and lifting: what holds does, and objects come back out of variables."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planning_oracle import GARDEN, actions_in, garden, scenario_task

from groundplan.adapt.facts import Facts
from groundplan.adapt.operator import GroundOperator, Literal
from groundplan.adapt.planning.lifting import (
    MARK,
    domain_text,
    free_name,
    ground_operator,
    lift,
    types_of,
    variables_for,
    with_operators,
)
from groundplan.adapt.planning.preconditions import automatic_preconditions, possible_facts
from groundplan.adapt.planning.states import at_facts, fact_of, facts_after, initial_facts
from groundplan.errors import InputError
from groundplan.pddl.ast import Step, Task
from groundplan.pddl.read import domain_from_text, task_from_text
from groundplan.pddl.simulate import Simulator

TASK = garden()
OBJECTS = [item.name for item in TASK.objects]
EVERYTHING = sorted(possible_facts(TASK.domain, {item.name: item.types for item in TASK.objects}))

chosen = st.lists(st.sampled_from(OBJECTS), min_size=1, max_size=4, unique=True)
states = st.frozensets(st.sampled_from(EVERYTHING), max_size=25)


@st.composite
def operators(draw: st.DrawFn) -> tuple[Facts, GroundOperator]:
    """A state, and an operator over some objects as a proposal would give it there."""
    facts, objects = draw(states), draw(chosen)
    kinds = {item.name: item.types for item in TASK.objects if item.name in objects}
    over = sorted(possible_facts(TASK.domain, kinds))
    effects = draw(st.lists(st.sampled_from(over), max_size=4, unique=True)) if over else []
    signed = tuple(Literal(fact, draw(st.booleans())) for fact in effects)
    needed = automatic_preconditions(TASK, facts, objects)
    return facts, GroundOperator("act", tuple(objects), types_of(TASK, objects), needed, signed)


@given(states, chosen)
def test_automatic_preconditions_hold_and_leave_nothing_out(facts: Facts, objects: list[str]) -> None:
    found = automatic_preconditions(TASK, facts, objects)
    assert all((item.fact in facts) is item.positive for item in found)
    assert {item.fact for item in found if item.positive} == {f for f in facts if set(f[1:]) <= set(objects)}
    kinds = {item.name: item.types for item in TASK.objects if item.name in objects}
    apart = {fact for fact in possible_facts(TASK.domain, kinds) if len(set(fact[1:])) == len(fact[1:])}
    assert apart <= {item.fact for item in found}
    assert list(found) == sorted(found, key=lambda item: (not item.positive, item.fact))


@settings(max_examples=25)
@given(operators())
def test_lifting_then_grounding_gives_the_operator_back(drawn: tuple[Facts, GroundOperator]) -> None:
    _, operator = drawn
    action = lift(operator)
    assert not {term for item in (*action.effects,) for term in item.atom.terms} & set(OBJECTS)
    assert ground_operator(action, operator.objects) == operator


@settings(max_examples=25)
@given(operators())
def test_a_lifted_operator_can_be_taken_where_it_was_proposed(drawn: tuple[Facts, GroundOperator]) -> None:
    facts, operator = drawn
    task = at_facts(TASK, facts, with_operators(TASK.domain, [lift(operator)]))
    simulator = Simulator(task)
    reached = simulator.apply(simulator.initial, Step(operator.name, operator.objects))
    assert frozenset(map(fact_of, reached.atoms)) == facts_after(facts, operator)


@settings(max_examples=25)
@given(operators())
def test_the_modified_domain_reads_back_with_the_operator_marked(drawn: tuple[Facts, GroundOperator]) -> None:
    action = lift(drawn[1])
    text = domain_text(TASK.domain, [action])
    assert text.count(MARK) == 1
    assert f"; {MARK}\n  (:action act\n" in text
    assert domain_from_text(text).actions == (*TASK.domain.actions, action)


def test_variables_are_named_by_type_and_never_clash() -> None:
    assert variables_for(("drawer", "gripper")) == ("?drawer", "?gripper")
    assert variables_for(("cell", "door", "cell")) == ("?cell1", "?door", "?cell2")
    assert len(set(variables_for(("cell", "cell", "cell2", "cell2x")))) == 4


def test_what_has_no_general_form_is_refused() -> None:
    twice = GroundOperator("act", ("g1", "g1"), ("gate", "gate"), (), (Literal(("open", "g1")),))
    foreign = GroundOperator("act", ("g1",), ("gate",), (), (Literal(("in", "pond")),))
    for operator in (twice, foreign):
        with pytest.raises(InputError):
            lift(operator)
    conditional = domain_from_text(
        GARDEN.rstrip()[:-1] + "(:action a :parameters (?g - gate) :effect (when (bolted ?g) (open ?g))))"
    )
    with pytest.raises(InputError, match="more than literals"):
        ground_operator(conditional.action_by_name["a"], ["g1"])
    with pytest.raises(InputError, match="no object"):
        types_of(TASK, ["nowhere"])


def test_a_taken_name_gets_a_number() -> None:
    assert free_name("go", {"walk"}) == "go"
    assert free_name("walk", {"walk", "walk-2"}) == "walk-3"


def test_derived_facts_are_preconditions_too() -> None:
    domain = """(define (domain d) (:predicates (on ?a ?b) (busy ?b) (lit))
      (:derived (busy ?b) (exists (?a) (on ?a ?b)))
      (:action go :parameters (?a) :effect (lit)))"""
    task = task_from_text(domain, "(define (problem p) (:domain d) (:objects a b) (:init (on a b)) (:goal (lit)))")
    found = automatic_preconditions(task, initial_facts(task), ["a", "b"])
    assert Literal(("busy", "b")) in found
    assert Literal(("busy", "a"), False) in found


REFERENCE = {
    "kitchen_lid": (("lid1", "pot1", "gripper1"),),
    "nut_round_peg": (("square-nut1", "round-peg1", "gripper1"),),
    "coffee_box": (("coffee-pod1", "box1", "gripper1"),),
    "coffee_drawer": (("drawer1", "gripper1"),),
}


@pytest.mark.parametrize("name", REFERENCE)
def test_the_initial_state_fills_in_the_reference_preconditions(data_dir: Path, name: str) -> None:
    folder = data_dir / "novelty" / name
    if not folder.is_dir():
        pytest.skip("the scenarios are not there")
    task = scenario_task(folder)
    reference = actions_in((folder / "missing.pddl").read_text(), task.domain)
    for action, objects in zip(reference, REFERENCE[name], strict=False):
        wanted = ground_operator(action, objects).preconditions
        assert automatic_preconditions(task, initial_facts(task), objects) == wanted


def test_facts_beyond_a_state_are_no_part_of_it() -> None:
    task: Task = at_facts(TASK, frozenset((("in", "pond"),)))
    assert initial_facts(task) == {("in", "pond")}
    assert task.problem.goal == TASK.problem.goal
