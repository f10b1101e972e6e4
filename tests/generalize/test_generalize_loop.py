"""The whole search over a scripted model that plays every part, with programs really run."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundplan.confine.opening import open_confinement
from groundplan.confine.protocol import Confinement
from groundplan.errors import InputError
from groundplan.generalize.kinds import Kind, NamedTask
from groundplan.generalize.loop import generalize
from groundplan.generalize.report import render_report
from groundplan.generalize.result import Ending, Result
from groundplan.generalize.settings import Settings, preset
from groundplan.models.errors import BadReply, ConnectionFailed, PromptTooLong
from groundplan.models.protocol import Message, Reply
from groundplan.models.scripted import Line, ScriptedModel
from groundplan.pddl.read import task_from_text
from groundplan.runs.budget import Budget
from groundplan.runs.run import Run
from groundplan.solve.builtin import BuiltinEngine

sys.path.append(str(Path(__file__).parent))
from scripted_porter import CRASHES, DOMAIN, GOOD, ONE_BOX, TASKS, Actor, block, kind_of, task

FAST = replace(Settings(), orders=2, time_limit_s=5.0)


@pytest.fixture(scope="module")
def confinement() -> Iterator[Confinement]:
    opened = open_confinement()
    yield opened
    opened.close()


def search(
    folder: Path,
    actor: Actor | ScriptedModel,
    confinement: Confinement,
    how: Settings = FAST,
    budget: Budget | None = None,
    tasks: Sequence[NamedTask] = TASKS,
    **more: object,
) -> Result:
    model = actor if isinstance(actor, ScriptedModel) else actor.model
    with Run.open(folder, settings={"n": 1}, budget=budget) as run:
        return generalize(tasks, model, BuiltinEngine(), confinement, run, how, **more)  # type: ignore[arg-type]


def test_a_model_that_is_right_at_once(tmp_path: Path, confinement: Confinement) -> None:
    actor = Actor()
    result = search(tmp_path, actor, confinement)
    assert (result.ending, result.solved, result.model_calls) == (Ending.ALL_SOLVED, 6, 10)
    assert (result.strategy_repairs, result.program_repairs) == (0, 0)
    assert actor.asked == {"describe domain": 1, "describe tasks": 1, "strategy": 1, "plan": 6, "program": 1}
    assert "get_plan" in result.program
    assert "Strategy 1 (goes on" in render_report(result)


def test_tasks_that_a_reply_leaves_out_are_described_one_by_one(tmp_path: Path, confinement: Confinement) -> None:
    actor = Actor(describe_tasks="<puzzle p1>\nSome boxes.\n</puzzle> and <puzzle p2></puzzle>")
    assert search(tmp_path / "a", actor, confinement).ending is Ending.ALL_SOLVED
    assert actor.asked["describe task"] == 5
    faithful = Actor()
    search(tmp_path / "b", faithful, confinement, replace(FAST, describe_each=True))
    assert (faithful.asked["describe tasks"], faithful.asked["describe task"]) == (0, 6)


def test_a_strategy_is_mended_on_the_task_it_fails(tmp_path: Path, confinement: Confinement) -> None:
    wrong = "```plan\n(lift b0 r0)\n```"
    actor = Actor(plan=["right", wrong, "right", wrong, "right", "right", "right"])
    result = search(tmp_path, actor, confinement)
    assert result.ending is Ending.ALL_SOLVED
    assert actor.asked["reflect on strategy"] == actor.asked["revise"] == result.strategy_repairs == 1
    assert result.strategy.endswith("Mended.")
    first = result.as_json()["strategies"][0]
    assert first["solved"] == 4
    failed = [item for item in first["tasks"] if item["kind"] != "solved"]
    assert all(item["kind"] in ("goal-missing", "unmet-precondition") for item in failed)


def test_the_best_strategy_goes_on_and_a_tie_goes_to_the_later_one(tmp_path: Path, confinement: Confinement) -> None:
    wrong = "```plan\n(lift b9 r0)\n```"
    plans = ["right", *[wrong] * 5, "right", "right", *[wrong] * 4, "right", "right", *[wrong] * 4]
    revised = [f"<strategy>\nnumber {n}\n</strategy>" for n in (2, 3)]
    result = search(tmp_path, Actor(plan=plans, revise=list(revised)), confinement, replace(FAST, strategy_repairs=2))
    assert result.strategy == "number 3"


def test_more_plans_are_asked_for_before_a_strategy_is_blamed(tmp_path: Path, confinement: Confinement) -> None:
    actor = Actor(plan=["no plan, sorry", "right", "right", "right", "right", "right", "right"])
    result = search(tmp_path, actor, confinement, replace(FAST, plans_per_check=2))
    assert (result.strategy_repairs, actor.asked["plan"]) == (0, 7)


def test_programs_are_fixed_exceptions_first(tmp_path: Path, confinement: Confinement) -> None:
    actor = Actor(program=block(CRASHES))
    result = search(tmp_path, actor, confinement)
    assert (result.ending, result.program_repairs) == (Ending.ALL_SOLVED, 1)
    kinds = {item.kind for item in result.tried[0].check.results}
    assert kinds == {Kind.SOLVED, Kind.EXCEPTION}


def test_a_variant_without_success_gives_way_to_the_next(tmp_path: Path, confinement: Confinement) -> None:
    actor = Actor(program=[block(ONE_BOX), block(GOOD)], fix=[block(ONE_BOX)])
    result = search(tmp_path, actor, confinement)
    assert (result.best.variant if result.best else None, actor.asked["fix"]) == (1, 3)
    assert actor.asked["program"] == 2


def test_the_most_tasks_win_and_a_tie_goes_to_the_later_program(tmp_path: Path, confinement: Confinement) -> None:
    actor = Actor(program=[block(CRASHES), block(ONE_BOX)], fix=[block(ONE_BOX), block(CRASHES + "\n# later")])
    result = search(tmp_path, actor, confinement, replace(FAST, variants=2, fixes=2))
    assert result.ending is Ending.SOME_SOLVED
    assert result.program.endswith("# later\n")
    assert result.best is not None
    assert (result.best.variant, result.best.fix) == (1, 2)


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_earliest_full_success_wins_however_many_at_once(
    tmp_path: Path, confinement: Confinement, jobs: int
) -> None:
    def by_variant(messages: object, sample: int) -> str:
        raise AssertionError

    del by_variant
    actor = Actor(program=[block(ONE_BOX)] * 5, fix=[block(ONE_BOX)])
    result = search(tmp_path, actor, confinement, replace(FAST, jobs=jobs, variants_at_once=jobs, variants=3, fixes=1))
    assert result.solved == 1
    assert [(item.variant, item.fix) for item in result.tried] == [(v, f) for v in range(3) for f in range(2)]


BAD_STRATEGIES = {
    "no delimiters": "First carry everything.",
    "no end": "<strategy>\ncarry",
    "empty": "<strategy></strategy>",
    "nothing": BadReply("nothing"),
    "cut off": Reply("<strategy>\nfor each", "scripted", finish="length"),
}


@pytest.mark.parametrize("kind", BAD_STRATEGIES)
def test_an_unreadable_strategy_is_asked_for_again(tmp_path: Path, confinement: Confinement, kind: str) -> None:
    actor = Actor(strategy=BAD_STRATEGIES[kind])
    result = search(tmp_path, actor, confinement)
    assert (result.ending, actor.asked["strategy again"]) == (Ending.ALL_SOLVED, 1)
    never = Actor(strategy=BAD_STRATEGIES[kind], strategy_again=BAD_STRATEGIES[kind])
    result = search(tmp_path / "never", never, confinement)
    assert (result.ending, never.asked["strategy again"]) == (Ending.NO_STRATEGY, 5)
    assert "no strategy" in render_report(result)


BAD_PROGRAMS = {
    "prose": "I cannot do that.",
    "no function": block("x = 1"),
    "syntax": block("def get_plan(objects, init, goal:\n  return []"),
    "nothing": BadReply("nothing"),
    "cut off": Reply("```python\ndef get_plan(objects, init, goal):\n    plan = [", "scripted", finish="length"),
}


@pytest.mark.parametrize("kind", BAD_PROGRAMS)
def test_an_unusable_program_is_asked_for_again(tmp_path: Path, confinement: Confinement, kind: str) -> None:
    actor = Actor(program=BAD_PROGRAMS[kind])
    assert search(tmp_path, actor, confinement).ending is Ending.ALL_SOLVED
    never = Actor(program=BAD_PROGRAMS[kind], program_again=BAD_PROGRAMS[kind], fix=BAD_PROGRAMS[kind])
    result = search(tmp_path / "never", never, confinement, replace(FAST, variants=2, fixes=1))
    assert result.ending in (Ending.NO_PROGRAM, Ending.NONE_SOLVED)
    assert render_report(result)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=200) | st.just("```python\nget_plan = 3\n```"), min_size=1, max_size=4))
def test_nonsense_ends_in_a_report(tmp_path_factory: pytest.TempPathFactory, answers: list[str]) -> None:
    replies = [text if text.strip() else BadReply("nothing") for text in answers]
    model = ScriptedModel(lambda messages, sample: replies[len(messages) % len(replies)])
    confinement = open_confinement()
    try:
        result = search(tmp_path_factory.mktemp("run"), model, confinement, replace(FAST, variants=2, fixes=1))
    finally:
        confinement.close()
    assert result.ending is not Ending.ALL_SOLVED
    assert render_report(result)


class Flaky(ScriptedModel):
    """An actor whose connection breaks at one question; remembers what it answered."""

    def __init__(self, actor: Actor, breaks_at: int) -> None:
        super().__init__(actor)
        self.breaks_at = breaks_at
        self.answered: list[str] = []

    def reply(self, messages, sampling, sample=0):  # type: ignore[no-untyped-def]
        if len(self.answered) == self.breaks_at:
            self.breaks_at = -1
            raise ConnectionFailed("gone")
        answer = super().reply(messages, sampling, sample)
        self.answered.append(f"{messages}{sample}")
        return answer


def _scene() -> Actor:
    wrong = "```plan\n(lift b9 r0)\n```"
    return Actor(plan=["right", wrong, *["right"] * 20], program=[block(CRASHES)], fix=[block(ONE_BOX), block(GOOD)])


def test_a_run_that_breaks_anywhere_goes_on_and_pays_for_nothing_twice(
    tmp_path: Path, confinement: Confinement
) -> None:
    whole = Flaky(_scene(), -1)
    expected = search(tmp_path / "whole", whole, confinement)
    assert expected.ending is Ending.ALL_SOLVED
    assert expected.strategy_repairs > 0
    assert expected.program_repairs == 2
    for breaks_at in range(0, len(whole.answered), 2):
        model = Flaky(_scene(), breaks_at)
        folder = tmp_path / f"broken-{breaks_at}"
        assert search(folder, model, confinement).ending is Ending.MODEL
        result = search(folder, model, confinement)
        assert result.program == expected.program
        assert [item.check for item in result.tried] == [
            replace(item.check, results=mine.check.results)
            for item, mine in zip(expected.tried, result.tried, strict=True)
        ]
        assert model.answered == whole.answered


def test_a_budget_ends_the_run_cleanly_anywhere(tmp_path: Path, confinement: Confinement) -> None:
    for calls in range(0, 17, 2):
        result = search(tmp_path / str(calls), _scene(), confinement, budget=Budget(calls=calls))
        assert result.ending is Ending.BUDGET
        assert result.model_calls == calls
        assert "budget" in render_report(result)


def test_a_conversation_that_grew_too_long_ends_its_variant_only(tmp_path: Path, confinement: Confinement) -> None:
    actor = Actor(program=[block(ONE_BOX), block(GOOD)], reflect_on_program=PromptTooLong("too long"))
    result = search(tmp_path, actor, confinement)
    assert (result.ending, result.best.variant if result.best else None) == (Ending.ALL_SOLVED, 1)


@pytest.mark.parametrize("name", ["silver", "bas", "f3-6", "f5-3-mc", "f5-3-sd", "f5-3-cr", "f5-3-mc-sd-cr"])
def test_each_preset_finds_the_program(tmp_path: Path, confinement: Confinement, name: str) -> None:
    actor = Actor(program=[block(ONE_BOX)])
    result = search(tmp_path, actor, confinement, replace(preset(name), orders=2))
    assert result.ending is Ending.ALL_SOLVED
    unchecked = "sd" in name or name in ("silver", "bas")
    assert (actor.asked["plan"] == 0) is unchecked
    assert (actor.asked["reflect on program"] == 0) is ("cr" in name or name in ("silver", "bas"))
    assert (actor.asked["summary"] == 1) is (name in ("silver", "bas"))


def test_counter_examples_join_the_debugging_tasks(tmp_path: Path, confinement: Confinement) -> None:
    larger = [task(number) for number in (6, 8)]
    six = GOOD.replace("    plan = []", "    plan = []\n    goal = sorted(goal)[:6]")
    actor = Actor(program=[block(six)], fix=[block(GOOD)])
    how = replace(FAST, growth=3)
    result = search(tmp_path, actor, confinement, how, pool=lambda number: larger)
    assert (result.ending, result.added, result.solved) == (Ending.ALL_SOLVED, ("p6",), 7)
    assert actor.asked["fix"] == 1


def test_a_long_conversation_is_shortened(tmp_path: Path, confinement: Confinement) -> None:
    actor = Actor(program=[block(ONE_BOX)], fix=[block(ONE_BOX)])
    model = actor.model
    search(tmp_path, model, confinement, replace(FAST, variants=1, fixes=6, trim_tokens=1500))
    fixes = [prompt for prompt in model.prompts if "Now fix the program" in prompt[-1].content]
    assert len(fixes) == 6
    assert len(fixes[-1]) <= 8
    assert "left out here" in fixes[-1][1].content
    assert "Implement the strategy" in fixes[-1][1].content


def test_ties_may_go_to_the_shorter_plans(tmp_path: Path, confinement: Confinement) -> None:
    long = GOOD.replace(
        "        if here != at[box]:",
        '        plan += [f"(go {here} r0)", f"(go r0 {here})"]\n        if here != at[box]:',
    )
    worse = long.replace("return plan", "return plan if len(goal) < 6 else None")
    short = GOOD.replace("return plan", "return plan if len(goal) < 6 else None")
    for shortest, expected in ((False, 1), (True, 0)):
        actor = Actor(program=[block(short), block(worse)])
        how = replace(FAST, variants=2, fixes=0, shortest=shortest)
        result = search(tmp_path / str(shortest), actor, confinement, how)
        assert result.best is not None
        assert result.best.variant == expected


def test_tasks_that_do_not_fit_are_refused_before_anything_is_paid(tmp_path: Path, confinement: Confinement) -> None:
    odd = NamedTask(
        "odd",
        task_from_text(
            DOMAIN, "(define (problem p) (:domain porter) (:objects r - room) (:init (here r)) (:goal (not (here r))))"
        ),
    )
    actor = Actor()
    with Run.open(tmp_path, settings={}) as run:
        for tasks in ((), (TASKS[0], TASKS[0]), (odd,)):
            with pytest.raises(InputError):
                generalize(tasks, actor.model, BuiltinEngine(), confinement, run)
    assert not actor.asked


def test_what_befalls_a_later_variant_does_not_spoil_a_success(tmp_path: Path, confinement: Confinement) -> None:
    plain = Actor().model
    search(tmp_path / "one", plain, confinement)
    first = plain.prompts[-1]  # the question of the first variant
    actor = Actor()

    def answer(messages: Sequence[Message], sample: int) -> Line:
        if kind_of(messages) == "program" and tuple(messages) != first:
            return ConnectionFailed("gone")
        return actor(messages, sample)

    how = replace(FAST, variants=4, variants_at_once=4)
    result = search(tmp_path / "four", ScriptedModel(answer), confinement, how)
    assert (result.ending, len(result.tried)) == (Ending.ALL_SOLVED, 1)


def test_tasks_that_are_left_over_are_counter_examples(tmp_path: Path, confinement: Confinement) -> None:
    tasks = [task(number) for number in range(1, 9)]
    known = search(tmp_path / "first", Actor(program=[block(GOOD)]), confinement, FAST, tasks=tasks).debugging
    left = next(number for number in range(1, 9) if f"p{number}" not in known)
    weak = GOOD.replace("    plan = []", f"    plan = []\n    goal = [] if len(goal) == {left + 1} else goal")
    actor = Actor(program=[block(weak)], fix=[block(GOOD)])
    result = search(tmp_path / "second", actor, confinement, replace(FAST, growth=2), tasks=tasks)
    assert (result.ending, result.added) == (Ending.ALL_SOLVED, (f"p{left}",))
    assert result.program_repairs == 1
    assert actor.asked["fix"] == 1
