"""Proposed operators judged: what cannot be read, what cannot help, what looks like a loophole, and their ranking."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planning_oracle import DRAW_BOLT, GARDEN, actions_in, garden, garden_problem, scenario_task

from groundplan.adapt.planning.changes import changes_between
from groundplan.adapt.planning.duplicates import duplicate_of
from groundplan.adapt.planning.in_task import moving_sets
from groundplan.adapt.planning.judge import Bench, Judged, Standing, judge_proposals, ranking
from groundplan.adapt.planning.transitions import Transition
from groundplan.pddl.ast import Action, Atom, Effect, TypedName
from groundplan.pddl.ground_normal import renamed
from groundplan.pddl.read import domain_from_text, read_task, task_from_text
from groundplan.pddl.source import Source, read_source

TASK = garden()
BENCH = Bench(TASK.domain, TASK.problem)


def judge(text: str, bench: Bench = BENCH) -> Judged:
    (found,) = judge_proposals(bench, [Source(text, "proposal")])
    return found


def codes(item: Judged) -> set[str]:
    return {found.code for found in item.findings}


def operator(parameters: str, precondition: str, effect: str, name: str = "act") -> str:
    return f"(:action {name} :parameters ({parameters}) :precondition {precondition} :effect {effect})"


READABLE = {
    "as it is": (DRAW_BOLT, 6),
    "prose and a fence": (f"I would add:\n```pddl\n{DRAW_BOLT}```\nbecause the gate is bolted (now).", 6),
    "prose without a fence": (f"The robot (which holds a bar) lacks {DRAW_BOLT} as I see it.", 6),
    "json": ('{"reasoning": "x", "operator": "' + DRAW_BOLT.replace("\n", "\\n") + '"}', 6),
    "no tool needed": (
        operator("?g - gate ?a ?b - plot", "(and (in ?a) (gate-between ?g ?a ?b) (bolted ?g))", "(not (bolted ?g))"),
        3,
    ),
    "nested conditions": (
        operator(
            "?t - tool ?g - gate ?a - plot",
            "(and (in ?a) (or (draws ?t ?g) (not (bolted ?g))) (carried ?t)"
            " (exists (?b - plot) (gate-between ?g ?a ?b)))",
            "(not (bolted ?g))",
        ),
        6,
    ),
    "upper case": (DRAW_BOLT.upper(), 6),
    "a taken name": (operator("?g - gate", "(bolted ?g)", "(not (bolted ?g))", "WALK"), 3),
    "two that belong together": (
        operator("?g - gate", "(bolted ?g)", "(and (carried-off ?g))", "one").replace("(carried-off ?g)", "(open ?g)")
        + operator("?g - gate", "(and (open ?g) (bolted ?g))", "(not (bolted ?g))", "two"),
        2,
    ),
}


@pytest.mark.parametrize("kind", READABLE)
def test_what_is_well_formed_and_helps(kind: str) -> None:
    text, steps = READABLE[kind]
    found = judge(text)
    assert found.standing is Standing.HELPFUL
    assert found.helps is not None
    assert found.helps.steps == steps
    assert found.usable
    assert not [item for item in found.findings if item.is_error]


REJECTED = {
    "nothing": ("", "operator-missing"),
    "prose": ("Open the gate, then walk.", "operator-missing"),
    "an object of the problem": (operator("", "()", "(in pond)"), "unknown-constant"),
    "an unknown predicate": (operator("?g - gate", "(rusty ?g)", "(open ?g)"), "unknown-predicate"),
    "an unknown type": (operator("?g - door", "()", "(open ?g)"), "unknown-type"),
    "a wrong type": (operator("?g - gate", "(in ?g)", "(open ?g)"), "type-mismatch"),
    "a wrong arity": (operator("?g - gate", "(path ?g)", "(open ?g)"), "wrong-arity"),
    "an unbound variable": (operator("?g - gate", "(carried ?t)", "(open ?g)"), "unbound-variable"),
    "a misspelt keyword": (operator("?g - gate", "()", "(open ?g)").replace(":effect", ":effects"), "unknown-keyword"),
    "another keyword": (operator("?g - gate", "()", "(open ?g)").replace(":precondition", ":pre"), "unknown-keyword"),
    "a parameter twice": (operator("?g - gate ?g - gate", "()", "(open ?g)"), "duplicate-parameter"),
    "a missing bracket": (operator("?g - gate", "(and (bolted ?g)", "(open ?g)"), "missing-bracket"),
    "cut off": (DRAW_BOLT[:120], "text-ends-early"),
}


@pytest.mark.parametrize("kind", REJECTED)
def test_what_is_no_operator_of_the_domain(kind: str) -> None:
    text, code = REJECTED[kind]
    found = judge(text)
    assert found.standing is Standing.REJECTED
    assert code in codes(found)
    assert not ranking([found])
    assert all(item.source.text == text for item in found.findings)


def test_an_object_in_an_operator_is_told_to_be_a_parameter() -> None:
    (fault,) = judge(operator("", "()", "(in pond)")).findings
    assert "a parameter" in fault.hint
    assert "plot" in fault.hint


USELESS = {
    "changes nothing": (operator("?t - tool", "(carried ?t)", "(carried ?t)"), "operator-changes-nothing"),
    "deletes what is not there": (
        operator("?g - gate", "(and (bolted ?g) (not (open ?g)))", "(not (open ?g))"),
        "operator-changes-nothing",
    ),
    "no effect": (operator("?g - gate", "(bolted ?g)", "()"), "operator-changes-nothing"),
    "a duplicate": (
        operator("?from ?to - plot", "(and (path ?from ?to) (in ?from))", "(and (not (in ?from)) (in ?to))"),
        "operator-duplicate",
    ),
    "a duplicate, parameters swapped": (
        operator("?to ?from - plot", "(and (path ?from ?to) (in ?from))", "(and (not (in ?from)) (in ?to))"),
        "operator-duplicate",
    ),
    "a special case": (
        operator("?a ?b - plot ?t - tool", "(and (carried ?t) (path ?a ?b) (in ?a))", "(and (not (in ?a)) (in ?b))"),
        "operator-adds-nothing",
    ),
    "a contradiction": (
        operator("?g - gate", "(and (bolted ?g) (not (bolted ?g)))", "(open ?g)"),
        "operator-contradicts-itself",
    ),
    "a nested contradiction": (
        operator("?g - gate", "(and (or (open ?g) (bolted ?g)) (not (open ?g)) (not (bolted ?g)))", "(open ?g)"),
        "operator-contradicts-itself",
    ),
    "out of reach": (
        operator("?g - gate ?t - tool", "(and (carried ?t) (gate-between ?g ?x ?x))", "(not (bolted ?g))").replace(
            "?t - tool)", "?t - tool ?x - plot)"
        ),
        "operator-out-of-reach",
    ),
    "no help": (operator("?t - tool", "(carried ?t)", "(not (carried ?t))"), "operator-does-not-help"),
}


@pytest.mark.parametrize("kind", USELESS)
def test_what_reads_well_and_cannot_help(kind: str) -> None:
    text, code = USELESS[kind]
    found = judge(text)
    assert found.standing is Standing.USELESS
    assert code in codes(found)
    assert not found.usable


SUSPICIOUS = {
    "from nowhere": (operator("?p - plot", "()", "(in ?p)"), "operator-without-precondition"),
    "in two places": (operator("?a ?p - plot", "(in ?a)", "(in ?p)"), "operator-breaks-invariant"),
    "over any distance": (
        operator("?a ?p - plot", "(in ?a)", "(and (in ?p) (not (in ?a)))"),
        "operator-reaches-goal-alone",
    ),
    "a tool from nowhere": (
        operator("?t - tool ?g - gate", "(bolted ?g)", "(and (carried ?t) (not (bolted ?g)))"),
        "operator-breaks-invariant",
    ),
}


@pytest.mark.parametrize("kind", SUSPICIOUS)
def test_a_loophole_is_suspicious_and_ranked_last(kind: str) -> None:
    text, code = SUSPICIOUS[kind]
    judged = judge_proposals(BENCH, [Source(text, "loophole"), Source(DRAW_BOLT, "honest")])
    assert judged[0].standing is Standing.SUSPICIOUS
    assert code in codes(judged[0])
    assert [item.name for item in ranking(judged)] == ["honest", "loophole"]


def test_the_name_that_is_taken_is_changed_and_nothing_overwritten() -> None:
    found = judge(READABLE["a taken name"][0])
    assert found.renamed == (("walk", "walk-2"),)
    assert "operator-name-taken" in codes(found)
    assert found.helps is not None
    assert "walk-2" in [step.action for step in found.helps.plan]


def test_who_ties_up_loose_ends_goes_before_who_needs_little() -> None:
    """`carried` and `draws` are needed by no known operator: what are they for?"""
    little = READABLE["no tool needed"][0]
    judged = judge_proposals(BENCH, [Source(little, "little"), Source(DRAW_BOLT, "much")])
    assert [item.name for item in ranking(judged)] == ["much", "little"]


def test_undoing_what_is_new_is_what_an_operator_is_for() -> None:
    changes = changes_between(TASK, garden("").problem)
    bench = Bench(TASK.domain, TASK.problem, changes=changes)
    assert "operator-undoes-novelty" in codes(judge(DRAW_BOLT, bench))
    bridge = operator("?a ?b - plot", "(in ?a)", "(path ?a ?b)")
    assert "operator-changes-static-relation" in codes(judge(bridge))
    fixed = judge(bridge, Bench(TASK.domain, TASK.problem, fixed=frozenset(("path",))))
    assert fixed.standing is Standing.USELESS
    assert "operator-changes-fixed" in codes(fixed)


def test_the_last_step_may_well_be_what_is_missing() -> None:
    task = garden("", "(not (path lawn shed))")
    found = judge(
        operator("?a ?b - plot", "(and (in ?a) (path ?a ?b))", "(not (path ?a ?b))"), Bench(task.domain, task.problem)
    )
    assert found.standing is Standing.HELPFUL
    assert "operator-is-the-last-step" in codes(found)


def test_a_problem_that_has_a_plan_needs_no_operator() -> None:
    task = garden("")
    found = judge(DRAW_BOLT, Bench(task.domain, task.problem))
    assert "operator-not-needed" in codes(found)


def test_without_a_problem_the_standing_stays_open() -> None:
    bench = Bench(TASK.domain)
    assert judge(DRAW_BOLT, bench).standing is Standing.UNDECIDED
    assert judge(USELESS["a duplicate"][0], bench).standing is Standing.USELESS
    assert judge(REJECTED["an unknown predicate"][0], bench).standing is Standing.REJECTED


def test_a_bound_that_is_reached_proves_nothing() -> None:
    more = [f"t{n}" for n in range(8)]
    facts = " ".join(f"(lies {name} lawn)" for name in more)
    problem = garden_problem(
        f"(bolted g1) {facts}", objects=f"lawn shed pond - plot g1 - gate crowbar rake {' '.join(more)} - tool"
    )
    task = task_from_text(GARDEN, problem)
    found = judge(DRAW_BOLT, Bench(task.domain, task.problem, max_states=70))
    assert found.standing is Standing.UNDECIDED


def test_the_world_refutes_a_guess() -> None:
    """Without the bar, drawing the bolt was tried and failed; with it, it went well. Names are free."""
    start = frozenset(tuple(str(atom)[1:-1].split()) for atom in TASK.problem.init)
    carried = start - {("lies", "crowbar", "shed")} | {("carried", "crowbar")}
    tries = (
        Transition(start, ("unbar", "crowbar", "g1", "lawn", "pond"), False, start),
        Transition(carried, ("unbar", "crowbar", "g1", "lawn", "pond"), True, carried - {("bolted", "g1")}),
    )
    bench = Bench(TASK.domain, TASK.problem, tries)
    guess = judge(READABLE["no tool needed"][0], bench)
    assert "operator-refuted" in codes(guess)
    assert not guess.usable
    honest = judge(DRAW_BOLT, bench)
    assert honest.right == "explains"
    assert honest.usable
    unclear = judge(DRAW_BOLT, Bench(TASK.domain, TASK.problem, tries[:1]))
    assert unclear.right == "not yet supported"
    assert judge(DRAW_BOLT, Bench(TASK.domain, TASK.problem, tries, tried_as="other")).right == "not yet supported"


@given(st.sampled_from(TASK.domain.actions), st.randoms(use_true_random=False))
def test_a_renamed_and_shuffled_operator_is_a_duplicate(known: Action, random: object) -> None:
    import random as module

    assert isinstance(random, module.Random)
    names = {item.name: f"?v{n}" for n, item in enumerate(known.parameters)}
    parameters = [TypedName(names[item.name], item.types) for item in known.parameters]
    random.shuffle(parameters)
    effects = [
        Effect(Atom(item.atom.predicate, tuple(names[term] for term in item.atom.terms)), item.positive)
        for item in known.effects
    ]
    random.shuffle(effects)
    copy = Action("copy", tuple(parameters), renamed(known.precondition, names), tuple(effects))
    assert duplicate_of(copy, TASK.domain) == (known.name, True)


def test_what_known_operators_move_about_is_worked_out() -> None:
    sets = {frozenset((member.predicate, member.key) for member in members) for members in moving_sets(TASK.domain)}
    assert frozenset((("in", None),)) in sets
    assert frozenset((("carried", 0), ("lies", 0))) in sets
    assert not moving_sets(domain_from_text("(define (domain d) (:predicates (a)))"))


@pytest.mark.parametrize("name", ["kitchen_lid", "nut_round_peg", "coffee_box", "coffee_drawer"])
def test_the_reference_operators_are_no_loopholes(data_dir: Path, name: str) -> None:
    folder = data_dir / "novelty" / name
    if not folder.is_dir():
        pytest.skip("the scenarios are not there")
    task = scenario_task(folder)
    found = judge((folder / "missing.pddl").read_text(), Bench(task.domain, task.problem))
    assert found.standing is Standing.HELPFUL
    assert len(found.operators) == len(actions_in((folder / "missing.pddl").read_text(), task.domain))


def test_the_thirteen_proposals_of_the_field_case(shared_dir: Path) -> None:
    folder = shared_dir / "cases" / "operator-proposals-to-judge"
    if not folder.is_dir():
        pytest.skip("the case is not there")
    task = read_task(folder / "domain.pddl", folder / "problem.pddl")
    files = sorted((folder / "proposals").iterdir())
    judged = {
        file.name[:2]: item
        for file, item in zip(
            files, judge_proposals(Bench(task.domain, task.problem), [read_source(file) for file in files]), strict=True
        )
    }
    steps = {number: item.helps.steps for number, item in judged.items() if item.helps}
    assert steps == {"01": 5, "02": 4, "03": 1, "07": None, "08": None, "09": 5, "11": None, "12": 4, "13": 5}
    standings = {number: item.standing for number, item in judged.items()}
    assert [n for n in standings if standings[n] is Standing.HELPFUL] == ["01", "02", "09", "12", "13"]
    assert [n for n in standings if standings[n] is Standing.REJECTED] == ["04", "05", "06", "10"]
    assert [n for n in standings if standings[n] is Standing.USELESS] == ["07", "08", "11"]
    assert standings["03"] is Standing.SUSPICIOUS
    assert ranking(list(judged.values()))[-1] is judged["03"]
    wanted = {
        "04": "unknown-constant",
        "05": "unknown-predicate",
        "06": "unknown-keyword",
        "07": "operator-changes-nothing",
        "08": "operator-duplicate",
        "10": "unbound-variable",
        "11": "operator-contradicts-itself",
        "12": "operator-name-taken",
    }
    assert all(code in codes(judged[number]) for number, code in wanted.items())


def test_a_whole_domain_counts_by_what_is_new_in_it() -> None:
    found = judge(f"```pddl\n{GARDEN.rstrip()[:-1]}{DRAW_BOLT})\n```")
    assert [item.name for item in found.operators] == ["draw-bolt"]
    assert found.standing is Standing.HELPFUL
    assert found.renamed == ()
    assert "operator-duplicate" in codes(judge(GARDEN))


def test_the_garden_is_what_the_tests_say_it_is() -> None:
    assert judge("", Bench(domain_from_text(GARDEN), TASK.problem)).standing is Standing.REJECTED
