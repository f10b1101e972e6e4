"""Costumes of every benchmark domain: the same tasks, to the last detail, and plans that come back valid."""

from __future__ import annotations

import pytest

from groundplan.bench.genplan.generator import DOMAINS, generate
from groundplan.generalize.renaming import anonymised, apply, plan_back, random_costume, renamed_objects
from groundplan.pddl import check_sources, write_domain, write_problem
from groundplan.pddl.source import Source
from groundplan.pddl.validate import validate_plan
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Limits

EASY = ("blocksworld", "ferry", "gripper", "heavy", "logistics", "miconic")
"""Domains whose small tasks the engine without installation solves at once."""


@pytest.mark.parametrize("name", DOMAINS)
def test_there_and_back(name: str) -> None:
    task = generate(name, "small", 3)
    for renaming in (anonymised(task.domain, [task.problem], seed=1), random_costume(task.domain, 2, [task.problem])):
        other = apply(renaming, task)
        assert apply(renaming.inverse, other) == task
        before = check_sources(Source(write_domain(task.domain)), Source(write_problem(task.problem)))
        after = check_sources(Source(write_domain(other.domain)), Source(write_problem(other.problem)))
        assert [found.code for found in after.diagnostics] == [found.code for found in before.diagnostics]
        assert after.task().problem.init == other.problem.init
        assert len(write_domain(other.domain).split()) == len(write_domain(task.domain).split())


@pytest.mark.parametrize("name", EASY)
def test_plans_of_costumed_tasks_solve_the_old_ones(name: str) -> None:
    task = generate(name, "small", 0)
    for renaming in (anonymised(task.domain, [task.problem]), renamed_objects(task, 4)):
        plan = BuiltinEngine().solve(apply(renaming, task), Limits(10, 10)).plan
        assert plan is not None
        assert validate_plan(task, plan_back(renaming, plan)).is_valid
