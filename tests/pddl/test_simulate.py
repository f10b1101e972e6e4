"""The simulator against a brute-force reading of the semantics, and what it says about steps it refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from brute_force import BruteForce
from hypothesis import given
from hypothesis import strategies as st
from strategies import tasks

from groundplan.errors import InputError
from groundplan.pddl.ast import (
    TRUE,
    Action,
    And,
    Arithmetic,
    Atom,
    Comparison,
    Derived,
    Domain,
    Effect,
    Exists,
    Feature,
    Forall,
    Formula,
    FunctionTerm,
    FunctionValue,
    Imply,
    Metric,
    Not,
    Number,
    NumericEffect,
    Or,
    Problem,
    Signature,
    Step,
    Task,
    TypedName,
)
from groundplan.pddl.reasons import Situation, why_not
from groundplan.pddl.rows import EMPTY
from groundplan.pddl.simulate import Simulator
from groundplan.pddl.source import Source, Span

X, Y, Z = TypedName("?x"), TypedName("?y"), TypedName("?z")


@st.composite
def steps_of(draw: Any, task: Task) -> Step:
    """A step of a known action over known objects, of the right types more often than not."""
    action = draw(st.sampled_from(task.domain.actions))
    brute = BruteForce(task)
    args = []
    for parameter in action.parameters:
        fitting = [name for name in brute.types if brute.is_of(name, parameter.types)]
        args.append(draw(st.sampled_from(fitting if fitting and draw(st.integers(0, 9)) else list(brute.types))))
    return Step(action.name, tuple(args))


def facts_of(atoms: frozenset[Atom]) -> frozenset[tuple[str, ...]]:
    return frozenset((atom.predicate, *atom.terms) for atom in atoms)


@given(st.data())
def test_states_are_those_of_the_plain_semantics(data: st.DataObject) -> None:
    task = data.draw(tasks())
    brute, fast, general = BruteForce(task), Simulator(task), Simulator(task, split=False)
    state, other = fast.initial, general.initial
    assert facts_of(state.atoms) == brute.initial
    for step in data.draw(st.lists(steps_of(task), max_size=10)):
        before = facts_of(state.atoms)
        expected = brute.apply(before, step)
        assert fast.applicable(state, step) == general.applicable(other, step)
        assert (not fast.applicable(state, step)) == (expected is not None)
        if expected is None:
            with pytest.raises(InputError, match="is not applicable"):
                fast.apply(state, step)
            assert facts_of(state.atoms) == before
            continue
        after, other = fast.apply(state, step), general.apply(other, step)
        assert facts_of(state.atoms) == before, "a state never changes"
        assert facts_of(after.atoms) == expected[0]
        assert after == other
        assert hash(after) == hash(other)
        assert (after.added, after.deleted) == (after.atoms - state.atoms, state.atoms - after.atoms)
        assert after.cost == other.cost == pytest.approx(state.cost + expected[1])
        assert facts_of(after.atoms | fast.derived(after)) == brute.with_derived(facts_of(after.atoms))
        state = after
    reached = brute.holds(task.problem.goal, {}, brute.with_derived(facts_of(state.atoms)))
    assert fast.is_goal(state) == general.is_goal(state) == reached
    assert (not fast.goal_reasons(state)) == reached


@given(st.data())
def test_a_walk_takes_exactly_the_steps_that_are_applicable_one_by_one(data: st.DataObject) -> None:
    task = data.draw(tasks())
    fast, general = Simulator(task), Simulator(task, split=False)
    state, plan = fast.initial, []
    for step in data.draw(st.lists(steps_of(task), max_size=14)):
        if not fast.applicable(state, step):
            state = fast.apply(state, step)
            plan.append(step)
    assert fast.states(plan)[-1] == state
    extra = data.draw(steps_of(task))
    words = [(step.action, *step.args) for step in (*plan, extra)]
    for simulator in (fast, general):
        walk = simulator.walk()
        assert walk.advance(words) == len(plan) + (not fast.applicable(state, extra))
        assert walk.advance(words[-1:]) in (0, 1)


# --- single points of the semantics -----------------------------------------------------------------------------------


def task_of(*actions: Action, objects: str = "a b c", init: str = "", goal: Formula = TRUE, **domain: Any) -> Task:
    atoms = tuple(Atom(words[0], tuple(words[1:])) for words in (item.split() for item in init.split(",")) if words)
    names = tuple(TypedName(name) for name in objects.split())
    return Task(Domain("d", actions=actions, **domain), Problem("p", "d", objects=names, init=atoms, goal=goal))


def test_adding_wins_over_deleting_also_when_the_clash_comes_from_the_objects() -> None:
    hop = Action("hop", (X, Y), Atom("at", ("?x",)), (Effect(Atom("at", ("?y",))), Effect(Atom("at", ("?x",)), False)))
    simulator = Simulator(task_of(hop, init="at a"))
    assert simulator.apply(simulator.initial, Step("hop", ("a", "a"))).atoms == {Atom("at", ("a",))}
    assert simulator.apply(simulator.initial, Step("hop", ("a", "b"))).atoms == {Atom("at", ("b",))}


def test_two_needed_and_deleted_atoms_may_be_the_same_atom() -> None:
    both = And((Atom("p", ("?x",)), Atom("p", ("?y",)), Atom("q", ("?x",))))
    gone = (Effect(Atom("p", ("?x",)), False), Effect(Atom("p", ("?y",)), False), Effect(Atom("q", ("?x",)), False))
    simulator = Simulator(task_of(Action("take", (X, Y), both, gone), init="p a, p b, q a"))
    walk = simulator.walk()
    assert walk.advance([("take", "a", "a")]) == 1
    assert {name: rows for name, rows in walk.tables.items() if rows} == {"p": {("b",)}}
    assert walk.advance([("take", "b", "b")]) == 0, "(q b) is missing"
    assert {name: rows for name, rows in walk.tables.items() if rows} == {"p": {("b",)}}, "nothing was changed"


def test_conditions_of_effects_look_at_the_state_before_the_step() -> None:
    swap = Action(
        "swap",
        (),
        effects=(
            Effect(Atom("p"), False, Atom("p")),
            Effect(Atom("q"), True, Atom("p")),
            Effect(Atom("p"), True, Atom("q")),
            Effect(Atom("q"), False, Atom("q")),
        ),
    )
    simulator = Simulator(task_of(swap, init="p"))
    states = simulator.states([Step("swap"), Step("swap")])
    assert [sorted(map(str, state.atoms)) for state in states] == [["(p)"], ["(q)"], ["(p)"]]
    assert (states[1].added, states[1].deleted) == ({Atom("q")}, {Atom("p")})


def test_an_effect_that_does_not_take_place_on_a_predicate_without_facts() -> None:
    never = Action("never", effects=(Effect(Atom("p"), False, Atom("q")), Effect(Atom("r"), True, Atom("q"))))
    simulator = Simulator(task_of(never))
    after = simulator.apply(simulator.initial, Step("never"))
    assert (after, after.added, after.deleted) == (simulator.initial, frozenset(), frozenset())


def test_rows_in_any_arrangement_with_constants_and_repeats() -> None:
    terms = [("?z", "?x", "?y"), ("a", "?y", "b"), ("?x", "?x", "?z"), ("a", "b"), (), ("?y", "?x"), ("?x", "?z", "?y")]
    effects = tuple(Effect(Atom(f"p{index}", row)) for index, row in enumerate(terms))
    simulator = Simulator(task_of(Action("mix", (X, Y, Z), effects=effects)))
    after = simulator.apply(simulator.initial, Step("mix", ("a", "b", "c")))
    values = {"?x": "a", "?y": "b", "?z": "c"}
    expected = {Atom(f"p{index}", tuple(values.get(term, term) for term in row)) for index, row in enumerate(terms)}
    assert after.atoms == expected


@given(st.sets(st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde")), max_size=9))
def test_recursive_and_stratified_axioms(edges: set[tuple[str, str]]) -> None:
    reach = Signature("reach", (X, Y))
    step = And((Atom("edge", ("?x", "?z")), Atom("reach", ("?z", "?y"))))
    rules = (
        Derived(Signature("apart", (X, Y)), Not(Atom("reach", ("?x", "?y")))),
        Derived(
            Signature("island", (X,)), Forall((Y,), Imply(Not(Atom("=", ("?x", "?y"))), Atom("apart", ("?x", "?y"))))
        ),
        Derived(reach, Or((Atom("edge", ("?x", "?y")), Exists((Z,), step)))),
    )
    init = ", ".join(f"edge {left} {right}" for left, right in sorted(edges))
    simulator = Simulator(task_of(objects="a b c d e", init=init, derived=rules))
    found = facts_of(simulator.derived(simulator.initial))
    closure = set(edges)
    for middle in "abcde":
        closure |= {(x, y) for x in "abcde" for y in "abcde" if {(x, middle), (middle, y)} <= closure}
    apart = {(x, y) for x in "abcde" for y in "abcde"} - closure
    assert {fact[1:] for fact in found if fact[0] == "reach"} == closure
    assert {fact[1:] for fact in found if fact[0] == "apart"} == apart
    islands = {(x,) for x in "abcde" if all((x, y) in apart for y in "abcde" if x != y)}
    assert {fact[1:] for fact in found if fact[0] == "island"} == islands


def test_axioms_that_need_their_own_absence_are_refused_with_their_place() -> None:
    source = Source("(define (domain d)\n  (:derived (odd ?x) ...", "d.pddl")
    odd = Derived(Signature("odd", (X,)), Exists((Y,), And((Atom("even", ("?y",)),))), Span(21, 29))
    even = Derived(Signature("even", (X,)), Not(Atom("odd", ("?x",))), Span(21, 29))
    with pytest.raises(InputError, match=r"d\.pddl:2:3: the derived predicate `even` depends on its own absence"):
        Simulator(task_of(derived=(odd, even), source=source))


def test_a_derived_goal_and_precondition_follow_the_state() -> None:
    lit = Derived(Signature("dark"), Not(Exists((X,), Atom("lit", ("?x",)))))
    light = Action("light", (X,), Atom("dark"), (Effect(Atom("lit", ("?x",))),))
    simulator = Simulator(task_of(light, derived=(lit,), goal=Not(Atom("dark"))))
    after = simulator.apply(simulator.initial, Step("light", ("a",)))
    assert simulator.is_goal(after)
    assert simulator.applicable(after, Step("light", ("b",))) == ["needs (dark)"]
    walk = simulator.walk()
    assert walk.advance([("light", "a"), ("light", "b")]) == 1


# --- costs ------------------------------------------------------------------------------------------------------------


def priced(expression: Any, values: tuple[FunctionValue, ...], *, metric: bool = True) -> Task:
    pay = NumericEffect("increase", FunctionTerm("total-cost"), expression)
    task = task_of(Action("go", (X, Y), effects=(Effect(Atom("p")),), numeric_effects=(pay,)))
    goal = Metric("minimize", FunctionTerm("total-cost")) if metric else None
    return Task(task.domain, replace(task.problem, values=values, metric=goal))


def test_costs_are_looked_up_in_the_initial_state() -> None:
    values = (
        FunctionValue(FunctionTerm("total-cost"), 5.0),
        FunctionValue(FunctionTerm("far", ("a", "b")), 2.5),
    )
    simulator = Simulator(priced(FunctionTerm("far", ("?x", "?y")), values))
    assert [state.cost for state in simulator.states([Step("go", ("a", "b"))] * 2)] == [5.0, 7.5, 10.0]
    reasons = simulator.applicable(simulator.initial, Step("go", ("b", "a")))
    assert reasons == ["the cost of this step needs a value of (far b a); give it in :init, as (= (far b a) 1)"]
    free = Simulator(priced(FunctionTerm("far", ("?x", "?y")), values, metric=False))
    assert free.states([Step("go", ("b", "a"))])[-1].cost == 1.0, "without a metric, steps are counted"


NUMERIC = Comparison(">=", FunctionTerm("fuel"), Number(1.0), Span(12, 20))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("numeric condition", {"precondition": And((Atom("p"), NUMERIC))}),
        ("numeric condition", {"effects": (Effect(Atom("p"), True, Not(NUMERIC)),)}),
        ("numeric effect", {"numeric_effects": (NumericEffect("assign", FunctionTerm("fuel"), Number(1.0)),)}),
        ("numeric effect", {"numeric_effects": (NumericEffect("decrease", FunctionTerm("total-cost"), Number(1.0)),)}),
        (
            "conditional action cost",
            {"numeric_effects": (NumericEffect("increase", FunctionTerm("total-cost"), Number(1.0), Atom("p")),)},
        ),
        (
            "arithmetic in an action cost",
            {"numeric_effects": (NumericEffect("increase", FunctionTerm("total-cost"), Arithmetic("+", ())),)},
        ),
    ],
)
def test_features_beyond_classical_are_refused_even_in_actions_that_no_plan_uses(kind: str, change: Any) -> None:
    source = Source("first line\n second line with something\n", "fuel.pddl")
    unused = Action("unused", **change)
    with pytest.raises(InputError, match=rf"fuel\.pddl:\d+:\d+: unsupported feature: {kind}"):
        Simulator(task_of(Action("fine"), unused, source=source))


def test_features_that_the_reader_found_are_refused_with_file_and_line() -> None:
    source = Source("(define\n (:durative-action", "brew.pddl")
    with pytest.raises(InputError, match=r"brew\.pddl:2:2: unsupported feature: durative action\. Plans are judged"):
        Simulator(task_of(features=(Feature("durative action", Span(9, 20)),), source=source))
    with pytest.raises(InputError, match="unsupported feature: numeric condition"):
        Simulator(task_of(goal=Forall((X,), Or((NUMERIC,)))))


# --- reasons ----------------------------------------------------------------------------------------------------------


@given(st.data())
def test_reasons_are_given_exactly_for_conditions_that_do_not_hold(data: st.DataObject) -> None:
    task = data.draw(tasks())
    brute, simulator = BruteForce(task), Simulator(task)
    known = brute.with_derived(brute.initial)
    tables: dict[str, set[tuple[str, ...]]] = {}
    for fact in known:
        tables.setdefault(fact[0], set()).add(fact[1:])
    situation = Situation(tables, simulator.members, EMPTY, ())
    for formula in (task.problem.goal, Not(task.problem.goal)):
        assert (why_not(formula, situation) == []) == brute.holds(formula, {}, known)


P, Q = Atom("p", ("?x",)), Atom("q", ("?y",))


@pytest.mark.parametrize(
    ("condition", "init", "reasons"),
    [
        (And((P, Q)), "", ["needs (p a)", "needs (q b)"]),
        (And((P, Not(Q))), "p a, q b", ["(q b) must be false"]),
        (Or((P, Q)), "", ["needs (or (p a) (q b))"]),
        (Or((P,)), "", ["needs (p a)"]),
        (Or(()), "", ["a condition here can never hold"]),
        (Not(Or((P, Q))), "p a, q b", ["(p a) must be false", "(q b) must be false"]),
        (Not(And((P, Q))), "p a, q b", ["(and (p a) (q b)) must be false"]),
        (Imply(P, Q), "p a", ["needs (q b), because (p a) holds"]),
        (Not(Imply(P, Q)), "", ["needs (p a)"]),
        (Forall((Z,), Atom("p", ("?z",))), "p a", ["needs (p b)", "needs (p c)"]),
        (Forall((Z,), Imply(Atom("p", ("?z",)), Q)), "p c", ["needs (q b), because (p c) holds"]),
        (Not(Exists((Z,), Atom("p", ("?z",)))), "p c", ["(p c) must be false"]),
        (Exists((Z,), And((Atom("p", ("?z",)), Q))), "p c", ["needs (exists (?z) (and (p ?z) (q b)))"]),
        (Not(Forall((Z,), Not(Atom("p", ("?z",))))), "", ["(forall (?z) (not (p ?z))) must be false"]),
        (Forall((X,), P), "", ["needs (p a)", "needs (p b)", "needs (p c)"]),
        (Atom("=", ("?x", "?y")), "", ["`a` and `b` must be the same object"]),
        (Not(Atom("=", ("?x", "a"))), "", ["?x and a must be different objects, but both are `a`"]),
    ],
)
def test_reasons_name_the_facts_with_their_objects(condition: Formula, init: str, reasons: list[str]) -> None:
    simulator = Simulator(task_of(Action("act", (X, Y), condition), init=init))
    assert simulator.applicable(simulator.initial, Step("act", ("a", "b"))) == reasons


def test_many_instances_are_counted_not_listed() -> None:
    names = " ".join(f"o{index}" for index in range(20))
    simulator = Simulator(task_of(objects=names, goal=Forall((X,), P)))
    reasons = simulator.goal_reasons(simulator.initial)
    assert len(reasons) == 7
    assert reasons[0] == "goal not reached: needs (p o0)"
    assert reasons[-1] == "goal not reached: and 14 more of this kind"
