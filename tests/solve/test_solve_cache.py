"""The cache keeps what cannot change, and trusts nothing that it finds."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solve_tasks import ferry

from groundplan.errors import StorageError
from groundplan.pddl import Step, Task, task_from_text
from groundplan.solve.cache import CachedEngine
from groundplan.solve.outcome import DEFAULT_LIMITS, Fault, Limit, Limits, Outcome, Status

PLAN = (Step("board", ("car0", "west")), Step("sail", ("west", "east")), Step("leave", ("car0", "east")))
SOLVED = Outcome(Status.SOLVED, "counting", plan=PLAN, cost=3.0, seconds=5.0, reason="found")
UNSOLVABLE = Outcome(Status.UNSOLVABLE, "counting", seconds=5.0, reason="proved")


class Counting:
    """An engine with a fixed answer that counts how often it was asked."""

    name = "counting"

    def __init__(self, outcome: Outcome = SOLVED, options: str = "") -> None:
        self.outcome = outcome
        self.fingerprint = f"counting|{options}"
        self.asked = 0
        self.closed = 0

    def solve(self, task: Task, limits: Limits) -> Outcome:
        self.asked += 1
        return self.outcome

    def close(self) -> None:
        self.closed += 1


def entry_of(directory: Path) -> Path:
    (path,) = directory.glob("*/*.json")
    return path


@pytest.fixture(params=["memory", "directory"])
def directory(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    return None if request.param == "memory" else tmp_path / "deep" / "cache"


@pytest.mark.parametrize("outcome", [SOLVED, UNSOLVABLE])
def test_plans_and_proofs_are_kept(outcome: Outcome, directory: Path | None) -> None:
    engine = Counting(outcome)
    cached = CachedEngine(engine, directory)
    first, second = cached.solve(ferry(1), DEFAULT_LIMITS), cached.solve(ferry(1), Limits(wall_s=1))
    assert engine.asked == 1
    assert (cached.hits, cached.misses) == (1, 1)
    assert first == outcome
    assert "(from the cache)" in second.reason
    assert second.seconds < 1
    assert replace(second, reason=outcome.reason, seconds=outcome.seconds) == outcome


@pytest.mark.parametrize(
    "outcome",
    [Outcome(Status.NOT_FOUND, "counting", limit=limit) for limit in Limit]
    + [Outcome(Status.FAILED, "counting", fault=fault) for fault in Fault],
)
def test_limits_and_failures_are_tried_again(outcome: Outcome, directory: Path | None) -> None:
    engine = Counting(outcome)
    cached = CachedEngine(engine, directory)
    assert [cached.solve(ferry(1)) for _ in range(3)] == [outcome] * 3
    assert engine.asked == 3


def test_other_tasks_engines_and_options_are_told_apart(tmp_path: Path) -> None:
    engines = [Counting(), Counting(), Counting(options="optimal"), Counting(UNSOLVABLE, "other")]
    cached = [CachedEngine(engine, tmp_path) for engine in engines]
    for item in cached:
        item.solve(ferry(1))
    assert [engine.asked for engine in engines] == [1, 0, 1, 1]
    assert len({item.key(task) for item in cached for task in (ferry(1), ferry(2))}) == 6
    assert cached[0].key(ferry(1)) == cached[1].key(ferry(1))


def test_engines_without_a_fingerprint_are_told_apart_by_their_options() -> None:
    from groundplan.solve.builtin import BuiltinEngine

    class Plain(Counting):
        def __init__(self) -> None:
            super().__init__()
            del self.fingerprint

    keys = [CachedEngine(engine).key(ferry(1)) for engine in (BuiltinEngine(), BuiltinEngine(optimal=True))]
    assert keys[0] != keys[1]
    assert keys[0] == CachedEngine(BuiltinEngine()).key(ferry(1))
    assert CachedEngine(Plain()).key(ferry(1)) != CachedEngine(Plain()).key(ferry(1))


def test_a_task_is_known_by_its_meaning_not_its_layout(tmp_path: Path) -> None:
    domain = "(define (domain d) (:predicates (p) (q)) (:action a :parameters () :precondition (p) :effect (q)))"
    problem = "(define (problem x) (:domain d) (:init (p)) (:goal (q)))"
    spread = "; a comment\n" + problem.replace(" ", "\n  ").upper()
    engine = Counting(replace(SOLVED, plan=(Step("a"),), cost=1.0))
    cached = CachedEngine(engine, tmp_path)
    cached.solve(task_from_text(domain, problem))
    cached.solve(task_from_text(domain, spread))
    assert engine.asked == 1


@given(damage=st.binary(max_size=40), at=st.integers(0, 400), cut=st.booleans())
def test_a_damaged_entry_never_gives_a_wrong_answer(damage: bytes, at: int, cut: bool) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        engine = Counting()
        cached = CachedEngine(engine, folder)
        cached.solve(ferry(1))
        path = entry_of(Path(folder))
        data = path.read_bytes()
        path.write_bytes(data[:at] + damage + (b"" if cut else data[at + len(damage) :]))
        again = cached.solve(ferry(1))
        assert (again.status, again.plan, again.cost) == (SOLVED.status, SOLVED.plan, SOLVED.cost)


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": {**SOLVED.as_json(), "plan": ["(sail west east)"]}},
        {"outcome": {**SOLVED.as_json(), "plan": []}},
        {"outcome": {**SOLVED.as_json(), "plan": None}},
        {"outcome": {**SOLVED.as_json(), "plan": [7]}},
        {"outcome": {**SOLVED.as_json(), "cost": 2.0}},
        {"outcome": {**SOLVED.as_json(), "status": "unsolvable"}},
        {"outcome": {**UNSOLVABLE.as_json(), "status": "not_found", "limit": "wall"}},
        {"outcome": []},
        {"format": 0},
        {"key": "of another task"},
    ],
)
def test_an_entry_that_does_not_hold_counts_as_none(tmp_path: Path, change: dict[str, object]) -> None:
    engine = Counting()
    cached = CachedEngine(engine, tmp_path)
    cached.solve(ferry(1))
    path = entry_of(tmp_path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    assert cached.solve(ferry(1)) == SOLVED
    assert engine.asked == 2
    assert "from the cache" in cached.solve(ferry(1)).reason, "the good outcome takes the place of the bad entry"


def test_an_entry_that_cannot_be_read_counts_as_none(tmp_path: Path) -> None:
    engine = Counting()
    cached = CachedEngine(engine, tmp_path)
    cached.solve(ferry(1))
    path = entry_of(tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.warns(RuntimeWarning, match="not kept"):
        assert cached.solve(ferry(1)) == SOLVED
    assert cached.solve(ferry(1)) == SOLVED
    assert engine.asked == 3


def test_writing_leaves_whole_files_only(tmp_path: Path) -> None:
    cached = CachedEngine(Counting(), tmp_path)
    threads = [threading.Thread(target=cached.solve, args=(ferry(1),)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files == [entry_of(tmp_path)]
    assert json.loads(files[0].read_text())["outcome"]["status"] == "solved"


def test_features_that_the_canonical_text_leaves_out_are_never_kept() -> None:
    task = task_from_text(
        "(define (domain d) (:requirements :constraints) (:predicates (p)) (:constraints (always (p)))"
        " (:action a :parameters () :precondition (p) :effect (p)))",
        "(define (problem x) (:domain d) (:init (p)) (:goal (p)))",
    )
    assert task.domain.features
    engine = Counting(UNSOLVABLE)
    cached = CachedEngine(engine)
    cached.solve(task)
    cached.solve(task)
    assert engine.asked == 2


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cache"):
        CachedEngine(Counting(), tmp_path / "file" / "cache")


def test_close_closes_the_engine() -> None:
    engine = Counting()
    CachedEngine(engine).close()
    assert engine.closed == 1
