"""The arguments of a program: what is in them, in which order, and what no program can be given."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[1] / "pddl"))
from program_tasks import LAMPS, LAMPS_PROBLEM, fact_tasks, lamps
from strategies import tasks

from groundplan.errors import InputError
from groundplan.generalize.values import ProgramInput, in_order, literals, values_of
from groundplan.pddl.ast import (
    FALSE,
    TRUE,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    Task,
    TypedName,
    atoms_in,
    conjuncts,
)
from groundplan.pddl.read import task_from_text
from groundplan.pddl.types import objects_by_type

WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
INPUTS = st.builds(
    ProgramInput,
    st.lists(st.tuples(WORDS, WORDS), unique=True, max_size=30).map(tuple),
    st.lists(st.lists(WORDS, min_size=1, max_size=3).map(tuple), unique=True, max_size=30).map(tuple),
    st.lists(st.lists(WORDS, min_size=1, max_size=3).map(tuple), unique=True, max_size=5).map(tuple),
)


@given(INPUTS)
def test_literals_come_back(values: ProgramInput) -> None:
    text = literals(values)
    found = {node.targets[0].id: node.value for node in ast.parse(text).body}  # type: ignore[attr-defined]
    assert list(found) == ["objects", "init", "goal"]
    for name, node in found.items():
        items = getattr(values, name)
        assert ast.literal_eval(node) == set(items)
        if isinstance(node, ast.Set):  # in their order, not just as a set
            assert tuple(ast.literal_eval(item) for item in node.elts) == items


@given(INPUTS, st.integers(1, 50))
def test_another_order_has_the_same_items(values: ProgramInput, seed: int) -> None:
    other = in_order(values, seed)
    for name in ("objects", "init", "goal"):
        assert Counter(getattr(other, name)) == Counter(getattr(values, name))
    assert other == in_order(values, seed)
    assert in_order(values, 0) is values


def test_orders_differ() -> None:
    values = values_of(lamps().task)
    orders = [in_order(values, seed) for seed in range(5)]
    assert len({order.init for order in orders}) == 5
    assert len({order.objects for order in orders}) == 5


@given(fact_tasks())
def test_facts_are_those_of_the_task(task: Task) -> None:
    values = values_of(task)
    assert {name for name, _ in values.objects} == {item.name for item in task.objects}
    assert [Atom(fact[0], fact[1:]) for fact in values.init] == list(dict.fromkeys(task.problem.init))
    goal = task.problem.goal
    assert isinstance(goal, And)
    assert [Atom(fact[0], fact[1:]) for fact in values.goal] == list(dict.fromkeys(goal.parts))


@given(tasks())
def test_any_goal_is_given_or_refused_with_the_reason(task: Task) -> None:
    if any(isinstance(part, Not | Or | Imply | Exists) for part in parts_of(task.problem.goal, objects_by_type(task))):
        with pytest.raises(InputError, match=r"random-1.*conjunction of facts"):
            values_of(task)
    else:
        equal = all(len(set(atom.terms)) == 1 for atom in atoms_in(task.problem.goal) if atom.predicate == "=")
        assert not equal or all(fact[0] in task.domain.predicate_by_name for fact in values_of(task).goal)


def parts_of(goal: Formula, by_type: dict[str, tuple[str, ...]]) -> Iterator[Formula]:
    """The parts of a goal that stand for facts; those of a `forall` over no object stand for none."""
    for part in conjuncts(goal):
        if not isinstance(part, Forall):
            yield part
        elif all(any(by_type[kind] for kind in variable.types) for variable in part.variables):
            yield from parts_of(part.part, by_type)


def test_constants_types_and_order_of_the_files() -> None:
    values = values_of(lamps().task)
    assert values.objects[:3] == (("hall", "room"), ("den", "room"), ("attic", "room"))
    assert values.init[0] == ("here", "hall")
    assert ("fuse",) in values.init
    assert values.goal == (("lit", "l1"), ("lit", "l2"), ("here", "hall"))


def test_untyped_objects_and_either() -> None:
    domain = "(define (domain d) (:requirements :strips) (:predicates (p ?x) (q)) (:action a :effect (q)))"
    problem = "(define (problem x) (:domain d) (:objects a b) (:init (p a) (not (p b))) (:goal (q)))"
    values = values_of(task_from_text(domain, problem))
    assert values == ProgramInput((("a", "object"), ("b", "object")), (("p", "a"),), (("q",),))
    task = lamps().task
    odd = replace(task, problem=replace(task.problem, objects=(TypedName("thing", ("lamp", "room")),)))
    assert ("thing", "lamp") in values_of(odd).objects


def test_numbers_are_left_out() -> None:
    domain = LAMPS.replace("(:predicates", "(:functions (total-cost) - number) (:predicates")
    problem = LAMPS_PROBLEM.replace("(fuse)", "(fuse) (= (total-cost) 3)")
    assert values_of(task_from_text(domain, problem)) == values_of(lamps().task)


def test_forall_is_written_out_and_nested_and_opened() -> None:
    goal = (
        "(and (and (here hall) (and)) (forall (?l - lamp) (and (lit ?l) (forall (?r - room) (in ?l ?r)))) (here hall))"
    )
    facts = values_of(lamps(goal).task).goal
    wanted = {("lit", f"l{n}") for n in (1, 2, 3)} | {("in", f"l{n}", r) for n in (1, 2, 3) for r in ROOMS}
    assert set(facts) == wanted | {("here", "hall")}
    assert len(facts) == len(set(facts))


ROOMS = ("hall", "den", "attic")
HERE = Atom("here", ("hall",))


@pytest.mark.parametrize(
    ("goal", "word"),
    [
        (Not(HERE), "`not`"),
        (Or((HERE, HERE)), "`or`"),
        (And((HERE, FALSE)), "`or`"),
        (Imply(HERE, HERE), "`imply`"),
        (Exists((TypedName("?r", ("room",)),), Atom("here", ("?r",))), "`exists`"),
        (Forall((TypedName("?r", ("room",)),), Not(Atom("here", ("?r",)))), "`not`"),
        (Atom("=", ("hall", "den")), "the same"),
    ],
)
def test_other_goals_are_refused(goal: object, word: str) -> None:
    task = lamps().task
    task = replace(task, problem=replace(task.problem, goal=goal))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=word):
        values_of(task)


def test_the_refusal_names_the_place() -> None:
    with pytest.raises(InputError, match=r":6:\d+: the goal has a negation"):
        values_of(lamps("(and (lit l1) (not (lit l2)))").task)


def test_a_forall_over_too_much_is_refused_at_once() -> None:
    variables = tuple(TypedName(f"?x{n}") for n in range(20))
    task = lamps().task
    goal = Forall(variables, Atom("fuse"))
    with pytest.raises(InputError, match="1,000,000"):
        values_of(replace(task, problem=replace(task.problem, goal=goal)))


def test_an_empty_goal_and_a_true_equality() -> None:
    task = lamps().task
    for goal in (TRUE, Atom("=", ("hall", "hall"))):
        assert values_of(replace(task, problem=replace(task.problem, goal=goal))).goal == ()
