"""The field cases of reading, typing and diagnosis: what their expected.md asks of the reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from groundplan.pddl import CheckResult, Source, check_sources, read_source, task_from_text, write_domain, write_problem

Case = Callable[..., CheckResult]


@pytest.fixture
def case(shared_dir: Path) -> Case:
    def check(folder: str, problem: str = "problem", domain: str = "domain") -> CheckResult:
        root = shared_dir / "cases" / folder
        return check_sources(read_source(root / f"{domain}.pddl"), read_source(root / f"{problem}.pddl"))

    return check


def errors(result: CheckResult) -> list[tuple[str, int]]:
    return [(found.code, found.line) for found in result.diagnostics if found.is_error]


def warnings(result: CheckResult) -> list[tuple[str, int]]:
    return [(found.code, found.line) for found in result.diagnostics if not found.is_error]


def test_mark_and_windows_line_ends(case: Case, shared_dir: Path) -> None:
    result = case("bom-crlf-tabs")
    assert not result.diagnostics
    root = shared_dir / "cases" / "bom-crlf-tabs"
    plain = [
        (root / name).read_text("utf-8-sig").replace("\r\n", "\n").replace("\t", " ")
        for name in ("domain.pddl", "problem.pddl")
    ]
    assert task_from_text(*plain) == result.task()
    broken = (root / "problem.pddl").read_bytes().decode("utf-8-sig").replace(":goal", ":gaol")
    found = check_sources(Source((root / "domain.pddl").read_bytes().decode("utf-8-sig")), Source(broken)).diagnostics
    assert broken.split("\r\n")[found[0].line - 1].count(":gaol") == 1, "CRLF must not double the line numbers"


def test_brackets_in_comments_never_count(case: Case) -> None:
    assert not case("comment-with-parens").diagnostics


def test_a_surplus_bracket_is_named_with_what_it_hides(case: Case) -> None:
    result = case("surplus-paren-hides-actions")
    assert errors(result) == [("surplus-bracket", 9)]
    found = result.diagnostics[0]
    assert "`(:action bake` in line 10" in found.message
    assert "line 14 closes nothing" in found.message
    assert result.domain is not None
    assert [action.name for action in result.domain.actions] == ["load", "bake"]


def test_a_reply_cut_off_is_named_as_such(case: Case) -> None:
    result = case("reply-cut-off")
    assert [code for code, _ in errors(result)] == ["text-ends-early"]
    found = result.diagnostics[0]
    assert "ends early, inside `:goal` (opened in line 8): 4 brackets are open" in found.message
    assert "give the whole text again" in found.hint
    assert result.problem is not None
    assert "(in b2)" not in write_problem(result.problem), "nobody wrote an atom with one argument"


def test_empty_and_missing_parts_lose_no_action(case: Case) -> None:
    result = case("empty-and-missing-parts")
    assert result.ok
    assert [code for code, _ in warnings(result)] == ["missing-parameters"]
    assert len(result.task().domain.actions) == 5


def test_and_in_init(case: Case) -> None:
    result = case("init-with-and")
    assert errors(result) == [("and-in-init", 3)]
    assert "list the atoms" in result.diagnostics[0].hint
    assert result.problem is not None
    assert len(result.problem.init) == 2, "the repair is plain, so reading goes on with it"


def test_objects_that_differ_in_case_only(case: Case) -> None:
    result = case("case-clash-objects")
    assert errors(result) == [("duplicate-object", 2)]
    message = result.diagnostics[0].message
    assert "first as `key`, now as `lock`; first in line 2, column 13" in message
    assert "`A` and `a` are the same name" in message


def test_constants_may_be_used_and_should_not_be_declared_again(case: Case) -> None:
    assert not case("constants-in-problem").diagnostics
    result = case("constants-in-problem", "problem_redeclared")
    assert result.ok
    assert warnings(result) == [("constant-redeclared", 2)] * 2
    assert all("in the domain (line 4, column" in found.message for found in result.diagnostics)
    assert [item.name for item in result.task().objects] == ["full", "half", "empty", "main", "spare"]


@pytest.mark.parametrize(
    ("problem", "code", "column"),
    [
        ("arity", "wrong-arity", 20),
        ("object", "unknown-object", 39),
        ("predicate", "unknown-predicate", 31),
        ("type", "type-mismatch", 24),
        ("variable", "variable-not-allowed", 28),
    ],
)
def test_five_kinds_of_wrong_atom_in_init(case: Case, problem: str, code: str, column: int) -> None:
    result = case("wrong-atoms-in-init", f"problem_{problem}")
    assert [(found.code, found.line, found.column) for found in result.diagnostics] == [(code, 3, column)]
    assert result.diagnostics[0].hint


def test_all_wrong_atoms_are_found_in_one_go(shared_dir: Path) -> None:
    root = shared_dir / "cases" / "wrong-atoms-in-init"
    lines = [
        (root / f"problem_{name}.pddl").read_text().splitlines()[2].strip()[len("(:init (at v1 x)") : -1]
        for name in ("arity", "object", "predicate", "type", "variable")
    ]
    text = "(define (problem all) (:domain couriers) (:objects v1 - van x y - place)\n (:init (at v1 x)\n"
    result = check_sources(
        read_source(root / "domain.pddl"), Source(text + "\n".join(lines) + ")\n (:goal (served y)))")
    )
    assert errors(result) == [
        ("wrong-arity", 3),
        ("unknown-object", 4),
        ("unknown-predicate", 5),
        ("type-mismatch", 6),
        ("variable-not-allowed", 7),
    ]


def test_either_is_read_in_full(case: Case) -> None:
    result = case("either")
    assert not result.diagnostics
    assert result.task().domain.action_by_name["load"].parameters[1].types == ("ship", "truck")
    domain = write_domain(result.task().domain)
    assert "?v - (either ship truck)" in domain
    mistyped = write_problem(result.task().problem).replace("(ready s1)", "(ready c1)")
    assert [code for code, _ in errors(check_sources(Source(domain), Source(mistyped)))] == ["type-mismatch"]


def test_a_cost_without_its_declaration(case: Case) -> None:
    result = case("cost-without-functions")
    assert result.ok
    assert sorted(warnings(result)) == [
        ("cost-never-increased", 4),
        ("undeclared-total-cost", 2),
        ("undeclared-total-cost", 4),
    ]
    assert any("every plan costs 0" in found.message for found in result.diagnostics)


def test_a_supertype_that_swallows_what_stands_before_it(case: Case, shared_dir: Path) -> None:
    result = case("supertype-swallows-earlier-types")
    assert result.ok
    assert warnings(result) == [("swallowed-type", 3), ("implicit-type", 5)]
    found = result.diagnostics[0]
    assert "`place`, `crate` became subtypes of `vehicle`" in found.message
    assert "`place crate - object  truck - vehicle`" in found.hint
    root = shared_dir / "cases" / "supertype-swallows-earlier-types"
    text = (root / "domain.pddl").read_text()
    start = text.index("(:types")
    mended = text[:start] + "(:types place crate - object  truck - vehicle)" + text[text.index(")", start) + 1 :]
    fixed = check_sources(Source(mended), read_source(root / "problem.pddl"))
    assert ("type-mismatch", 4) in errors(fixed), "with the fix, the goal `(at c1 dock)` is a type error"


@pytest.mark.parametrize(
    ("domain", "code", "line", "hint"),
    [
        ("domain_type_as_predicate", "type-as-predicate", 7, "drop this condition"),
        ("domain_eq", "foreign-word", 7, "(not (= ?a ?b))"),
        ("domain_true", "foreign-word", 7, "drop it"),
        ("domain_if", "foreign-word", 8, "write `(when condition effect)`"),
        ("domain_lisp", "quote-mark", 7, "drop it"),
    ],
)
def test_words_of_other_languages(case: Case, domain: str, code: str, line: int, hint: str) -> None:
    result = case("foreign-operators", domain=domain)
    assert errors(result)[0] == (code, line)
    first = next(found for found in result.diagnostics if found.is_error)
    assert hint in first.hint
    rest = errors(result)[1:]
    assert rest == ([("foreign-word", 8)] if domain == "domain_lisp" else [])


@pytest.mark.parametrize(
    ("pair", "kind", "file", "line"),
    [
        (("problem_numeric", "domain_numeric"), "numeric condition", "domain_numeric.pddl", 8),
        (("problem_durative", "domain_durative"), "durative action", "domain_durative.pddl", 4),
        (("problem_durative_til", "domain_durative"), "timed initial literal", "problem_durative_til.pddl", 1),
    ],
)
def test_features_beyond_classical_planning_are_named(
    case: Case, pair: tuple[str, str], kind: str, file: str, line: int
) -> None:
    result = case("beyond-classical", *pair)
    assert result.readable, "legal PDDL is no syntax error"
    assert {code for code, _ in errors(result)} == {"unsupported-feature"}
    places = {
        (Path(found.source.name).name, found.line)
        for found in result.unsupported
        if f"feature: {kind}" in found.message
    }
    assert (file, line) in places


def test_nested_when_is_joined(case: Case) -> None:
    result = case("nested-when")
    assert result.ok
    assert warnings(result) == [("nested-when", 10)]


@pytest.mark.parametrize(
    ("problem", "found"),
    [
        ("problem_and_empty", ("empty-goal", 5)),
        ("problem_bare", ("empty-goal", 5)),
        ("problem_nil", ("empty-goal", 5)),
        ("problem_no_goal", ("missing-goal", 4)),
        ("problem_same_as_init", ("goal-already-true", 5)),
    ],
)
def test_a_goal_that_is_none(case: Case, problem: str, found: tuple[str, int]) -> None:
    result = case("no-real-goal", problem)
    assert [(item.code, item.line) for item in result.diagnostics] == [found]
    assert result.ok is (problem in ("problem_and_empty", "problem_same_as_init"))


@pytest.mark.parametrize(
    ("folder", "problem"),
    [
        ("action-with-no-grounding", "problem"),
        ("blocked-way-one-direction", "problem"),
        ("goal-already-true", "problem"),
        ("exhausted-search-is-proof", "problem"),
        ("costs-without-metric", "problem"),
        ("add-and-delete-same-atom", "problem"),
        ("plan-file-dialects", "problem"),
        ("counts-in-words", "problem_candidate_forall"),
        ("solvable-but-not-what-was-asked", "problem_candidate_equivalent"),
        ("novelty-door-is-locked-now", "problem"),
        ("tool-failure-is-not-a-verdict", "problem"),
        ("policy-assumes-fixed-arity", "problem"),
    ],
)
def test_right_tasks_of_other_cases_are_accepted(case: Case, folder: str, problem: str) -> None:
    assert case(folder, problem).ok


def test_costs_without_a_metric_are_mentioned(case: Case) -> None:
    assert [code for code, _ in warnings(case("costs-without-metric", "problem_no_metric"))] == ["costs-without-metric"]


def test_adding_and_deleting_one_atom_is_only_mentioned(case: Case) -> None:
    result = case("add-and-delete-same-atom")
    assert {code for code, _ in warnings(result)} <= {"contradictory-effect"}
