"""The generators of the domains of blocks and carriers: solvability, shapes, refusals."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
from genplan_carriers import CARRIERS
from hypothesis import given, settings
from hypothesis import strategies as st

from groundplan.bench.genplan.destinations import destinations
from groundplan.bench.genplan.generator import SIZES, Size, benchmark_domain, generate, generator
from groundplan.errors import InputError
from groundplan.pddl.ast import Atom, Problem, Task, conjuncts
from groundplan.pddl.validate import validate_plan
from groundplan.solve.engines import make_engine
from groundplan.solve.outcome import Engine, Limits, Status

SEEDS = range(20)
every_carrier = pytest.mark.parametrize("name", tuple(CARRIERS))


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    made = make_engine("fast-downward")
    yield made
    made.close()


def facts(problem: Problem, predicate: str) -> list[tuple[str, ...]]:
    return [atom.terms for atom in problem.init if atom.predicate == predicate]


def goal(problem: Problem) -> list[tuple[str, ...]]:
    return [part.terms for part in conjuncts(problem.goal) if isinstance(part, Atom)]


def made(name: str, seed: int, **parameters: int) -> Task:
    """The generator's own task, parameters as they are."""
    return Task(benchmark_domain(name), generator(name).make(random.Random(seed), **parameters))


# --- solvable -------------------------------------------------------------------------------------------------------


@every_carrier
def test_fast_downward_solves_small_tasks(name: str, engine: Engine) -> None:
    for seed in range(3):
        outcome = engine.solve(generate(name, "small", seed), Limits(wall_s=20))
        assert outcome.status is Status.SOLVED, (seed, outcome.reason)
        assert outcome.plan, "there was nothing to do"


@pytest.mark.slow
@every_carrier
def test_fast_downward_solves_many_small_tasks(name: str, engine: Engine) -> None:
    for seed in range(100, 140):
        outcome = engine.solve(generate(name, "small", seed), Limits(wall_s=20))
        assert outcome.status is Status.SOLVED, (seed, outcome.reason)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        pytest.param(name, size, marks=[pytest.mark.slow] if (name, size) == ("heavy", "huge") else [])
        for name in CARRIERS
        for size in SIZES
    ],
)
def test_a_plain_policy_solves_tasks_of_every_size(name: str, size: Size) -> None:
    seeds: range = range(1) if size == "huge" else range(5) if (name, size) == ("heavy", "large") else SEEDS
    for seed in seeds:
        start = time.perf_counter()
        task = generate(name, size, seed)
        assert time.perf_counter() - start < 30, "a huge task is made in seconds, even on a busy machine"
        verdict = validate_plan(task, CARRIERS[name](task))
        assert verdict.is_valid, (seed, verdict.reasons)


LEAST = {
    "blocksworld": {"blocks": 2},
    "delivery": {"locations": 2, "wanting": 1, "spare": 0},
    "ferry": {"locations": 2, "cars": 1},
    "gripper": {"rooms": 2, "balls": 1},
    "grippers": {"robots": 1, "rooms": 2, "balls": 1},
    "heavy": {"items": 1},
    "logistics": {"cities": 1, "locations": 2, "packages": 1, "planes": 0, "trucks": 1},
    "miconic": {"buildings": 1, "floors": 2, "passengers": 1},
    "spanner": {"locations": 0, "spanners": 1, "nuts": 1},
}
"""The least parameters with a task."""


@every_carrier
def test_the_least_parameters_have_a_task_and_less_is_refused(name: str) -> None:
    for seed in range(5):
        task = made(name, seed, **LEAST[name])
        plan = CARRIERS[name](task)
        assert plan, "the goal holds at the start"
        assert validate_plan(task, plan).is_valid
    for parameter, least in LEAST[name].items():
        with pytest.raises(InputError, match=f"^{name}: "):
            made(name, 0, **LEAST[name] | {parameter: least - 1})


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data(), name=st.sampled_from(tuple(CARRIERS)), seed=st.integers(0, 10**6))
def test_parameters_beyond_the_least_are_solvable_or_refused(data: st.DataObject, name: str, seed: int) -> None:
    drawn = {key: least + data.draw(st.integers(0, 6), label=key) for key, least in LEAST[name].items()}
    contradicts = {
        "delivery": drawn.get("locations", 0) <= drawn.get("wanting", 0),
        "logistics": drawn.get("trucks", 0) < drawn.get("cities", 0)
        or (drawn.get("cities", 0) > 1 and drawn.get("planes") == 0),
        "spanner": drawn.get("spanners", 0) < drawn.get("nuts", 0),
    }
    if contradicts.get(name):
        with pytest.raises(InputError, match=f"^{name}: "):
            made(name, seed, **drawn)
        return
    task = made(name, seed, **drawn)
    verdict = validate_plan(task, CARRIERS[name](task))
    assert verdict.is_valid, verdict.reasons


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("blocksworld", {"blocks": 1}, "`blocks` must be at least 2, not 1"),
        ("delivery", {"locations": 4, "wanting": 4}, r"`locations` must be over `wanting` \(4\), .* it is 4"),
        ("delivery", {"spare": -1}, "`spare` must be at least 0, not -1"),
        ("ferry", {"locations": 1}, "`locations` must be at least 2, not 1"),
        ("gripper", {"balls": 0}, "`balls` must be at least 1, not 0"),
        ("grippers", {"robots": 0}, "`robots` must be at least 1, not 0"),
        ("heavy", {"items": 0}, "`items` must be at least 1, not 0"),
        ("logistics", {"cities": 1, "locations": 1}, "with one location there is nowhere to go"),
        ("logistics", {"planes": 0}, "`planes` must be at least 1, not 0"),
        ("miconic", {"floors": 1}, "`floors` must be at least 2, not 1"),
        ("spanner", {"nuts": 0}, "`nuts` must be at least 1, not 0"),
    ],
)
def test_parameters_out_of_line_are_refused(name: str, parameters: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=f"^{name}: {message}"):
        generate(name, "small", 0, **parameters)


def test_parameters_that_contradict_each_other_are_refused_when_they_were_not_drawn() -> None:
    with pytest.raises(InputError, match=r"`spanners` must be at least `nuts` \(5\), one for each; it is 4"):
        made("spanner", 0, locations=3, spanners=4, nuts=5)
    with pytest.raises(InputError, match=r"`trucks` must be at least `cities` \(3\), one for each; it is 2"):
        made("logistics", 0, cities=3, locations=2, packages=1, planes=1, trucks=2)


# --- shapes that a program must meet ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ferry", "gripper", "grippers", "logistics"])
def test_some_things_are_where_they_should_be_but_never_all(name: str) -> None:
    done: Counter[bool] = Counter()
    for seed in SEEDS:
        problem = generate(name, "large", seed).problem
        here = set(facts(problem, "at"))
        held = [terms in here for terms in goal(problem)]
        assert not all(held)
        done.update(held)
    assert 0.08 < done[True] / done.total() < 0.3


def test_two_things_of_one_place_may_have_to_swap() -> None:
    wanted = destinations(random.Random(0), {"this": "left", "that": "right"}, ["left", "right"])
    assert set(wanted) == {"this", "that"}
    assert wanted != {"this": "left", "that": "right"}


def test_blocksworld_has_one_tower_and_many_at_the_start_and_in_the_goal() -> None:
    problems = [generate("blocksworld", "small", seed).problem for seed in range(60)]
    assert {len(facts(problem, "ontable")) for problem in problems} >= {1, 2, 3, 4}
    # n blocks and g goals make n - g towers
    assert {len(problem.objects) - len(goal(problem)) for problem in problems} >= {1, 2, 3}
    assert any(set(goal(problem)) & set(facts(problem, "on")) for problem in problems)


def test_delivery_has_traps_and_starts_at_home_and_elsewhere() -> None:
    at_home: Counter[bool] = Counter()
    for seed in SEEDS:
        problem = generate("delivery", "large", seed).problem
        home, start, safe = facts(problem, "ishomebase"), facts(problem, "at"), facts(problem, "safe")
        assert len(home) == len(start) == 1
        assert {*home, *start, *goal(problem)} <= set(safe)
        assert set(goal(problem)) == set(facts(problem, "wantspaper"))
        at_home[home == start] += 1
    assert min(at_home[True], at_home[False]) >= 4


def test_ferry_tells_every_two_places_apart() -> None:
    problem = generate("ferry", "small", 0).problem
    places = [terms[0] for terms in facts(problem, "location")]
    assert sorted(facts(problem, "not-eq")) == sorted((a, b) for a in places for b in places if a != b)


def test_gripper_wants_a_part_of_the_balls() -> None:
    shares = set()
    for seed in range(60):
        problem = generate("gripper", "small", seed).problem
        shares.add(len(goal(problem)) / len(facts(problem, "ball")))
    assert min(shares) < 0.5
    assert max(shares) == 1


def test_each_robot_of_grippers_has_two_of_its_own() -> None:
    problem = generate("grippers", "large", 3, robots=4).problem
    free = facts(problem, "free")
    assert sorted(Counter(robot for robot, _ in free).values()) == [2, 2, 2, 2]
    assert len({hand for _, hand in free}) == 8


def test_heavy_is_a_total_order_without_relation_to_names() -> None:
    problem = generate("heavy", "large", 0, items=60).problem
    below = Counter(terms[0] for terms in facts(problem, "heavier"))
    order = sorted((item.name for item in problem.objects), key=lambda item: -below[item])
    assert [below[item] for item in order] == list(range(59, -1, -1))
    rising = sum(int(one[4:]) < int(other[4:]) for one, other in pairwise(order))
    assert 15 < rising < 44


def test_logistics_needs_trucks_and_airplanes_in_cities_with_one_airport() -> None:
    inside: Counter[bool] = Counter()
    for seed in SEEDS:
        problem = generate("logistics", "large", seed).problem
        city, at = dict(facts(problem, "in-city")), dict(facts(problem, "at"))
        assert sorted(city[terms[0]] for terms in facts(problem, "airport")) == sorted(set(city.values()))
        assert {city[at[terms[0]]] for terms in facts(problem, "truck")} == set(city.values())
        assert {(at[terms[0]],) for terms in facts(problem, "airplane")} <= set(facts(problem, "airport"))
        inside.update(city[at[load]] == city[there] for load, there in goal(problem) if at[load] != there)
    assert inside[True] > 50
    assert inside[False] > 50


def test_miconic_joins_all_floors_of_a_building_and_no_others() -> None:
    problem = generate("miconic", "large", 0, buildings=3, floors=10, passengers=4).problem
    above = set(facts(problem, "above"))
    assert len(above) == 3 * 45
    beside: dict[str, set[str]] = {}
    for low, high in above:
        beside.setdefault(low, {low}).add(high)
        beside.setdefault(high, {high}).add(low)
    buildings = {frozenset(floors) for floors in beside.values()}
    assert sorted(map(len, buildings)) == [10, 10, 10]
    lifts = {terms[0] for terms in facts(problem, "lift-at")}
    assert all(len(lifts & floors) == 1 for floors in buildings)
    destination = dict(facts(problem, "destin"))
    assert all(destination[person] in beside[here] - {here} for person, here in facts(problem, "origin"))


def test_spanner_is_a_one_way_path_from_the_man_to_the_nuts() -> None:
    places = set()
    for seed in SEEDS:
        problem = generate("spanner", "small", seed).problem
        ahead, at = dict(facts(problem, "link")), dict(facts(problem, "at"))
        nuts = [terms[0] for terms in facts(problem, "loose")]
        path = [at["man1"]]
        while path[-1] in ahead:
            path.append(ahead[path[-1]])
        assert len(path) == len(set(path)) == len(ahead) + 1
        assert {at[nut] for nut in nuts} == {path[-1]}
        places |= {path.index(at[terms[0]]) for terms in facts(problem, "useable")}
    assert {0, 1, 2, 3, 4} <= places
