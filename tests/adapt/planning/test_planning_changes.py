"""What changed since there was a plan, and what no operator can get around: only what is proved."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planning_oracle import GARDEN, garden, garden_problem

from groundplan.adapt.planning.changes import change_findings, changes_between
from groundplan.adapt.planning.impossible import no_operator_can_help, what_an_operator_must_do
from groundplan.adapt.planning.truth import satisfiable
from groundplan.pddl.ast import And, Atom, Formula, Imply, Not, Or
from groundplan.pddl.read import read_task, task_from_text

ATOMS = [Atom("p"), Atom("q"), Atom("r", ("a",))]
formulas = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(lambda parts: And(tuple(parts)), st.lists(inner, max_size=3)),
        st.builds(lambda parts: Or(tuple(parts)), st.lists(inner, max_size=3)),
        st.builds(Imply, inner, inner),
    ),
    max_leaves=10,
)


def _holds(formula: Formula, values: dict[Atom, bool]) -> bool:
    match formula:
        case Atom():
            return values[formula]
        case Not(part=part):
            return not _holds(part, values)
        case And(parts=parts):
            return all(_holds(part, values) for part in parts)
        case Or(parts=parts):
            return any(_holds(part, values) for part in parts)
        case Imply(left=left, right=right):
            return not _holds(left, values) or _holds(right, values)
    raise AssertionError(formula)


@given(formulas, st.dictionaries(st.sampled_from(ATOMS), st.booleans()))
def test_satisfiable_agrees_with_trying_everything(formula: Formula, known: dict[Atom, bool]) -> None:
    tables = (dict(zip(ATOMS, values, strict=True)) for values in product((False, True), repeat=len(ATOMS)))
    wanted = any(_holds(formula, values) for values in tables if known.items() <= values.items())
    assert satisfiable(formula, known.get) is wanted


def test_a_condition_too_large_is_left_open() -> None:
    pairs = [Or((Atom(f"a{n}"), Atom(f"b{n}"))) for n in range(24)]
    clash = [
        Or(
            (
                And((Atom("x"), Not(Atom("x")))),
                And(
                    (Atom("y"), Not(Atom("y"))),
                ),
            )
        )
    ]
    assert satisfiable(And((*pairs, *clash)), lambda _: None) in (None, False)
    assert satisfiable(And(tuple(pairs)), lambda _: None) is True


@settings(max_examples=40)
@given(st.sets(st.sampled_from(["(in pond)", "(not (in pond))", "(open g1)", "(path lawn pond)", "(carried rake)"])))
def test_a_proof_is_given_just_where_the_goal_contradicts_itself(parts: set[str]) -> None:
    task = garden(goal=f"(and {' '.join(sorted(parts))})")
    proof = no_operator_can_help(task)
    assert (proof is not None) is ({"(in pond)", "(not (in pond))"} <= parts)
    fixed = no_operator_can_help(task, frozenset(("path",)))
    assert (fixed is not None) is (proof is not None or "(path lawn pond)" in parts)
    assert bool(list(what_an_operator_must_do(task))) is ("(path lawn pond)" in parts or proof is not None)


def test_quantifiers_are_opened_over_the_objects() -> None:
    assert no_operator_can_help(garden(goal="(forall (?t - tool) (carried ?t))")) is None
    every = "(and (forall (?t - tool) (carried ?t)) (not (carried rake)))"
    assert no_operator_can_help(garden(goal=every)) is not None
    none = garden_problem(
        goal="(exists (?t - tool) (carried ?t))", objects="lawn shed pond crowbar rake - plot g1 - gate"
    )
    none = none.replace("(lies crowbar shed) (lies rake lawn) (draws crowbar g1)", "")
    assert no_operator_can_help(task_from_text(GARDEN, none)) is not None


def test_the_fact_that_is_new_and_stays_is_the_hint() -> None:
    changes = changes_between(garden(), garden("").problem)
    (change,) = changes.final
    assert (str(change), change.steps_without, changes.steps_before) == ("(bolted g1)", 2, 2)
    (found,) = change_findings(changes)
    assert found.code == "novelty-fact"
    assert "`(bolted g1)` holds now and did not before, and no known operator removes it" in found.message
    assert "(not (bolted g1))" in found.hint


def test_a_fact_that_a_known_operator_turns_back_is_none() -> None:
    """The crowbar lies elsewhere now, which taking it mends; the bolt is what counts."""
    before = garden("").problem
    now = task_from_text(GARDEN, garden_problem().replace("(lies crowbar shed)", "(lies crowbar lawn)"))
    changes = changes_between(now, before)
    assert {str(item): bool(item.undone_by) for item in changes.facts} == {
        "(bolted g1)": False,
        "(lies crowbar lawn)": True,
        "(not (lies crowbar shed))": False,  # nobody puts it back, and nobody needs to
    }
    assert str(changes.final[0]) == "(bolted g1)"  # its undoing helps, so it comes first
    assert changes.final[1].steps_without is None


def test_a_fact_that_is_gone_is_a_hint_too() -> None:
    now = task_from_text(GARDEN, garden_problem("").replace("(gate-between g1 lawn pond)", ""))
    changes = changes_between(now, garden("").problem)
    (change,) = changes.final
    assert (str(change), change.steps_without) == ("(not (gate-between g1 lawn pond))", 2)
    (found,) = change_findings(changes)
    assert "brings it about" in found.message


def test_two_changes_that_only_help_together() -> None:
    now = task_from_text(GARDEN, garden_problem().replace("(gate-between g1 lawn pond)", ""))
    changes = changes_between(now, garden("").problem)
    assert [item.steps_without for item in changes.final] == [None, None]
    assert changes.steps_without == 2
    assert "novelty-facts-together" in {item.code for item in change_findings(changes)}


def test_what_only_seems_to_be_undone_is_found_by_looking_at_all_states() -> None:
    """A key that breaks in the shed's lock, which is not the one that counts: relaxed, both locks could be opened."""
    domain = """(define (domain d) (:requirements :strips :typing :negative-preconditions) (:types lock)
      (:predicates (locked ?l - lock) (key) (opens-first ?a ?b - lock) (free))
      (:action turn :parameters (?l ?before - lock)
        :precondition (and (key) (opens-first ?before ?l) (not (locked ?before)) (locked ?l))
        :effect (and (not (locked ?l)) (not (key)))))"""
    objects = "(define (problem p) (:domain d) (:objects a b c - lock) (:goal (and (not (locked b)) (not (locked c))))"
    facts = "(:init (key) (opens-first a b) (opens-first b c) {}))"
    before = task_from_text(domain, f"{objects} {facts.format('(locked b)')}")
    now = task_from_text(domain, f"{objects} {facts.format('(locked b) (locked c)')}")
    (change,) = changes_between(now, before.problem).final
    assert (str(change), change.steps_without) == ("(locked c)", 1)


def test_objects_and_goals_that_differ_are_told() -> None:
    now = task_from_text(GARDEN, garden_problem(objects="lawn shed pond - plot g1 g2 - gate crowbar rake - tool"))
    changes = changes_between(now, garden("", "(carried rake)").problem)
    codes = [item.code for item in change_findings(changes)]
    assert changes.new_objects == ("g2",)
    assert {"novelty-object", "novelty-goal"} <= set(codes)
    never = changes_between(garden(), garden("(bolted g1)").problem)
    assert [item.code for item in change_findings(never)] == ["novelty-no-plan-before"]
    assert never.as_json()["facts"] == []


def test_the_field_case_of_the_locked_door(shared_dir: Path) -> None:
    folder = shared_dir / "cases" / "novelty-door-is-locked-now"
    if not folder.is_dir():
        pytest.skip("the case is not there")
    task = read_task(folder / "domain.pddl", folder / "problem.pddl")
    before = read_task(folder / "domain.pddl", folder / "problem_before_novelty.pddl")
    changes = changes_between(task, before.problem)
    (change,) = changes.final
    assert (str(change), change.steps_without, changes.steps_before) == ("(locked d1)", 3, 3)
    assert no_operator_can_help(task) is None
