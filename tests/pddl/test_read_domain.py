"""Domains: what is refused and where, and what is accepted with a warning at most."""

from __future__ import annotations

import pytest
from greenhouse import DOMAIN, PROBLEM, Changed, assert_found, errors, in_domain, warnings

from groundplan.pddl.ast import And, Atom, Exists, Forall, Imply, Not, Or, TypedName

PARTS = [
    (in_domain(":effect (wet", "§:effects (wet"), "unknown-keyword", "did you mean `:effect`?"),
    (in_domain(":precondition (on ?p s", "§:pre (on ?p s"), "unknown-keyword", "did you mean `:precondition`?"),
    (in_domain(":effect (wet", "§:postcondition (wet"), "unknown-keyword", "did you mean `:effect`?"),
    (
        in_domain(":effect (wet ?p)", "§:add (wet ?p) §:del (free sink)"),
        "unknown-keyword unknown-keyword",
        "`(not (pred",
    ),
    (in_domain(":effect (wet", "§effect (wet"), "unknown-keyword", "did you mean `:effect`?"),
    (
        in_domain(":parameters (?p - plant)\n", "§:vars (?p - plant)\n"),
        "unknown-keyword",
        "did you mean `:parameters`?",
    ),
    (in_domain(":effect (wet ?p)", "(§:effect (wet ?p))"), "bracketed-keyword", "write `:effect (...)`"),
    (in_domain(":effect (wet ?p)", ":effect (wet ?p) §:effect (on ?p sink)"), "duplicate-part", "join the two"),
    (in_domain(":precondition (on ?p sink)\n", "§:precondition\n"), "missing-part", "write `()`"),
    (in_domain(":parameters (?p - plant)\n", "§(?p) :parameters (?p - plant)\n"), "stray-form", "`:parameters`"),
    (in_domain("(:action water", "§(:action"), "missing-name", "write `(:action name ...)`"),
    (in_domain("(domain greenhouse)", "§(domain)"), "missing-name", "write `(domain some-name)`"),
    (in_domain("(domain greenhouse)", "(domain green §house)"), "bad-title", "join words by dashes"),
    (in_domain("(domain greenhouse)", "§(domian greenhouse)"), "bad-title", "`(domain name)` is wanted"),
    (in_domain("(domain greenhouse)", "§domain greenhouse"), "bad-title", "`(domain name)` is wanted"),
    (in_domain("(:action water", "(§:operator water"), "unknown-section", "did you mean `:action`?"),
    (in_domain("(:action water", "(§action water"), "stray-form", "write `(:action ...)`"),
    (in_domain("(:predicates", "(§:predicate"), "unknown-section", "did you mean `:predicates`?"),
    (in_domain("(:constants", "(§:objects a - bench)\n (:constants"), "unknown-section", "move it into the problem"),
    (in_domain(":typing", ":typing §:adll"), "unknown-requirement", "did you mean `:adl`?"),
    (in_domain(":typing", "§typing"), "unknown-requirement", "did you mean `:typing`?"),
    (in_domain(":typing", ":typing §:magic"), "unknown-requirement", "usual ones are :strips"),
    (in_domain("(wet ?p - plant)", "(wet ?p - plant) (§and ?p)"), "reserved-name", "cannot name a predicate"),
    (in_domain("(wet ?p - plant)", "(wet ?p - plant) (§Forall)"), "reserved-name", "cannot name a predicate"),
    (in_domain("(wet ?p - plant)", "§wet ?p"), "bare-word unknown-predicate unknown-predicate", "write `(wet ?p)`"),
]

LISTS = [
    (in_domain("(?p - plant)\n", "(§p - plant)\n"), "not-a-variable", "write `?p`"),
    (in_domain("(?p - plant)\n", "(?p §plant)\n"), "not-a-variable", "`- plant` if it is the type"),
    (in_domain("(?p - plant)\n", "(?p §:plant)\n"), "not-a-variable", "`- plant`"),
    (in_domain("(?p - plant)\n", "(§?p: plant)\n"), "not-a-variable", "`?p - type`"),
    (in_domain("(?p - plant)\n", "(?p §-)\n"), "missing-type", "drop the dash"),
    (in_domain("(?p - plant)\n", "(§- plant ?p)\n"), "type-without-name", "write `name - type`"),
    (in_domain("(?p - plant)\n", "(?p - §(plant))\n"), "bad-type", "(either type1 type2)"),
    (in_domain("(?p - plant)\n", "§?p - plant\n"), "bad-parameters", "(?x - type ...)"),
    (in_domain("sink - bench", "§?sink - bench"), "bad-name", "only variables start with a question mark"),
    (in_domain("sink - bench", "sink §(tap - bench)"), "bracket-in-list", "Names stand one after another"),
]

CONDITIONS = [
    (in_domain("(on ?p sink)", "(not (§eq ?p sink))"), "foreign-word", "write `(= ?a ?b)`"),
    (in_domain("(on ?p sink)", "(and §true (on ?p sink))"), "foreign-word", "drop it"),
    (in_domain("(on ?p sink)", "(§implies (on ?p sink) (wet ?p))"), "foreign-word", "write `imply`"),
    (in_domain("(on ?p sink)", "(§&& (on ?p sink) (wet ?p))"), "foreign-word", "write `and`"),
    (in_domain("(on ?p sink)", "(§all (?x - plant) (wet ?x))"), "foreign-word", "write `(forall"),
    (in_domain("(on ?p sink)", "(§unless (wet ?p) (on ?p sink))"), "foreign-word", "(when (not condition) effect)"),
    (in_domain("(on ?p sink)", "§(when (on ?p sink) (wet ?p))"), "when-in-condition", "write `(imply"),
    (in_domain("(on ?p sink)", "§(not (on ?p sink) (wet ?p))"), "wrong-part-count", "here it has 2 parts"),
    (in_domain("(on ?p sink)", "§(not)"), "wrong-part-count", "here it has nothing"),
    (in_domain("(on ?p sink)", "§(imply (on ?p sink))"), "wrong-part-count", "(imply condition consequence)"),
    (in_domain("(on ?p sink)", "§(forall ?x - plant (on ?x sink))"), "wrong-part-count", "(forall (?x - type)"),
    (in_domain("(on ?p sink)", "§(exists (?x - plant))"), "wrong-part-count", "(exists (?x - type)"),
    (in_domain("(on ?p sink)", "§(= ?p ?p ?p)"), "wrong-part-count", "write `(= ?a ?b)`"),
    (in_domain("(on ?p sink)", "(on ?p sink) §(wet ?p)"), "missing-operator", "join them by `(and ...)`"),
    (
        in_domain("(and (on ?p ?from) (free ?to))", "§((on ?p ?from) (free ?to))"),
        "missing-operator",
        "write `(and ...)`",
    ),
    (in_domain("(and (on ?p ?from) (free ?to))", "§((on ?p ?from) and (free ?to))"), "missing-operator", "(and ...)"),
    (in_domain("(on ?p sink)", "§(((on ?p sink)))"), "missing-operator", "a bracket too many"),
    (in_domain("(on ?p sink)", "§" + "(" * 60 + "on ?p sink" + ")" * 60), "missing-operator", "a bracket too many"),
    (in_domain("(on ?p sink)", "§free"), "bare-word", "write `(free)`"),
    (in_domain("(on ?p sink)", "(and §?p (on ?p sink))"), "bare-word", "a condition stands in brackets"),
    (in_domain("(on ?p sink)", "(on ?p §- plant sink)"), "type-in-atom", "types stand only where"),
    (in_domain("(on ?p sink)", "(not §on ?p sink)"), "bare-word", "write `(on ?p sink)`"),
    (in_domain("(on ?p sink)", "(on ?p §(bench sink))"), "bracket-in-atom", "where a variable or an object is wanted"),
]

EFFECTS = [
    (in_domain("(wet ?p)))", "(§if (on ?p sink) (wet ?p))))"), "foreign-word", "write `(when condition effect)`"),
    (in_domain("(wet ?p)))", "(§progn (wet ?p))))"), "foreign-word", "write `and`"),
    (in_domain("(wet ?p)))", "§(or (wet ?p) (free sink))))"), "not-in-effect", "a choice belongs into two actions"),
    (in_domain("(wet ?p)))", "§(exists (?x - plant) (wet ?x))))"), "not-in-effect", "through a parameter"),
    (in_domain("(wet ?p)))", "§(not (and (wet ?p) (on ?p sink)))))"), "not-in-effect", "for each fact that ends"),
    (in_domain("(wet ?p)))", "§(= (wet ?p) true)))"), "not-in-effect", "lists facts that become true"),
    (in_domain("(wet ?p)))", "(§if (on ?p sink) then (wet ?p) else (free sink))))"), "foreign-word", "write `(when"),
    (in_domain("(wet ?p)))", "§((wet ?p) (free sink))))"), "missing-operator", "write `(and ...)`"),
    (in_domain("(wet ?p)))", "(wet ?p) §(free sink)))"), "missing-operator", "join them by `(and ...)`"),
    (in_domain("(wet ?p)))", "§(when (on ?p sink) (wet ?p) (free sink))))"), "wrong-part-count", "has 3 parts"),
    (in_domain("(wet ?p)))", "§(forall (wet ?p))))"), "wrong-part-count", "(forall (?x - type) effect)"),
    (in_domain("(wet ?p)))", "§(increase (total-cost))))"), "wrong-part-count", "(increase (total-cost) 1)"),
    (in_domain("(wet ?p)))", "(increase §?p 1)))"), "bad-expression", "write `(name ...)`"),
]

BEYOND = [
    (in_domain("(on ?p sink)", "§(>= (level ?p) 2)"), "numeric condition"),
    (in_domain("(wet ?p)))", "§(decrease (level ?p) 2)))"), "numeric effect"),
    (in_domain("(on ?p sink)", "§(= (place ?p) sink)"), "object fluent"),
    (in_domain("(wet ?p)))", "§(assign (place ?p) sink)))"), "object fluent"),
    (in_domain("(wet ?p)))", "§(oneof (wet ?p) (free sink))))"), "non-deterministic effect"),
    (in_domain("(on ?p sink)", "§(preference early (on ?p sink))"), "preference"),
    (in_domain("(on ?p sink)", "§(always (on ?p sink))"), "trajectory constraint"),
    (in_domain("(:action water", "§(:durative-action water"), "durative action"),
    (in_domain("(:action water", "§(:process p)\n(:action water"), "process"),
]

REJECTED = [*PARTS, *LISTS, *CONDITIONS, *EFFECTS]


@pytest.mark.parametrize(("changed", "codes", "hint"), REJECTED, ids=range(len(REJECTED)))
def test_the_fault_is_found_at_its_place(changed: Changed, codes: str, hint: str) -> None:
    found = errors(changed.result())
    if len(changed.marked) < len(codes.split()):  # what depends on the lost declaration is found where it is used
        found, codes = found[: len(changed.marked)], codes.split()[0]
    assert_found(found, changed, codes, hint)


@pytest.mark.parametrize(("changed", "kind"), BEYOND, ids=[kind for _, kind in BEYOND])
def test_legal_features_beyond_classical_planning_are_named(changed: Changed, kind: str) -> None:
    functions = DOMAIN.index("  (:action move")
    domain = changed.domain[:functions] + "  (:functions (level ?p - plant))\n" + changed.domain[functions:]
    changed = Changed(domain=domain)
    result = changed.result()
    assert_found(errors(result), changed, "unsupported-feature", f"unsupported feature: {kind}")
    assert result.unsupported
    assert result.readable, "legal PDDL, only no task for a classical engine"


ACCEPTED = [
    (Changed(domain=DOMAIN.upper(), problem=PROBLEM.upper()), ""),
    (Changed(domain="\ufeff" + DOMAIN, problem="\ufeff" + PROBLEM), ""),
    (Changed(domain=DOMAIN.replace("\n", "\r\n"), problem=PROBLEM.replace("\n", "\r\n")), ""),
    (Changed(domain=DOMAIN.replace("\n", "\r"), problem=PROBLEM.replace("\n", "\r")), ""),
    (Changed(domain=DOMAIN.replace(" ", "\t"), problem=PROBLEM.replace(" ", "\t")), ""),
    (Changed(domain=DOMAIN.replace("\n", " ; a (comment :)\n"), problem="; (define (domain x)\n" + PROBLEM), ""),
    (Changed(domain=DOMAIN.replace("(", "( ").replace(")", " ) ")), ""),
    (in_domain("  (:requirements :strips :typing)\n", ""), ""),
    (in_domain(":strips :typing", ":strips"), "missing-requirement"),
    (in_domain(":typing", ":typing :adl :fluents :action-costs"), ""),
    (in_domain("(on ?p sink)\n", "(not (wet ?p))\n"), "missing-requirement"),
    (in_domain("(:requirements :strips :typing)", "(:requirements)"), "missing-requirement"),
    (in_domain(":precondition (on ?p sink)\n", ":precondition ()\n"), ""),
    (in_domain(":precondition (on ?p sink)\n", ":precondition (and)\n"), ""),
    (in_domain("    :precondition (on ?p sink)\n", ""), ""),
    (in_domain("(:action water", "(:action rest :parameters () :effect (and))\n(:action water"), ""),
    (in_domain("(:action water", "(:action rest :effect (free sink))\n(:action water"), "missing-parameters"),
    (in_domain("(:action water", "(:action rest :parameters ())\n(:action water"), "missing-effect"),
    (in_domain("?p - plant ?from", "?p -plant ?from"), "dash-glued"),
    (in_domain("?p - plant ?from", "?p- plant ?from"), "dash-glued"),
    (in_domain("thing - object\n", "\n"), "implicit-type"),
    (in_domain("thing - object\n", "object thing - object\n"), ""),
    (in_domain("plant bench - thing", "plant bench - thing plant - thing"), "duplicate-type"),
    (in_domain("(wet ?p)))", "(when (on ?p sink) (when (free sink) (wet ?p)))))"), "nested-when missing-requirement"),
    (in_domain("sink - bench)", "sink - bench)\n(:constants tap - bench)"), "duplicate-section"),
    (in_domain("?b - bench)\n               (wet", "?b - (either bench plant))\n               (wet"), ""),
    (in_domain("(wet ?p)))", "(and (wet ?p) (not (wet ?p)))))"), "contradictory-effect"),
]


@pytest.mark.parametrize(("changed", "codes"), ACCEPTED, ids=range(len(ACCEPTED)))
def test_what_the_field_is_lenient_about_is_accepted(changed: Changed, codes: str) -> None:
    result = changed.result()
    assert result.ok, errors(result)[0].as_text()
    assert sorted(found.code for found in warnings(result)) == sorted(codes.split())
    assert all(found.hint for found in warnings(result))
    assert result.domain is not None
    assert [action.name for action in result.domain.actions if action.name != "rest"] == ["move", "water"]


def test_sections_may_come_in_any_order() -> None:
    head, *sections = DOMAIN.rstrip()[:-1].split("\n  (:")
    reversed_domain = "\n  (:".join([head, *reversed(sections)]) + ")"
    assert Changed(domain=reversed_domain).result().ok
    assert Changed(domain=reversed_domain).result().domain != Changed().result().domain, "the actions changed places"


def test_a_type_an_object_and_a_predicate_may_share_a_name() -> None:
    domain = """(define (domain d) (:requirements :typing) (:types box - object) (:predicates (box ?box - box) (at))
      (:action box :parameters (?box - box) :precondition (box ?box) :effect (at)))"""
    problem = "(define (problem p) (:domain d) (:objects box - box) (:init (box box)) (:goal (at)))"
    result = Changed(domain=domain, problem=problem).result()
    assert not result.diagnostics


@pytest.mark.parametrize(
    "name", "define domain object1 forall-x either not-wet and1 goal init total-cost when2".split()
)
def test_names_may_look_like_keywords(name: str) -> None:
    domain = DOMAIN.replace("wet", name)
    problem = PROBLEM.replace("wet", name).replace("fern", "object-" + name)
    result = Changed(domain=domain, problem=problem).result()
    assert not result.diagnostics, result.diagnostics[0].as_text()


def test_a_condition_becomes_the_tree_it_says() -> None:
    text = """(and (or (wet ?p) (not (free sink))) (imply (on ?p sink) (= ?p ?p))
                   (forall (?x - plant ?b) (on ?x sink)) (exists (?x - (either plant bench)) (and)))"""
    result = in_domain("(on ?p sink)\n", text + "\n").result()
    assert result.domain is not None
    wet, free, on = Atom("wet", ("?p",)), Atom("free", ("sink",)), Atom("on", ("?p", "sink"))
    assert result.domain.action_by_name["water"].precondition == And(
        (
            Or((wet, Not(free))),
            Imply(on, Atom("=", ("?p", "?p"))),
            Forall((TypedName("?x", ("plant",)), TypedName("?b")), Atom("on", ("?x", "sink"))),
            Exists((TypedName("?x", ("plant", "bench")),), And(())),
        )
    )


def test_nested_effects_become_flat_ones() -> None:
    text = "(forall (?x - plant) (and (wet ?x) (when (free sink) (and (not (on ?x sink)) (wet ?p)))))"
    result = in_domain("(wet ?p)))", text + "))").result()
    assert result.domain is not None
    variables = (TypedName("?x", ("plant",)),)
    condition = Atom("free", ("sink",))
    assert [
        (str(effect.atom), effect.positive, effect.condition, effect.variables)
        for effect in result.domain.action_by_name["water"].effects
    ] == [
        ("(wet ?x)", True, And(()), variables),
        ("(on ?x sink)", False, condition, variables),
        ("(wet ?p)", True, condition, variables),
    ]
