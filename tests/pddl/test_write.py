"""The canonical writer: what it writes reads back as the same tree, and writing again changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from strategies import tasks

from groundplan.pddl import Domain, Problem, Source, Task, check_sources, write_domain, write_problem
from groundplan.pddl.ast import (
    Action,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    FunctionTerm,
    Imply,
    Not,
    Number,
    NumericEffect,
    Or,
    TypedName,
)
from groundplan.pddl.write import number, write_action, write_formula
from mutate_reader import meaning, seeds
from own_tasks import OWN_TASKS


def read_back(domain: str, problem: str) -> Task:
    result = check_sources(Source(domain, "domain"), Source(problem, "problem"))
    assert result.ok, result.diagnostics[0].as_text()
    return result.task()


@given(tasks())
def test_a_written_task_reads_as_the_same_tree(task: Task) -> None:
    domain, problem = write_domain(task.domain), write_problem(task.problem)
    again = read_back(domain, problem)
    assert again.domain == task.domain
    assert again.problem == task.problem
    assert (write_domain(again.domain), write_problem(again.problem)) == (domain, problem)


def rewritten(domain: str, problem: str) -> None:
    """Write what was read, read it again: the same but for the requirements, which the writer works out itself."""
    first = check_sources(Source(domain, "domain"), Source(problem, "problem"))
    assert first.readable, first.diagnostics[0].as_text()
    task = first.task()
    texts = write_domain(task.domain), write_problem(task.problem)
    again = read_back(*texts)
    assert meaning(again.domain, again.problem) == meaning(task.domain, task.problem)
    assert (write_domain(again.domain), write_problem(again.problem)) == texts
    codes = {found.code for found in check_sources(Source(texts[0]), Source(texts[1])).diagnostics}
    assert "missing-requirement" not in codes


@pytest.mark.parametrize("name", OWN_TASKS)
def test_our_own_tasks_are_rewritten_without_loss(name: str) -> None:
    rewritten(*OWN_TASKS[name])


def test_public_tasks_are_rewritten_without_loss(data_dir: Path) -> None:
    pairs = seeds(data_dir)
    assert len(pairs) > 15
    for domain, problem in pairs:
        rewritten(domain, problem)


def test_the_text_of_a_domain_is_laid_out_for_people() -> None:
    domain, problem = (
        """(DEFINE (Domain d) (:types a - object b - a) (:constants k - b) (:predicates (P ?x - a) (q))
           (:action go :parameters (?x - b ?y) :precondition (and (p ?x) (not (q)))
             :effect (and (q) (when (q) (not (p ?x))) (when (q) (p k)) (forall (?z - a) (p ?z)))))""",
        "(define (problem e) (:domain d) (:objects o - b) (:init (p o) (not (q))) (:goal (exists (?x - a) (p ?x))))",
    )
    task = read_back(domain, problem)
    assert write_domain(task.domain) == (
        "(define (domain d)\n"
        "  (:requirements :strips :typing :negative-preconditions :conditional-effects)\n"
        "  (:types a - object b - a)\n"
        "  (:constants k - b)\n"
        "  (:predicates\n"
        "    (p ?x - a)\n"
        "    (q))\n"
        "  (:action go\n"
        "    :parameters (?x - b ?y - object)\n"
        "    :precondition (and (p ?x) (not (q)))\n"
        "    :effect (and (q) (when (q) (and (not (p ?x)) (p k))) (forall (?z - a) (p ?z)))))\n"
    )
    assert write_problem(task.problem) == (
        "(define (problem e)\n"
        "  (:domain d)\n"
        "  (:objects o - b)\n"
        "  (:init\n"
        "    (p o)\n"
        "    (not (q)))\n"
        "  (:goal (exists (?x - a) (p ?x))))\n"
    )


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (And(()), "(and)"),
        (Or(()), "(or)"),
        (And((Atom("a"),)), "(and (a))"),
        (Imply(Not(Atom("a", ("?x",))), Atom("=", ("?x", "k"))), "(imply (not (a ?x)) (= ?x k))"),
        (
            Forall((TypedName("?x", ("t", "u")), TypedName("?y")), Atom("b")),
            "(forall (?x - (either t u) ?y - object) (b))",
        ),
        (Exists((TypedName("?x"), TypedName("?y")), Atom("b")), "(exists (?x ?y) (b))"),
    ],
)
def test_a_condition_is_written_as_it_is(formula: Formula, text: str) -> None:
    assert write_formula(formula) == text


def test_numbers_are_whole_where_they_can_be() -> None:
    assert [number(value) for value in (0.0, -0.0, 3.0, 2.5, 1e20, 1e-7)] == [
        "0",
        "0",
        "3",
        "2.5",
        "100000000000000000000",
        "1e-07",
    ]


def test_a_lone_cost_stands_in_an_and() -> None:
    cost = NumericEffect("increase", FunctionTerm("total-cost"), Number(2.0))
    assert ":effect (and (increase (total-cost) 2))" in write_action(Action("pay", numeric_effects=(cost,)))


def test_what_has_no_name_gets_one() -> None:
    assert write_domain(Domain("")).startswith("(define (domain unnamed)")
    assert write_problem(Problem("")).startswith("(define (problem unnamed)\n  (:domain unnamed)")
