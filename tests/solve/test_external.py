"""Programs that crash, hang, stay silent or lie: never taken for a verdict."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
from process_groups import wait_until
from solve_tasks import ferry

from groundplan.errors import InputError
from groundplan.pddl import Step, Task, task_from_text
from groundplan.solve.exit_codes import Ending
from groundplan.solve.external import ExternalPlanner, ExternalValidator, Judgement
from groundplan.solve.outcome import Fault, Limit, Limits, Outcome, Status

GOOD = "(board car0 west)\\n(sail west east)\\n(leave car0 east)\\n"
PLAN = (Step("board", ("car0", "west")), Step("sail", ("west", "east")), Step("leave", ("car0", "east")))


def program(folder: Path, script: str) -> str:
    """A shell script as a program; its arguments are $1, $2, ..."""
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return shlex.quote(str(path))


def planner(folder: Path, script: str, arguments: str = "{domain} {problem} {plan}") -> ExternalPlanner:
    return ExternalPlanner(f"{program(folder, script)} {arguments}")


def solve(folder: Path, script: str, task: Task | None = None, limits: Limits = Limits(wall_s=10)) -> Outcome:  # noqa: B008
    return planner(folder, script).solve(task or ferry(1), limits)


@pytest.mark.parametrize(
    ("script", "status", "limit", "fault"),
    [
        (f"printf '{GOOD}' > $3", Status.SOLVED, None, None),
        (f"printf '{GOOD}' > sas_plan", Status.SOLVED, None, None),
        (f"printf '{GOOD}' > $3.1; exit 23", Status.SOLVED, None, None),
        (f"printf '{GOOD}' > $3; kill -9 $$", Status.SOLVED, None, None),
        (
            "printf '0: (BOARD CAR0 WEST) [1]\\n1: (sail west east) [1]\\n2: (leave car0 east)' > $3",
            Status.SOLVED,
            None,
            None,
        ),
        ("exit 0", Status.FAILED, None, Fault.CRASH),
        ("echo search finished; exit 0", Status.FAILED, None, Fault.CRASH),
        ("exit 11", Status.UNSOLVABLE, None, None),
        ("exit 12", Status.NOT_FOUND, Limit.INCOMPLETE, None),
        ("exit 22", Status.NOT_FOUND, Limit.MEMORY, None),
        ("exit 23", Status.NOT_FOUND, Limit.CPU, None),
        ("exit 31", Status.FAILED, None, Fault.INPUT),
        ("exit 34", Status.FAILED, None, Fault.UNSUPPORTED),
        ("exit 1", Status.FAILED, None, Fault.CRASH),
        ("exit 99", Status.FAILED, None, Fault.CRASH),
        ("kill -11 $$", Status.FAILED, None, Fault.CRASH),
        ("kill -9 $$", Status.NOT_FOUND, Limit.MEMORY, None),
        ("printf '(board ca' > $3; kill -9 $$", Status.FAILED, None, Fault.CRASH),
        ("printf '(board car0 west)\\n' > $3; kill -9 $$", Status.FAILED, None, Fault.CRASH),
        ("printf '(board ca' > $3; exit 0", Status.FAILED, None, Fault.CRASH),
        ("printf '(board ca' > $3; exit 23", Status.NOT_FOUND, Limit.CPU, None),
        ("head -c 2000 /dev/zero > $3", Status.FAILED, None, Fault.CRASH),
        ("mkdir $3", Status.FAILED, None, Fault.CRASH),
        ("printf '(sail west east)\\n' > $3", Status.FAILED, None, Fault.BAD_PLAN),
        ("printf '; nothing to do\\n' > $3", Status.FAILED, None, Fault.BAD_PLAN),
        ("printf '(sail west east)\\n' > $3; exit 11", Status.FAILED, None, Fault.CRASH),
    ],
)
def test_every_ending_of_a_planner_is_one_of_four(
    tmp_path: Path, script: str, status: Status, limit: Limit | None, fault: Fault | None
) -> None:
    outcome = solve(tmp_path, script)
    assert (outcome.status, outcome.limit, outcome.fault) == (status, limit, fault), outcome
    if status is Status.SOLVED:
        assert (outcome.plan, outcome.cost) == (PLAN, 3)


def test_an_empty_plan_is_a_plan(tmp_path: Path) -> None:
    for text in ("", "; cost = 0 (unit cost)\\n"):
        outcome = solve(tmp_path, f"printf '{text}' > $3", ferry(2, goal_bank="west"))
        assert (outcome.status, outcome.plan, outcome.cost, outcome.optimal) == (Status.SOLVED, (), 0, True)


def test_the_last_of_several_plans_that_holds_is_taken(tmp_path: Path) -> None:
    detour = "(sail west isle)\\n(sail isle west)\\n"
    script = f"printf '{detour}{GOOD}' > $3.1; printf '{GOOD}' > $3.2; printf '(board' > $3.3; exit 23"
    assert solve(tmp_path, script).cost == 3


def test_the_program_sees_the_task_and_nothing_of_earlier_runs(tmp_path: Path) -> None:
    script = f"""
        ls > {tmp_path}/seen; pwd > {tmp_path}/where
        grep -q '(domain ferry)' $1 && grep -q 'car0' $2 && printf '{GOOD}' > sas_plan"""
    assert solve(tmp_path, script).status is Status.SOLVED
    first = (tmp_path / "where").read_text().strip()
    assert solve(tmp_path, script).status is Status.SOLVED
    assert (tmp_path / "seen").read_text().split() == ["domain.pddl", "problem.pddl"]
    second = (tmp_path / "where").read_text().strip()
    assert first != second
    assert not Path(first).exists()
    assert not Path(second).exists()


def test_what_the_program_said_is_passed_on(tmp_path: Path) -> None:
    outcome = solve(tmp_path, "echo 'line 3: unknown word' >&2; exit 31")
    assert "line 3: unknown word" in outcome.reason
    assert outcome.log == "line 3: unknown word\n"


def test_endless_output_is_cut(tmp_path: Path) -> None:
    outcome = solve(tmp_path, "head -c 3000000 /dev/zero | tr '\\0' x; echo the end; exit 12")
    assert outcome.log.endswith("the end\n")
    assert len(outcome.log) < 100_000


def test_features_the_field_calls_unsupported_never_reach_the_program(tmp_path: Path) -> None:
    task = task_from_text(
        """(define (domain d) (:requirements :numeric-fluents) (:predicates (p)) (:functions (f))
        (:action a :parameters () :precondition (> (f) 1) :effect (p)))""",
        "(define (problem x) (:domain d) (:init (= (f) 2)) (:goal (p)))",
    )
    outcome = solve(tmp_path, f"touch {tmp_path}/ran", task)
    assert outcome.fault is Fault.UNSUPPORTED
    assert "numeric condition" in outcome.reason
    assert not (tmp_path / "ran").exists()


def test_a_program_that_is_not_there() -> None:
    outcome = ExternalPlanner("no-such-planner-here {domain} {problem}").solve(ferry(1))
    assert (outcome.status, outcome.fault) == (Status.FAILED, Fault.MISSING)
    assert "no-such-planner-here" in outcome.reason
    verdict = ExternalValidator("no-such-validator {domain} {problem} {plan}").judge(ferry(1), PLAN)
    assert verdict.judgement is Judgement.NOT_JUDGED


def test_exit_codes_of_ones_own(tmp_path: Path) -> None:
    def ending(code: int) -> Ending:
        return Ending(Status.UNSOLVABLE, "says no") if code == 1 else Ending(Status.SOLVED, "says yes")

    outcome = ExternalPlanner(f"{program(tmp_path, 'exit 1')} {{domain}} {{problem}}", ending=ending).solve(ferry(1))
    assert outcome.status is Status.UNSOLVABLE


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("", "empty"),
        ("planner {domain}", "no place for `{problem}`"),
        ("planner {domain} {problem} {plna}", "did you mean `plan`"),
    ],
)
def test_bad_commands(command: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        ExternalPlanner(command)


def test_odd_names_of_files_and_arguments_are_no_shell_text(tmp_path: Path) -> None:
    folder = tmp_path / "a b; touch hacked"
    folder.mkdir()
    script = f"""[ "$2" = '$(touch hacked); "x"' ] && printf '{GOOD}' > "$1" """
    command = [shlex.split(program(folder, script))[0], "{plan}", '$(touch hacked); "x"', "{domain}{problem}"]
    assert ExternalPlanner(command).solve(ferry(1)).status is Status.SOLVED


# --- limits and leftovers -------------------------------------------------------------------------------------------


def test_a_planner_out_of_time_is_killed_with_its_children(tmp_path: Path) -> None:
    started = time.monotonic()
    outcome = solve(tmp_path, f"sleep 301 & echo $! > {tmp_path}/child; sleep 302", limits=Limits(wall_s=0.5))
    assert 0.5 <= time.monotonic() - started < 2
    assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.WALL)
    child = int((tmp_path / "child").read_text())
    assert wait_until(lambda: not is_alive(child))


def test_children_that_outlive_the_planner_are_killed(tmp_path: Path) -> None:
    script = f"sleep 303 & echo $! > {tmp_path}/child; printf '{GOOD}' > $3"
    started = time.monotonic()
    assert solve(tmp_path, script).status is Status.SOLVED
    assert time.monotonic() - started < 2
    child = int((tmp_path / "child").read_text())
    assert wait_until(lambda: not is_alive(child))


def test_a_planner_ends_when_we_are_killed(tmp_path: Path) -> None:
    command = f"{program(tmp_path, f'echo $$ > {tmp_path}/pid; sleep 304')} {{domain}} {{problem}}"
    code = f"""
import sys
sys.path[:0] = {sys.path!r}
from solve_tasks import ferry
from groundplan.solve.external import ExternalPlanner
ExternalPlanner({command!r}).solve(ferry(1))
"""
    ours = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(tmp_path)})
    pid = tmp_path / "pid"
    assert wait_until(lambda: pid.exists() and pid.read_text().strip() != "")
    ours.kill()
    ours.wait()
    assert wait_until(lambda: not is_alive(int(pid.read_text())))


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_cpu_and_memory_limits(tmp_path: Path) -> None:
    python = shlex.quote(sys.executable)
    outcome = solve(tmp_path, f"exec {python} -c 'while True: pass'", limits=Limits(wall_s=20, cpu_s=1))
    assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.CPU)
    greedy = f"{python} -S -c 'x = bytearray(900 << 20)' 2> /dev/null || exit 22"
    outcome = solve(tmp_path, greedy, limits=Limits(memory_mib=400))
    assert (outcome.status, outcome.limit) == (Status.NOT_FOUND, Limit.MEMORY)


# --- validators -----------------------------------------------------------------------------------------------------


def judge(folder: Path, script: str, limits: Limits = Limits(wall_s=10)) -> Judgement:  # noqa: B008
    validator = ExternalValidator(f"{program(folder, script)} {{domain}} {{problem}} {{plan}}")
    verdict = validator.judge(ferry(1), PLAN, limits)
    assert verdict.reason
    return verdict.judgement


@pytest.mark.parametrize(
    ("script", "judgement"),
    [
        ("echo 'Checking plan: sas_plan'; echo 'Plan valid'; echo 'Final value: 3'", Judgement.VALID),
        ("grep -q '(leave car0 east)' $3 && echo 'Plan valid'", Judgement.VALID),
        ("echo 'Plan failed to execute'; exit 1", Judgement.INVALID),
        ("echo 'Goal not satisfied'; echo 'Plan invalid'; exit 1", Judgement.INVALID),
        ("echo 'Plan invalid'", Judgement.INVALID),
        ("exit 0", Judgement.NOT_JUDGED),
        ("exit 1", Judgement.NOT_JUDGED),
        ("echo plan could not be read; exit 0", Judgement.NOT_JUDGED),
        ("echo 'Bad plan description!'; echo 'Plan invalid'; exit 0", Judgement.NOT_JUDGED),
        ("echo 'Plan valid'; kill -11 $$", Judgement.NOT_JUDGED),
        ("echo 'Plan invalid'; kill -11 $$", Judgement.NOT_JUDGED),
        ("kill -11 $$", Judgement.NOT_JUDGED),
        ("echo 'Plan valid'; exit 1", Judgement.NOT_JUDGED),
        ("echo 'Plan valid'; echo 'Plan invalid'", Judgement.NOT_JUDGED),
        ("echo 'This is no Plan valid for anything'", Judgement.NOT_JUDGED),
    ],
)
def test_a_validator_is_taken_at_its_word_only(tmp_path: Path, script: str, judgement: Judgement) -> None:
    assert judge(tmp_path, script) is judgement


def test_a_validator_out_of_time_has_not_judged(tmp_path: Path) -> None:
    assert judge(tmp_path, "echo 'Plan valid'; sleep 305", Limits(wall_s=0.3)) is Judgement.NOT_JUDGED


# --- the field case -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stub", "ending"),
    [
        ("planner_exit0_without_plan", (Status.FAILED, None, Fault.CRASH)),
        ("planner_unsolvable", (Status.UNSOLVABLE, None, None)),
        ("planner_incomplete", (Status.NOT_FOUND, Limit.INCOMPLETE, None)),
        ("planner_out_of_memory", (Status.NOT_FOUND, Limit.MEMORY, None)),
        ("planner_out_of_time", (Status.NOT_FOUND, Limit.WALL, None)),
        ("planner_input_error", (Status.FAILED, None, Fault.INPUT)),
        ("planner_half_written_plan", (Status.FAILED, None, Fault.CRASH)),
        ("validator_segfault", Judgement.NOT_JUDGED),
        ("validator_silent", Judgement.NOT_JUDGED),
        ("validator_bad_plan_exit0", Judgement.NOT_JUDGED),
    ],
)
def test_a_tool_failure_is_not_a_verdict(shared_dir: Path, stub: str, ending: object) -> None:
    case = shared_dir / "cases" / "tool-failure-is-not-a-verdict"
    task = task_from_text((case / "domain.pddl").read_text(), (case / "problem.pddl").read_text())
    command = ["/bin/sh", str(case / "stubs" / f"{stub}.sh"), "{domain}", "{problem}", "{plan}"]
    os.access(command[1], os.R_OK) or pytest.skip("the stubs are absent")
    limits = Limits(wall_s=0.5)
    if stub.startswith("planner"):
        outcome = ExternalPlanner(command).solve(task, limits)
        assert (outcome.status, outcome.limit, outcome.fault) == ending
        assert stub != "planner_input_error" or "line 3: unknown word" in outcome.reason
    else:
        assert ExternalValidator(command).judge(task, (Step("close", ("b2",)),), limits).judgement is ending
