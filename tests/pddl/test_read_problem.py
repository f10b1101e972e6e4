"""Problems: what is refused and where, and what is accepted with a warning at most."""

from __future__ import annotations

import pytest
from greenhouse import DOMAIN, PROBLEM, Changed, assert_found, errors, in_domain, in_problem, warnings

from groundplan.pddl.ast import FunctionTerm, FunctionValue, Metric

COSTS = DOMAIN.replace(
    "  (:action move", "  (:functions (total-cost) - number (way ?a ?b - bench) - number)\n  (:action move"
)
COSTS = COSTS.replace(":typing", ":typing :action-costs").replace(
    "(wet ?p)))", "(and (wet ?p) (increase (total-cost) 2))))"
)


def with_costs(old: str, new: str) -> Changed:
    return Changed(domain=COSTS, problem=in_problem(old, new).problem)


REJECTED = [
    (Changed(problem=PROBLEM[: PROBLEM.index("  (:goal")] + "§)"), "missing-goal", "write `(:goal"),
    (in_problem("(and (wet fern)\n              (on fern left))", "§()"), "empty-goal", "no goal is given"),
    (Changed(problem=PROBLEM[: PROBLEM.index("  (:goal")] + "§(:goal))"), "empty-goal", "is empty"),
    (
        in_problem("(and (wet fern)\n              (on fern left))", "(wet fern) §(wet ivy)"),
        "missing-operator",
        "(and ...)",
    ),
    (in_problem("(and (wet fern)", "§((wet fern)"), "missing-operator", "write `(and ...)`"),
    (in_problem("(:goal", "(:goal (wet ivy))\n(§:goal"), "repeated-section", "keep one, or join the two"),
    (in_problem("(and (wet fern)\n              (on fern left))", "§wet fern"), "bare-word", "write `(wet fern)`"),
    (in_problem("fern ivy - plant", "§fern: plant ivy - plant"), "bad-name", "`fern - type`"),
    (in_problem("(on ivy right)", "(on ivy §- plant right - bench)"), "type-in-atom", "drop it"),
    (in_problem("(:goal", "(§:goal-state"), "unknown-section", "did you mean `:goal`?"),
    (in_problem("(:objects", "(§:objets"), "unknown-section", "did you mean `:objects`?"),
    (in_problem("(:objects", "(§objects"), "stray-form", "write `(:objects ...)`"),
    (in_problem("(:objects", "(§:action a)\n(:objects"), "unknown-section", "belongs into the domain"),
    (in_problem("(:init", "(§:start"), "unknown-section", "did you mean `:init`?"),
    (in_problem("(:domain greenhouse)", "§(:domain)"), "missing-name", "write `(:domain name)`"),
    (
        in_problem("(:init (on fern left) (on ivy right) (free sink))", "(:init (§and (on fern left) (free sink)))"),
        "and-in-init",
        "list the atoms",
    ),
    (in_problem("(free sink)", "§((free sink) (free left))"), "missing-operator", "one after another"),
    (in_problem("(free sink)", "(free sink) §()"), "empty-form", "delete them"),
    (in_problem("(free sink)", "§(or (free sink) (free left))"), "not-in-init", "write out every fact"),
    (in_problem("(free sink)", "§(forall (?b - bench) (free ?b))"), "not-in-init", "write out every fact"),
    (in_problem("(free sink)", "§(not)"), "wrong-part-count", "drop it"),
    (in_problem("(free sink)", "§(= total-cost 0)"), "bad-value", "`(= (total-cost) 0)`"),
    (in_problem("(free sink)", "§(= fern ivy)"), "bad-value", "objects of different names differ anyway"),
    (in_problem("(free sink)", "§(= (total-cost) 1e999)"), "bad-value", "number"),
    (in_problem("(free sink)", "§(= (total-cost) 1_000)"), "bad-value", "number"),
    (in_problem("(free sink)", "§(= (room-of fern) left)"), "unsupported-feature", "object fluent"),
    (in_problem("left))))", "left)))\n (§:metrics minimize (total-cost)))"), "unknown-section", "`:metric`"),
    (in_problem("left))))", "left)))\n §(:metric minimise (total-cost)))"), "bad-metric", "(:metric minimize"),
    (in_problem("left))))", "left)))\n §(:metric (total-cost)))"), "bad-metric", "(:metric minimize"),
    (in_problem("(free sink)", "§(at 5 (free sink))"), "unsupported-feature", "timed initial literal"),
    (in_problem("(free sink)", "§(oneof (free sink) (free left))"), "unsupported-feature", "uncertain initial state"),
    (in_problem("left))))", "left)))\n §(:constraints (and)))"), "unsupported-feature", "trajectory constraint"),
    (in_problem("(wet fern)", "§(preference p1 (wet fern))"), "unsupported-feature", "preference"),
    (with_costs("left))))", "left)))\n §(:metric maximize (total-cost)))"), "unsupported-feature", "numeric metric"),
]


@pytest.mark.parametrize(("changed", "codes", "hint"), REJECTED, ids=range(len(REJECTED)))
def test_the_fault_is_found_at_its_place(changed: Changed, codes: str, hint: str) -> None:
    assert_found(errors(changed.result()), changed, codes, hint)


ACCEPTED = [
    (in_problem("  (:domain greenhouse)\n", ""), "missing-domain"),
    (in_problem("(:domain greenhouse)", "(:domain green)"), "other-domain"),
    (in_problem("(:domain greenhouse)", "(:domain GreenHouse)"), ""),
    (in_problem("  (:init (on fern left) (on ivy right) (free sink))\n", ""), "missing-init"),
    (in_problem("(:init (on fern left) (on ivy right) (free sink))", "(:init)"), ""),
    (in_problem("(:objects", "(:requirements :strips)\n(:objects"), ""),
    (in_problem("(:objects", "(:objects oak - plant)\n(:objects"), "duplicate-section"),
    (in_problem("(free sink)", "(free sink) (not (free left))"), ""),
    (in_problem("(free sink)", "(free sink) (free sink)"), ""),
    (in_problem("left right", "left right sink"), "constant-redeclared"),
    (in_problem("(and (wet fern)\n              (on fern left))", "(and)"), "empty-goal"),
    (
        in_problem("(and (wet fern)\n              (on fern left))", "(and (on fern left) (free sink))"),
        "goal-already-true",
    ),
    (in_problem("(and (wet fern)\n              (on fern left))", "(wet fern)"), ""),
    (in_problem("(wet fern)", "(exists (?x - plant) (not (wet ?x)))"), ""),
    (in_problem("(wet fern)", "(exists (?x) (wet ?x))"), "type-too-wide"),
    (in_problem("(wet fern)", "(and (wet fern) (not (wet fern)))"), "contradictory-condition"),
    (in_problem("(free sink)", "(= (total-cost) 0)"), "undeclared-total-cost"),
    (
        in_problem("left))))", "left)))\n (:metric minimize (total-cost)))"),
        "cost-never-increased undeclared-total-cost",
    ),
    (in_problem("left))))", "left)))\n (:metric minimize (total-time)))"), "total-time-metric"),
    (with_costs("free sink", "free sink"), "costs-without-metric"),
    (with_costs("left))))", "left)))\n (:metric minimize (total-cost)))"), ""),
    (in_problem("(free sink)", " ".join(["(not (free left))"] * 3)), ""),
    (in_problem("left))))", "left)))\n (:length (:serial 3)))"), ""),
]


@pytest.mark.parametrize(("changed", "codes"), ACCEPTED, ids=range(len(ACCEPTED)))
def test_what_the_field_is_lenient_about_is_accepted(changed: Changed, codes: str) -> None:
    result = changed.result()
    assert result.ok, errors(result)[0].as_text()
    assert sorted(found.code for found in warnings(result)) == codes.split()
    assert all(found.hint for found in warnings(result))
    assert result.task().problem is result.problem


def test_values_and_metric_are_read() -> None:
    changed = with_costs("(free sink))", "(free sink) (= (total-cost) 0) (= (way left SINK) 2.5))")
    problem = Changed(changed.domain, changed.problem.replace("left))))", "left))) (:metric minimize (total-cost)))"))
    read = problem.result().task().problem
    assert read.values == (
        FunctionValue(FunctionTerm("total-cost"), 0.0),
        FunctionValue(FunctionTerm("way", ("left", "sink")), 2.5),
    )
    assert read.metric == Metric("minimize", FunctionTerm("total-cost"))


def test_a_problem_is_read_without_its_domain() -> None:
    changed = Changed(domain="")
    result = changed.result()
    assert [found.code for found in errors(result)] == ["empty-text"]
    assert result.domain is None
    assert result.problem is not None
    assert [item.name for item in result.problem.objects] == ["fern", "ivy", "left", "right"]


def test_a_problem_is_not_blamed_for_a_domain_that_was_cut_off() -> None:
    cut = DOMAIN[: DOMAIN.index("(free ?b")]
    assert [found.source.name for found in errors(Changed(domain=cut).result())] == ["domain"]


def test_a_problem_is_checked_against_a_domain_with_faults_elsewhere() -> None:
    changed = Changed(
        domain=in_domain("(wet ?p)))", "§(moist ?p)))").domain, problem=in_problem("(wet fern)", "§(wat fern)").problem
    )
    assert_found(errors(changed.result()), changed, "unknown-predicate unknown-predicate", "did you mean `wet`?")
