"""The contract of engines, kept by both of ours."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from engine_contract import LIMITS, EngineContract
from solve_tasks import ferry, shortest_plan

from groundplan.errors import InputError
from groundplan.solve.engines import ENGINES, make_engine
from groundplan.solve.outcome import Engine


@pytest.fixture(scope="module", params=[(name, optimal) for optimal in (False, True) for name in ENGINES], ids=str)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    name, optimal = request.param
    engine = make_engine(name, optimal=optimal)
    yield engine
    engine.close()


class TestEngines(EngineContract):
    pass


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("cars", [1, 2, 3])
def test_an_optimal_plan_is_a_shortest_one(name: str, cars: int) -> None:
    engine = make_engine(name, optimal=True)
    outcome = engine.solve(ferry(cars), LIMITS)
    engine.close()
    shortest = shortest_plan(ferry(cars))
    assert shortest is not None
    assert outcome.optimal
    assert outcome.cost == len(shortest)


def test_an_unknown_engine_is_refused_with_a_hint() -> None:
    with pytest.raises(InputError, match="did you mean `fast-downward`"):
        make_engine("fastdownward")
    with pytest.raises(InputError, match="known are `fast-downward`, `builtin`"):
        make_engine("xyz")


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"serach.*`search`, `optimal`"):
        make_engine("fast-downward", serach="ff")
