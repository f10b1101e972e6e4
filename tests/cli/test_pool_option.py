"""`generalize --grow N --pool FILES`: counter-examples from tasks that the user names."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundplan.cli.generalize import pool_settings
from groundplan.errors import InputError, PddlError

DOMAIN = """(define (domain d) (:predicates (p ?x) (q ?x))
  (:action go :parameters (?x) :precondition (p ?x) :effect (q ?x)))"""
PROBLEM = "(define (problem {0}) (:domain d) (:objects a) (:init (p a)) (:goal (q a)))"


def test_a_directory_stands_for_its_problems_and_names_are_not_doubled(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    for name in ("p1", "p2", "p3"):
        (tmp_path / f"{name}.pddl").write_text(PROBLEM.format(name))
    found = pool_settings(DOMAIN, ["p1"], [tmp_path, tmp_path / "p3.pddl"], 2)["pool"]
    assert list(found) == [str(tmp_path / "p1"), "p2", "p3", str(tmp_path / "p3")]
    assert found["p2"] == PROBLEM.format("p2")
    assert pool_settings(DOMAIN, [], [], 0) == {}


def test_what_is_no_pool_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--grow"):
        pool_settings(DOMAIN, [], [tmp_path], 0)
    with pytest.raises(InputError, match="no problem file"):
        pool_settings(DOMAIN, [], [tmp_path], 1)
    (tmp_path / "bad.pddl").write_text(PROBLEM.format("bad").replace("(q a)", "(r a)"))
    with pytest.raises(PddlError, match=r"bad\.pddl"):
        pool_settings(DOMAIN, [], [tmp_path], 1)
