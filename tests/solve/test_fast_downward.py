"""Fast Downward: exit codes, limits, plans that are none, and processes that never stay behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from engine_contract import LIMITS, errands, lamps
from process_groups import group, wait_until
from solve_tasks import ferry, shortest_plan, tiles

from groundplan.errors import InputError
from groundplan.pddl import Source, Step, Task, check_sources, write_domain, write_problem
from groundplan.pddl.validate import validate_plan
from groundplan.solve import fd_home
from groundplan.solve.compile import compile_task
from groundplan.solve.fast_downward import SEARCHES, FastDownwardEngine
from groundplan.solve.fd_home import find_fast_downward
from groundplan.solve.outcome import Fault, Limit, Limits, Status
from groundplan.solve.process import LineWorker

pytestmark = pytest.mark.skipif(find_fast_downward(None) is None, reason="Fast Downward is not installed")

BLIND = "astar(blind())"


def unchecked_task(domain: str, problem: str) -> Task:
    """A task that the checker refuses, as a program that builds its trees itself could hand it over."""
    result = check_sources(Source(domain), Source(problem))
    assert result.domain is not None
    assert result.problem is not None
    return Task(result.domain, result.problem)


@pytest.fixture(scope="module")
def engine() -> Iterator[FastDownwardEngine]:
    engine = FastDownwardEngine()
    yield engine
    engine.close()


def worker_pid(engine: FastDownwardEngine) -> int:
    engine.start()
    worker = engine._home._worker
    assert worker is not None
    return worker.pid


def in_background(action: Callable[[], object], after: float) -> threading.Thread:
    def run() -> None:
        time.sleep(after)
        action()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


# --- what the search program says, and what becomes of it -----------------------------------------------------------


@pytest.fixture(scope="module")
def stub_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, FastDownwardEngine]]:
    program = tmp_path_factory.mktemp("stub") / "downward"
    engine = FastDownwardEngine(downward=program)
    yield program, engine
    engine.close()


@pytest.fixture
def stub(stub_home: tuple[Path, FastDownwardEngine]) -> Callable[[str], FastDownwardEngine]:
    """An engine whose search program is a shell script of ours."""
    program, engine = stub_home

    def make(script: str) -> FastDownwardEngine:
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return engine

    return make


PLAN = "(board car0 west)\\n(sail west east)\\n(leave car0 east)\\n"


@pytest.mark.parametrize(
    ("script", "status", "limit", "fault"),
    [
        ("exit 11", Status.UNSOLVABLE, None, None),
        ("exit 12", Status.NOT_FOUND, Limit.INCOMPLETE, None),
        ("exit 13", Status.NOT_FOUND, Limit.INCOMPLETE, None),
        ("exit 20", Status.NOT_FOUND, Limit.MEMORY, None),
        ("exit 21", Status.NOT_FOUND, Limit.CPU, None),
        ("exit 22", Status.NOT_FOUND, Limit.MEMORY, None),
        ("exit 23", Status.NOT_FOUND, Limit.CPU, None),
        ("exit 247", Status.NOT_FOUND, Limit.MEMORY, None),
        ("kill -9 $$", Status.NOT_FOUND, Limit.MEMORY, None),
        ("exit 30", Status.FAILED, None, Fault.CRASH),
        ("exit 31", Status.FAILED, None, Fault.INPUT),
        ("exit 32", Status.FAILED, None, Fault.CRASH),
        ("exit 33", Status.FAILED, None, Fault.INPUT),
        ("exit 34", Status.FAILED, None, Fault.UNSUPPORTED),
        ("exit 36", Status.FAILED, None, Fault.INPUT),
        ("exit 77", Status.FAILED, None, Fault.CRASH),
        ("kill -11 $$", Status.FAILED, None, Fault.CRASH),
        ("exit 0", Status.FAILED, None, Fault.CRASH),
        ("echo Solution found.; exit 0", Status.FAILED, None, Fault.CRASH),
        # Half a plan: without its last line, nobody knows whether all steps are there.
        (f"printf '{PLAN}' > sas_plan; exit 0", Status.FAILED, None, Fault.CRASH),
        ("printf '(board car0 we' > sas_plan; kill -9 $$", Status.FAILED, None, Fault.CRASH),
        (f"printf '{PLAN}' > sas_plan; exit 23", Status.NOT_FOUND, Limit.CPU, None),
        # Whole plans count, whatever the exit code.
        (f"printf '{PLAN}; cost = 3 (unit cost)\\n' > sas_plan; exit 0", Status.SOLVED, None, None),
        (f"printf '{PLAN}; cost = 3 (unit cost)\\n' > sas_plan.1; exit 23", Status.SOLVED, None, None),
        (f"printf '{PLAN}; cost = 3 (unit cost)\\n' > sas_plan; kill -9 $$", Status.SOLVED, None, None),
        # A plan that is none.
        ("printf '(sail west east)\\n; cost = 1 (unit cost)\\n' > sas_plan", Status.FAILED, None, Fault.BAD_PLAN),
        ("printf '; cost = 0 (unit cost)\\n' > sas_plan", Status.FAILED, None, Fault.BAD_PLAN),
    ],
)
def test_every_ending_is_one_of_four(
    stub: Callable[[str], FastDownwardEngine], script: str, status: Status, limit: Limit | None, fault: Fault | None
) -> None:
    outcome = stub(script).solve(ferry(1), Limits(wall_s=10))
    assert (outcome.status, outcome.limit, outcome.fault) == (status, limit, fault), outcome
    assert outcome.reason.startswith(("Fast Downward", "found by Fast Downward"))


def test_what_the_program_said_is_passed_on(stub: Callable[[str], FastDownwardEngine]) -> None:
    outcome = stub("echo 'line 3: unknown word' >&2; exit 31").solve(ferry(1), LIMITS)
    assert "line 3: unknown word" in outcome.reason
    assert "line 3: unknown word" in outcome.log


def test_the_best_of_several_plans_is_taken(stub: Callable[[str], FastDownwardEngine]) -> None:
    detour = "(sail west isle)\\n(sail isle west)\\n"
    script = f"""
        printf '{detour}{PLAN}; cost = 5 (unit cost)\\n' > sas_plan.9
        printf '{PLAN}; cost = 3 (unit cost)\\n' > sas_plan.10
        printf '(board car0' > sas_plan.11
        exit 22"""
    outcome = stub(script).solve(ferry(1), LIMITS)
    assert (outcome.status, outcome.cost, outcome.optimal) == (Status.SOLVED, 3, False)
    assert "out of memory" in outcome.reason


def test_a_bad_plan_shows_both_opinions(stub: Callable[[str], FastDownwardEngine]) -> None:
    outcome = stub("printf '(sail west east)\\n; cost = 1 (unit cost)\\n' > sas_plan").solve(ferry(1), LIMITS)
    assert outcome.plan == (Step("sail", ("west", "east")),)
    assert "Fast Downward says that its plan of 1 steps is valid" in outcome.reason
    assert "(at car0 east)" in outcome.reason


def test_a_plan_of_an_earlier_task_is_never_reused(tmp_path: Path, stub: Callable[[str], FastDownwardEngine]) -> None:
    mark = tmp_path / "ran"
    engine = stub(f"[ -e {mark} ] || printf '{PLAN}; cost = 3 (unit cost)\\n' > sas_plan; touch {mark}")
    assert engine.solve(ferry(1), LIMITS).status is Status.SOLVED
    assert engine.solve(ferry(1), LIMITS).fault is Fault.CRASH


def test_a_cost_that_we_count_otherwise_is_said_and_not_called_optimal(tmp_path: Path) -> None:
    program = tmp_path / "downward"
    program.write_text(f"#!/bin/sh\nprintf '{PLAN}; cost = 7 (unit cost)\\n' > sas_plan\n")
    program.chmod(0o755)
    engine = FastDownwardEngine(optimal=True, downward=program)
    outcome = engine.solve(ferry(1), LIMITS)
    engine.close()
    assert (outcome.cost, outcome.optimal) == (3, False)
    assert "claims cost 7, our simulator counts 3" in outcome.reason


def test_what_is_missing_is_said_with_the_way_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fd_home.importlib.util, "find_spec", lambda name: None)
    outcome = FastDownwardEngine().solve(ferry(1), LIMITS)
    assert (outcome.status, outcome.fault) == (Status.FAILED, Fault.MISSING)
    assert "pip install up-fast-downward fast-downward-translate" in outcome.reason


# --- searches -------------------------------------------------------------------------------------------------------


def test_optimal_counts_by_the_measure_of_the_problem() -> None:
    engine = FastDownwardEngine(optimal=True)
    cheap = engine.solve(errands("(:metric minimize (total-cost))"), LIMITS)
    short = engine.solve(errands(""), LIMITS)
    adl = engine.solve(lamps("(burns a)", "(burns b)"), LIMITS)
    engine.close()
    assert (cheap.cost, cheap.measure, cheap.optimal) == (3, "total-cost", True)
    assert (short.cost, short.measure, short.optimal) == (1, "steps", True)
    assert (adl.cost, adl.optimal) == (1, True), "blind A* stands in where LM-cut does not know the effects"


def test_searches_by_name_and_by_string() -> None:
    for search in (*SEARCHES, BLIND, "lazy_wastar([ff()],w=3)"):
        engine = FastDownwardEngine(search)
        outcome = engine.solve(ferry(2), LIMITS)
        engine.close()
        assert outcome.status is Status.SOLVED, outcome
        assert not outcome.optimal


def test_bad_options() -> None:
    with pytest.raises(InputError):
        FastDownwardEngine(BLIND, optimal=True)
    with pytest.raises(InputError):
        FastDownwardEngine(" ")
    engine = FastDownwardEngine("astra(blind())")
    outcome = engine.solve(ferry(1), LIMITS)
    engine.close()
    assert outcome.fault is Fault.INPUT
    assert "astra" in outcome.reason


def test_an_incomplete_search_proves_nothing() -> None:
    engine = FastDownwardEngine("ehc(ff())")
    outcome = engine.solve(tiles(2, swapped=True), LIMITS)
    engine.close()
    assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.INCOMPLETE)


def test_fingerprints_tell_options_apart() -> None:
    engines = [FastDownwardEngine(), FastDownwardEngine("lama-first"), FastDownwardEngine(optimal=True)]
    assert len({engine.fingerprint for engine in engines}) == 3
    assert FastDownwardEngine().fingerprint == engines[0].fingerprint


# --- one worker, many tasks -----------------------------------------------------------------------------------------


def many_tasks() -> list[Task]:
    tasks = [ferry(cars) for cars in range(1, 9)] + [ferry(cars, goal_bank="isle") for cars in range(1, 9)]
    tasks += [tiles(size, turned=turned) for size in (2, 3) for turned in (False, True)]
    tasks += [lamps(burning, goal) for burning in ("", "(burns a)") for goal in ("(burns b)", "(calm hall)")]
    tasks += [errands(""), errands("(:metric minimize (total-cost))")]
    return tasks


def test_one_worker_translates_like_fresh_processes(tmp_path: Path, stub: Callable[[str], FastDownwardEngine]) -> None:
    """All tasks go through one worker, in two orders; its SAS+ texts are those of translators of their own."""
    kept = tmp_path / "sas"
    warm = stub(f"cat > {kept}; exit 12")
    tasks = many_tasks()
    assert len(tasks) >= 24
    warm_texts: dict[int, set[str]] = {}
    for index in (*range(len(tasks)), *reversed(range(len(tasks)))):
        kept.unlink(missing_ok=True)
        warm.solve(tasks[index], LIMITS)
        warm_texts.setdefault(index, set()).add(kept.read_text() if kept.exists() else "trivial")

    def fresh(index: int) -> str:
        compiled = compile_task(tasks[index]).task
        folder = tmp_path / str(index)
        folder.mkdir()
        (folder / "d.pddl").write_text(write_domain(compiled.domain))
        (folder / "p.pddl").write_text(write_problem(compiled.problem))
        command = [sys.executable, "-m", "fast_downward.translate", "d.pddl", "p.pddl"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return (folder / "output.sas").read_text()

    with ThreadPoolExecutor(2) as threads:
        for index, text in enumerate(threads.map(fresh, range(len(tasks)))):
            assert warm_texts[index] == ({"trivial"} if "dummy(val1)" in text else {text}), f"task {index}"


def test_a_bad_task_does_not_spoil_the_next(engine: FastDownwardEngine) -> None:
    unstratified = unchecked_task(
        """(define (domain d) (:requirements :adl :derived-predicates) (:predicates (p) (q) (s))
        (:derived (p) (not (q))) (:derived (q) (not (p)))
        (:action a :parameters () :precondition (p) :effect (s)))""",
        "(define (problem x) (:domain d) (:init) (:goal (s)))",
    )
    before = engine.solve(ferry(3), LIMITS)
    pid = worker_pid(engine)
    outcome = engine.solve(unstratified, LIMITS)
    assert outcome.status is Status.FAILED
    assert engine.solve(ferry(3), LIMITS).plan == before.plan
    assert worker_pid(engine) == pid


def test_threads_may_share_an_engine(engine: FastDownwardEngine) -> None:
    outcomes = {}
    threads = [
        threading.Thread(target=lambda n=n: outcomes.update({n: engine.solve(ferry(n), LIMITS)})) for n in range(1, 7)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for cars, outcome in outcomes.items():
        assert outcome.plan is not None
        assert validate_plan(ferry(cars), outcome.plan).is_valid
    assert len(outcomes) == 6


def test_a_worker_survives_the_thread_that_started_it() -> None:
    engine = FastDownwardEngine()
    thread = threading.Thread(target=engine.start)
    thread.start()
    thread.join()
    pid = worker_pid(engine)
    time.sleep(0.1)
    assert engine.solve(ferry(1), LIMITS).status is Status.SOLVED
    assert worker_pid(engine) == pid
    engine.close()


# --- limits ---------------------------------------------------------------------------------------------------------


def test_the_wall_limit_ends_search_and_translation(engine: FastDownwardEngine) -> None:
    pid = worker_pid(engine)
    for task, wall_s in ((tiles(4, swapped=True), 1.0), (tiles(8), 0.2)):
        started = time.monotonic()
        outcome = engine.solve(task, Limits(wall_s=wall_s))
        assert wall_s <= time.monotonic() - started < wall_s + 1.5
        assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.WALL)
        assert group(pid) == [pid], "the search must be over, and the worker still there"


def test_a_worker_that_no_longer_answers_is_killed_with_its_children() -> None:
    engine = FastDownwardEngine()
    pid = worker_pid(engine)
    thread = in_background(lambda: os.kill(pid, signal.SIGSTOP), 0.3)
    outcome = engine.solve(tiles(4, swapped=True), Limits(wall_s=1))
    thread.join()
    assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.WALL)
    assert wait_until(lambda: not group(pid))
    assert engine.solve(ferry(1), LIMITS).status is Status.SOLVED
    engine.close()


def test_the_cpu_limit(engine: FastDownwardEngine) -> None:
    outcome = engine.solve(tiles(4, swapped=True), Limits(wall_s=20, cpu_s=1))
    assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.CPU)
    outcome = engine.solve(tiles(8), Limits(wall_s=20, cpu_s=0.1))
    assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.CPU)
    assert "translator" in outcome.reason


def test_the_memory_limit() -> None:
    engine = FastDownwardEngine(BLIND)
    outcome = engine.solve(tiles(4, swapped=True), Limits(wall_s=20, memory_mib=40))
    assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.MEMORY)
    assert "search" in outcome.reason
    outcome = engine.solve(tiles(10), Limits(wall_s=20, memory_mib=40))
    assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.MEMORY)
    assert "translator" in outcome.reason
    assert engine.solve(ferry(1), LIMITS).status is Status.SOLVED
    engine.close()


LOWER = """
import json, resource, sys
sys.path[:0] = json.loads(sys.argv[1])
from solve_tasks import ferry
from groundplan.solve.fast_downward import FastDownwardEngine
resource.setrlimit(resource.RLIMIT_CPU, (20, 21))
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
print(FastDownwardEngine(downward=sys.argv[2]).solve(ferry(1)).log)
"""


def test_lower_limits_that_are_in_force_stay(stub_home: tuple[Path, FastDownwardEngine]) -> None:
    program, _ = stub_home
    program.write_text("#!/bin/sh\nulimit -H -t; ulimit -H -v; exit 12\n")
    program.chmod(0o755)
    command = [sys.executable, "-c", LOWER, json.dumps(sys.path), str(program)]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert shown == ["21", str(1 << 20)]


# --- nothing stays behind -------------------------------------------------------------------------------------------


def test_a_worker_killed_in_the_midst_of_a_task_is_a_failure_and_is_replaced() -> None:
    engine = FastDownwardEngine()
    pid = worker_pid(engine)
    thread = in_background(lambda: os.kill(pid, signal.SIGKILL), 0.4)
    outcome = engine.solve(tiles(4, swapped=True), Limits(wall_s=10))
    thread.join()
    assert (outcome.status, outcome.fault) == (Status.FAILED, Fault.CRASH)
    assert outcome.seconds < 5
    assert wait_until(lambda: not group(pid)), "the search outlived its worker"
    assert engine.solve(ferry(1), LIMITS).status is Status.SOLVED
    assert worker_pid(engine) != pid
    engine.close()


def test_an_idle_worker_that_died_is_replaced_unseen(engine: FastDownwardEngine) -> None:
    pid = worker_pid(engine)
    os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: not group(pid))
    assert engine.solve(ferry(1), LIMITS).status is Status.SOLVED


@pytest.mark.parametrize("answer", [b"", b"garbage", b"[]", b"7", b"{}", b'{"code": "x", "log": ""}'])
def test_an_answer_that_is_none_is_a_failure(monkeypatch: pytest.MonkeyPatch, answer: bytes) -> None:
    engine = FastDownwardEngine()
    pid = worker_pid(engine)
    with monkeypatch.context() as patch:
        patch.setattr(LineWorker, "ask", lambda self, line, wall_s: answer)
        outcome = engine.solve(ferry(1), LIMITS)
    assert (outcome.status, outcome.fault) == (Status.FAILED, Fault.CRASH)
    assert wait_until(lambda: not group(pid))
    assert engine.solve(ferry(1), LIMITS).status is Status.SOLVED
    engine.close()


def test_close_ends_a_task_that_is_being_solved() -> None:
    engine = FastDownwardEngine()
    pid = worker_pid(engine)
    root = engine._home._root
    assert root is not None
    thread = in_background(engine.close, 0.3)
    outcome = engine.solve(tiles(4, swapped=True), Limits(wall_s=10))
    thread.join()
    assert outcome.status is Status.FAILED
    assert outcome.seconds < 5
    assert wait_until(lambda: not group(pid))
    assert not root.exists()


def test_an_engine_that_is_dropped_takes_its_worker_along() -> None:
    engine = FastDownwardEngine()
    pid = worker_pid(engine)
    root = engine._home._root
    assert root is not None
    del engine
    assert wait_until(lambda: not group(pid))
    assert not root.exists()


ORPHAN = """
import json, os, sys, threading, time
sys.path[:0] = json.loads(sys.argv[1])
from solve_tasks import tiles
from groundplan.solve.fast_downward import FastDownwardEngine
from groundplan.solve.outcome import Limits
engine = FastDownwardEngine()
engine.start()
task = tiles(4, swapped=True)
print(engine._home._worker.pid, engine._home._root, flush=True)
{do}
engine.solve(task, Limits(wall_s=60))
"""


@pytest.mark.parametrize("how", ["kill -9", "Ctrl-C", "exit"])
def test_no_process_outlives_ours(how: str) -> None:
    do = "threading.Thread(target=lambda: (sys.stdin.readline(), os._exit(0)), daemon=True).start()"
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(ORPHAN).format(do=do), json.dumps(sys.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    pid_text, root = child.stdout.readline().split()
    pid = int(pid_text)
    assert wait_until(lambda: len(group(pid)) == 2), "worker and search should be at work"
    if how != "exit":
        child.send_signal(signal.SIGKILL if how == "kill -9" else signal.SIGINT)
        child.wait(timeout=10)
    child.communicate("now\n" if how == "exit" else None, timeout=10)
    assert wait_until(lambda: not group(pid))
    assert wait_until(lambda: not Path(root).exists())


def test_a_fork_starts_a_worker_of_its_own(engine: FastDownwardEngine) -> None:
    pid = worker_pid(engine)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            outcome = engine.solve(ferry(1), LIMITS)
            os.write(writer, f"{worker_pid(engine)} {outcome.status.value}".encode())
            engine.close()
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    _, status = os.waitpid(child, 0)
    text = os.read(reader, 100).decode()
    os.close(reader)
    assert os.waitstatus_to_exitcode(status) == 0
    other, word = text.split()
    assert word == "solved"
    assert int(other) != pid
    assert wait_until(lambda: not group(int(other)))
    assert group(pid) == [pid]
    assert engine.solve(ferry(1), LIMITS).status is Status.SOLVED


# --- agreement ------------------------------------------------------------------------------------------------------


def test_it_agrees_with_a_search_too_simple_to_be_wrong(engine: FastDownwardEngine) -> None:
    for task in many_tasks():
        if len(task.objects) > 6:
            continue
        outcome = engine.solve(task, LIMITS)
        expected = Status.UNSOLVABLE if shortest_plan(task) is None else Status.SOLVED
        assert outcome.status is expected, task.problem
