"""Names declared once and used as declared: types, predicates, objects, variables, arities."""

from __future__ import annotations

import pytest
from greenhouse import DOMAIN, PROBLEM, Changed, assert_found, errors, in_domain, in_problem, warnings
from hypothesis import given
from strategies import tasks

from groundplan.errors import PddlError
from groundplan.pddl import Category, Task, domain_from_text, task_from_text, write_domain, write_problem

DERIVED = DOMAIN.replace("(free ?b - bench))", "(free ?b - bench) (dry ?p - plant))")
DERIVED = DERIVED.replace("  (:action move", "  (:derived (dry ?p - plant) (not (wet ?p)))\n  (:action move", 1)


def with_derived(old: str, new: str) -> Changed:
    return Changed(domain=DERIVED.replace(old, new))


UNDECLARED = [
    (in_domain("(free ?to))\n    :e", "§(fre ?to))\n    :e"), "unknown-predicate", "did you mean `free`?"),
    (in_domain("(wet ?p)))", "§(moist ?p)))"), "unknown-predicate", "or use one of `on`, `wet`, `free`"),
    (in_problem("(wet fern)", "§(wett fern)"), "unknown-predicate", "did you mean `wet`?"),
    (in_problem("(free sink)", "§(vacant sink)"), "unknown-predicate", "declare it in `:predicates`"),
    (in_problem("(wet fern)", "(or §(warm fern) (warm ivy))"), "unknown-predicate", "declare it in `:predicates`"),
    (in_domain("(on ?p sink)\n", "§(plant ?p)\n"), "type-as-predicate", "drop this condition"),
    (in_problem("(on ivy right)", "(on §ivvy right)"), "unknown-object", "did you mean `ivy`?"),
    (in_problem("(wet fern)", "(wet §cactus)"), "unknown-object", "declare it in `:objects`"),
    (in_domain("(on ?p sink)\n", "(on ?p §snk)\n"), "unknown-constant", "did you mean `sink`?"),
    (in_domain("(on ?p sink)\n", "(on §p sink)\n"), "unknown-constant", "did you mean the variable `?p`?"),
    (in_domain("(on ?p sink)\n", "(on §?plant sink)\n"), "unbound-variable", "add it to `:parameters`"),
    (in_domain("(wet ?p)))", "(wet §?q)))"), "unbound-variable", "add it to `:parameters`"),
    (in_problem("(wet fern)", "(wet §?p)"), "variable-not-allowed", "write the name of an object"),
    (in_problem("(free sink)", "(free §?b)"), "variable-not-allowed", "write the name of an object"),
    (in_domain("(?p - plant)\n", "(?p - §plnt)\n"), "unknown-type", "did you mean `plant`?"),
    (in_domain("(free ?b - bench)", "(free ?b - §spot)"), "unknown-type", "declare it in `:types`"),
    (in_domain("sink - bench", "sink - §bunch"), "unknown-type", "did you mean `bench`?"),
    (in_problem("ivy - plant", "ivy - §plants"), "unknown-type", "did you mean `plant`?"),
    (in_problem("(wet fern)", "(exists (?x - §weed) (on ?x left))"), "unknown-type", "declare it in `:types`"),
    (in_problem("(free sink)", "(= §(weight fern) 3)"), "unknown-function", "declare it in `:functions`"),
]
MISUSED = [
    (in_domain("(on ?p sink)\n", "§(on ?p)\n"), "wrong-arity", "takes 2 arguments, here it has 1"),
    (in_domain("(wet ?p)))", "§(wet ?p ?p)))"), "wrong-arity", "declared as `(wet ?p - plant)`"),
    (in_problem("(wet fern)", "§(wet)"), "wrong-arity", "takes 1 argument, here it has 0"),
    (in_problem("(free sink)", "§(free sink left)"), "wrong-arity", "takes 1 argument, here it has 2"),
    (in_domain("(on ?p sink)\n", "(on §sink ?p)\n"), "type-mismatch", "`sink` is of type `bench`, `plant` is wanted"),
    (in_domain("(wet ?p)))", "(wet §sink)))"), "type-mismatch", "declared as `(wet ?p - plant)`"),
    (in_problem("(on ivy right)", "(on §right ivy)"), "type-mismatch", "`ivy` is of type `plant`, `bench` is wanted"),
    (in_problem("(wet fern)", "(wet §left)"), "type-mismatch", "`left` is of type `bench`"),
    (with_derived(":effect (wet ?p)", ":effect (not §(dry ?p))"), "derived-in-effect", "derived from"),
    (Changed(DERIVED, in_problem("(free sink)", "§(dry fern)").problem), "derived-in-init", "`:init` cannot set it"),
    (
        with_derived("(dry ?p - plant) (not (wet ?p))", "(§dry ?p - plant) (not (dry ?p))"),
        "derived-from-own-absence",
        "`not` of itself",
    ),
    (in_problem("(free sink)", "(free sink) (not §(free sink))"), "contradictory-init", "true in line 5, column 40"),
]
COSTS = DOMAIN.replace("  (:action move", "  (:functions (total-cost) (way ?a ?b - bench))\n  (:action move")
COSTS = COSTS.replace(":typing", ":typing :action-costs")


def with_cost(effect: str, value: str = "1") -> Changed:
    """An action with a cost effect, a function with a value, and a metric."""
    domain = COSTS.replace(":effect (wet ?p)", f":effect (and (wet ?p) {effect})")
    problem = PROBLEM.replace("(free sink)", f"(free sink) (= (total-cost) 0) (= (way left right) {value})")
    return Changed(domain, problem.replace("left))))", "left))) (:metric minimize (total-cost)))"))


COST = [
    (with_cost("(increase (total-cost) §-2)"), "negative-cost", "until none is negative"),
    (
        with_cost("(increase (total-cost) (way §?p sink))"),
        "type-mismatch",
        "`?p` is of type `plant`, `bench` is wanted",
    ),
    (with_cost("(increase (total-cost) §(way sink))"), "wrong-arity", "function `way` takes 2 arguments"),
    (with_cost("(increase (total-cost) §(wey sink sink))"), "unknown-function", "did you mean `way`?"),
    (with_cost("§(increase (total-cost) (+ 1 2))"), "unsupported-feature", "arithmetic in an action cost"),
    (with_cost("(when (wet ?p) §(increase (total-cost) 1))"), "unsupported-feature", "conditional action cost"),
    (
        with_cost("(increase (total-cost) 1)", "1) §(= (way left right) 2"),
        "contradictory-init",
        "is 2 here and 1 in line 5",
    ),
    (Changed(domain=COSTS.replace("(total-cost)", "(total-cost) (§total-cost)")), "duplicate-function", "rename it"),
]

TWICE = [
    (in_domain("(:action water", "(:action §Move"), "duplicate-action", "rename it"),
    (in_domain("(wet ?p - plant)", "(wet ?p - plant) (§WET)"), "duplicate-predicate", "rename it"),
    (in_domain("sink - bench", "sink §sink - bench"), "duplicate-constant", "rename it"),
    (in_problem("fern ivy", "fern §fern ivy"), "duplicate-object", "first in line 3, column 13"),
    (in_problem("fern ivy", "fern §Fern ivy"), "duplicate-object", "PDDL ignores case"),
    (in_problem("- bench)", "§fern - bench)"), "duplicate-object", "first as `plant`, now as `bench`"),
    (in_problem("fern ivy", "fern ivy §sink"), "duplicate-object", "is a constant of type `bench` in the domain"),
    (in_domain("(?p - plant ?from ?to", "(?p - plant ?from ?to §?to"), "duplicate-parameter", "give each its own name"),
    (in_problem("(wet fern)", "(forall (?x §?x - plant) (wet ?x))"), "duplicate-parameter", "give each its own name"),
    (
        in_domain("(wet ?p)))", "(forall (?x - plant) (forall §(?x - bench) (wet ?p)))))"),
        "duplicate-parameter",
        "another name",
    ),
    (in_domain("thing - object", "§thing - bench"), "cyclic-type", "thing - bench - thing"),
    (in_domain("thing - object", "§thing - thing"), "cyclic-type", "ends at `object`"),
    (in_domain("thing - object", "§thing - object object - thing"), "cyclic-type", "thing - object - thing"),
]

REJECTED = [*UNDECLARED, *MISUSED, *COST, *TWICE]


@pytest.mark.parametrize(("changed", "codes", "hint"), REJECTED, ids=range(len(REJECTED)))
def test_the_fault_is_found_at_its_place(changed: Changed, codes: str, hint: str) -> None:
    assert_found(errors(changed.result()), changed, codes, hint)


WARNED = [
    (in_domain("?p - plant ?b - bench)", "?p - plant §?p - bench)"), "duplicate-parameter"),
    (in_problem("(wet fern)", "(exists (?x - thing) (wet §?x))"), "type-too-wide"),
    (in_domain("(on ?p sink)\n", "(exists (§?p - plant) (on ?p sink))\n"), "shadowed-variable missing-requirement"),
    (in_domain("(wet ?p)))", "(and (wet ?p) (not §(wet ?p)))))"), "contradictory-effect"),
    (in_problem("(wet fern)", "(and (wet fern) (not §(wet fern)))"), "contradictory-condition"),
    (in_domain("(free ?b - bench)", "(free ?b - bench) (§= ?a ?b)"), "predeclared"),
    (with_cost("(increase (total-cost) §2.5)"), "fractional-cost"),
]


@pytest.mark.parametrize(("changed", "codes"), WARNED, ids=range(len(WARNED)))
def test_the_doubtful_is_warned_of_at_its_place(changed: Changed, codes: str) -> None:
    result = changed.result()
    assert result.ok, errors(result)[0].as_text()
    found = [item for item in warnings(result) if item.code == codes.split()[0]]
    assert_found(found, changed, codes.split()[0], "")


def test_a_parameter_of_a_wider_type_is_no_fault_in_a_condition_but_in_an_effect() -> None:
    result = in_domain("(?p - plant)\n", "(?p - thing)\n").result()
    assert [(found.code, found.line) for found in result.diagnostics] == [("type-too-wide", 16), ("type-mismatch", 17)]


def test_an_either_object_must_fit_on_every_side() -> None:
    result = in_problem("ivy - plant", "ivy - (either plant bench)").result()
    assert {found.code for found in errors(result)} == {"type-mismatch"}
    assert "`fern` is of type `plant` or `bench`, `plant` is wanted" in errors(result)[0].message


def test_a_supertype_that_swallows_others_is_warned_of() -> None:
    domain = DOMAIN.replace(
        "thing - object\n          plant bench - thing", "bench\n          plant\n          cactus - green"
    )
    found = [item for item in warnings(Changed(domain=domain).result()) if item.code == "swallowed-type"]
    assert [item.hint for item in found] == ["if that is not meant, write `bench plant - object  cactus - green`"]
    assert (found[0].line, found[0].column) == (3, 11)


def test_one_undeclared_name_is_one_error_but_every_misspelling_is_shown() -> None:
    assert len(errors(Changed(problem=PROBLEM.replace("fern ivy", "ivy")).result())) == 1
    misspelt = Changed(problem=PROBLEM.replace("fern ivy", "ferns ivy")).result()
    assert [found.code for found in errors(misspelt)] == ["unknown-object"] * 3


def test_objects_without_any_type_are_told_of_once_each() -> None:
    untyped = in_problem("fern ivy - plant\n            left right - bench", "fern ivy left right")
    found = errors(untyped.result())
    assert [item.code for item in found] == ["type-mismatch"] * 2, "one fact tells of two objects"
    assert found[0].hint == "declare `fern` with its type: `fern - plant`"


def test_one_unbound_variable_is_one_error_an_action() -> None:
    changed = in_domain("?from ?to - bench)", "?to - bench)")
    assert [found.code for found in errors(changed.result())] == ["unbound-variable"]


def test_a_glued_parameter_is_explained() -> None:
    found = errors(in_domain("?p - plant ?from", "?p-plant ?from").result())
    assert [item.code for item in found] == ["unbound-variable"]
    assert "write `?p - plant` where `?p-plant` is declared" in found[0].hint


def test_every_category_of_the_paper_that_a_text_can_show() -> None:
    texts = {
        Category.SYNTAX: Changed(domain=DOMAIN[:-4]),
        Category.OBJECT: in_problem("(wet fern)", "(wet cactus)"),
        Category.PREDICATE: in_problem("(wet fern)", "(wet)"),
        Category.CONDITION: in_domain("(on ?p sink)", "(when (on ?p sink) (wet ?p))"),
        Category.GOAL: in_problem("(and (wet fern)\n              (on fern left))", "()"),
    }
    assert {errors(changed.result())[0].category: changed for changed in texts.values()} == texts


def test_refused_text_raises_with_the_place_and_all_findings() -> None:
    text = in_domain("(wet ?p)))", "(moist ?p)))").domain
    with pytest.raises(PddlError, match=r"domain:17:13: error: predicate `moist`") as caught:
        task_from_text(text, PROBLEM)
    assert [found.code for found in caught.value.diagnostics] == ["unknown-predicate"]
    with pytest.raises(PddlError, match="moist"):
        domain_from_text(text)


@given(tasks())
def test_random_well_typed_tasks_are_accepted(task: Task) -> None:
    read = task_from_text(write_domain(task.domain), write_problem(task.problem))
    assert read == task
