"""The contract that every instance generator keeps: the same suite for all benchmark domains."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from groundplan.bench.genplan.generator import (
    DOMAINS,
    SIZES,
    Size,
    benchmark_domain,
    domain_text,
    generate,
    generator,
)
from groundplan.bench.genplan.pool import benchmark_name
from groundplan.errors import InputError
from groundplan.pddl.ast import Atom, Task, conjuncts
from groundplan.pddl.read import check_sources, domain_from_text, read_task
from groundplan.pddl.source import Source
from groundplan.pddl.write import write_problem

THERE = [name for name in DOMAINS if find_spec(f"groundplan.bench.genplan.generators.{name}")]
"""Domains whose generator is written."""

every_domain = pytest.mark.parametrize("name", THERE)
LARGEST_READ = 20_000
"""Larger published files (in characters) add no other shapes, only time."""


def goals(task: Task) -> list[Atom]:
    parts = list(conjuncts(task.problem.goal))
    assert all(isinstance(part, Atom) for part in parts)
    return [part for part in parts if isinstance(part, Atom)]


@pytest.fixture(scope="session")
def published(data_dir: Path) -> Path:
    if not (data_dir / "genplan").is_dir():
        pytest.skip("the published instances are not beside this checkout")
    return data_dir / "genplan"


# --- domains --------------------------------------------------------------------------------------------------------


@every_domain
def test_the_domain_is_accepted_without_errors(name: str) -> None:
    assert not [found for found in check_sources(Source(domain_text(name))).diagnostics if found.is_error]


@every_domain
def test_the_domain_is_the_published_one_action_by_action(name: str, published: Path) -> None:
    theirs = domain_from_text((published / name / "domain.pddl").read_text("utf-8"))
    own = benchmark_domain(name)
    assert own.name == theirs.name
    for part in ("types", "constants", "predicates"):
        assert set(getattr(own, part)) == set(getattr(theirs, part))
    assert own.action_by_name == theirs.action_by_name
    assert benchmark_name(theirs) == name


@every_domain
def test_tasks_hold_the_kinds_of_objects_facts_and_goals_that_published_tasks_do(name: str, published: Path) -> None:
    paths = [path for path in sorted((published / name).glob("*/p*.pddl")) if path.stat().st_size < LARGEST_READ]
    theirs = [read_task(published / name / "domain.pddl", path) for path in paths]
    own = [generate(name, size, seed) for size in ("small", "large") for seed in range(8)]

    def kinds(tasks: list[Task]) -> tuple[set[object], ...]:
        return (
            {item.types for task in tasks for item in task.problem.objects},
            {fact.predicate for task in tasks for fact in task.problem.init},
            {atom.predicate for task in tasks for atom in goals(task)},
        )

    assert kinds(own) == kinds(theirs)


# --- tasks ----------------------------------------------------------------------------------------------------------


@every_domain
def test_twenty_small_tasks_are_accepted_unsolved_and_different(name: str) -> None:
    texts = set()
    for seed in range(20):
        task = generate(name, "small", seed)
        text = write_problem(task.problem)
        texts.add(text)
        result = check_sources(Source(domain_text(name)), Source(text))
        assert not [found for found in result.diagnostics if found.is_error], text
        assert result.problem == task.problem
        assert set(goals(task)) - set(task.problem.init), "the goal holds at the start"
    assert len(texts) == 20


@pytest.mark.parametrize("size", ["small", "large"])
@every_domain
def test_names_facts_and_goals_are_all_different(name: str, size: Size) -> None:
    task = generate(name, size, 1)
    for items in ([item.name for item in task.objects], task.problem.init, goals(task)):
        assert len(set(items)) == len(items)


@every_domain
def test_the_same_seed_gives_the_same_task(name: str) -> None:
    assert generate(name, "large", 7) == generate(name, "large", 7)
    assert generate(name, "large", 7).problem != generate(name, "large", 8).problem


def test_a_seed_means_the_same_in_every_process() -> None:
    code = (
        "from groundplan.bench.genplan.generator import generate\n"
        "from groundplan.pddl.write import write_problem\n"
        f"for name in {THERE!r}: print(write_problem(generate(name, 'small', 3).problem))\n"
    )

    def printed(hash_seed: str) -> str:
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        return run.stdout

    assert printed("1") == printed("2") != ""


@every_domain
def test_nothing_is_in_the_order_of_its_names(name: str) -> None:
    """Over several tasks: neither objects of a type, nor facts of a predicate, nor goals come sorted."""
    tasks = [generate(name, "large", seed) for seed in range(3)]
    for kind in {item.types for item in tasks[0].problem.objects}:
        orders = [[item.name for item in task.problem.objects if item.types == kind] for task in tasks]
        assert _too_few_to_tell(orders) or any(order != sorted(order) for order in orders)
    orders = [[str(atom) for atom in task.problem.init] for task in tasks]
    assert any(order != sorted(order) for order in orders)
    orders = [[str(atom) for atom in goals(task)] for task in tasks]
    assert _too_few_to_tell(orders) or any(order != sorted(order) for order in orders)


def _too_few_to_tell(orders: list[list[str]]) -> bool:
    return all(len(order) < 4 for order in orders)


# --- parameters -----------------------------------------------------------------------------------------------------


@every_domain
def test_all_sizes_have_the_same_parameters_and_ranges_that_hold_a_value(name: str) -> None:
    ranges = generator(name).ranges
    assert set(ranges) == set(SIZES)
    assert len({frozenset(bounds) for bounds in ranges.values()}) == 1
    assert all(low <= high for bounds in ranges.values() for low, high in bounds.values())


@every_domain
def test_sizes_grow(name: str) -> None:
    """A huge task has about ten times the objects of the least large one; that has more than a small one."""
    made = generator(name)
    least = {parameter: low for parameter, (low, _) in made.ranges["large"].items()}
    counts = {size: len(generate(name, size, 0).objects) for size in SIZES}
    assert counts["small"] < counts["large"] < counts["huge"]
    assert counts["huge"] >= 5 * len(generate(name, "large", 0, **least).objects)


@every_domain
def test_an_unknown_parameter_is_refused_with_a_hint(name: str) -> None:
    some = next(iter(generator(name).ranges["small"]))
    with pytest.raises(InputError, match=f"{name}: no parameter is called `{some}x`: did you mean `{some}`"):
        generate(name, "small", 0, **{f"{some}x": 3})


@every_domain
def test_parameters_without_a_solvable_task_are_refused_by_name(name: str) -> None:
    made = generator(name)
    for size in SIZES:
        nothing = dict.fromkeys(made.ranges[size], 0)
        with pytest.raises(InputError, match=f"^{name}: "):
            made.make(random.Random(0), **nothing)
        with pytest.raises(InputError, match=f"^{name}: "):
            made.make(random.Random(0), **dict.fromkeys(nothing, -1))


def test_an_unknown_domain_is_refused_with_a_hint() -> None:
    for call in (generate, generator, benchmark_domain, domain_text):
        with pytest.raises(InputError, match="no benchmark domain is called `fery`: did you mean `ferry`"):
            call("fery")
