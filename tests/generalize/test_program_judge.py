"""Judging: valid plans are solved, all others told in words that name the step, the fact and the way out."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[1] / "pddl"))
from program_tasks import LAMPS_PLAN, fact_tasks, lamps, returned

from groundplan.confine.outcome import ConfineLimits, Ending, Frame, Ran
from groundplan.generalize.judge import judge, judge_plan
from groundplan.generalize.kinds import Kind, NamedTask, TaskResult
from groundplan.generalize.values import values_of
from groundplan.pddl.ast import Plan, Step, Task
from groundplan.pddl.validate import validate_plan
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Limits

OURS = re.compile(r"/tmp|/home|/root|0x[0-9a-f]{4}|groundplan|confine|site-packages")


def judged(value: Any, goal: str = "") -> TaskResult:
    task = lamps(goal)
    return judge(task, values_of(task.task), returned(value))


def message(*steps: str, goal: str = "") -> str:
    return judged(list(steps), goal).message


def mutated(plan: Plan, task: Task, rng: random.Random) -> Plan:
    """The plan with a step left out, doubled, swapped or of other objects; or steps of nothing but chance."""
    steps = list(plan)
    names = [item.name for item in task.objects]
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(steps) + 1)
        action = rng.choice(task.domain.actions)
        fresh = Step(action.name, tuple(rng.choice(names) for _ in action.parameters))
        steps[at : at + rng.randint(0, 1)] = rng.choice(
            [[], [fresh], steps[:1], [Step("a9")], [Step(action.name, ("x",))]]
        )
    return tuple(steps)


@given(fact_tasks(), st.integers(0, 99))
def test_solved_exactly_where_the_validator_says_valid(task: Task, seed: int) -> None:
    named, values = NamedTask("t", task), values_of(task)
    found = BuiltinEngine().solve(task, Limits(2, 2)).plan
    if found is not None:
        assert judge(named, values, returned([str(step) for step in found])).kind is Kind.SOLVED
    rng = random.Random(seed)
    for _ in range(4):
        plan = mutated(found or (), task, rng)
        result = judge(named, values, returned([(step.action, *step.args) for step in plan]))
        verdict = validate_plan(task, plan)
        assert result.solved == verdict.is_valid
        assert result.step == verdict.step
        assert bool(result.message) != result.solved
        assert judge_plan(named, values, plan).message == result.message


def test_the_result_of_a_valid_plan() -> None:
    result = judged(list(LAMPS_PLAN))
    assert result == TaskResult("two", Kind.SOLVED, plan=result.plan, seconds=0.5)
    assert [str(step) for step in result.plan or ()] == list(LAMPS_PLAN)


KINDS: list[tuple[tuple[str, ...], Kind, int | None, tuple[str, ...]]] = [
    (("(wlak hall den)",), Kind.UNKNOWN_ACTION, 1, ("(wlak hall den)", "did you mean `walk`?")),
    (("(walk hall)",), Kind.WRONG_ARITY, 1, ("takes 2 arguments, got 1", "(walk ?a ?b), where ?a is a room")),
    (("(walk hall deen)",), Kind.UNKNOWN_OBJECT, 1, ("`deen` is no object of this task", "did you mean `den`?")),
    (("(walk l1 hall)",), Kind.WRONG_OBJECT_TYPE, 1, ("`l1` is a lamp, `?a` wants room", "(walk ?a ?b)")),
    (
        ("(walk hall attic)",),
        Kind.UNMET_STATIC,
        1,
        ("(door hall attic)", "static", "(door hall den)", "other arguments"),
    ),
    (
        ("(walk hall den)", "(walk hall den)"),
        Kind.UNMET_FLUENT,
        2,
        ("needs (here hall)", "since step 1 (walk hall den) made it false", "`walk` can", "true instead: (here den)"),
    ),
    (("(walk den hall)",), Kind.UNMET_FLUENT, 1, ("needs (here den)", "never was", "earlier step must make it true")),
    (("(light l1 hall)",) * 2, Kind.UNMET_FLUENT, 2, ("(lit l1) must be false", "step 1 (light l1 hall) made it true")),
    (("(blow)", "(light l1 hall)"), Kind.UNMET_FLUENT, 2, ("No action ever makes a `fuse` fact true", "step 1 (blow)")),
    (("(rest hall)",), Kind.UNMET_FLUENT, 1, ("needs (bright hall)", "follows from other facts")),
    (LAMPS_PLAN[:2], Kind.GOAL_MISSING, None, ("2 of its 3 facts are missing", "(here hall)", "step 2", "(lit l2)")),
    ((), Kind.GOAL_MISSING, None, ("has no steps", "2 of its 3", "(lit l1); (lit l2)")),
    (
        (*LAMPS_PLAN, "(quench l1 hall)"),
        Kind.GOAL_MISSING,
        None,
        ("(lit l1) (reached, but step 5 (quench l1 hall) made it false)", "already held after step 4"),
    ),
]


@pytest.mark.parametrize(("steps", "kind", "step", "words"), KINDS, ids=lambda item: str(item)[:40])
def test_each_kind_is_told_exactly(
    steps: tuple[str, ...], kind: Kind, step: int | None, words: tuple[str, ...]
) -> None:
    result = judged(list(steps))
    assert (result.kind, result.step) == (kind, step)
    for word in words:
        assert word.lower() in result.message.lower()
    assert not OURS.search(result.message)
    assert len(result.plan or ()) == len(steps)


def test_static_and_fluent_are_told_differently() -> None:
    static, fluent = message("(walk hall attic)"), message("(walk den hall)")
    assert "static" not in fluent
    assert "earlier step must" not in static


def test_a_static_fact_that_must_be_false() -> None:
    text = message("(walk hall den)", "(walk den attic)", "(light l3 attic)")
    assert "(broken l3) must be false, but it is true. `broken` is static" in text


def test_a_derived_goal() -> None:
    goal = "(and (bright den) (here den))"
    assert judged(["(walk hall den)", "(light l2 den)"], goal).solved
    assert "(bright den)" in message("(walk hall den)", goal=goal)


def test_of_many_missing_facts_eight_are_listed() -> None:
    goal = "(forall (?l - lamp ?r - room) (in ?l ?r))"
    text = message(goal=goal)
    assert "6 of its 9" in text
    assert text.count("true instead") == 6
    goal = "(and (forall (?a ?b - room) (door ?a ?b)) (forall (?l - lamp ?r - room) (in ?l ?r)))"
    assert "12 of its 18" in message(goal=goal)
    assert "and 4 more" in message(goal=goal)


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        (None, Kind.RETURNED_NOTHING, "nothing"),
        ({"(walk hall den)"}, Kind.WRONG_TYPE, "order"),
        (["(walk hall den)", 7], Kind.UNREADABLE_STEP, "Element 2"),
        (["(walk None den)"], Kind.UNKNOWN_OBJECT, "None was formatted into the step"),
        ([("walk", None, "den")], Kind.UNKNOWN_OBJECT, "None was formatted into the step"),
        (["(walk ('hall',) den)"], Kind.UNKNOWN_OBJECT, "`('hall',)` is no object of this task; a tuple"),
        ([("walk", ("hall",), "den")], Kind.UNKNOWN_OBJECT, "a tuple was formatted"),
        (["(walk ('hall', 'den'))"], Kind.UNKNOWN_OBJECT, "a tuple was formatted"),
        (["(walk 3 den)"], Kind.UNKNOWN_OBJECT, "a number was formatted"),
        (["(walk 'hall' 'den')"], Kind.UNKNOWN_OBJECT, "without quotes"),
    ],
)
def test_a_fault_of_form_is_never_told_as_a_missed_goal(value: Any, kind: Kind, words: str) -> None:
    result = judged(value)
    assert result.kind is kind
    assert words in result.message
    assert "goal" not in result.message


TRACE = (Frame(9, "get_plan", "return walk(here)"), Frame(4, "walk", "x = y[0]"))
ENDINGS: list[tuple[Ran, Kind, tuple[str, ...]]] = [
    (Ran(Ending.TIME_OUT, trace=TRACE, message="the limit of 3 seconds was reached"), Kind.TIME_OUT,
     ("did not end within 3 seconds", "line 4 (`x = y[0]`) of walk, called from line 9")),
    (Ran(Ending.MEMORY, trace=TRACE), Kind.OUT_OF_MEMORY, ("did not end before its memory",)),
    (Ran(Ending.RAISED, error="KeyError", message="'c1'", trace=TRACE, variables=(("y", "[]"),)), Kind.EXCEPTION,
     ("KeyError: 'c1' in line 4 (`x = y[0]`) of walk, called from line 9 (`return walk(here)`) of get_plan", "y = []")),
    (Ran(Ending.RAISED, error="StopIteration", trace=TRACE), Kind.EXCEPTION, ("`next(...)` found no element",)),
    (Ran(Ending.RAISED, error="TypeError", message="get_plan() takes 2 positional arguments but 3 were given"),
     Kind.EXCEPTION, ("Calling get_plan(objects, init, goal) raised TypeError", "exactly these three")),
    (Ran(Ending.RAISED, error="ModuleNotFoundError", message="No module named 'planning_kit'"), Kind.MISSING_MODULE,
     ("`planning_kit`", "standard library")),
    (Ran(Ending.EXITED, message="it ended itself with 3"), Kind.EXITED, ("it ended itself with 3", "never exit")),
    (Ran(Ending.FORBIDDEN, message="[Errno 13] Permission denied: '/home/me/x.txt'", trace=TRACE), Kind.FORBIDDEN,
     ("x.txt", "no files")),
    (Ran(Ending.OUTPUT, message="it printed more than 64000 bytes"), Kind.TOO_MUCH_OUTPUT, ("64000", "Print nothing")),
    (Ran(Ending.KILLED, message="its process was ended by SIGSEGV"), Kind.KILLED, ("SIGSEGV",)),
    (Ran(Ending.BAD_SOURCE, message="line 1: invalid syntax"), Kind.NO_PROGRAM, ("line 1: invalid syntax",)),
    (Ran(Ending.BROKEN, message="the process did not start"), Kind.NOT_RUN, ("nothing is known",)),
]  # fmt: skip


@pytest.mark.parametrize(("ran", "kind", "words"), ENDINGS, ids=[str(item[1].value) for item in ENDINGS])
def test_endings_without_a_value(ran: Ran, kind: Kind, words: tuple[str, ...]) -> None:
    task = lamps()
    result = judge(task, values_of(task.task), ran)
    assert (result.kind, result.plan) == (kind, None)
    for word in words:
        assert word in result.message
    assert not OURS.search(result.message)


def test_every_ending_has_a_kind() -> None:
    task = lamps()
    for ending in Ending:
        result = judge(task, values_of(task.task), Ran(ending, value=[]))
        assert not result.solved
        assert result.message


def test_the_time_limit_is_that_of_the_run() -> None:
    task = lamps()
    result = judge(task, values_of(task.task), Ran(Ending.TIME_OUT), limits=ConfineLimits(wall_s=7, cpu_s=9))
    assert "within 7 seconds" in result.message


CIRCLES = {
    "a long list": "<list of over 100,000 items, ending with '(b x)', '(a x)', '(b x)', '(a x)', '(b x)', '(a x)'>",
    "as it is shown": "<list of over 100 items, whose end repeats over and over: '(a x)', '(b x)'>",
    "a short one": "['(c x)', '(d x)', '(a x)', '(b x)', '(a x)', '(b x)', '(a x)', '(b x)', '(a x)', '(b x)']",
    "tuples": "<list of 90 items, ending with ('b', 'x'), ('a', 'x'), ('b', 'x'), ('a', 'x'), ('b', 'x'), ('a', 'x')>",
}


@pytest.mark.parametrize("text", CIRCLES.values(), ids=CIRCLES)
def test_steps_that_repeat_are_shown_from_the_same_one_on(text: str) -> None:
    task = lamps()
    ran = Ran(Ending.TIME_OUT, variables=(("goal", "{('g',)}"), ("here", "'h2'"), ("plan", text)))
    told = judge(task, values_of(task.task), ran).message
    assert "the last steps repeat: (a x) (b x)." in told
    assert "here = 'h2'" in told
    assert "goal =" not in told


@pytest.mark.parametrize(
    "text", ["['(a x)', '(b x)', '(c x)', '(d x)']", "[1, 1, 1, 1, 1, 1]", "<list>", "['a', 'a', 'a']"]
)
def test_lists_that_do_not_repeat_are_not_said_to(text: str) -> None:
    task = lamps()
    ran = Ran(Ending.TIME_OUT, variables=(("plan", text),))
    assert "repeat" not in judge(task, values_of(task.task), ran).message


def test_paths_and_addresses_are_left_out() -> None:
    text = (
        "cannot import name 'x' from 'math' (/usr/lib/python3.11/lib-dynload/math.so): <Node object at 0x7f12ab34cd56>"
    )
    task = lamps()
    told = judge(task, values_of(task.task), Ran(Ending.RAISED, error="ImportError", message=text, trace=TRACE)).message
    assert "/usr" not in told
    assert "0x" not in told
    assert "<Node object>" in told
