"""The generators of the domains with maps and machines: domains, determinism, solvability, refusals."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from genplan_policies import POLICIES
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.bench.genplan.generator import SIZES, Size, benchmark_domain, generate, generator
from groundplan.bench.genplan.generators.beluga import make_with_plan
from groundplan.bench.genplan.generators.minigrid import _floor
from groundplan.bench.genplan.maps import grid, neighbours, reachable, road_map
from groundplan.errors import InputError
from groundplan.pddl.ast import Atom, Task, conjuncts
from groundplan.pddl.compare import Equivalence, compare_tasks
from groundplan.pddl.read import domain_from_text, read_task, task_from_text
from groundplan.pddl.validate import validate_plan
from groundplan.pddl.write import write_domain, write_problem
from groundplan.solve.engines import make_engine
from groundplan.solve.fast_downward import FastDownwardEngine

NAMES = ("beluga", "goldminer", "hiking", "minigrid", "rovers", "satellite", "transport", "visitall")
DATA = Path(__file__).parents[3] / "shared" / "data" / "genplan"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the published instances are not here")


@pytest.fixture(scope="module")
def engine() -> Iterator[FastDownwardEngine]:
    made = make_engine("fast-downward")
    assert isinstance(made, FastDownwardEngine)
    yield made
    made.close()


def goals(task: Task) -> list[Atom]:
    parts = list(conjuncts(task.problem.goal))
    assert all(isinstance(part, Atom) for part in parts)
    return [part for part in parts if isinstance(part, Atom)]


# --- domains --------------------------------------------------------------------------------------------------------


@needs_data
@pytest.mark.parametrize("name", NAMES)
def test_the_domain_is_the_published_one(name: str) -> None:
    own, published = benchmark_domain(name), domain_from_text((DATA / name / "domain.pddl").read_text("utf-8"))
    assert own.name == published.name
    for part in ("types", "constants", "predicates", "actions"):
        assert set(getattr(own, part)) == set(getattr(published, part)), part


@needs_data
@pytest.mark.parametrize("name", NAMES)
def test_a_published_task_means_the_same_on_both_domains(name: str) -> None:
    task = read_task(DATA / name / "domain.pddl", DATA / name / "train" / "p01.pddl")
    result = compare_tasks(task, Task(benchmark_domain(name), task.problem))
    assert result.verdict is Equivalence.PROVED, result.reason


@needs_data
@pytest.mark.parametrize("name", NAMES)
def test_tasks_have_the_kinds_of_facts_goals_and_objects_of_the_published_ones(name: str) -> None:
    published = [read_task(DATA / name / "domain.pddl", path) for path in sorted((DATA / name).glob("*/p*.pddl"))]
    own = [generate(name, size, seed) for seed in range(12) for size in SIZES[:2]]

    def kinds(tasks: list[Task]) -> tuple[set[object], ...]:
        return (
            {fact.predicate for task in tasks for fact in task.problem.init},
            {atom.predicate for task in tasks for atom in goals(task)},
            {item.types for task in tasks for item in task.problem.objects},
        )

    assert kinds(own) == kinds(published)


# --- tasks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_tasks_are_well_formed_and_not_yet_solved(name: str, size: Size) -> None:
    for seed in range(2):
        task = generate(name, size, seed)
        read = task_from_text(write_domain(task.domain), write_problem(task.problem))
        assert read.problem == task.problem
        assert read.domain.actions == task.domain.actions
        assert set(goals(task)) - set(task.problem.init)
        assert len(set(task.problem.init)) == len(task.problem.init)
        assert len(set(goals(task))) == len(goals(task))


@pytest.mark.parametrize("name", NAMES)
def test_huge_tasks_have_about_ten_times_the_objects_of_a_lower_end_large_one(name: str) -> None:
    least = {parameter: bounds[0] for parameter, bounds in generator(name).ranges["large"].items()}
    low = len(generate(name, "large", 0, **least).objects)
    assert len(generate(name, "huge", 0).objects) >= 5 * low


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_gives_one_task(name: str) -> None:
    assert generate(name, "large", 5) == generate(name, "large", 5)
    assert generate(name, "large", 5).problem != generate(name, "large", 6).problem


def test_a_seed_gives_the_same_tasks_in_every_process() -> None:
    code = (
        "import hashlib\n"
        "from groundplan.bench.genplan.generator import generate\n"
        "from groundplan.pddl.write import write_problem\n"
        f"texts = [write_problem(generate(name, 'large', 3).problem) for name in {NAMES!r}]\n"
        "print(hashlib.sha256(''.join(texts).encode()).hexdigest())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


# --- solvable -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_fast_downward_solves_small_tasks(name: str, engine: FastDownwardEngine) -> None:
    for seed in range(3):
        task = generate(name, "small", seed)
        outcome = engine.solve(task)
        assert outcome.plan, (name, seed, outcome.reason)
        assert validate_plan(task, outcome.plan).is_valid


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_fast_downward_solves_many_small_tasks(name: str, engine: FastDownwardEngine) -> None:
    for seed in range(100, 130):
        outcome = engine.solve(generate(name, "small", seed))
        assert outcome.plan, (name, seed, outcome.reason)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", tuple(POLICIES))
def test_a_plain_policy_solves_tasks_of_every_size(name: str, size: Size) -> None:
    for seed in range(1 if size == "huge" else 15):
        task = generate(name, size, seed)
        verdict = validate_plan(task, POLICIES[name](task))
        assert verdict.is_valid, (seed, verdict.reasons)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), parts=st.integers(1, 30), racks=st.integers(1, 6))
def test_beluga_tasks_are_made_from_a_valid_plan(seed: int, parts: int, racks: int) -> None:
    problem, plan = make_with_plan(random.Random(seed), parts=parts, racks=racks)
    verdict = validate_plan(Task(benchmark_domain("beluga"), problem), plan)
    assert verdict.is_valid, verdict.reasons


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 7), columns=st.integers(1, 7), percent=st.integers(1, 100))
def test_maps_of_any_form_are_solvable_or_refused(seed: int, rows: int, columns: int, percent: int) -> None:
    forms: dict[str, dict[str, int]] = {
        "goldminer": {"hard_percent": percent},
        "hiking": {"water_percent": percent, "hill_percent": percent},
        "visitall": {"goal_percent": percent, "blocked_percent": percent},
    }
    for name, more in forms.items():
        try:
            problem = generator(name).make(random.Random(seed), rows=rows, columns=columns, **more)
        except InputError:
            assert rows * columns < 3 or rows < 2 or name == "visitall"
            continue
        task = Task(benchmark_domain(name), problem)
        verdict = validate_plan(task, POLICIES[name](task))
        assert verdict.is_valid, (name, verdict.reasons)


# --- what makes the tasks worth solving -----------------------------------------------------------------------------


def test_large_minigrid_tasks_mostly_need_several_keys() -> None:
    def unlocked(seed: int) -> set[str]:
        plan = POLICIES["minigrid"](generate("minigrid", "large", seed))
        return {step.args[3] for step in plan if step.action == "unlock"}

    shapes = [len(unlocked(seed)) for seed in range(30)]
    assert sum(count >= 1 for count in shapes) >= 18
    assert sum(count >= 2 for count in shapes) >= 6


def test_beluga_needs_parts_moved_between_racks_now_and_then() -> None:
    moved = 0
    for seed in range(30):
        _, plan = make_with_plan(random.Random(seed), parts=8, racks=3)
        moved += any(step.action in ("put-on-rack-fab", "put-on-rack-fab-last") for step in plan)
    assert moved >= 5


def test_names_tell_nothing_about_places() -> None:
    """Locations with neighbouring numbers are neighbours no more often than by chance."""
    task = generate("visitall", "large", 0, rows=14, columns=14, blocked_percent=0)
    number = {item.name: int(item.name.removeprefix("place")) for item in task.objects}
    roads = [fact.terms for fact in task.problem.init if fact.predicate == "connected"]
    close = sum(abs(number[one] - number[other]) == 1 for one, other in roads)
    assert close < len(roads) / 20


# --- maps -----------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), places=st.integers(1, 30), degree=st.integers(1, 40))
def test_road_maps_are_connected_both_ways_and_simple(seed: int, places: int, degree: int) -> None:
    beside = road_map(random.Random(seed), range(places), degree)
    assert sorted(reachable(0, beside)) == list(range(places))
    assert all(place in beside[other] and place != other for place, others in beside.items() for other in others)
    assert all(len(set(others)) == len(others) for others in beside.values())
    roads = sum(map(len, beside.values())) // 2
    assert roads == max(places - 1, min(places * degree, places * (places - 1)) // 2)


def test_reachable_stops_at_closed_places() -> None:
    beside = neighbours(grid(1, 5))
    assert reachable((0, 0), beside, {(0, 3)}) == [(0, 0), (0, 1), (0, 2)]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 4), columns=st.integers(1, 4), side=st.integers(1, 4))
def test_doors_join_all_rooms_and_have_two_sides(seed: int, rows: int, columns: int, side: int) -> None:
    floor = _floor(random.Random(seed), rows, columns, side, ["round", "square"])
    start = next(iter(floor.beside))
    assert len(reachable(start, floor.beside)) == len(floor.beside)
    assert len(floor.beside) >= rows * columns * side**2 + rows * columns - 1
    assert all(len(floor.beside[door]) == 2 for door in floor.locks)


# --- refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("beluga", {"parts": 0}, "`parts` must be at least 1, not 0"),
        ("beluga", {"racks": 0}, "`racks` must be at least 1, not 0"),
        ("goldminer", {"rows": 1}, "at least 2 rows"),
        ("goldminer", {"hard_percent": 101}, "`hard_percent` must be at most 100, not 101"),
        ("hiking", {"rows": 1, "columns": 1}, "has no trail"),
        ("minigrid", {"room_rows": 1, "room_columns": 1, "room_side": 1}, "has no goal"),
        ("minigrid", {"spare_keys": -1}, "`spare_keys` must be at least 0, not -1"),
        ("rovers", {"cameras": 0}, "`cameras` must be at least 1, not 0"),
        ("rovers", {"waypoints": 1}, "`waypoints` must be at least 2, not 1"),
        ("satellite", {"targets": 0}, "`targets` must be at least 1, not 0"),
        ("transport", {"cities": 1, "nodes": 1}, "nowhere to go"),
        ("visitall", {"blocked_percent": 100}, "no cell can be reached"),
        ("visitall", {"rows": 1, "columns": 1}, "no cell can be reached"),
    ],
)
def test_parameters_out_of_line_are_refused(name: str, parameters: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        generate(name, "small", 0, **parameters)
    assert str(raised.value).startswith(f"{name}: ")
