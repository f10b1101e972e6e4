"""Running a program on a task: several orders, other names, the first failure told; in a real confinement too."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[1] / "pddl"))
from program_tasks import LAMPS_PLAN, InProcess, fact_tasks, lamps

from groundplan.confine.opening import CannotConfine, open_confinement
from groundplan.confine.outcome import ConfineLimits, Ending, Ran
from groundplan.confine.protocol import Confinement
from groundplan.errors import InputError
from groundplan.generalize.execute import run_on_task
from groundplan.generalize.kinds import Kind, NamedTask
from groundplan.generalize.values import values_of
from groundplan.pddl.ast import Not, Task

FIXED = f"def get_plan(objects, init, goal):\n    return {list(LAMPS_PLAN)!r}\n"
BY_FACTS = """
def get_plan(objects, init, goal):
    here = next(f[1] for f in init if f[0] == "here")
    plan = []
    doors = sorted(f[1:] for f in init if f[0] == "door")
    rooms = {f[1]: f[2] for f in init if f[0] == "in"}
    todo = sorted(f[1] for f in goal if f[0] == "lit")
    while todo:
        lamp = next((l for l in todo if rooms[l] == here), None)
        if lamp is not None:
            plan.append(f"(light {lamp} {here})")
            todo.remove(lamp)
            continue
        onward = next(b for a, b in doors if a == here and (a, b) in doors and (b, a) in doors)
        plan.append(f"(walk {here} {onward})")
        here = onward
    end = next(f[1] for f in goal if f[0] == "here")
    if here != end:
        plan.append(f"(walk {here} {end})")
    return plan
"""
FIRST = BY_FACTS.replace("    plan = []\n", "    plan = []\n    first = next(iter(objects))\n").replace(
    "    return plan", "    return plan if first == ('hall', 'room') else []"
)
"""Right only where the first object is the hall."""
NAMES = BY_FACTS.replace('f[0] == "lit")', 'f[0] == "lit" and f[1] in ("l1", "l2"))')


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    try:
        opened = open_confinement()
    except CannotConfine as error:
        pytest.skip(str(error))
    yield opened
    opened.close()


def test_each_order_is_run_with_its_own_hash_seed() -> None:
    fake = InProcess()
    result = run_on_task(BY_FACTS, lamps(), fake)
    assert (result.kind, result.orders_tried, result.task, result.seconds) == (Kind.SOLVED, 4, "two", 0.01)
    assert [str(step) for step in result.plan or ()] == list(LAMPS_PLAN)
    values = values_of(lamps().task)
    assert fake.calls[0] == ([values.objects, values.init, values.goal], 0)
    assert [seed for _, seed in fake.calls] == [0, 1, 2, 3]
    assert len({arguments[1] for arguments, _ in fake.calls}) == 4
    assert all(set(arguments[1]) == set(values.init) for arguments, _ in fake.calls)


def test_orders_and_hash_seeds_can_be_turned_off() -> None:
    fake = InProcess()
    assert run_on_task(BY_FACTS, lamps(), fake, orders=1).orders_tried == 1
    assert run_on_task(BY_FACTS, lamps(), fake, orders=2, hash_seeds=False).orders_tried == 2
    assert [seed for _, seed in fake.calls] == [0, 0, 0]


def test_a_failure_ends_it_at_once() -> None:
    fake = InProcess()
    result = run_on_task("def get_plan(objects, init, goal):\n    return []\n", lamps(), fake)
    assert (result.kind, result.cause, result.orders_tried, len(fake.calls)) == (Kind.GOAL_MISSING, None, 1, 1)


def test_what_depends_on_the_order_is_said_to_with_its_cause() -> None:
    result = run_on_task(FIRST, lamps(), InProcess(), orders=8)
    assert (result.kind, result.cause) == (Kind.ORDER_DEPENDENT, Kind.GOAL_MISSING)
    assert 1 < result.orders_tried <= 8
    assert result.plan == ()  # that of the failing order
    for words in ("solves this task when", "sets have no order", "The plan has no steps"):
        assert words in result.message


def test_what_depends_on_names_is_said_to_with_its_cause() -> None:
    assert run_on_task(NAMES, lamps(), InProcess()).solved
    result = run_on_task(NAMES, lamps(), InProcess(), renamed=True)
    assert result.kind is Kind.NAME_DEPENDENT
    assert result.cause is not None
    assert result.orders_tried == 4
    assert "other names" in result.message
    assert run_on_task(BY_FACTS, lamps(), InProcess(), renamed=True).solved


def test_the_old_names_of_what_went_wrong_are_given() -> None:
    fixed = run_on_task(FIXED, lamps(), InProcess(), renamed=True)
    assert (fixed.kind, fixed.cause, fixed.step) == (Kind.NAME_DEPENDENT, Kind.UNKNOWN_OBJECT, 1)
    assert "for `den`" in fixed.message or "`l1` is no object" in fixed.message


class Answers(InProcess):
    """Gives outcomes in turn."""

    def __init__(self, *outcomes: Ran) -> None:
        super().__init__()
        self._outcomes = list(outcomes)

    def run(self, *arguments: Any, **named: Any) -> Ran:
        return self._outcomes.pop(0)


SOLVED = Ran(Ending.RETURNED, value=list(LAMPS_PLAN), seconds=0.2)


def test_a_confinement_that_breaks_is_no_fault_of_the_program() -> None:
    broken = Ran(Ending.BROKEN, message="it did not start")
    assert run_on_task("", lamps(), Answers(broken)).kind is Kind.NOT_RUN
    later = run_on_task("", lamps(), Answers(SOLVED, broken))
    assert (later.kind, later.cause) == (Kind.NOT_RUN, None)
    renamed = run_on_task("", lamps(), Answers(SOLVED, broken), orders=1, renamed=True)
    assert (renamed.kind, renamed.cause) == (Kind.NOT_RUN, None)


def test_the_slowest_run_counts_and_equal_plans_stay_equal() -> None:
    runs = [replace(SOLVED, seconds=seconds) for seconds in (0.2, 0.9, 0.1)]
    result = run_on_task("", lamps(), Answers(*runs), orders=3)
    assert (result.kind, result.seconds) == (Kind.SOLVED, 0.9)
    slow = replace(SOLVED, ending=Ending.TIME_OUT, value=None, seconds=3.0)
    late = run_on_task("", lamps(), Answers(SOLVED, slow), limits=ConfineLimits(wall_s=3, cpu_s=3))
    assert (late.kind, late.cause, late.seconds) == (Kind.ORDER_DEPENDENT, Kind.TIME_OUT, 3.0)
    assert "within 3 seconds" in late.message


def test_a_task_that_no_program_can_be_given_is_refused_before_any_run() -> None:
    task = lamps().task
    odd = replace(task, problem=replace(task.problem, goal=Not(task.problem.init[0])))
    fake = InProcess()
    with pytest.raises(InputError, match="negation"):
        run_on_task(FIXED, NamedTask("odd", odd), fake)
    assert not fake.calls


@given(fact_tasks(), st.integers(0, 9))
def test_the_empty_plan_is_right_where_the_goal_holds(task: Task, seed: int) -> None:
    values = values_of(task)
    result = run_on_task("def get_plan(objects, init, goal):\n    return []\n", NamedTask("t", task), InProcess())
    if not task.domain.derived:
        assert result.solved == (set(values.goal) <= set(values.init))


# --- in a real confinement --------------------------------------------------------------------------------------------


def test_confined_in_all_orders_and_with_other_names(confinement: Confinement) -> None:
    result = run_on_task(BY_FACTS, lamps(), confinement, renamed=True)
    assert (result.kind, result.orders_tried) == (Kind.SOLVED, 4)
    assert 0 < result.seconds < 10


def test_confined_faults_are_told_without_our_names(confinement: Confinement) -> None:
    faults = {
        "    return [fact for fact in init if fact[1]]": (Kind.EXCEPTION, "IndexError"),
        "    for a, b in init:\n        pass": (Kind.EXCEPTION, "does not fit"),
        "    import planning_kit": (Kind.MISSING_MODULE, "`planning_kit`"),
        "    open('/etc/passwd')": (Kind.FORBIDDEN, "no files"),
        "    raise SystemExit(3)": (Kind.EXITED, "never exit"),
        "    print('x' * 10**6)": (Kind.TOO_MUCH_OUTPUT, "Print nothing"),
        "    init.update(goal)\n    return []": (Kind.GOAL_MISSING, "no steps"),
        "    return 1 +": (Kind.NO_PROGRAM, "line 2"),
        "    return object()": (Kind.WRONG_TYPE, "an object"),
    }
    for body, (kind, words) in faults.items():
        result = run_on_task(f"def get_plan(objects, init, goal):\n{body}\n", lamps(), confinement)
        assert (body, result.kind) == (body, kind)
        assert words in result.message
        assert not any(ours in result.message for ours in ("/tmp", "/home", "groundplan", "confine", "<program>"))


def test_what_iterates_a_set_is_found_out(confinement: Confinement) -> None:
    program = BY_FACTS.replace("    return plan", "    return plan if next(iter(init))[0] != 'fuse' else []")
    result = run_on_task(program, lamps(), confinement, orders=12)
    assert result.kind in (Kind.ORDER_DEPENDENT, Kind.GOAL_MISSING)


def test_a_program_that_walks_in_circles(confinement: Confinement) -> None:
    program = BY_FACTS.replace("rooms[l] == here)", "here == 'nowhere')")
    limits = ConfineLimits(wall_s=0.5, cpu_s=0.5)
    result = run_on_task(program, lamps(), confinement, limits=limits)
    assert result.kind is Kind.TIME_OUT
    assert "did not end within 0.5 seconds" in result.message
    assert "the last steps repeat: (walk den hall) (walk hall den)." in result.message
